// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/runtime/plan/stage_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "litert/cc/litert_macros.h"
#include "sdk/host/model/sparsity/sparse_constant.h"
#include "sdk/host/runtime/plan/plan_error.h"
#include "sdk/host/runtime/plan/value_size.h"

namespace npukit {
namespace {

using kernels::Shape;
using kernels::ShapeText;

bool IsString(const Tensor& tensor) { return tensor.element_type == kLiteRtElementTypeTfString; }

// Kernels read elements in place, so a constant that lies at an odd address in its file is
// copied.
void SetConstant(PlanValue& value, std::span<const uint8_t> bytes) {
  value.kind = PlanValue::Kind::kConstant;
  const auto element_bytes = static_cast<uintptr_t>(ElementBits(value.operand.type()) / 8);
  if (element_bytes > 1 && reinterpret_cast<uintptr_t>(bytes.data()) % element_bytes != 0) {
    value.folded.assign(bytes.begin(), bytes.end());
    bytes = value.folded;
  }
  value.operand.constant = bytes;
}

}  // namespace

int StageValues::AddValue(int flat) {
  const int index = static_cast<int>(plan_.values.size());
  PlanValue& value = plan_.values.emplace_back();
  value.operand.tensor = graph_.value(flat).tensor;
  value.flat_value = flat;
  added_[flat] = index;
  return index;
}

void StageValues::RemoveOutputs(const FlatOp& op) {
  for (size_t i = op.outputs.size(); i-- > 0;) {
    added_.erase(graph_.Resolve(op.outputs[i]));
    plan_.values.pop_back();
  }
}

litert::Expected<void> StageValues::SetShape(PlanValue& value, Shape shape) {
  const Tensor& tensor = *value.operand.tensor;
  if (!HasValueSize(tensor.element_type)) {
    return TensorError(
        kLiteRtStatusErrorUnsupported, tensor,
        fmt::format("values of type {} cannot be run", ElementTypeName(tensor.element_type)));
  }
  const std::optional<uint64_t> bytes = ValueBytes(tensor.element_type, shape);
  if (!bytes || *bytes > options_.max_bytes) {
    return TensorError(kLiteRtStatusErrorInvalidArgument, tensor,
                       fmt::format("shape {} does not fit into memory", ShapeText(shape)));
  }
  value.operand.shape = std::move(shape);
  value.size_bytes = *bytes;
  return {};
}

litert::Expected<void> StageValues::AddInputs() {
  for (int flat : graph_.inputs()) {
    const int index = AddValue(flat);
    const Tensor& tensor = *At(index).operand.tensor;
    const auto resized = options_.resized_inputs.find(&tensor);
    const Shape& shape = resized == options_.resized_inputs.end() ? tensor.shape : resized->second;
    if (std::any_of(shape.begin(), shape.end(), [](int32_t dim) { return dim < 0; })) {
      return TensorError(kLiteRtStatusErrorInvalidArgument, tensor,
                         fmt::format("input shape {} has a dimension that must be given (--resize)",
                                     ShapeText(shape)));
    }
    if (IsString(tensor) && options_.string_inputs != nullptr) {
      PlanValue& value = At(index);
      value.kind = PlanValue::Kind::kOwnedByOp;
      value.run_time = std::make_unique<PlanValue::RunTime>();
      value.run_time->outputs = options_.string_inputs;
      value.run_time->index = plan_.inputs.size();
      value.operand.shape = shape;
    } else {
      LITERT_RETURN_IF_ERROR(SetShape(At(index), shape));
      if (tensor.is_variable) At(index).kind = PlanValue::Kind::kVariable;
    }
    plan_.inputs.push_back(index);
  }
  return {};
}

litert::Expected<int> StageValues::Find(int flat) {
  if (const auto known = added_.find(flat); known != added_.end()) return known->second;
  const FlatValue& value = graph_.value(flat);
  if (value.source == FlatValue::Source::kConstant) return AddConstant(flat);
  if (value.source == FlatValue::Source::kVariable || value.tensor->is_variable)
    return AddVariable(flat);
  if (earlier_ == nullptr) return kNoValue;
  const auto found = earlier_->Find(flat);
  return found ? AddEarlier(flat, *found) : kNoValue;
}

std::optional<int> StageValues::FindAdded(int flat) const {
  const auto known = added_.find(flat);
  return known == added_.end() ? std::nullopt : std::optional(known->second);
}

litert::Expected<int> StageValues::AddVariable(int flat) {
  const int index = AddValue(flat);
  PlanValue& value = At(index);
  LITERT_RETURN_IF_ERROR(SetShape(value, value.operand.tensor->shape));
  value.kind = PlanValue::Kind::kVariable;
  return index;
}

litert::Expected<int> StageValues::AddEarlier(int flat, const EarlierValues::Found& found) {
  const int index = AddValue(flat);
  PlanValue& value = At(index);
  Shape shape(found.shape.begin(), found.shape.end());
  if (IsString(*value.operand.tensor)) {
    value.operand.shape = std::move(shape);
    value.size_bytes = std::max(found.memory.size(), found.constant.size());
  } else {
    LITERT_RETURN_IF_ERROR(SetShape(value, std::move(shape)));
  }
  if (!found.constant.empty()) {
    value.kind = PlanValue::Kind::kConstant;
    value.operand.constant = found.constant;
  } else {
    value.kind = PlanValue::Kind::kImported;
    value.run_time = std::make_unique<PlanValue::RunTime>();
    value.run_time->imported = found.memory;
  }
  return index;
}

litert::Expected<int> StageValues::AddConstant(int flat) {
  const Tensor& tensor = *graph_.value(flat).tensor;
  const int index = AddValue(flat);
  PlanValue& value = At(index);
  const std::span<const uint8_t> bytes = tensor.weights.bytes();
  if (IsString(tensor)) {  // whoever reads them looks at the offsets
    value.operand.shape = tensor.shape;
    value.size_bytes = bytes.size();
    SetConstant(value, bytes);
    return index;
  }
  LITERT_RETURN_IF_ERROR(SetShape(value, tensor.shape));
  if (tensor.sparsity.has_value()) {
    LITERT_ASSIGN_OR_RETURN(value.folded, DenseElements(tensor));
    SetConstant(value, value.folded);
    return index;
  }
  if (bytes.size() != value.size_bytes) {
    return TensorError(kLiteRtStatusErrorInvalidArgument, tensor,
                       fmt::format("has {} bytes of data, {}{} needs {}", bytes.size(),
                                   ElementTypeName(tensor.element_type), ShapeText(tensor.shape),
                                   value.size_bytes));
  }
  SetConstant(value, bytes);
  return index;
}

}  // namespace npukit
