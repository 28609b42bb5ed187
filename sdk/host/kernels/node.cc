// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/kernels/node.h"

#include <fmt/format.h>

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
    return InvalidNode(
        node, &operand,
        fmt::format("has {} bytes of data, its shape needs {}", operand.constant.size(), *bytes));
  }
  return {};
}

int64_t Operand::elems() const {
  int64_t product = 1;
  for (int32_t dim : shape) product *= dim;
  return product;
}

std::string ShapeText(std::span<const int32_t> shape) {
  return fmt::format("[{}]", fmt::join(shape, ","));
}

std::string NodeName(const Node& node) {
  if (node.op == nullptr) return "op";
  return fmt::format("{} (op {})", OpName(*node.op), node.op->index);
}

std::string OperandName(const Operand* operand) {
  if (operand == nullptr || operand->tensor == nullptr) return "omitted input";
  const Tensor& tensor = *operand->tensor;
  return fmt::format("'{}' (tensor {}, {}{})", tensor.name, tensor.index,
                     ElementTypeName(tensor.element_type), ShapeText(operand->shape));
}

litert::Unexpected NodeError(const Node& node, LiteRtStatus status, std::string_view message) {
  return litert::Unexpected(status, fmt::format("{}: {}", NodeName(node), message));
}

litert::Unexpected NodeError(const Node& node, LiteRtStatus status, const Operand* operand,
                             std::string_view message) {
  return litert::Unexpected(
      status, fmt::format("{}: {} {}", NodeName(node), OperandName(operand), message));
}

}  // namespace npukit::kernels
