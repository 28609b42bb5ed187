// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/kernels/resizing/resizing.h"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "sdk/host/kernels/shape_rules.h"

namespace npukit::kernels {

namespace {
constexpr int64_t kMostPixels = int64_t{1} << 20;  // of a row or column: each has a table's entry
}  // namespace

litert::Expected<Inferred> InferResize(const Node& node) {
  const Operand& in = *node.inputs[0];
  const Operand& size = *node.inputs[1];
  if (in.shape.size() != 4) return InvalidNode(node, &in, "must have 4 dimensions");
  if (size.shape != Shape{2}) return InvalidNode(node, &size, "must have the shape [2]");
  LITERT_RETURN_IF_ERROR(CheckType(node, size, {kLiteRtElementTypeInt32}));
  if (IsUnknown(size)) return Inferred::NeedsValueOf(1);
  LITERT_ASSIGN_OR_RETURN(const std::vector<int64_t> wanted, IntegerValues(node, size));
  for (size_t d = 0; d < 2; ++d) {
    if (wanted[d] < 1 || wanted[d] > kMostPixels)
      return InvalidNode(node, &size, fmt::format("asks for the size {}", wanted[d]));
    if (in.shape[d + 1] < 1) return InvalidNode(node, &in, "has no pixels");
  }
  const std::vector<int64_t> dims = {in.shape[0], wanted[0], wanted[1], in.shape[3]};
  LITERT_ASSIGN_OR_RETURN(Shape shape, NarrowShape(node, dims));
  return Inferred{.shapes = {std::move(shape)}};
}

}  // namespace npukit::kernels
