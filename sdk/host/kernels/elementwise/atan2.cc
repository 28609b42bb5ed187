// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include <cmath>

#include "sdk/host/kernels/elementwise/elementwise.h"
#include "sdk/host/kernels/half.h"
#include "sdk/host/kernels/operator.h"

namespace npukit::kernels {
namespace {

template <typename T>
litert::Expected<std::unique_ptr<Kernel>> MakeNarrow(const Node& node) {
  return MakeBinary<T>(node, [](T y, T x) { return T::Of(std::atan2(float{y}, float{x})); });
}

// TFLite does not broadcast.
litert::Expected<std::unique_ptr<Kernel>> Prepare(const Node& node,
                                                  const PrepareOptions& /*options*/) {
  const LiteRtElementType type = node.outputs[0]->type();
  if (type == kLiteRtElementTypeFloat64)
    return MakeBinary<double>(node, [](double y, double x) { return std::atan2(y, x); });
  if (type == kLiteRtElementTypeFloat16) return MakeNarrow<Float16>(node);
  if (type == kLiteRtElementTypeBFloat16) return MakeNarrow<BFloat16>(node);
  return MakeBinary<float>(node, [](float y, float x) { return std::atan2(y, x); });
}

// Its slope is 1/r at distance r; at the origin, and across the negative x axis, it jumps.
Bounded BoundedAtan2(Bounded y, Bounded x) {
  const double value = std::atan2(y.value, x.value);
  if (y.bound == 0 && x.bound == 0) return Round32(value, 0, FunctionUlps::kAtan2);
  const double distance = std::hypot(y.value, x.value) - std::hypot(y.bound, x.bound);
  const bool may_jump = x.low() < 0 && y.low() <= 0 && y.high() >= 0;
  if (!(distance > 0) || may_jump) return {value, 2 * 3.1415927};
  return Round32(value, std::hypot(y.bound, x.bound) / distance, FunctionUlps::kAtan2);
}

litert::Expected<void> Oracle(const Node& node, std::span<const OracleTensor* const> inputs,
                              std::span<OracleTensor> outputs) {
  const LiteRtElementType type = outputs[0].type;
  return BinaryOracle(node, inputs, outputs,
                      [type](Bounded y, Bounded x) { return RoundTo(type, BoundedAtan2(y, x)); });
}

}  // namespace

NPUKIT_DEFINE_OPERATOR(Atan2) = {
    .doc = {.formula = "the angle of the point (x, y), y first, from -pi to pi",
            .source = "TFLite ATAN2"},
    .signature = "T, T -> T; T = float32|float64|float16|bfloat16",
    .infer = InferOneShape,
    .prepare = Prepare,
    .oracle = Oracle,
    .tolerance = kRoundedFloats,
};

}  // namespace npukit::kernels
