// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/kernels/node.h"

#include <algorithm>
#include <optional>

#include "sdk/host/kernels/operand_check.h"

namespace npukit::kernels {
namespace {

// Above this a tensor cannot be real; index arithmetic in int64 stays far from
// overflow.
constexpr uint64_t kMaxTensorBytes = uint64_t{1} << 47;

}  // namespace

litert::Expected<void> CheckOperand(const Node& node, const Operand& operand) {
  for (int32_t dim : operand.shape) {
    if (dim < 0) return InvalidNode(node, &operand, "has an unresolved dimension");
  }
  if (operand.shape.size() > 8) return InvalidNode(node, &operand, "has more than 8 dimensions");
  // A dimension of 0 does not excuse the others: kernels multiply them to strides.
  Shape extents = operand.shape;
  std::replace(extents.begin(), extents.end(), 0, 1);
  const int bits = ElementBits(operand.type());
  // Strings and resources have no dense size; the operators' type rules refuse them.
  const std::optional<uint64_t> largest =
      DenseBytes(bits == 0 ? kLiteRtElementTypeInt8 : operand.type(), extents);
  if (!largest.has_value() || *largest > kMaxTensorBytes) {
    return InvalidNode(node, &operand, "has dimensions whose product is too large");
  }
  const std::optional<uint64_t> bytes = DenseBytes(operand.type(), operand.shape);
  if (!bytes.has_value()) return {};
  if (operand.has_constant() && operand.constant.size() != *bytes) {
    return InvalidNode(node, &operand,
                       "has " + std::to_string(operand.constant.size()) +
                           " bytes of data, its shape needs " + std::to_string(*bytes));
  }
  return {};
}

int64_t Operand::elems() const {
  int64_t product = 1;
  for (int32_t dim : shape) product *= dim;
  return product;
}

std::string ShapeText(std::span<const int32_t> shape) {
  std::string text = "[";
  for (size_t i = 0; i < shape.size(); ++i) {
    if (i > 0) text += ',';
    text += std::to_string(shape[i]);
  }
  return text + "]";
}

std::string NodeName(const Node& node) {
  if (node.op == nullptr) return "op";
  return OpName(*node.op) + " (op " + std::to_string(node.op->index) + ")";
}

std::string OperandName(const Operand* operand) {
  if (operand == nullptr || operand->tensor == nullptr) return "omitted input";
  const Tensor& tensor = *operand->tensor;
  return "'" + tensor.name + "' (tensor " + std::to_string(tensor.index) + ", " +
         ElementTypeName(tensor.element_type) + ShapeText(operand->shape) + ")";
}

litert::Unexpected NodeError(const Node& node, LiteRtStatus status, std::string_view message) {
  return litert::Unexpected(status, NodeName(node) + ": " + std::string(message));
}

litert::Unexpected NodeError(const Node& node, LiteRtStatus status, const Operand* operand,
                             std::string_view message) {
  return litert::Unexpected(
      status, NodeName(node) + ": " + OperandName(operand) + " " + std::string(message));
}

litert::Expected<void> CheckNode(const Node& node, const Arity& arity) {
  if (node.inputs.size() < arity.min_inputs || node.inputs.size() > arity.max_inputs) {
    return InvalidNode(node, "has " + std::to_string(node.inputs.size()) + " inputs, needs " +
                                 std::to_string(arity.min_inputs) + " to " +
                                 std::to_string(arity.max_inputs));
  }
  if (node.outputs.size() < arity.min_outputs || node.outputs.size() > arity.max_outputs) {
    return InvalidNode(node, "has " + std::to_string(node.outputs.size()) + " outputs, needs " +
                                 std::to_string(arity.min_outputs) + " to " +
                                 std::to_string(arity.max_outputs));
  }
  for (size_t i = 0; i < node.inputs.size(); ++i) {
    if (node.inputs[i] == nullptr) {
      if (i < arity.min_inputs) {
        return NodeError(node, kLiteRtStatusErrorMissingInputTensor,
                         "input " + std::to_string(i) + " is missing; it is not optional");
      }
      continue;
    }
    if (litert::Expected<void> ok = CheckOperand(node, *node.inputs[i]); !ok) return ok;
  }
  return {};
}

}  // namespace npukit::kernels
