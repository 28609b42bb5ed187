// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/kernels/elementwise/arithmetic.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "sdk/host/kernels/elementwise/elementwise.h"
#include "sdk/host/kernels/fixed_point/microkernel_params.h"

namespace npukit::kernels {
namespace {

// log2 of a scale that is a power of two to within a thousandth of an octave.
std::optional<int> ExactLog2(float scale) {
  const float log2 = std::log(scale) * (1.0f / std::log(2.0f));
  const float rounded = std::round(log2);
  if (std::fabs(log2 - rounded) >= 1e-3f) return std::nullopt;
  return static_cast<int>(rounded);
}

struct SumParams {
  AffineParams a, b, out;
  IntegerRange range;
};

litert::Expected<std::unique_ptr<Kernel>> PreparePowerOfTwoSum(const Node& node,
                                                               const SumParams& params, int log2_a,
                                                               int log2_b, int log2_out,
                                                               bool subtract) {
  PowerOfTwoSum sum{.right_shift_a = log2_out - log2_a,
                    .right_shift_b = log2_out - log2_b,
                    .range = params.range,
                    .subtract = subtract};
  const bool fits = sum.right_shift_a >= 0 && sum.right_shift_b >= 0 && sum.right_shift_a <= 31 &&
                    sum.right_shift_b <= 31 && (sum.right_shift_a == 0 || sum.right_shift_b == 0);
  if (!fits) {
    return InvalidNode(node, node.outputs[0],
                       "must have the scale of one input, and no smaller one than the other");
  }
  return MakeBinary<int16_t>(node, sum);
}

litert::Expected<std::unique_ptr<Kernel>> MakeArithmetic(const Node& node,
                                                         const QuantizedArithmetic& arithmetic) {
  switch (arithmetic.op.type) {
    case StoredType::kInt8:
      return MakeBinary<int8_t>(node, arithmetic);
    case StoredType::kUInt8:
      return MakeBinary<uint8_t>(node, arithmetic);
    default:
      return MakeBinary<int16_t>(node, arithmetic);
  }
}

litert::Expected<SumParams> ParamsOf(const Node& node, ActivationFunctionType activation) {
  SumParams params;
  LITERT_ASSIGN_OR_RETURN(params.a, PerTensorParams(node, *node.inputs[0]));
  LITERT_ASSIGN_OR_RETURN(params.b, PerTensorParams(node, *node.inputs[1]));
  LITERT_ASSIGN_OR_RETURN(params.out, PerTensorParams(node, *node.outputs[0]));
  LITERT_ASSIGN_OR_RETURN(params.range, ActivationRange(node, activation, *node.outputs[0]));
  const bool offset =
      params.a.zero_point != 0 || params.b.zero_point != 0 || params.out.zero_point != 0;
  if (node.outputs[0]->type() == kLiteRtElementTypeInt16 && offset) {
    return InvalidNode(node, "int16 tensors must have zero points 0");
  }
  return params;
}

ArithmeticArgs BaseOf(const Node& node, const SumParams& params) {
  return {.type = StoredTypeOf(node.outputs[0]->type()),
          .zero_point_a = params.a.zero_point,
          .zero_point_b = params.b.zero_point,
          .zero_point_out = params.out.zero_point,
          .min = params.range.min,
          .max = params.range.max};
}

}  // namespace

litert::Expected<std::unique_ptr<Kernel>> PrepareQuantizedSum(const Node& node,
                                                              ActivationFunctionType activation,
                                                              bool powers_of_two, bool subtract,
                                                              const PrepareOptions& options) {
  LITERT_ASSIGN_OR_RETURN(const SumParams params, ParamsOf(node, activation));
  const bool wide = node.outputs[0]->type() == kLiteRtElementTypeInt16;
  if (wide && powers_of_two) {
    const std::optional<int> log2_a = ExactLog2(params.a.scale);
    const std::optional<int> log2_b = ExactLog2(params.b.scale);
    const std::optional<int> log2_out = ExactLog2(params.out.scale);
    if (log2_a && log2_b && log2_out) {
      return PreparePowerOfTwoSum(node, params, *log2_a, *log2_b, *log2_out, subtract);
    }
  }
  // The larger scale is doubled in float32, everything else is float64.
  const int left_shift = wide ? 15 : 20;
  const double twice_max = 2 * std::max(params.a.scale, params.b.scale);
  const double real_out = twice_max / (static_cast<float>(1 << left_shift) * params.out.scale);
  if (!subtract && real_out >= 1.0) {
    return InvalidNode(node, node.outputs[0], "has too small a scale for the inputs' scales");
  }
  LITERT_ASSIGN_OR_RETURN(const FixedMultiplier a,
                          CheckedMultiplier(node, params.a.scale / twice_max));
  LITERT_ASSIGN_OR_RETURN(const FixedMultiplier b,
                          CheckedMultiplier(node, params.b.scale / twice_max));
  LITERT_ASSIGN_OR_RETURN(const FixedMultiplier out, CheckedMultiplier(node, real_out));
  QuantizedArithmetic sum{.op = BaseOf(node, params), .row = MicrokernelsFor(options.isa).sum};
  sum.op.subtract = subtract;
  sum.op.scale_a = ToSplitMultiplier(a);  // at most 1/2: shifts to the right only
  sum.op.scale_b = ToSplitMultiplier(b);
  sum.op.scale_a.left = left_shift;
  sum.op.scale_b.left = left_shift;
  sum.op.scale_out = ToSplitMultiplier(out);
  return MakeArithmetic(node, sum);
}

litert::Expected<std::unique_ptr<Kernel>> PrepareQuantizedProduct(const Node& node,
                                                                  ActivationFunctionType activation,
                                                                  const PrepareOptions& options) {
  LITERT_ASSIGN_OR_RETURN(const SumParams params, ParamsOf(node, activation));
  // TFLite computes the product of scales in float32.
  const float real = params.a.scale * params.b.scale / params.out.scale;
  LITERT_ASSIGN_OR_RETURN(const FixedMultiplier scale, CheckedMultiplier(node, real));
  QuantizedArithmetic product{.op = BaseOf(node, params),
                              .row = MicrokernelsFor(options.isa).product};
  product.op.scale_out = ToSplitMultiplier(scale);
  return MakeArithmetic(node, product);
}

}  // namespace npukit::kernels
