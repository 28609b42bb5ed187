// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include <cmath>
#include <limits>

#include "sdk/host/kernels/elementwise/checked_input.h"
#include "sdk/host/kernels/elementwise/elementwise.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/oracle/bounded.h"
#include "sdk/host/kernels/oracle/kernel_oracle.h"
#include "sdk/host/kernels/oracle/oracle.h"

namespace npukit::kernels {
namespace {

// The remainder takes the divisor's sign.
template <typename T>
T WithSignOf(T remainder, T divisor) {
  return remainder != 0 && (divisor < 0) != (remainder < 0) ? static_cast<T>(remainder + divisor)
                                                            : remainder;
}

template <typename T>
litert::Expected<std::unique_ptr<Kernel>> MakeInteger(const Node& node) {
  auto modulo = [](T a, T b) -> T {
    if (b == -1) return 0;  // the lowest number's quotient does not fit
    return WithSignOf<T>(static_cast<T>(a % b), b);
  };
  return CheckInput<T>(
      node, 1, "is 0", [](T x) { return x != 0; }, MakeBinary<T>(node, modulo));
}

litert::Expected<std::unique_ptr<Kernel>> Prepare(const Node& node,
                                                  const PrepareOptions& /*options*/) {
  switch (node.outputs[0]->type()) {
    case kLiteRtElementTypeInt8:
      return MakeInteger<int8_t>(node);
    case kLiteRtElementTypeInt16:
      return MakeInteger<int16_t>(node);
    case kLiteRtElementTypeInt32:
      return MakeInteger<int32_t>(node);
    case kLiteRtElementTypeInt64:
      return MakeInteger<int64_t>(node);
    default:
      return MakeBinary<float>(node,
                               [](float a, float b) { return WithSignOf(std::fmod(a, b), b); });
  }
}

// Exact for exact operands but for the last sum; otherwise the remainder may wrap, and is anything
// up to the divisor. Kernels may also compute a - b floor(a / b).
Bounded Modulo(Bounded a, Bounded b) {
  const double value = WithSignOf(std::fmod(a.value, b.value), b.value);
  const double rounding = kRoundingUnit * (2 * std::fabs(a.value) + 2 * std::fabs(b.value));
  const double doubt = a.bound + b.bound * (std::fabs(a.value / b.value) + 1) + rounding;
  const double room = std::min(std::fabs(value), std::fabs(b.value - value));
  return {value, doubt < room ? doubt : std::fabs(b.value) + b.bound + rounding};
}

litert::Expected<void> Oracle(const Node& node, std::span<const OracleTensor* const> inputs,
                              std::span<OracleTensor> outputs) {
  if (!outputs[0].is_float()) return OracleByKernel(node, inputs, outputs);
  return BinaryOracle(node, inputs, outputs, Modulo);
}

}  // namespace

NPUKIT_DEFINE_OPERATOR(FloorMod) = {
    .doc = {.formula = "a - b floor(a / b): the remainder with the divisor's sign; an integer "
                       "divisor of 0 is an error",
            .source = "TFLite FLOOR_MOD"},
    .signature = "T, T -> T; T = float32|int8|int16|int32|int64",
    .infer = InferBroadcast,
    .prepare = Prepare,
    .oracle = Oracle,
    .tolerance = kRoundedFloats,
};

}  // namespace npukit::kernels
