// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// CRC-32 of ISO 3309, as archives and the wire have it: polynomial 0x04c11db7, its bits reversed. Of
// its own, since what runs on a device needs no zlib.

#ifndef NPUKIT_SDK_CHECKSUM_CRC32_H_
#define NPUKIT_SDK_CHECKSUM_CRC32_H_

#include <array>
#include <cstdint>
#include <span>

namespace npukit {

inline constexpr std::array<uint32_t, 256> kCrc32Table = [] {
  std::array<uint32_t, 256> table = {};
  for (uint32_t i = 0; i < table.size(); ++i) {
    uint32_t remainder = i;
    for (int bit = 0; bit < 8; ++bit)
      remainder = remainder >> 1 ^ (remainder & 1 ? 0xedb88320U : 0U);
    table[i] = remainder;
  }
  return table;
}();

// `before`: of the bytes before these, where they come in parts.
constexpr uint32_t Crc32(std::span<const uint8_t> bytes, uint32_t before = 0) {
  uint32_t crc = ~before;
  for (const uint8_t byte : bytes) crc = crc >> 8 ^ kCrc32Table[(crc ^ byte) & 0xff];
  return ~crc;
}

}  // namespace npukit

#endif  // NPUKIT_SDK_CHECKSUM_CRC32_H_
