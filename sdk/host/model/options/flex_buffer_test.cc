// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/model/options/flex_buffer.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace npukit {
namespace {

std::vector<uint8_t> MapOfOne(const char* key, int value) {
  flexbuffers::Builder builder;
  builder.Map([&] { builder.Int(key, value); });
  builder.Finish();
  return builder.GetBuffer();
}

TEST(FlexBuffer, GivesWhatIsStored) {
  const auto buffer = FlexBuffer::Verify(MapOfOne("k", 5));
  ASSERT_TRUE(buffer);
  EXPECT_EQ(buffer->root().AsMap()["k"].AsInt32(), 5);
  EXPECT_TRUE(buffer->root().AsMap()["other"].IsNull());
}

// Without a zero in its bytes the key goes on to their end, and would go on behind it.
TEST(FlexBuffer, KeysWithoutEndAreCompared) {
  std::vector<uint8_t> bytes = MapOfOne("k", 5);
  std::ranges::replace(bytes, uint8_t{0}, uint8_t{'x'});
  const auto buffer = FlexBuffer::Verify(bytes);
  if (!buffer) return;  // a verifier that sees it
  const std::string whole(bytes.begin(), bytes.end());
  EXPECT_EQ(buffer->root().AsMap().Keys()[0].AsKey(), whole);
  EXPECT_TRUE(buffer->root().AsMap()["k"].IsNull());
}

TEST(FlexBuffer, RefusesOtherBytes) {
  EXPECT_FALSE(FlexBuffer::Verify({}));
  EXPECT_FALSE(FlexBuffer::Verify(std::vector<uint8_t>{1, 2, 3}));
}

}  // namespace
}  // namespace npukit
