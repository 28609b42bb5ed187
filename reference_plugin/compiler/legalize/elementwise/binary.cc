// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Elementwise operators of two operands, exactly as TFLite's reference kernels: int32 as it is; ADD, SUB
// and SQUARED_DIFFERENCE bring both to a common scale with more bits, MUL multiplies the steps, MAXIMUM
// and MINIMUM compare them as stored, PRELU scales either the operand or its product with the
// slope.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "litert/c/litert_model.h"
#include "litert/c/litert_op_options.h"
#include "reference_plugin/compiler/legalize/broadcast.h"
#include "reference_plugin/compiler/legalize/legalize.h"
#include "reference_plugin/compiler/legalize/operands.h"
#include "reference_plugin/compiler/lower/box.h"
#include "reference_plugin/compiler/lower/elementwise/binary.h"
#include "simulator/isa/instruction.h"

namespace acme::compiler {
namespace {

struct BinaryOperands {
  TensorInfo a;
  TensorInfo b;
  TensorInfo y;
};

Expected<void> CheckShapes(const BinaryOperands& operands) {
  const std::vector<int32_t>& y = operands.y.value.shape;
  for (const TensorInfo* operand : {&operands.a, &operands.b}) {
    const std::vector<int32_t>& shape = operand->value.shape;
    bool fits = shape.size() <= y.size();
    for (size_t d = 0; fits && d < shape.size(); ++d) {
      const int32_t dim = DimFromBack(shape, d);
      fits = dim == 1 || dim == DimFromBack(y, d);
    }
    if (!fits)
      return Unsupported(fmt::format("operand {} does not broadcast to the result {}",
                                     ShapeName(shape), ShapeName(y)));
  }
  for (size_t d = 0; d < y.size(); ++d) {
    if (std::max(DimFromBack(operands.a.value.shape, d), DimFromBack(operands.b.value.shape, d)) !=
        DimFromBack(y, d)) {
      return Unsupported(fmt::format("the result {} is larger than its operands", ShapeName(y)));
    }
  }
  return {};
}

// How integers are scaled.
enum class Scaling : uint8_t { kSum, kSquaredDifference, kProduct, kPrelu, kStored };

// How an operator computes.
struct BinaryRow {
  LiteRtOpCode code = kLiteRtOpCodeTflCustom;
  BinaryOp op = BinaryOp::kAdd;
  Scaling scaling = Scaling::kStored;
  LiteRtStatus (*read_activation)(LiteRtOp, uint32_t*) = nullptr;  // null: it has none
};
constexpr BinaryRow kRows[] = {
    {kLiteRtOpCodeTflAdd, BinaryOp::kAdd, Scaling::kSum, LiteRtGetAddFusedActivationOption},
    {kLiteRtOpCodeTflSub, BinaryOp::kSub, Scaling::kSum, LiteRtGetSubFusedActivationOption},
    {kLiteRtOpCodeTflMul, BinaryOp::kMul, Scaling::kProduct, LiteRtGetMulFusedActivationOption},
    {kLiteRtOpCodeTflDiv, BinaryOp::kDiv, Scaling::kStored, LiteRtGetDivFusedActivationOption},
    {kLiteRtOpCodeTflFloorDiv, BinaryOp::kFloorDiv},
    {kLiteRtOpCodeTflFloorMod, BinaryOp::kFloorMod},
    {kLiteRtOpCodeTflMaximum, BinaryOp::kMax, Scaling::kStored},
    {kLiteRtOpCodeTflMinimum, BinaryOp::kMin, Scaling::kStored},
    {kLiteRtOpCodeTflPrelu, BinaryOp::kPrelu, Scaling::kPrelu},
    {kLiteRtOpCodeTflSquaredDifference, BinaryOp::kSquaredDifference, Scaling::kSquaredDifference},
};

Expected<BinaryOperands> ReadOperands(const litert::Op& op) {
  ACME_ASSIGN_OR_RETURN(const OneOperand first, ReadOneOperand(op));
  BinaryOperands operands{first.x, {}, first.y};
  ACME_ASSIGN_OR_RETURN(operands.b, ReadTensor(op.Inputs()[1]));
  const Dtype dtype = operands.y.value.dtype;
  if (operands.b.value.dtype != dtype)
    return Unsupported(fmt::format("operands must have one type, they are {} and {}",
                                   DtypeName(dtype), DtypeName(operands.b.value.dtype)));
  const bool one_scale = FindOperator(op.Code())->scales == Scales::kOneScale;
  if (one_scale && IsQuantisedType(dtype)) ACME_RETURN_IF_ERROR(CheckPerTensor(operands.b));
  ACME_RETURN_IF_ERROR(CheckShapes(operands));
  return operands;
}

// As TFLite asks it (CheckedLog2): in float32, to a thousandth.
bool IsPowerOfTwo(float scale) {
  const float log2 = std::log(scale) * (1.0f / std::log(2.0f));
  return std::fabs(log2 - std::round(log2)) < 1e-3f;
}

// Both operands to twice the larger scale, with `left_shift` more bits.
Expected<void> QuantizeCommonScale(const BinaryOperands& operands, int left_shift, Binary& binary) {
  const float a_scale = operands.a.scales[0];
  const float b_scale = operands.b.scales[0];
  const double twice_max = 2 * std::max(a_scale, b_scale);
  binary.left_shift = static_cast<uint32_t>(left_shift);
  ACME_ASSIGN_OR_RETURN(binary.a.scale, CheckedMultiplier(a_scale / twice_max));
  ACME_ASSIGN_OR_RETURN(binary.b.scale, CheckedMultiplier(b_scale / twice_max));
  return {};
}

Expected<void> QuantizeSum(const BinaryOperands& operands, Binary& binary) {
  const bool wide = operands.y.value.dtype == Dtype::kI16;
  const float y_scale = operands.y.scales[0];
  // For these TFLite looks at an option that plugins can't read.
  // (pot_scale_int16, which makes shifts of the multipliers.)
  if (wide && IsPowerOfTwo(operands.a.scales[0]) && IsPowerOfTwo(operands.b.scales[0]) &&
      IsPowerOfTwo(y_scale))
    return Unsupported("int16 with scales that are all powers of two is not supported");
  // Numbers less their zero points have 9 bits, those of int16 16: shifted they stay below 2^31.
  const int left_shift = wide ? 15 : 20;
  ACME_RETURN_IF_ERROR(QuantizeCommonScale(operands, left_shift, binary));
  const double twice_max = 2 * std::max(operands.a.scales[0], operands.b.scales[0]);
  const double real = twice_max / (static_cast<float>(1 << left_shift) * y_scale);
  // TFLite's ADD refuses this; its SUB does not.
  if (binary.op == BinaryOp::kAdd && real >= 1.0)
    return Unsupported("the result's scale is too small for the operands'");
  ACME_ASSIGN_OR_RETURN(binary.out_scale, CheckedMultiplier(real));
  return {};
}

Expected<void> QuantizeSquaredDifference(const BinaryOperands& operands, Binary& binary) {
  constexpr int kLeftShift = 7;
  ACME_RETURN_IF_ERROR(QuantizeCommonScale(operands, kLeftShift, binary));
  const double twice_max = 2 * std::max(operands.a.scales[0], operands.b.scales[0]);
  const double real =
      twice_max * twice_max / (static_cast<float>(1 << (2 * kLeftShift)) * operands.y.scales[0]);
  ACME_ASSIGN_OR_RETURN(binary.out_scale, CheckedMultiplier(real));
  return {};
}

// Products of scales are rounded to float32.
Expected<void> QuantizeMul(const BinaryOperands& operands, Binary& binary) {
  const float real = operands.a.scales[0] * operands.b.scales[0] / operands.y.scales[0];
  ACME_ASSIGN_OR_RETURN(binary.out_scale, CheckedMultiplier(real));
  return {};
}

Expected<void> QuantizePrelu(const BinaryOperands& operands, Binary& binary) {
  const float x_scale = operands.a.scales[0];
  const float y_scale = operands.y.scales[0];
  ACME_ASSIGN_OR_RETURN(binary.a.scale, CheckedMultiplier(x_scale / y_scale));
  ACME_ASSIGN_OR_RETURN(binary.b.scale,
                        CheckedMultiplier(x_scale * operands.b.scales[0] / y_scale));
  return {};
}

Expected<void> Quantize(const BinaryOperands& operands, Scaling scaling, Binary& binary) {
  if (scaling == Scaling::kStored || operands.y.value.dtype == Dtype::kI32) return {};
  binary.a.zero_point = ZeroPointOf(operands.a);
  binary.b.zero_point = ZeroPointOf(operands.b);
  binary.out_zp = ZeroPointOf(operands.y);
  switch (scaling) {
    case Scaling::kSum:
      return QuantizeSum(operands, binary);
    case Scaling::kSquaredDifference:
      return QuantizeSquaredDifference(operands, binary);
    case Scaling::kProduct:
      return QuantizeMul(operands, binary);
    case Scaling::kPrelu:
      return QuantizePrelu(operands, binary);
    case Scaling::kStored:
      break;
  }
  return {};
}

// The CPU stops at a divisor of 0, the NPU does not: it takes those alone that are known.
Expected<void> CheckDivisors(const Value& divisors) {
  if (!divisors.is_constant()) return Unsupported("divisors must be constant");
  std::vector<int32_t> values(static_cast<size_t>(divisors.Elems()));
  std::memcpy(values.data(), divisors.constant.data(), values.size() * sizeof(int32_t));
  if (std::ranges::find(values, 0) != values.end()) return Unsupported("a divisor is 0");
  return {};
}

Expected<void> AddBinary(const litert::Op& op, BinaryOp function, Scaling scaling,
                         Activation activation, NetworkBuilder& builder) {
  ACME_ASSIGN_OR_RETURN(const BinaryOperands operands, ReadOperands(op));
  if (DividesIntegers(function)) ACME_RETURN_IF_ERROR(CheckDivisors(operands.b.value));
  const BroadcastPlan plan =
      PlanBroadcast(operands.a.value.shape, operands.b.value.shape, operands.y.value.shape);
  Binary binary;
  binary.op = function;
  binary.extent = plan.extent;
  binary.outer = plan.outer;
  binary.a.stride_elems = plan.a_stride;
  binary.b.stride_elems = plan.b_stride;
  const Dtype dtype = operands.y.value.dtype;
  if (dtype == Dtype::kF32) {
    binary.clamp = FloatActivationRange(activation);
  } else {
    ACME_RETURN_IF_ERROR(Quantize(operands, scaling, binary));
    binary.clamp =
        activation == Activation::kNone
            ? TypeRange(dtype)
            : ActivationRange(activation, dtype, dtype == Dtype::kI32 ? 1.0f : operands.y.scales[0],
                              binary.out_zp);
  }
  const auto inputs = op.Inputs();
  ACME_ASSIGN_OR_RETURN(binary.a.value, builder.AddTensor(inputs[0]));
  ACME_ASSIGN_OR_RETURN(binary.b.value, builder.AddTensor(inputs[1]));
  return builder.AddLayer(op.Outputs()[0], std::make_shared<Binary>(std::move(binary)));
}

}  // namespace

Expected<void> LegalizeBinary(const litert::Op& op, const Hardware&, NetworkBuilder& builder) {
  const BinaryRow& row = *std::find_if(std::begin(kRows), std::end(kRows),
                                       [&](const BinaryRow& r) { return r.code == op.Code(); });
  uint32_t option = 0;
  if (row.read_activation != nullptr && row.read_activation(op.Get(), &option) != kLiteRtStatusOk)
    return Unsupported("the op has no options");
  ACME_ASSIGN_OR_RETURN(const Activation activation, ReadActivation(option));
  return AddBinary(op, row.op, row.scaling, activation, builder);
}

// AcmeCorp's own operator, y = max(a * b, 0) in float32, by the custom code "acme.mul_relu". An
// operator package has it for the CPU.
Expected<void> LegalizeCustom(const litert::Op& op, const Hardware&, NetworkBuilder& builder) {
  const char* code = nullptr;
  if (LiteRtGetCustomCode(op.Get(), &code) != kLiteRtStatusOk || code == nullptr)
    return Unsupported("the op has no custom code");
  if (std::string_view(code) != "acme.mul_relu")
    return Unsupported(
        fmt::format("the NPU's compiler does not have the custom operator '{}'", code));
  return AddBinary(op, BinaryOp::kMul, Scaling::kProduct, Activation::kRelu, builder);
}

}  // namespace acme::compiler
