// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/oracle/misfits.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

#include "sdk/host/kernels/op_node.h"
#include "sdk/host/kernels/operator.h"

namespace npukit::conformance {
namespace {

using Kind = Misfit::Kind;

bool IsScaled(const Tensor& tensor) { return !tensor.quantization.scale.empty(); }

// Strings and other types without a size have no element that could be added.
bool CanGrow(const Tensor& tensor) { return ElementBits(tensor.element_type) > 0; }

void AddMisfitsOf(const Tensor& tensor, bool is_output, size_t operand,
                  std::vector<Misfit>& misfits) {
  const auto add = [&](Kind kind, size_t axis = 0) {
    misfits.push_back({.kind = kind, .is_output = is_output, .operand = operand, .axis = axis});
  };
  for (size_t axis = 0; axis < tensor.shape.size() && CanGrow(tensor); ++axis)
    add(Kind::kLonger, axis);
  if (!tensor.shape.empty()) add(Kind::kFlat);
  if (!tensor.is_constant()) {
    for (size_t axis = 0; axis < tensor.shape.size(); ++axis) {
      add(Kind::kEmpty, axis);
      if (!is_output) add(Kind::kNoneOfSize, axis);
    }
    if (CanGrow(tensor)) add(Kind::kOtherType);
  }
  if (!is_output) add(Kind::kOmitted);
  if (IsScaled(tensor)) {
    add(Kind::kUnscaled);
    if (!tensor.shape.empty()) add(Kind::kMoreScales);
  }
}

const char* WhatIsChanged(Kind kind) {
  switch (kind) {
    case Kind::kLonger:
      return "is longer by one in dimension {}";
    case Kind::kEmpty:
      return "has nothing in dimension {}";
    case Kind::kNoneOfSize:
      return "has nothing in dimension {}, nor has any other in one of that size";
    case Kind::kFlat:
      return "has another rank";
    case Kind::kOmitted:
      return "is omitted";
    case Kind::kOtherType:
      return "is of another type";
    case Kind::kUnscaled:
      return "has no quantisation";
    case Kind::kMoreScales:
      return "has a scale too many";
  }
  return "";
}

// The constant in the larger shape that the tensor has now, with zeros behind what it had.
// Types of less than a byte are moved as they are packed: what the values are does not matter.
void GrowConstant(Model& model, Tensor& tensor) {
  const auto wanted = DenseBytes(tensor.element_type, tensor.shape);
  const std::span<const uint8_t> old = tensor.weights.bytes();
  std::vector<uint8_t> bytes(old.begin(), old.end());
  bytes.resize(std::max<size_t>(wanted.value_or(0), bytes.size()));
  tensor.weights.buffer_id = model.buffers().Add(SharedBytes::Take(std::move(bytes)));
}

void MakeLonger(size_t axis, Model& model, Tensor& tensor) {
  const bool is_constant = tensor.is_constant();
  ++tensor.shape[axis];
  if (is_constant) GrowConstant(model, tensor);
}

void MakeFlat(Tensor& tensor) {
  const int32_t elems =
      std::accumulate(tensor.shape.begin(), tensor.shape.end(), int32_t{1}, std::multiplies<>());
  tensor.shape =
      tensor.shape.size() > 1 ? std::vector<int32_t>{elems} : std::vector<int32_t>{1, elems};
}

void EmptyAllOfSize(int32_t size, Op& op) {
  for (const auto* operands : {&op.inputs, &op.outputs}) {
    for (Tensor* tensor : *operands) {
      if (tensor != nullptr && !tensor->is_constant())
        std::replace(tensor->shape.begin(), tensor->shape.end(), size, 0);
    }
  }
}

void AddScale(Tensor& tensor) {
  Quantization& quantization = tensor.quantization;
  quantization.quantized_dimension = 0;
  const size_t scales = static_cast<size_t>(tensor.shape.front()) + 1;
  quantization.scale.resize(scales, quantization.scale.front());
  if (quantization.zero_point.empty()) return;
  std::vector<int64_t> points = quantization.zero_point.ToVector();
  points.resize(scales, 0);
  quantization.zero_point = points;
}

}  // namespace

std::string Misfit::ToString() const {
  return fmt::format("{} {} {}", is_output ? "output" : "input", operand,
                     fmt::format(fmt::runtime(WhatIsChanged(kind)), axis));
}

std::vector<Misfit> PossibleMisfits(const Op& op) {
  std::vector<Misfit> misfits;
  for (size_t i = 0; i < op.inputs.size(); ++i) {
    if (op.inputs[i] != nullptr) AddMisfitsOf(*op.inputs[i], false, i, misfits);
  }
  for (size_t i = 0; i < op.outputs.size(); ++i) AddMisfitsOf(*op.outputs[i], true, i, misfits);
  return misfits;
}

litert::Expected<void> MakeMisfit(const Misfit& misfit, Model& model, Op& op) {
  const std::vector<Misfit> possible = PossibleMisfits(op);
  if (std::find(possible.begin(), possible.end(), misfit) == possible.end()) {
    return litert::Unexpected(
        kLiteRtStatusErrorInvalidArgument,
        fmt::format("{} has no such misfit: {}", OpCodeName(op.code), misfit.ToString()));
  }
  Tensor* tensor = (misfit.is_output ? op.outputs : op.inputs)[misfit.operand];
  switch (misfit.kind) {
    case Kind::kLonger:
      MakeLonger(misfit.axis, model, *tensor);
      break;
    case Kind::kEmpty:
      tensor->shape[misfit.axis] = 0;
      break;
    case Kind::kNoneOfSize:
      EmptyAllOfSize(tensor->shape[misfit.axis], op);
      break;
    case Kind::kFlat:
      MakeFlat(*tensor);
      break;
    case Kind::kOmitted:
      Subgraph::ReplaceInput(op, misfit.operand, nullptr);
      break;
    case Kind::kOtherType:
      tensor->element_type = tensor->element_type == kLiteRtElementTypeFloat32
                                 ? kLiteRtElementTypeInt8
                                 : kLiteRtElementTypeFloat32;
      break;
    case Kind::kUnscaled:
      tensor->quantization = {};
      tensor->has_quantization = false;
      break;
    case Kind::kMoreScales:
      AddScale(*tensor);
      break;
  }
  return {};
}

std::string Contradiction(const Op& op) {
  // A composite may run through its decomposition.
  const bool is_composite = op.OptionsAs<StableHLOCompositeOptions>() != nullptr;
  if (is_composite || kernels::FindOperator(op) == nullptr) return {};
  const auto inferred = kernels::InferOp(op);
  if (!inferred) return inferred.Error().Message();
  if (const auto i = kernels::MisfittingOutput(op, *inferred)) {
    const Tensor& output = *op.outputs[*i];
    return fmt::format("output {} has {} bytes, and {} follow from the inputs", *i,
                       DenseBytes(output.element_type, output.shape).value_or(0),
                       DenseBytes(output.element_type, inferred->shapes[*i]).value_or(0));
  }
  return {};
}

}  // namespace npukit::conformance
