// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// How near a correct implementation of an operator must come to the oracle.

#ifndef NPUKIT_SDK_HOST_KERNELS_TOLERANCE_H_
#define NPUKIT_SDK_HOST_KERNELS_TOLERANCE_H_

#include <string_view>

#include "litert/c/litert_model_types.h"

namespace npukit::kernels {

struct Tolerance {
  enum class Kind {
    kExact,         // equal bytes
    kSteps,         // integers within `amount` steps
    kUlps,          // floats within `amount` units in the last place of the oracle's value
    kRunningBound,  // floats within the oracle's bound of each element
  };
  Kind kind = Kind::kExact;
  double amount = 0;
  std::string_view reason;  // derives it in a sentence
};

// By the type of the result.
struct ResultTolerance {
  Tolerance integers;
  Tolerance floats;

  const Tolerance& For(LiteRtElementType type) const {
    const bool is_float = type == kLiteRtElementTypeFloat32 || type == kLiteRtElementTypeFloat16;
    return is_float ? floats : integers;
  }
};

// Operators that move elements, choose among them or compute integers with one right result.
inline constexpr Tolerance kExact = {
    .kind = Tolerance::Kind::kExact,
    .amount = 0,
    .reason = "the result is determined; nothing is rounded differently"};
inline constexpr ResultTolerance kExactResult = {.integers = kExact, .floats = kExact};

// Operators that compute floats.
inline constexpr ResultTolerance kRoundedFloats = {
    .integers = {.kind = Tolerance::Kind::kExact,
                 .amount = 0,
                 .reason = "integer arithmetic with prescribed rounding"},
    .floats = {.kind = Tolerance::Kind::kRunningBound,
               .amount = 0,
               .reason = "each operation may round once to float32, sums in any order"}};

}  // namespace npukit::kernels

#endif  // NPUKIT_SDK_HOST_KERNELS_TOLERANCE_H_
