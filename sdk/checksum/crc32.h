// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// CRC-32 of ISO 3309, as archives and the wire have it: polynomial 0x04c11db7, its bits reversed. Of
// its own, since what runs on a device needs no zlib.

#ifndef NPUKIT_SDK_CHECKSUM_CRC32_H_
#define NPUKIT_SDK_CHECKSUM_CRC32_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include "sdk/checksum/crc32_folding.h"

namespace npukit {

// Of a byte, and of a byte with so many zero bytes after it.
inline constexpr size_t kCrc32Step = 8;
inline constexpr std::array<std::array<uint32_t, 256>, kCrc32Step> kCrc32Tables = [] {
  std::array<std::array<uint32_t, 256>, kCrc32Step> tables = {};
  for (uint32_t i = 0; i < 256; ++i) {
    uint32_t remainder = i;
    for (int bit = 0; bit < 8; ++bit)
      remainder = remainder >> 1 ^ (remainder & 1 ? 0xedb88320U : 0U);
    tables[0][i] = remainder;
  }
  for (size_t zeros = 1; zeros < kCrc32Step; ++zeros) {
    for (size_t i = 0; i < 256; ++i) {
      const uint32_t before = tables[zeros - 1][i];
      tables[zeros][i] = before >> 8 ^ tables[0][before & 0xff];
    }
  }
  return tables;
}();

// `before`: of the bytes before these, where they come in parts. Eight bytes at a time, each by the table that knows how
// many follow it; where the processor can, many more.
constexpr uint32_t Crc32(std::span<const uint8_t> bytes, uint32_t before = 0) {
  uint32_t crc = ~before;
  size_t at = 0;
#if defined(__x86_64__)
  if (!std::is_constant_evaluated() && bytes.size() >= kCrc32LeastFolded && CanFoldCrc32()) {
    at = bytes.size() / kCrc32FoldedStep * kCrc32FoldedStep;
    crc = FoldCrc32(bytes.data(), at, crc);
  }
#endif
  for (; bytes.size() - at >= kCrc32Step; at += kCrc32Step) {
    uint32_t next = 0;
    for (size_t i = 0; i < kCrc32Step; ++i) {
      const uint32_t mask = i < 4 ? crc >> 8 * i : 0;
      next ^= kCrc32Tables[kCrc32Step - 1 - i][(bytes[at + i] ^ mask) & 0xff];
    }
    crc = next;
  }
  for (; at < bytes.size(); ++at) crc = crc >> 8 ^ kCrc32Tables[0][(crc ^ bytes[at]) & 0xff];
  return ~crc;
}

}  // namespace npukit

#endif  // NPUKIT_SDK_CHECKSUM_CRC32_H_
