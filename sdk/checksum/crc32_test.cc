// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The checksum of messages.

#include "sdk/checksum/crc32.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace npukit {
namespace {

std::span<const uint8_t> BytesOf(const std::string& text) {
  return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}

// Bit by bit, as the standard has it.
uint32_t SlowCrc32(std::span<const uint8_t> bytes) {
  uint32_t crc = ~0U;
  for (const uint8_t byte : bytes) {
    crc ^= byte;
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (crc & 1 ? 0xedb88320U : 0U);
  }
  return ~crc;
}

TEST(Crc32Test, OfAnyLength) {
  std::vector<uint8_t> bytes(700);
  for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<uint8_t>(i * i * 7 + i / 3);
  for (size_t begin : {0, 1, 15}) {
    for (size_t size = 0; begin + size <= bytes.size(); ++size) {
      const auto part = std::span(bytes).subspan(begin, size);
      ASSERT_EQ(Crc32(part), SlowCrc32(part)) << begin << ", " << size;
    }
  }
}

TEST(Crc32Test, WholeAndInParts) {
  const std::string text = "123456789";
  EXPECT_EQ(Crc32(BytesOf(text)), 0xcbf43926U);  // the check value of its definitions
  EXPECT_EQ(Crc32({}), 0U);
  for (size_t at = 0; at <= text.size(); ++at)
    EXPECT_EQ(Crc32(BytesOf(text.substr(at)), Crc32(BytesOf(text.substr(0, at)))), 0xcbf43926U);
  const std::string longer = "The quick brown fox jumps over the lazy dog";
  EXPECT_EQ(Crc32(BytesOf(longer)), 0x414fa339U);
  for (size_t at = 0; at <= longer.size(); ++at) {
    const uint32_t begin = Crc32(BytesOf(longer.substr(0, at)));
    EXPECT_EQ(Crc32(BytesOf(longer.substr(at)), begin), 0x414fa339U);
  }
}

}  // namespace
}  // namespace npukit
