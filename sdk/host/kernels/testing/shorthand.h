// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Short names for tables of nodes in tests.

#ifndef NPUKIT_SDK_HOST_KERNELS_TESTING_SHORTHAND_H_
#define NPUKIT_SDK_HOST_KERNELS_TESTING_SHORTHAND_H_

#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

#include "sdk/host/kernels/testing/node_builder.h"

namespace npukit::kernels::testing {

inline constexpr auto kF32 = kLiteRtElementTypeFloat32;
inline constexpr auto kI32 = kLiteRtElementTypeInt32;
inline constexpr auto kI64 = kLiteRtElementTypeInt64;
inline constexpr auto kI16 = kLiteRtElementTypeInt16;
inline constexpr auto kI8 = kLiteRtElementTypeInt8;
inline constexpr auto kU8 = kLiteRtElementTypeUInt8;
inline constexpr auto kBool = kLiteRtElementTypeBool;

inline constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

using Ints = std::vector<int32_t>;
using Longs = std::vector<int64_t>;
using Shorts = std::vector<int16_t>;
using Bytes = std::vector<int8_t>;
using Floats = std::vector<float>;

// 0, 1, 2, ...
inline Ints Iota(int32_t count) {
  Ints values(static_cast<size_t>(count));
  std::iota(values.begin(), values.end(), 0);
  return values;
}

// Adds a constant vector of int32.
inline void Vector(NodeBuilder& node, const Ints& values) {
  node.Constant(kI32, {static_cast<int32_t>(values.size())}, BytesOf(values));
}
inline void Scalar(NodeBuilder& node, int32_t value) {
  node.Constant(kI32, {}, BytesOf(Ints{value}));
}

}  // namespace npukit::kernels::testing

#endif  // NPUKIT_SDK_HOST_KERNELS_TESTING_SHORTHAND_H_
