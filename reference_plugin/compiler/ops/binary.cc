// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// ADD, SUB, MUL in float32; ADD and MUL in int8, exactly as TFLite (tflite/kernels/add.cc, mul.cc):
// ADD brings both operands to a common scale with 20 more bits, MUL multiplies the steps.

#include <algorithm>
#include <array>

#include "litert/c/litert_op_options.h"
#include "reference_plugin/compiler/legalize.h"
#include "reference_plugin/compiler/lower/binary.h"

namespace acme::compiler {
namespace {

constexpr size_t kVectorRank = 4;

using Extent = std::array<int32_t, 4>;

// Dimensions of the result that both operands walk alike (dense, or both broadcast the same way)
// are merged, so that few models need more than the NPU's four.
struct BroadcastPlan {
  Extent extent = {1, 1, 1, 1};
  Extent a_stride = {};
  Extent b_stride = {};
  std::vector<OuterDimension> outer;
};

// Extent of an operand in result dimension `d`, counted from the innermost.
int32_t DimFromBack(const std::vector<int32_t>& shape, size_t d) {
  return d < shape.size() ? shape[shape.size() - 1 - d] : 1;
}

BroadcastPlan PlanBroadcast(const std::vector<int32_t>& a, const std::vector<int32_t>& b,
                            const std::vector<int32_t>& y) {
  std::vector<OuterDimension> merged;  // innermost first
  int32_t a_elems = 1;
  int32_t b_elems = 1;
  bool a_last = false;  // whether the dimension before was walked by a, by b
  bool b_last = false;
  for (size_t d = 0; d < y.size(); ++d) {
    const int32_t extent = DimFromBack(y, d);
    if (extent == 1) continue;
    const bool a_walks = DimFromBack(a, d) != 1;
    const bool b_walks = DimFromBack(b, d) != 1;
    if (!merged.empty() && a_walks == a_last && b_walks == b_last) {
      merged.back().extent *= extent;
    } else {
      merged.push_back({extent, a_walks ? a_elems : 0, b_walks ? b_elems : 0});
    }
    if (a_walks) a_elems *= extent;
    if (b_walks) b_elems *= extent;
    a_last = a_walks;
    b_last = b_walks;
  }
  BroadcastPlan plan;
  for (size_t d = 0; d < merged.size() && d < kVectorRank; ++d) {
    plan.extent[d] = merged[d].extent;
    plan.a_stride[d] = merged[d].a_stride_elems;
    plan.b_stride[d] = merged[d].b_stride_elems;
  }
  if (merged.size() > kVectorRank) plan.outer.assign(merged.begin() + kVectorRank, merged.end());
  return plan;
}

struct Operands {
  TensorInfo a;
  TensorInfo b;
  TensorInfo y;
};

Expected<void> CheckShapes(const Operands& operands) {
  const std::vector<int32_t>& y = operands.y.value.shape;
  for (const TensorInfo* operand : {&operands.a, &operands.b}) {
    const std::vector<int32_t>& shape = operand->value.shape;
    bool fits = shape.size() <= y.size();
    for (size_t d = 0; fits && d < shape.size(); ++d) {
      const int32_t dim = DimFromBack(shape, d);
      fits = dim == 1 || dim == DimFromBack(y, d);
    }
    if (!fits)
      return Unsupported("operand " + ShapeName(shape) + " does not broadcast to the result " +
                         ShapeName(y));
  }
  for (size_t d = 0; d < y.size(); ++d) {
    if (std::max(DimFromBack(operands.a.value.shape, d), DimFromBack(operands.b.value.shape, d)) !=
        DimFromBack(y, d)) {
      return Unsupported("the result " + ShapeName(y) + " is larger than its operands");
    }
  }
  return {};
}

Expected<void> CheckTypes(const Operands& operands, bool int8_too) {
  const Dtype dtype = operands.y.value.dtype;
  if (operands.a.value.dtype != dtype || operands.b.value.dtype != dtype) {
    return Unsupported("operands and result must have one type, they are " +
                       DtypeName(operands.a.value.dtype) + ", " +
                       DtypeName(operands.b.value.dtype) + " and " + DtypeName(dtype));
  }
  if (dtype == Dtype::kF32) return {};
  if (dtype != Dtype::kI8 || !int8_too) {
    return Unsupported(DtypeName(dtype) + " is not supported, only float32" +
                       (int8_too ? " and int8" : ""));
  }
  for (const TensorInfo* info : {&operands.a, &operands.b, &operands.y}) {
    if (info->scales.size() != 1) return Unsupported("int8 tensors must be quantised per tensor");
  }
  return {};
}

// What the instruction's field holds.
Expected<void> CheckShifts(const Binary& binary) {
  constexpr int32_t kLargestShift = 30;
  for (const FixedPoint& scale : {binary.a.scale, binary.b.scale, binary.out_scale}) {
    if (scale.shift > kLargestShift)
      return Unsupported("the scales of operands and result are too far apart");
  }
  return {};
}

void QuantizeAdd(const Operands& operands, Binary& binary) {
  constexpr uint32_t kLeftShift = 20;
  const float a_scale = operands.a.scales[0];
  const float b_scale = operands.b.scales[0];
  const double twice_max = 2 * std::max(a_scale, b_scale);
  binary.left_shift = kLeftShift;
  binary.a.scale = QuantizeMultiplier(a_scale / twice_max);
  binary.b.scale = QuantizeMultiplier(b_scale / twice_max);
  binary.out_scale = QuantizeMultiplier(twice_max / ((1 << kLeftShift) * operands.y.scales[0]));
}

void QuantizeMul(const Operands& operands, Binary& binary) {
  const double scale = operands.a.scales[0] * operands.b.scales[0] / operands.y.scales[0];
  binary.out_scale = QuantizeMultiplier(scale);
}

Expected<void> LegalizeBinary(const litert::Op& op, BinaryOp binary_op, uint32_t activation_option,
                              bool int8_too, NetworkBuilder& builder) {
  const auto inputs = op.Inputs();
  const auto outputs = op.Outputs();
  if (inputs.size() != 2 || outputs.size() != 1)
    return Unsupported("it must have two inputs and one output");
  ACME_ASSIGN_OR_RETURN(const Activation activation, ReadActivation(activation_option));
  Operands operands;
  ACME_ASSIGN_OR_RETURN(operands.a, ReadTensor(inputs[0]));
  ACME_ASSIGN_OR_RETURN(operands.b, ReadTensor(inputs[1]));
  ACME_ASSIGN_OR_RETURN(operands.y, ReadTensor(outputs[0]));
  ACME_RETURN_IF_ERROR(CheckTypes(operands, int8_too));
  ACME_RETURN_IF_ERROR(CheckShapes(operands));
  const BroadcastPlan plan =
      PlanBroadcast(operands.a.value.shape, operands.b.value.shape, operands.y.value.shape);

  Binary binary;
  binary.op = binary_op;
  binary.extent = plan.extent;
  binary.outer = plan.outer;
  binary.a.stride_elems = plan.a_stride;
  binary.b.stride_elems = plan.b_stride;
  if (operands.y.value.dtype == Dtype::kF32) {
    binary.clamp = FloatActivationRange(activation);
  } else {
    binary.a.zero_point = static_cast<int32_t>(operands.a.zero_points[0]);
    binary.b.zero_point = static_cast<int32_t>(operands.b.zero_points[0]);
    binary.out_zp = static_cast<int32_t>(operands.y.zero_points[0]);
    binary.clamp = ActivationRange(activation, Dtype::kI8, operands.y.scales[0], binary.out_zp);
    binary_op == BinaryOp::kMul ? QuantizeMul(operands, binary) : QuantizeAdd(operands, binary);
    ACME_RETURN_IF_ERROR(CheckShifts(binary));
  }
  ACME_ASSIGN_OR_RETURN(binary.a.value, builder.AddTensor(inputs[0]));
  ACME_ASSIGN_OR_RETURN(binary.b.value, builder.AddTensor(inputs[1]));
  return builder.AddLayer(outputs[0], std::make_shared<Binary>(std::move(binary)));
}

}  // namespace

Expected<void> LegalizeAdd(const litert::Op& op, const Hardware&, NetworkBuilder& builder) {
  uint32_t activation = 0;
  if (LiteRtGetAddFusedActivationOption(op.Get(), &activation) != kLiteRtStatusOk)
    return Unsupported("the op has no AddOptions");
  return LegalizeBinary(op, BinaryOp::kAdd, activation, /*int8_too=*/true, builder);
}

Expected<void> LegalizeSub(const litert::Op& op, const Hardware&, NetworkBuilder& builder) {
  uint32_t activation = 0;
  if (LiteRtGetSubFusedActivationOption(op.Get(), &activation) != kLiteRtStatusOk)
    return Unsupported("the op has no SubOptions");
  return LegalizeBinary(op, BinaryOp::kSub, activation, /*int8_too=*/false, builder);
}

Expected<void> LegalizeMul(const litert::Op& op, const Hardware&, NetworkBuilder& builder) {
  uint32_t activation = 0;
  if (LiteRtGetMulFusedActivationOption(op.Get(), &activation) != kLiteRtStatusOk)
    return Unsupported("the op has no MulOptions");
  return LegalizeBinary(op, BinaryOp::kMul, activation, /*int8_too=*/true, builder);
}

}  // namespace acme::compiler
