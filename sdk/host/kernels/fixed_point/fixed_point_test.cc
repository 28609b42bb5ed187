// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/kernels/fixed_point/fixed_point.h"

#include <cstdint>
#include <functional>

namespace npukit::kernels {

// The compiler refuses constants whose computation overflows.
static_assert(Wrapping<int16_t>(-11118, -7631, std::multiplies<>()) == -27662);
static_assert(Wrapping<int8_t>(-128, -1, std::plus<>()) == 127);
static_assert(Wrapping<int32_t>(INT32_MIN, -1, std::multiplies<>()) == INT32_MIN);
static_assert(Wrapping<int64_t>(INT64_MIN, 1, std::minus<>()) == INT64_MAX);

}  // namespace npukit::kernels
