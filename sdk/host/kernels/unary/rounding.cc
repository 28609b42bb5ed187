// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// CEIL, FLOOR and ROUND.

#include <algorithm>
#include <cmath>

#include "sdk/host/kernels/elementwise/elementwise.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/oracle/bounded.h"
#include "sdk/host/kernels/unary/unary_function.h"

namespace npukit::kernels {
namespace {

struct Ceil {
  template <typename T>
  static T Apply(T x) {
    return std::ceil(x);
  }
};
struct Floor {
  template <typename T>
  static T Apply(T x) {
    return std::floor(x);
  }
};
struct NearestEven {
  template <typename T>
  static T Apply(T x) {
    return std::nearbyint(x);
  }
};

template <typename Round>
struct RoundingFunction {
  float operator()(float x) const { return Round::Apply(x); }
  // A jump inside the interval counts in full.
  Bounded operator()(Bounded x) const {
    const double value = Round::Apply(x.value);
    if (x.bound == 0) return {value, 0};
    return {value, std::max(Round::Apply(x.high()) - value, value - Round::Apply(x.low()))};
  }
};

// Of a 16-bit float the whole number is one, too: nothing is rounded after.
template <typename Round>
litert::Expected<void> Oracle(const Node& /*node*/, std::span<const OracleTensor* const> inputs,
                              std::span<OracleTensor> outputs) {
  return UnaryOracle(inputs, outputs, RoundingFunction<Round>());
}

template <typename Round>
constexpr OperatorParts RoundingOperator(const Documentation& doc, std::string_view signature) {
  return {.doc = doc,
          .signature = signature,
          .infer = InferSameShape,
          .prepare = PrepareDefaultFunction<RoundingFunction<Round>>,
          .oracle = Oracle<Round>,
          .tolerance = kRoundedFloats};
}

}  // namespace

NPUKIT_DEFINE_OPERATOR(Ceil) =
    RoundingOperator<Ceil>({.formula = "the smallest whole number not below x",
                            .source = "TFLite CEIL, reference kernels"},
                           "float32 -> float32");

NPUKIT_DEFINE_OPERATOR(Floor) =
    RoundingOperator<Floor>({.formula = "the largest whole number not above x",
                             .source = "TFLite FLOOR, reference kernels"},
                            "T -> T; T = float32|float16|bfloat16");

NPUKIT_DEFINE_OPERATOR(Round) =
    RoundingOperator<NearestEven>({.formula = "the nearest whole number, ties to even",
                                   .source = "TFLite ROUND, reference kernels"},
                                  "T -> T; T = float32|float16|bfloat16");

}  // namespace npukit::kernels
