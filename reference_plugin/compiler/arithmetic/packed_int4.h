// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// int4 as constants hold it and as the load engine takes it: two to a byte, the lower half first.

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_ARITHMETIC_PACKED_INT4_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_ARITHMETIC_PACKED_INT4_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace acme::compiler {

// The four bits of an element.
inline uint8_t Int4BitsAt(std::span<const uint8_t> packed, int64_t elem) {
  const uint8_t byte = packed[static_cast<size_t>(elem / 2)];
  return elem % 2 == 0 ? byte & 0xF : byte >> 4;
}

// Its value, -8 to 7.
inline int Int4At(std::span<const uint8_t> packed, int64_t elem) {
  return static_cast<int8_t>(Int4BitsAt(packed, elem) << 4) >> 4;
}

// From one element a byte, in its lower half. An odd number ends with half a byte of 0.
inline void PackInt4(std::vector<uint8_t>& bytes) {
  bytes.resize((bytes.size() + 1) / 2 * 2);
  for (size_t i = 0; i < bytes.size(); i += 2)
    bytes[i / 2] = static_cast<uint8_t>((bytes[i] & 0xF) | bytes[i + 1] << 4);
  bytes.resize(bytes.size() / 2);
}

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_ARITHMETIC_PACKED_INT4_H_
