// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// MEAN, SUM, REDUCE_MAX, REDUCE_MIN over constant axes, exactly as TFLite's reference kernels: MEAN
// of integers divides the multiplier by the count; extremes compare as stored. SUM of int8 and
// int16 is scaled in float32: round(sum * s + bias) with s the quotient of scales and bias that of
// the zero point, so it is a chain of layers.

#include <algorithm>
#include <bit>
#include <cmath>
#include <memory>
#include <vector>

#include "reference_plugin/compiler/legalize/legalize.h"
#include "reference_plugin/compiler/legalize/map_layer.h"
#include "reference_plugin/compiler/legalize/operands.h"
#include "reference_plugin/compiler/legalize/steps.h"
#include "reference_plugin/compiler/lower/elementwise/binary.h"
#include "reference_plugin/compiler/lower/reduction/reduce.h"

namespace acme::compiler {
namespace {

constexpr size_t kMaxRank = 5;  // after joining neighbours

struct Reduction {
  OneOperand operands;
  std::shared_ptr<Reduce> layer;
};

Expected<Reduction> ReadReduction(const litert::Op& op, ReduceOp reduce_op,
                                  NetworkBuilder& builder) {
  Reduction reduction;
  ACME_ASSIGN_OR_RETURN(reduction.operands, ReadOneOperand(op));
  const Value& x = reduction.operands.x.value;
  ACME_ASSIGN_OR_RETURN(const std::vector<int64_t> axes,
                        ReadIntegers(op.Inputs()[1], "the list of axes"));
  std::vector<bool> reduced(x.shape.size());
  for (int64_t axis : axes) {
    ACME_ASSIGN_OR_RETURN(const size_t resolved, ResolveAxis(axis, x.shape.size()));
    reduced[resolved] = true;
  }
  reduction.layer = std::make_shared<Reduce>();
  Reduce& layer = *reduction.layer;
  layer.op = reduce_op;
  layer.in = x.dtype;
  layer.out = x.dtype;
  layer.dims = MergeReduceDimensions(x.shape, reduced);
  if (layer.dims.size() > kMaxRank)
    return Unsupported("the axes alternate more than four times with the others");
  if (x.Elems() != reduction.operands.y.value.Elems() * layer.Count())
    return Unsupported("the result's size does not fit the axes");
  ACME_ASSIGN_OR_RETURN(layer.x, builder.AddTensor(op.Inputs()[0]));
  return reduction;
}

// The multiplier divided by the count: as many bits of the quotient as 32-bit arithmetic holds.
FixedPoint DividedBy(const FixedPoint& scale, int64_t count) {
  const int bits = 63 - std::countl_zero(static_cast<uint64_t>(count));
  // As TFLite: 32 bits more overflow nothing, and a shift must not end below -31.
  const int shift = std::min({bits, 32, 31 + scale.shift});
  return {static_cast<int32_t>((int64_t{scale.mult} << shift) / count), scale.shift - shift};
}

// int8 and int16: raw sum; as float32; times s; plus bias; rounded.
Expected<void> AddFloatScaledSum(const litert::Op& op, const Reduction& reduction,
                                 NetworkBuilder& builder) {
  const TensorInfo& x = reduction.operands.x;
  const TensorInfo& y = reduction.operands.y;
  const float scale = ScaleOf(x) / ScaleOf(y);
  const int64_t count = reduction.layer->Count();
  const float bias = static_cast<float>(-ZeroPointOf(x)) * scale * static_cast<float>(count);
  const double largest_elem = reduction.layer->in == Dtype::kI8 ? 0x1p7 : 0x1p15;
  const double largest = static_cast<double>(count) * largest_elem * static_cast<double>(scale);
  if (!std::isfinite(bias) || !(std::fabs(bias) + largest < 0x1p30))
    return Unsupported("the scales of operand and result are too far apart");
  reduction.layer->out = Dtype::kI32;
  const ValueId sum = builder.AddValue(y.value.name, Dtype::kI32, y.value.shape);
  builder.AddLayer(sum, reduction.layer);
  Steps steps(y.value.name, builder);
  const auto with = [&](BinaryOp step, ValueId value, float constant) {
    return steps.Both(step, value, steps.Numbers(Dtype::kF32, {1}, std::vector<float>{constant}));
  };
  ValueId scaled = with(BinaryOp::kMul, steps.Cast(sum, Dtype::kF32), scale);
  if (bias != 0.0f) scaled = with(BinaryOp::kAdd, scaled, bias);
  const std::shared_ptr<Map> rounding = MapOf(Dtype::kF32, y.value.dtype);
  rounding->x = scaled;
  rounding->function = ConvertOp::kQuantize;
  rounding->dst.zp = ZeroPointOf(y);
  rounding->dst.mult = std::bit_cast<uint32_t>(1.0f);
  return builder.AddLayer(op.Outputs()[0], rounding);
}

}  // namespace

Expected<void> LegalizeMean(const litert::Op& op, const Hardware&, NetworkBuilder& builder) {
  ACME_ASSIGN_OR_RETURN(const Reduction reduction, ReadReduction(op, ReduceOp::kMean, builder));
  Reduce& layer = *reduction.layer;
  if (layer.in != Dtype::kF32) {
    const OneOperand& operands = reduction.operands;
    ACME_ASSIGN_OR_RETURN(const FixedPoint whole,
                          CheckedMultiplier(static_cast<double>(ScaleOf(operands.x)) /
                                            static_cast<double>(ScaleOf(operands.y))));
    layer.scale = DividedBy(whole, layer.Count());
    layer.in_zp = ZeroPointOf(operands.x);
    layer.out_zp = ZeroPointOf(operands.y);
  }
  return builder.AddLayer(op.Outputs()[0], reduction.layer);
}

Expected<void> LegalizeSum(const litert::Op& op, const Hardware&, NetworkBuilder& builder) {
  ACME_ASSIGN_OR_RETURN(const Reduction reduction, ReadReduction(op, ReduceOp::kSum, builder));
  Reduce& layer = *reduction.layer;
  if (layer.in == Dtype::kI8 || layer.in == Dtype::kI16)
    return AddFloatScaledSum(op, reduction, builder);
  if (layer.in == Dtype::kU8) {
    const OneOperand& operands = reduction.operands;
    ACME_ASSIGN_OR_RETURN(layer.scale, CheckedMultiplier(static_cast<double>(ScaleOf(operands.x)) /
                                                         static_cast<double>(ScaleOf(operands.y))));
    layer.in_zp = ZeroPointOf(operands.x);
    layer.out_zp = ZeroPointOf(operands.y);
  }
  return builder.AddLayer(op.Outputs()[0], reduction.layer);
}

Expected<void> LegalizeExtreme(const litert::Op& op, const Hardware&, NetworkBuilder& builder) {
  const bool max = op.Code() == kLiteRtOpCodeTflReduceMax;
  ACME_ASSIGN_OR_RETURN(const Reduction reduction,
                        ReadReduction(op, max ? ReduceOp::kMax : ReduceOp::kMin, builder));
  return builder.AddLayer(op.Outputs()[0], reduction.layer);
}

}  // namespace acme::compiler
