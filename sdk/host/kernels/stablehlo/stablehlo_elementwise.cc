// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// StableHLO's operators of two tensors of one shape that TFLite computes.

#include <algorithm>
#include <functional>
#include <type_traits>

#include "sdk/host/kernels/element_types.h"
#include "sdk/host/kernels/elementwise/elementwise.h"
#include "sdk/host/kernels/fixed_point/fixed_point.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/oracle/bounded.h"
#include "sdk/host/kernels/oracle/kernel_oracle.h"
#include "sdk/host/kernels/oracle/oracle.h"

namespace npukit::kernels {
namespace {

// Integers wrap; the sum of bools is whether one is true, their product whether both are.
struct Sum {
  template <typename T>
  T operator()(T a, T b) const {
    if constexpr (std::is_same_v<T, bool>)
      return a || b;
    else if constexpr (std::is_floating_point_v<T>)
      return a + b;
    else
      return Wrapping(a, b, std::plus<>());
  }
  Float16 operator()(Float16 a, Float16 b) const { return Float16::Of(float{a} + float{b}); }
  Bounded operator()(Bounded a, Bounded b) const { return Add(a, b); }
};
struct Times {
  template <typename T>
  T operator()(T a, T b) const {
    if constexpr (std::is_same_v<T, bool>)
      return a && b;
    else if constexpr (std::is_floating_point_v<T>)
      return a * b;
    else
      return Wrapping(a, b, std::multiplies<>());
  }
  Float16 operator()(Float16 a, Float16 b) const { return Float16::Of(float{a} * float{b}); }
  Bounded operator()(Bounded a, Bounded b) const { return Mul(a, b); }
};
struct Largest {
  template <typename T>
  T operator()(T a, T b) const {
    return std::max(a, b);
  }
  Bounded operator()(Bounded a, Bounded b) const { return Max(a, b); }
};
struct Smallest {
  template <typename T>
  T operator()(T a, T b) const {
    return std::min(a, b);
  }
  Bounded operator()(Bounded a, Bounded b) const { return Min(a, b); }
};
struct BitAnd {
  template <typename T>
  T operator()(T a, T b) const {
    return static_cast<T>(a & b);
  }
};
// By as many bits as the processor makes of a number of bits that the type does not have; TFLite
// computes in int.
struct BitShiftLeft {
  template <typename T>
  T operator()(T a, T b) const {
    return static_cast<T>(WrappingShiftLeft(a, b));
  }
};

template <typename Function, typename... Types>
litert::Expected<std::unique_ptr<Kernel>> Prepare(const Node& node,
                                                  const PrepareOptions& /*options*/) {
  return WithElementType<Types...>(node.outputs[0]->type(), [&]<typename T>(T /*type*/) {
    return MakeBinary<T>(node, Function());
  });
}

template <typename Function>
litert::Expected<void> Oracle(const Node& node, std::span<const OracleTensor* const> inputs,
                              std::span<OracleTensor> outputs) {
  if (!outputs[0].is_float()) return OracleByKernel(node, inputs, outputs);
  const LiteRtElementType type = outputs[0].type;
  return BinaryOracle(node, inputs, outputs, [type](Bounded a, Bounded b) {
    const Bounded result = Function()(a, b);
    const bool selects = std::is_same_v<Function, Largest> || std::is_same_v<Function, Smallest>;
    return selects ? result : RoundTo(type, result);
  });
}

template <typename Function>
constexpr OperatorParts Arithmetic(const Documentation& doc) {
  return {.doc = doc,
          .signature =
              "T, T -> T; T = "
              "float32|float64|float16|bool|int8|uint8|int16|uint16|int32|int64|uint32|"
              "uint64",
          .infer = InferOneShape,
          .prepare = Prepare<Function, float, double, Float16, bool, int8_t, uint8_t, int16_t,
                             uint16_t, int32_t, int64_t, uint32_t, uint64_t>,
          .oracle = Oracle<Function>,
          .tolerance = kRoundedFloats};
}

}  // namespace

NPUKIT_DEFINE_OPERATOR(ShloAdd) = Arithmetic<Sum>({.formula = "a + b; integers wrap",
                                                   .source = "TFLite STABLEHLO_ADD"});
NPUKIT_DEFINE_OPERATOR(ShloMultiply) = Arithmetic<Times>({.formula = "a b; integers wrap",
                                                          .source = "TFLite STABLEHLO_MULTIPLY"});
NPUKIT_DEFINE_OPERATOR(ShloMaximum) = Arithmetic<Largest>({.formula = "the larger one",
                                                           .source = "TFLite STABLEHLO_MAXIMUM"});
NPUKIT_DEFINE_OPERATOR(ShloMinimum) = Arithmetic<Smallest>({.formula = "the smaller one",
                                                            .source = "TFLite STABLEHLO_MINIMUM"});

NPUKIT_DEFINE_OPERATOR(ShloAnd) = {
    .doc = {.formula = "bits that both have", .source = "TFLite STABLEHLO_AND"},
    .signature = "T, T -> T; T = bool|int8|uint8|int16|uint16|int32|uint32|int64|uint64",
    .infer = InferOneShape,
    .prepare = Prepare<BitAnd, bool, int8_t, uint8_t, int16_t, uint16_t, int32_t, uint32_t, int64_t,
                       uint64_t>,
    .oracle = OracleByKernel,
    .tolerance = kExactResult,
};

NPUKIT_DEFINE_OPERATOR(ShloShiftLeft) = {
    .doc = {.formula = "a 2^b, cut to the type", .source = "TFLite STABLEHLO_SHIFT_LEFT"},
    .signature = "T, T -> T; T = int8|int16|int32",
    .infer = InferOneShape,
    .prepare = Prepare<BitShiftLeft, int8_t, int16_t, int32_t>,
    .oracle = OracleByKernel,
    .tolerance = kExactResult,
};

}  // namespace npukit::kernels
