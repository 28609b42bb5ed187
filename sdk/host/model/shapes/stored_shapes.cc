// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/model/shapes/stored_shapes.h"

#include <cstdint>
#include <cstring>
#include <optional>
#include <vector>

#include "sdk/host/model/graph/tensor.h"

namespace npukit {
namespace {

// The values of a constant of int32 or int64; nullopt for others.
std::optional<std::vector<int64_t>> ConstantIntegers(const Tensor& tensor) {
  if (!tensor.is_constant() || tensor.is_variable) return std::nullopt;
  const auto bytes = tensor.weights.bytes();
  const auto read = [&]<typename T>(T) {
    std::vector<int64_t> values(bytes.size() / sizeof(T));
    for (size_t i = 0; i < values.size(); ++i) {
      T value = 0;
      std::memcpy(&value, bytes.data() + i * sizeof(T), sizeof(T));
      values[i] = value;
    }
    return values;
  };
  if (tensor.element_type == kLiteRtElementTypeInt32) return read(int32_t{});
  if (tensor.element_type == kLiteRtElementTypeInt64) return read(int64_t{});
  return std::nullopt;
}

bool IsConcatenationImpossible(const Op& op, const Tensor& output) {
  const auto* options = op.options.As<ConcatenationOptions>();
  if (options == nullptr) return false;
  const auto rank = static_cast<int64_t>(output.shape.size());
  const int64_t axis = options->axis < 0 ? options->axis + rank : options->axis;
  if (axis < 0 || axis >= rank) return false;
  int64_t sum = 0;
  for (const Tensor* input : op.inputs) {
    if (input == nullptr || static_cast<int64_t>(input->shape.size()) != rank) return false;
    sum += input->shape[static_cast<size_t>(axis)];
  }
  return sum != output.shape[static_cast<size_t>(axis)];
}

// `per_dimension`: how many of the operand's values belong to a dimension.
template <typename Expected>
bool DiffersByOperand(const Op& op, const Tensor& output, size_t per_dimension, Expected expected) {
  if (op.inputs.size() < 2 || op.inputs[0] == nullptr || op.inputs[1] == nullptr) return false;
  const auto& shape = op.inputs[0]->shape;
  const auto values = ConstantIntegers(*op.inputs[1]);
  if (!values || values->size() != shape.size() * per_dimension ||
      output.shape.size() != shape.size())
    return false;
  for (size_t d = 0; d < shape.size(); ++d) {
    if (expected(shape[d], values->data() + d * per_dimension) != output.shape[d]) return true;
  }
  return false;
}

// The rank that the result has by those of its operands; nothing if they do not say it.
std::optional<size_t> ResultRank(const Op& op) {
  const auto of = [&](size_t index) -> const Tensor* {
    return index < op.inputs.size() ? op.inputs[index] : nullptr;
  };
  // The operand's.
  const auto same = [](const Tensor* operand) -> std::optional<size_t> {
    if (operand == nullptr || operand->shape.empty()) return std::nullopt;
    return operand->shape.size();
  };
  // An element of the operand for each of its dimensions.
  const auto counted = [](const Tensor* operand) -> std::optional<size_t> {
    if (operand == nullptr || operand->shape.size() != 1) return std::nullopt;
    return static_cast<size_t>(operand->shape.front());
  };
  switch (op.code) {
    case kLiteRtOpCodeTflBatchToSpaceNd:
    case kLiteRtOpCodeTflCumsum:
    case kLiteRtOpCodeTflMirrorPad:
    case kLiteRtOpCodeTflPad:
    case kLiteRtOpCodeTflPadv2:
    case kLiteRtOpCodeTflResizeBilinear:
    case kLiteRtOpCodeTflResizeNearestNeighbor:
    case kLiteRtOpCodeTflReverseV2:
    case kLiteRtOpCodeTflSlice:
    case kLiteRtOpCodeTflSpaceToBatchNd:
    case kLiteRtOpCodeTflTile:
    case kLiteRtOpCodeTflTranspose:
      return same(of(0));
    case kLiteRtOpCodeTflFill:
    case kLiteRtOpCodeTflTransposeConv:
      return counted(of(0));
    case kLiteRtOpCodeTflBroadcastTo:
    case kLiteRtOpCodeTflReshape:
      return counted(of(1));
    default:
      return std::nullopt;
  }
}

}  // namespace

bool HasImpossibleShapes(const Op& op) {
  if (op.outputs.size() != 1) return false;
  const Tensor& output = *op.outputs.front();
  if (const auto rank = ResultRank(op); rank && *rank != output.shape.size()) return true;
  switch (op.code) {
    case kLiteRtOpCodeTflConcatenation:
      return IsConcatenationImpossible(op, output);
    case kLiteRtOpCodeTflPad:
    case kLiteRtOpCodeTflPadv2:
    case kLiteRtOpCodeTflMirrorPad:
      return DiffersByOperand(op, output, 2, [](int64_t size, const int64_t* around) {
        return size + around[0] + around[1];
      });
    case kLiteRtOpCodeTflTile:
      return DiffersByOperand(op, output, 1,
                              [](int64_t size, const int64_t* times) { return size * *times; });
    default:
      return false;
  }
}

}  // namespace npukit
