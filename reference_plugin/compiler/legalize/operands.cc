// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/legalize/operands.h"

#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <string>

namespace acme::compiler {
namespace {

std::string TypeName(const TypeRow& row) {
  if (row.half) return fmt::format("constant float16 to {}", DtypeName(row.out));
  if (row.in == row.out) return DtypeName(row.in);
  return fmt::format("{} to {}", DtypeName(row.in), DtypeName(row.out));
}

std::string TypeList(std::span<const TypeRow> types) {
  std::string text;
  for (size_t i = 0; i < types.size(); ++i) {
    if (i > 0) text += i + 1 == types.size() ? " and " : ", ";
    text += TypeName(types[i]);
  }
  return text;
}

Expected<void> CheckTypes(const OneOperand& operands, std::span<const TypeRow> types) {
  const TypeRow found{operands.x.value.dtype, operands.y.value.dtype, {}};
  for (const TypeRow& row : types) {
    if (row.in == found.in && row.out == found.out && !row.half) return {};
  }
  return Unsupported(fmt::format("{} is not supported, only {}", TypeName(found), TypeList(types)));
}

}  // namespace

bool IsQuantisedType(Dtype dtype) { return IsByte(dtype) || dtype == Dtype::kI16; }

Expected<void> CheckPerTensor(const TensorInfo& info) {
  const std::string name = fmt::format("tensor '{}' ", info.value.name);
  if (info.scales.size() != 1) return Unsupported(name + "must be quantised per tensor");
  const ClampRange range = TypeRange(info.value.dtype);
  const int64_t zero_point = info.zero_points[0];
  if (zero_point < range.lo || zero_point > range.hi)
    return Unsupported(name + "has a zero point outside its type");
  if (info.value.dtype == Dtype::kI16 && zero_point != 0)
    return Unsupported(name + "is int16 and must have the zero point 0");
  return {};
}

Expected<OneOperand> ReadOneOperand(const litert::Op& op) {
  const OperatorSupport& support = *FindOperator(op.Code());
  const auto inputs = op.Inputs();
  const auto outputs = op.Outputs();
  if (inputs.size() < support.min_inputs || inputs.size() > support.max_inputs ||
      outputs.size() != 1) {
    const bool exact = support.max_inputs == support.min_inputs;
    return Unsupported(
        fmt::format("it must have {}{} inputs and 1 outputs", support.min_inputs,
                    exact ? std::string() : fmt::format(" to {}", support.max_inputs)));
  }
  OneOperand operands;
  ACME_ASSIGN_OR_RETURN(operands.x, ReadTensor(inputs[0]));
  ACME_ASSIGN_OR_RETURN(operands.y, ReadTensor(outputs[0]));
  ACME_RETURN_IF_ERROR(CheckTypes(operands, support.types));
  if (support.scales != Scales::kOneScale) return operands;
  for (const TensorInfo* info : {&operands.x, &operands.y}) {
    if (IsQuantisedType(info->value.dtype)) ACME_RETURN_IF_ERROR(CheckPerTensor(*info));
  }
  return operands;
}

Expected<std::vector<int64_t>> ReadIntegers(const litert::Tensor& tensor, const char* what) {
  ACME_ASSIGN_OR_RETURN(const TensorInfo info, ReadTensor(tensor));
  const Value& value = info.value;
  if (!value.is_constant()) return Unsupported(fmt::format("{} must be constant", what));
  const bool wide = value.dtype == Dtype::kI64;
  if (!wide && value.dtype != Dtype::kI32)
    return Unsupported(fmt::format("{} must be int32 or int64", what));
  std::vector<int64_t> result(static_cast<size_t>(value.Elems()));
  for (size_t i = 0; i < result.size(); ++i) {
    if (wide) {
      std::memcpy(&result[i], value.constant.data() + i * sizeof(int64_t), sizeof(int64_t));
    } else {
      int32_t narrow = 0;
      std::memcpy(&narrow, value.constant.data() + i * sizeof(int32_t), sizeof(int32_t));
      result[i] = narrow;
    }
  }
  return result;
}

Expected<size_t> ResolveAxis(int64_t axis, size_t rank) {
  const auto signed_rank = static_cast<int64_t>(rank);
  if (axis < -signed_rank || axis >= signed_rank)
    return Unsupported(
        fmt::format("the axis {} is outside the tensor's {} dimensions", axis, rank));
  return static_cast<size_t>(axis < 0 ? axis + signed_rank : axis);
}

Expected<FixedPoint> CheckedMultiplier(double real) {
  constexpr int32_t kLargestShift = 30;  // of v.quant
  const bool valid = std::isfinite(real) && real >= 0;
  const FixedPoint scale = valid ? QuantizeMultiplier(real) : FixedPoint();
  if (!valid || scale.shift > kLargestShift)
    return Unsupported("the scales of operands and result are too far apart");
  return scale;
}

}  // namespace acme::compiler
