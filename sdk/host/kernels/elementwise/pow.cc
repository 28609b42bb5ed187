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

litert::Expected<std::unique_ptr<Kernel>> Prepare(const Node& node,
                                                  const PrepareOptions& /*options*/) {
  if (node.outputs[0]->type() == kLiteRtElementTypeFloat32) {
    return MakeBinary<float>(node, [](float a, float b) { return std::pow(a, b); });
  }
  auto power = [](int32_t a, int32_t b) {
    return CutToInt32(std::pow(static_cast<double>(a), static_cast<double>(b)));
  };
  return CheckInput<int32_t>(
      node, 1, "is negative", [](int32_t x) { return x >= 0; }, MakeBinary<int32_t>(node, power));
}

// Over the operands' intervals the power of a positive base is extreme at the corners. Others have
// a bound only if exact.
Bounded Power(Bounded a, Bounded b) {
  const double value = std::pow(a.value, b.value);
  if (a.bound == 0 && b.bound == 0) return Round32(value, 0, FunctionUlps::kPow);
  if (a.low() <= 0) return {value, std::numeric_limits<double>::infinity()};
  double inherited = 0;
  for (double x : {a.low(), a.high()}) {
    for (double y : {b.low(), b.high()})
      inherited = std::max(inherited, std::fabs(std::pow(x, y) - value));
  }
  return Round32(value, inherited, FunctionUlps::kPow);
}

litert::Expected<void> Oracle(const Node& node, std::span<const OracleTensor* const> inputs,
                              std::span<OracleTensor> outputs) {
  if (!outputs[0].is_float()) return OracleByKernel(node, inputs, outputs);
  return BinaryOracle(node, inputs, outputs, Power);
}

}  // namespace

NPUKIT_DEFINE_OPERATOR(Pow) = {
    .doc = {.formula = "a^b; int32 in float64, cut, and negative exponents are an error",
            .source = "TFLite POW"},
    .signature = "T, T -> T; T = float32|int32",
    .infer = InferBroadcast,
    .prepare = Prepare,
    .oracle = Oracle,
    .tolerance = kRoundedFloats,
};

}  // namespace npukit::kernels
