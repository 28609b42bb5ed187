// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// RELU, RELU6, RELU_N1_TO_1: rescaled and clamped, exactly as TFLite (tflite/kernels/
// activations.cc): 8 bits by a table, int16 by a requantisation, float32 by the clamp.

#include <bit>
#include <cmath>
#include <limits>
#include <memory>

#include "reference_plugin/compiler/arithmetic/tables.h"
#include "reference_plugin/compiler/legalize/legalize.h"
#include "reference_plugin/compiler/legalize/operands.h"
#include "reference_plugin/compiler/lower/elementwise/map.h"

namespace acme::compiler {
namespace {

constexpr TypeRow kRectifierTypes[] = {{Dtype::kI8, Dtype::kI8},
                                       {Dtype::kU8, Dtype::kU8},
                                       {Dtype::kI16, Dtype::kI16},
                                       {Dtype::kF32, Dtype::kF32}};
constexpr TypeRow kNoInt16[] = {
    {Dtype::kI8, Dtype::kI8}, {Dtype::kU8, Dtype::kU8}, {Dtype::kF32, Dtype::kF32}};
constexpr float kInfinity = std::numeric_limits<float>::infinity();

// What is real [lo, hi] in the result's steps.
Expected<ClampRange> StepsOf(float lo, float hi, const TensorInfo& y) {
  const auto steps = [&](float real) { return std::round(real / ScaleOf(y)); };
  if (!(std::fabs(steps(lo)) < 0x1p31f) || (std::isfinite(hi) && !(std::fabs(steps(hi)) < 0x1p31f)))
    return Unsupported("the result's scale is too small for this activation");
  ClampRange range = TypeRange(y.value.dtype);
  range.lo = std::max(range.lo, WrappingAdd(ZeroPointOf(y), static_cast<int32_t>(steps(lo))));
  if (std::isfinite(hi))
    range.hi = std::min(range.hi, WrappingAdd(ZeroPointOf(y), static_cast<int32_t>(steps(hi))));
  return range;
}

Expected<void> Quantize(const OneOperand& operands, float lo, float hi, Map& map) {
  ACME_ASSIGN_OR_RETURN(const FixedPoint scale,
                        CheckedMultiplier(ScaleOf(operands.x) / ScaleOf(operands.y)));
  ACME_ASSIGN_OR_RETURN(const ClampRange range, StepsOf(lo, hi, operands.y));
  const int32_t zero_in = ZeroPointOf(operands.x);
  const int32_t zero_out = ZeroPointOf(operands.y);
  if (map.in == Dtype::kI16) {
    map.function = ConvertOp::kRequantize;
    map.dst.mult = std::bit_cast<uint32_t>(scale.mult);
    map.dst.shift = scale.shift;
    map.clamp = {.lo = range.lo, .hi = range.hi};
    return {};
  }
  map.function = Map::Table{.bytes = ByteTable(map.in, map.out, [&](int32_t x) {
                              const int32_t y =
                                  WrappingAdd(MultiplyByFixedPoint(x - zero_in, scale), zero_out);
                              return std::min(std::max(y, range.lo), range.hi);
                            })};
  return {};
}

Expected<void> LegalizeRectifier(const litert::Op& op, std::span<const TypeRow> types, float lo,
                                 float hi, NetworkBuilder& builder) {
  ACME_ASSIGN_OR_RETURN(const OneOperand operands, ReadOneOperand(op, {.types = types}));
  if (operands.x.value.shape != operands.y.value.shape)
    return Unsupported("operand and result must have one shape");
  auto map = std::make_shared<Map>();
  map->in = operands.x.value.dtype;
  map->out = map->in;
  if (map->in == Dtype::kF32) {
    map->function = UnaryOp::kCopy;
    map->clamp = {.lo = std::bit_cast<int32_t>(lo), .hi = std::bit_cast<int32_t>(hi)};
  } else {
    ACME_RETURN_IF_ERROR(Quantize(operands, lo, hi, *map));
  }
  ACME_ASSIGN_OR_RETURN(map->x, builder.AddTensor(op.Inputs()[0]));
  return builder.AddLayer(op.Outputs()[0], std::move(map));
}

}  // namespace

Expected<void> LegalizeRelu(const litert::Op& op, const Hardware&, NetworkBuilder& builder) {
  return LegalizeRectifier(op, kRectifierTypes, 0.0f, kInfinity, builder);
}

Expected<void> LegalizeRelu6(const litert::Op& op, const Hardware&, NetworkBuilder& builder) {
  return LegalizeRectifier(op, kRectifierTypes, 0.0f, 6.0f, builder);
}

Expected<void> LegalizeReluN1To1(const litert::Op& op, const Hardware&, NetworkBuilder& builder) {
  return LegalizeRectifier(op, kNoInt16, -1.0f, 1.0f, builder);
}

}  // namespace acme::compiler
