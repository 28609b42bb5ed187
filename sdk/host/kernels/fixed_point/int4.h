// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// int4 constants: two elements a byte, the first in the low half.

#ifndef NPUKIT_SDK_HOST_KERNELS_FIXED_POINT_INT4_H_
#define NPUKIT_SDK_HOST_KERNELS_FIXED_POINT_INT4_H_

#include <cstdint>
#include <span>
#include <vector>

namespace npukit::kernels {

inline std::vector<int8_t> UnpackInt4(std::span<const uint8_t> packed, int64_t elems) {
  std::vector<int8_t> values(elems);
  for (int64_t i = 0; i < elems; ++i) {
    const uint8_t byte = packed[i / 2];
    const auto low = static_cast<int8_t>(static_cast<int8_t>(byte << 4) >> 4);
    values[i] = i % 2 == 0 ? low : static_cast<int8_t>(static_cast<int8_t>(byte) >> 4);
  }
  return values;
}

}  // namespace npukit::kernels

#endif  // NPUKIT_SDK_HOST_KERNELS_FIXED_POINT_INT4_H_
