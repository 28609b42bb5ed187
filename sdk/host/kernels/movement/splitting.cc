// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/kernels/movement/splitting.h"

#include <utility>
#include <vector>

#include "sdk/host/kernels/movement/strided_copy.h"
#include "sdk/host/kernels/shape_rules.h"

namespace npukit::kernels {

litert::Expected<int32_t> SplitAxis(const Node& node, const Operand& axis, const Operand& split) {
  if (axis.elems() != 1) return InvalidNode(node, &axis, "must have one element");
  LITERT_ASSIGN_OR_RETURN(const std::vector<int64_t> values, IntegerValues(node, axis));
  return ResolveAxis(node, values[0], split.shape.size());
}

litert::Expected<std::unique_ptr<Kernel>> MakeSplit(const Node& node, size_t input, int32_t axis,
                                                    size_t elem_bytes) {
  const Shape& shape = node.inputs[input]->shape;
  const int64_t outer = ElemsOf(shape, 0, axis);
  const int64_t whole = ElemsOf(shape, axis, shape.size());
  std::vector<StridedCopy> copies;
  int64_t at = 0;
  for (size_t i = 0; i < node.outputs.size() && outer > 0; ++i) {
    const int64_t run = node.outputs[i]->elems() / outer;
    copies.push_back({.input = input,
                      .output = i,
                      .in_offset = at,
                      .dims = {{.extent = outer, .in_stride = whole, .out_stride = run},
                               {.extent = run, .in_stride = 1, .out_stride = 1}}});
    at += run;
  }
  return MakeCopies(std::move(copies), elem_bytes);
}

}  // namespace npukit::kernels
