// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include <cmath>

#include "sdk/host/kernels/elementwise/elementwise.h"
#include "sdk/host/kernels/fixed_point/quantization_rules.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/oracle/bounded.h"
#include "sdk/host/kernels/unary/unary_function.h"

namespace npukit::kernels {
namespace {

// `lowest` stands for the logarithm of what has none, in the tables.
struct Function {
  float lowest = -std::numeric_limits<float>::infinity();
  bool table = false;

  float operator()(float x) const { return table && x <= 0.0f ? lowest : std::log(x); }
  Bounded operator()(Bounded x) const {
    return Monotone([](double v) { return std::log(v); }, x, FunctionUlps::kLog);
  }
};

litert::Expected<std::unique_ptr<Kernel>> Prepare(const Node& node,
                                                  const PrepareOptions& /*options*/) {
  const LiteRtElementType type = node.outputs[0]->type();
  if (type == kLiteRtElementTypeFloat32) return PrepareFunction(node, Function());
  LITERT_ASSIGN_OR_RETURN(const AffineParams out, PerTensorParams(node, *node.outputs[0]));
  const float lowest = static_cast<float>(RangeOf(type).min - out.zero_point) * out.scale;
  return PrepareFunction(node, Function{.lowest = lowest, .table = true});
}

}  // namespace

NPUKIT_DEFINE_OPERATOR(Log) = {
    .doc = {.formula = "the natural logarithm; int8: a table, int16: 512 linear pieces, both with "
                       "the lowest output for what is not positive",
            .source = "TFLite LOG, reference kernels"},
    .signature = "T -> T; T = float32|int8|int16",
    .infer = InferSameShape,
    .prepare = Prepare,
    .oracle = DefaultFunctionOracle<Function>,
    .tolerance = kRoundedFloats,
};

}  // namespace npukit::kernels
