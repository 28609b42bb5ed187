// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include <cmath>

#include "sdk/host/kernels/elementwise/checked_input.h"
#include "sdk/host/kernels/elementwise/elementwise.h"
#include "sdk/host/kernels/fixed_point/requantizer.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/oracle/bounded.h"
#include "sdk/host/kernels/oracle/kernel_oracle.h"
#include "sdk/host/kernels/oracle/oracle.h"

namespace npukit::kernels {
namespace {

template <typename T>
litert::Expected<std::unique_ptr<Kernel>> Make(const Node& node) {
  auto divide = [](T a, T b) {
    const double quotient = std::floor(static_cast<double>(a) / static_cast<double>(b));
    if constexpr (std::is_floating_point_v<T>) {
      return static_cast<T>(quotient);
    } else {
      return static_cast<T>(CutToInt32(quotient));
    }
  };
  return CheckInput<T>(
      node, 1, "is 0", [](T x) { return x != 0; }, MakeBinary<T>(node, divide));
}

litert::Expected<std::unique_ptr<Kernel>> Prepare(const Node& node,
                                                  const PrepareOptions& /*options*/) {
  switch (node.outputs[0]->type()) {
    case kLiteRtElementTypeInt8:
      return Make<int8_t>(node);
    case kLiteRtElementTypeInt16:
      return Make<int16_t>(node);
    case kLiteRtElementTypeInt32:
      return Make<int32_t>(node);
    default:
      return Make<float>(node);
  }
}

// A quotient next to a whole number may fall on either side of it.
litert::Expected<void> Oracle(const Node& node, std::span<const OracleTensor* const> inputs,
                              std::span<OracleTensor> outputs) {
  if (!outputs[0].is_float()) return OracleByKernel(node, inputs, outputs);
  return BinaryOracle(node, inputs, outputs, [](Bounded a, Bounded b) {
    const Bounded quotient = Div(a, b);
    const double value = std::floor(quotient.value);
    return Round32(
        value, std::max(std::floor(quotient.high()) - value, value - std::floor(quotient.low())));
  });
}

}  // namespace

NPUKIT_DEFINE_OPERATOR(FloorDiv) = {
    .doc = {.formula = "floor(a / b), the quotient in float64; a divisor of 0 is an error",
            .source = "TFLite FLOOR_DIV"},
    .signature = "T, T -> T; T = float32|int8|int16|int32",
    .infer = InferBroadcast,
    .prepare = Prepare,
    .oracle = Oracle,
    .tolerance = kRoundedFloats,
};

}  // namespace npukit::kernels
