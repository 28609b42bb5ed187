// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/kernels/unary/rectifier.h"

#include <cmath>

#include "sdk/host/kernels/elementwise/elementwise.h"
#include "sdk/host/kernels/fixed_point/fixed_point.h"
#include "sdk/host/kernels/fixed_point/microkernel_params.h"
#include "sdk/host/kernels/fixed_point/quantization_rules.h"
#include "sdk/host/kernels/fixed_point/requantizer.h"
#include "sdk/host/kernels/oracle/bounded.h"
#include "sdk/host/kernels/oracle/kernel_oracle.h"

namespace npukit::kernels {
namespace {

struct RescaleRows {
  RescaleArgs rescale;
  const Microkernels* microkernels;
  template <typename T>
  void RunRow(const T* in, int64_t count, T* out) const {
    microkernels->rescale(rescale, in, count, out);
  }
};

litert::Expected<std::unique_ptr<Kernel>> PrepareQuantized(const Node& node,
                                                           const Rectifier& rectifier,
                                                           const PrepareOptions& options) {
  LITERT_ASSIGN_OR_RETURN(const AffineParams in, PerTensorParams(node, *node.inputs[0]));
  LITERT_ASSIGN_OR_RETURN(const AffineParams out, PerTensorParams(node, *node.outputs[0]));
  const LiteRtElementType type = node.outputs[0]->type();
  if (type == kLiteRtElementTypeInt16 && (in.zero_point != 0 || out.zero_point != 0)) {
    return InvalidNode(node, "int16 tensors must have zero points 0");
  }
  // The quotient of scales is rounded to float32.
  LITERT_ASSIGN_OR_RETURN(const FixedMultiplier scale,
                          CheckedMultiplier(node, in.scale / out.scale));
  auto steps = [&](float real) { return std::round(real / out.scale); };
  IntegerRange range = RangeOf(type);
  // Ends that no int32 holds are refused, as TFLite does for fused activations.
  if (!(std::fabs(steps(rectifier.min)) < 0x1p31f) ||
      (std::isfinite(rectifier.max) && !(std::fabs(steps(rectifier.max)) < 0x1p31f))) {
    return InvalidNode(node, node.outputs[0], "has too small a scale for this activation");
  }
  range.min =
      std::max(range.min, WrappingAdd(out.zero_point, static_cast<int32_t>(steps(rectifier.min))));
  if (std::isfinite(rectifier.max)) {
    range.max = std::min(range.max,
                         WrappingAdd(out.zero_point, static_cast<int32_t>(steps(rectifier.max))));
  }
  const RescaleRows rows{.rescale = {.in = StoredTypeOf(type),
                                     .out = StoredTypeOf(type),
                                     .zero_point_in = in.zero_point,
                                     .scale = ToSplitMultiplier(scale),
                                     .zero_point_out = out.zero_point,
                                     .min = range.min,
                                     .max = range.max},
                         .microkernels = &MicrokernelsFor(options.isa)};
  if (type == kLiteRtElementTypeInt8) return MakeUnary<int8_t>(node, rows);
  if (type == kLiteRtElementTypeUInt8) return MakeUnary<uint8_t>(node, rows);
  return MakeUnary<int16_t>(node, rows);
}

}  // namespace

litert::Expected<std::unique_ptr<Kernel>> PrepareRectifier(const Node& node,
                                                           const Rectifier& rectifier,
                                                           const PrepareOptions& options) {
  if (node.outputs[0]->type() != kLiteRtElementTypeFloat32)
    return PrepareQuantized(node, rectifier, options);
  return MakeUnary<float>(node, [rectifier](float x) {
    return std::min(std::max(x, rectifier.min), rectifier.max);  // NaN passes
  });
}

litert::Expected<void> RectifierOracle(const Node& node,
                                       std::span<const OracleTensor* const> inputs,
                                       std::span<OracleTensor> outputs,
                                       const Rectifier& rectifier) {
  if (!outputs[0].is_float()) return OracleByKernel(node, inputs, outputs);
  return UnaryOracle(inputs, outputs,
                     [&](Bounded x) { return Clamp(x, rectifier.min, rectifier.max); });
}

}  // namespace npukit::kernels
