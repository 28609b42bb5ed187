// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What CEIL, FLOOR and ROUND share. A Round is called with float and with double.

#ifndef NPUKIT_SDK_HOST_KERNELS_UNARY_ROUNDING_FUNCTION_H_
#define NPUKIT_SDK_HOST_KERNELS_UNARY_ROUNDING_FUNCTION_H_

#include <algorithm>

#include "sdk/host/kernels/elementwise/elementwise.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/oracle/bounded.h"
#include "sdk/host/kernels/unary/unary_function.h"

namespace npukit::kernels {

template <typename Round>
struct RoundingFunction {
  float operator()(float x) const { return Round()(x); }
  // A jump inside the interval counts in full.
  Bounded operator()(Bounded x) const {
    const double value = Round()(x.value);
    if (x.bound == 0) return {value, 0};
    return {value, std::max(Round()(x.high()) - value, value - Round()(x.low()))};
  }
};

inline litert::Expected<Inferred> InferRounding(const Node& node) {
  return InferUnarySameType(node, {kLiteRtElementTypeFloat32});
}

}  // namespace npukit::kernels

#endif  // NPUKIT_SDK_HOST_KERNELS_UNARY_ROUNDING_FUNCTION_H_
