// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// int4 and int2 constants: two or four elements a byte, the first in the lowest bits.

#ifndef NPUKIT_SDK_HOST_KERNELS_FIXED_POINT_PACKED_INTEGERS_H_
#define NPUKIT_SDK_HOST_KERNELS_FIXED_POINT_PACKED_INTEGERS_H_

#include <cstdint>
#include <span>
#include <vector>

#include "litert/c/litert_model_types.h"

namespace npukit::kernels {

inline bool IsPacked(LiteRtElementType type) {
  return type == kLiteRtElementTypeInt4 || type == kLiteRtElementTypeInt2;
}

// Element `elem` of packed bytes of that type.
inline int8_t PackedAt(LiteRtElementType type, std::span<const uint8_t> packed, int64_t elem) {
  const int bits = type == kLiteRtElementTypeInt4 ? 4 : 2;
  const auto per_byte = static_cast<int64_t>(8 / bits);
  const uint8_t byte = packed[static_cast<size_t>(elem / per_byte)];
  const auto above = static_cast<int>(8 - bits - elem % per_byte * bits);  // bits to be cut off
  return static_cast<int8_t>(static_cast<int8_t>(byte << above) >> (8 - bits));
}

inline std::vector<int8_t> UnpackIntegers(LiteRtElementType type, std::span<const uint8_t> packed,
                                          int64_t elems) {
  std::vector<int8_t> values(static_cast<size_t>(elems));
  for (int64_t i = 0; i < elems; ++i) values[static_cast<size_t>(i)] = PackedAt(type, packed, i);
  return values;
}

}  // namespace npukit::kernels

#endif  // NPUKIT_SDK_HOST_KERNELS_FIXED_POINT_PACKED_INTEGERS_H_
