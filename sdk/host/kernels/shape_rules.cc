// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/kernels/shape_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <string>

#include "sdk/host/kernels/element_types.h"

namespace npukit::kernels {

litert::Expected<void> CheckType(const Node& node, const Operand& operand,
                                 std::initializer_list<LiteRtElementType> types) {
  if (std::find(types.begin(), types.end(), operand.type()) != types.end()) return {};
  std::string wanted;
  for (LiteRtElementType type : types) {
    if (!wanted.empty()) wanted += ", ";
    wanted += ElementTypeName(type);
  }
  return UnsupportedNode(node, &operand, "has an unsupported element type; supported: " + wanted);
}

litert::Expected<void> CheckSameType(const Node& node, const Operand& a, const Operand& b) {
  if (a.type() == b.type()) return {};
  return InvalidNode(node, &a, "must have the element type of " + OperandName(&b));
}

litert::Expected<std::vector<int64_t>> IntegerValues(const Node& node, const Operand& operand) {
  if (auto ok = CheckType(node, operand,
                          {kLiteRtElementTypeInt8, kLiteRtElementTypeInt16, kLiteRtElementTypeInt32,
                           kLiteRtElementTypeInt64});
      !ok)
    return ok.Error();
  std::vector<int64_t> values(operand.elems());
  if (values.empty()) return values;
  return WithElementType<int8_t, int16_t, int32_t, int64_t>(
      operand.type(), [&]<typename T>(T value) -> litert::Expected<std::vector<int64_t>> {
        if (operand.constant.size() != values.size() * sizeof(T))
          return InvalidNode(node, &operand, "has no known value");
        for (size_t i = 0; i < values.size(); ++i) {
          std::memcpy(&value, operand.constant.data() + i * sizeof(value), sizeof(value));
          values[i] = value;
        }
        return values;
      });
}

litert::Expected<int32_t> ResolveAxis(const Node& node, int64_t axis, size_t rank) {
  const auto limit = static_cast<int64_t>(rank);
  if (axis < -limit || axis >= limit) {
    return InvalidNode(node, fmt::format("axis {} is out of range for rank {}", axis, rank));
  }
  return static_cast<int32_t>(axis < 0 ? axis + limit : axis);
}

litert::Expected<Shape> BroadcastShapes(const Node& node, const Operand& a, const Operand& b) {
  const size_t rank = std::max(a.shape.size(), b.shape.size());
  Shape shape(rank);
  for (size_t i = 0; i < rank; ++i) {  // from the last dimension
    const int32_t from_a = i < a.shape.size() ? a.shape[a.shape.size() - 1 - i] : 1;
    const int32_t from_b = i < b.shape.size() ? b.shape[b.shape.size() - 1 - i] : 1;
    if (from_a != from_b && from_a != 1 && from_b != 1) {
      return InvalidNode(node, &a, "cannot be broadcast with " + OperandName(&b));
    }
    shape[rank - 1 - i] = from_a == 1 ? from_b : from_a;
  }
  return shape;
}

int64_t ElemsOf(std::span<const int32_t> shape, size_t begin, size_t end) {
  int64_t product = 1;
  for (size_t i = begin; i < end; ++i) product *= shape[i];
  return product;
}

litert::Expected<Shape> NarrowShape(const Node& node, std::span<const int64_t> dims) {
  Shape shape;
  for (int64_t dim : dims) {
    if (dim < 0 || dim > std::numeric_limits<int32_t>::max()) {
      return InvalidNode(node, fmt::format("output dimension {} is not possible", dim));
    }
    shape.push_back(static_cast<int32_t>(dim));
  }
  return shape;
}

}  // namespace npukit::kernels
