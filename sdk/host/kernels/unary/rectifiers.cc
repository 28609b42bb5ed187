// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// RELU, RELU6, RELU_N1_TO_1 and RELU_0_TO_1: clamping, with a change of scale for quantised numbers.

#include <algorithm>
#include <cmath>
#include <limits>

#include "sdk/host/kernels/elementwise/elementwise.h"
#include "sdk/host/kernels/fixed_point/fixed_point.h"
#include "sdk/host/kernels/fixed_point/microkernel_params.h"
#include "sdk/host/kernels/fixed_point/quantization_rules.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/oracle/bounded.h"
#include "sdk/host/kernels/oracle/kernel_oracle.h"
#include "sdk/host/kernels/oracle/oracle.h"

namespace npukit::kernels {
namespace {

struct Activation {
  float min = 0;
  float max = 0;  // infinity: none
};

struct RescaleRows {
  RescaleArgs rescale;
  const Microkernels* microkernels;
  template <typename T>
  void RunRow(const T* in, int64_t count, T* out) const {
    microkernels->rescale(rescale, in, count, out);
  }
};

litert::Expected<std::unique_ptr<Kernel>> PrepareQuantized(const Node& node,
                                                           const Activation& activation,
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
  if (!(std::fabs(steps(activation.min)) < 0x1p31f) ||
      (std::isfinite(activation.max) && !(std::fabs(steps(activation.max)) < 0x1p31f))) {
    return InvalidNode(node, node.outputs[0], "has too small a scale for this activation");
  }
  range.min =
      std::max(range.min, WrappingAdd(out.zero_point, static_cast<int32_t>(steps(activation.min))));
  if (std::isfinite(activation.max)) {
    range.max = std::min(range.max,
                         WrappingAdd(out.zero_point, static_cast<int32_t>(steps(activation.max))));
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

template <const Activation& kActivation>
litert::Expected<std::unique_ptr<Kernel>> Prepare(const Node& node, const PrepareOptions& options) {
  if (node.outputs[0]->type() != kLiteRtElementTypeFloat32)
    return PrepareQuantized(node, kActivation, options);
  return MakeUnary<float>(node, [](float x) {
    return std::min(std::max(x, kActivation.min), kActivation.max);  // NaN passes
  });
}

template <const Activation& kActivation>
litert::Expected<void> Oracle(const Node& node, std::span<const OracleTensor* const> inputs,
                              std::span<OracleTensor> outputs) {
  if (!outputs[0].is_float()) return OracleByKernel(node, inputs, outputs);
  return UnaryOracle(inputs, outputs,
                     [](Bounded x) { return Clamp(x, kActivation.min, kActivation.max); });
}

template <const Activation& kActivation>
constexpr OperatorParts RectifierOperator(const Documentation& doc, std::string_view signature) {
  return {.doc = doc,
          .signature = signature,
          .infer = InferSameShape,
          .prepare = Prepare<kActivation>,
          .oracle = Oracle<kActivation>,
          .tolerance = kRoundedFloats};
}

constexpr Activation kRelu{.min = 0, .max = std::numeric_limits<float>::infinity()};
constexpr Activation kRelu6{.min = 0, .max = 6};
constexpr Activation kRelu0To1{.min = 0, .max = 1};
constexpr Activation kReluN1To1{.min = -1, .max = 1};

}  // namespace

NPUKIT_DEFINE_OPERATOR(Relu) =
    RectifierOperator<kRelu>({.formula = "max(x, 0); quantised: fixed(s_in / s_out) (x - zp_in) + "
                                         "zp_out, clamped to the quantised ends",
                              .source = "TFLite RELU"},
                             "T -> T; T = float32|int8|uint8|int16");

NPUKIT_DEFINE_OPERATOR(Relu6) = RectifierOperator<kRelu6>(
    {.formula = "min(max(x, 0), 6); quantised: as RELU", .source = "TFLite RELU6"},
    "T -> T; T = float32|int8|uint8|int16");

NPUKIT_DEFINE_OPERATOR(Relu0To1) = RectifierOperator<kRelu0To1>(
    {.formula = "min(max(x, 0), 1); quantised: as RELU", .source = "TFLite RELU_0_TO_1"},
    "T -> T; T = float32|int8|uint8");

NPUKIT_DEFINE_OPERATOR(ReluN1To1) = RectifierOperator<kReluN1To1>(
    {.formula = "min(max(x, -1), 1); quantised: as RELU", .source = "TFLite RELU_N1_TO_1"},
    "T -> T; T = float32|int8|uint8");

}  // namespace npukit::kernels
