// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Integers as tensors store them. int4, uint4 and int2: two or four elements a byte, the first in the
// lowest bits.

#ifndef NPUKIT_SDK_HOST_KERNELS_PACKED_INTEGERS_H_
#define NPUKIT_SDK_HOST_KERNELS_PACKED_INTEGERS_H_

#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "litert/c/litert_model_types.h"
#include "sdk/host/model/graph/tensor.h"

namespace npukit::kernels {

inline bool IsPacked(LiteRtElementType type) {
  return type == kLiteRtElementTypeInt4 || type == kLiteRtElementTypeInt2 ||
         type == kElementTypeUInt4;
}

// Element `elem` of packed bytes of that type.
inline int8_t PackedAt(LiteRtElementType type, std::span<const uint8_t> packed, int64_t elem) {
  const int bits = type == kLiteRtElementTypeInt2 ? 2 : 4;
  const auto per_byte = static_cast<int64_t>(8 / bits);
  const uint8_t byte = packed[static_cast<size_t>(elem / per_byte)];
  const auto above = static_cast<int>(8 - bits - elem % per_byte * bits);  // bits to be cut off
  const auto at_top = static_cast<uint8_t>(byte << above);
  if (type == kElementTypeUInt4) return static_cast<int8_t>(at_top >> (8 - bits));
  return static_cast<int8_t>(static_cast<int8_t>(at_top) >> (8 - bits));
}

// Stores it, which the type must hold, where all bits are 0.
inline void PutPacked(LiteRtElementType type, std::span<uint8_t> packed, int64_t elem,
                      int8_t value) {
  const int bits = type == kLiteRtElementTypeInt2 ? 2 : 4;
  const auto per_byte = static_cast<int64_t>(8 / bits);
  const auto low_bits = static_cast<uint8_t>(value & ((1 << bits) - 1));
  packed[static_cast<size_t>(elem / per_byte)] |=
      static_cast<uint8_t>(low_bits << (elem % per_byte * bits));
}

// Element `elem` of bytes of any integer type, or of BOOL.
inline int64_t IntegerAt(LiteRtElementType type, std::span<const uint8_t> bytes, int64_t elem) {
  const auto load = [&]<typename T>(T value) -> int64_t {
    std::memcpy(&value, bytes.data() + elem * static_cast<int64_t>(sizeof(T)), sizeof(T));
    return value;
  };
  if (IsPacked(type)) return PackedAt(type, bytes, elem);
  switch (type) {
    case kLiteRtElementTypeInt8:
      return load(int8_t{});
    case kLiteRtElementTypeUInt8:
    case kLiteRtElementTypeBool:
      return load(uint8_t{});
    case kLiteRtElementTypeInt16:
      return load(int16_t{});
    case kLiteRtElementTypeUInt16:
      return load(uint16_t{});
    case kLiteRtElementTypeInt32:
      return load(int32_t{});
    case kLiteRtElementTypeUInt32:
      return load(uint32_t{});
    default:
      return load(int64_t{});
  }
}

inline std::vector<int8_t> UnpackIntegers(LiteRtElementType type, std::span<const uint8_t> packed,
                                          int64_t elems) {
  std::vector<int8_t> values(static_cast<size_t>(elems));
  for (int64_t i = 0; i < elems; ++i) values[static_cast<size_t>(i)] = PackedAt(type, packed, i);
  return values;
}

}  // namespace npukit::kernels

#endif  // NPUKIT_SDK_HOST_KERNELS_PACKED_INTEGERS_H_
