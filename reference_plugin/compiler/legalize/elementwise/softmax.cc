// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// SOFTMAX over the last dimension, exactly as TFLite's reference kernels: 8 bits by fixed-point
// exponentials of differences with 5 integer bits, int16 by two tables. TFLite fixes the result's
// scale.

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <memory>

#include "litert/c/litert_op_options.h"
#include "reference_plugin/compiler/arithmetic/tables.h"
#include "reference_plugin/compiler/legalize/legalize.h"
#include "reference_plugin/compiler/legalize/operands.h"
#include "reference_plugin/compiler/lower/elementwise/softmax.h"
#include "reference_plugin/compiler/lower/lowering.h"

namespace acme::compiler {
namespace {

constexpr int kDifferenceIntegerBits = 5;

Expected<void> CheckResultScale(const OneOperand& operands) {
  const Dtype dtype = operands.y.value.dtype;
  if (dtype != operands.x.value.dtype || dtype == Dtype::kU8) return {};
  const bool wide = dtype == Dtype::kI16;
  const float scale = wide ? 1.0f / 32768 : 1.0f / 256;
  if (std::fabs(ScaleOf(operands.y) - scale) <= 0.001f * scale &&
      ZeroPointOf(operands.y) == (wide ? 0 : -128))
    return {};
  return Unsupported(wide ? "the int16 result must have the scale 1/32768 and the zero point 0"
                          : "the int8 result must have the scale 1/256 and the zero point -128");
}

// TFLite's PreprocessSoftmaxScaling and CalculateInputRadius: differences from the largest are
// rescaled to 5 integer and 26 fraction bits, beta among them. Those that would leave these bits
// even after the left shift count as 0.
Expected<void> QuantizeBytes(const OneOperand& operands, double beta, Softmax& softmax) {
  constexpr int kFractionBits = 31 - kDifferenceIntegerBits;
  const double real = std::min(
      beta * static_cast<double>(ScaleOf(operands.x)) * (1 << kFractionBits), 0x1p31 - 1.0);
  if (!(real > 1.0)) return Unsupported("the operand's scale times beta is too small");
  const FixedPoint scale = QuantizeMultiplier(real);
  softmax.a.mult = std::bit_cast<uint32_t>(scale.mult);
  softmax.a.left_shift = static_cast<uint32_t>(scale.shift);
  const double largest = std::ldexp((1 << kDifferenceIntegerBits) - 1, kFractionBits) /
                         static_cast<double>(int64_t{1} << scale.shift);
  softmax.b.mult = static_cast<uint32_t>(std::floor(largest));
  return {};
}

// The tables' ranges are TFLite's: exp over [-10, 0], to which differences are rescaled with beta,
// and 1 / (1 + x) over [0, 1], for the sum, which is shifted to between 1 and 2.
Expected<void> QuantizeWords(const OneOperand& operands, float beta, Softmax& softmax) {
  ACME_ASSIGN_OR_RETURN(const FixedPoint scale,
                        CheckedMultiplier(ScaleOf(operands.x) * beta / (10.0 / 65535.0)));
  softmax.a.mult = std::bit_cast<uint32_t>(scale.mult);
  softmax.a.shift = scale.shift;
  softmax.tables = InterpolatedTable<double>(10.0 / 65535, 32767, 2.0 / 65535, 0,
                                             [](double x) { return std::exp(x); });
  const std::vector<uint8_t> reciprocals = InterpolatedTable<double>(
      1.0 / 65535, -32768, 2.0 / 65535, 0, [](double x) { return 1.0 / (1.0 + x); });
  softmax.tables.insert(softmax.tables.end(), reciprocals.begin(), reciprocals.end());
  return {};
}

}  // namespace

Expected<void> LegalizeSoftmax(const litert::Op& op, const Hardware& hardware,
                               NetworkBuilder& builder) {
  ACME_ASSIGN_OR_RETURN(const OneOperand operands, ReadOneOperand(op));
  float beta = 1;
  if (LiteRtGetSoftmaxBetaOption(op.Get(), &beta) != kLiteRtStatusOk)
    return Unsupported("the op has no SoftmaxOptions");
  const Value& x = operands.x.value;
  if (x.shape.empty() || x.shape != operands.y.value.shape)
    return Unsupported("operand and result must have one shape of at least one dimension");
  auto softmax = std::make_shared<Softmax>();
  softmax->in = x.dtype;
  softmax->out = operands.y.value.dtype;
  softmax->depth = x.shape.back();
  softmax->rows = static_cast<int32_t>(x.Elems() / softmax->depth);
  if (x.dtype == Dtype::kF32) {
    softmax->a.mult = std::bit_cast<uint32_t>(beta);
  } else {
    ACME_RETURN_IF_ERROR(CheckResultScale(operands));
    ACME_RETURN_IF_ERROR(x.dtype == Dtype::kI16 ? QuantizeWords(operands, beta, *softmax)
                                                : QuantizeBytes(operands, beta, *softmax));
  }
  if (softmax->StepBytes(1) > GuaranteedStepBytes(hardware)) {
    return Unsupported(fmt::format(
        "a row of {} elements needs {} bytes of scratchpad at once, {} has {} for it",
        softmax->depth, softmax->StepBytes(1), hardware.name, GuaranteedStepBytes(hardware)));
  }
  ACME_ASSIGN_OR_RETURN(softmax->x, builder.AddTensor(op.Inputs()[0]));
  return builder.AddLayer(op.Outputs()[0], std::move(softmax));
}

}  // namespace acme::compiler
