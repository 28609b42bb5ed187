// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/runtime/state/string_tensor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

namespace npukit {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::vector<uint8_t> Words(const std::vector<int32_t>& words) {
  std::vector<uint8_t> bytes(words.size() * sizeof(int32_t));
  std::memcpy(bytes.data(), words.data(), bytes.size());
  return bytes;
}

TEST(StringTensor, IsReadAsItWasWritten) {
  const std::vector<std::string_view> strings = {"AB", "", "c"};
  const auto bytes = WriteStrings(strings);
  ASSERT_TRUE(bytes) << bytes.Error();
  std::vector<uint8_t> expected = Words({3, 20, 22, 22, 23});
  for (char c : std::string_view("ABc")) expected.push_back(static_cast<uint8_t>(c));
  EXPECT_EQ(*bytes, expected) << "as TFLite lays them out";
  const auto read = ReadStrings(*bytes, 3);
  ASSERT_TRUE(read) << read.Error();
  EXPECT_THAT(*read, ElementsAre("AB", "", "c"));
  const auto none = WriteStrings({});
  ASSERT_TRUE(none);
  const auto nothing = ReadStrings(*none, 0);
  ASSERT_TRUE(nothing) << nothing.Error();
  EXPECT_THAT(*nothing, IsEmpty());
}

TEST(StringTensor, BadBytesAreErrors) {
  struct {
    std::vector<uint8_t> bytes;
    const char* expected;
  } const cases[] = {
      {{}, "their number"},
      {{1, 0, 0}, "their number"},
      {Words({2, 16, 16, 16}), "1 of them, found 2"},
      {Words({-1}), "1 of them, found -1"},
      {Words({1, 12}), "2 offsets"},
      {Words({1, 12, 13}), "string 0"},
      {Words({1, 8, 12}), "string 0"},
      {Words({1, 12, 11}), "string 0"},
      {Words({1, -4, 12}), "string 0"},
  };
  for (const auto& c : cases) {
    const auto read = ReadStrings(c.bytes, 1);
    ASSERT_FALSE(read) << c.expected;
    EXPECT_THAT(read.Error().Message(), HasSubstr(c.expected));
  }
}

}  // namespace
}  // namespace npukit
