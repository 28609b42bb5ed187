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

}  // namespace

bool HasImpossibleShapes(const Op& op) {
  if (op.outputs.size() != 1) return false;
  const Tensor& output = *op.outputs.front();
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
