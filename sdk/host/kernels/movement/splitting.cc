// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// SPLIT, SPLIT_V and UNPACK: the outputs are the input's parts along an axis, one behind the other.

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "sdk/host/kernels/movement/movement.h"
#include "sdk/host/kernels/movement/strided_copy.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/shape_rules.h"
#include "sdk/host/model/options/op_options.h"

namespace npukit::kernels {
namespace {

// The known axis that an operand of one element gives, for the dimensions of `split`.
litert::Expected<int32_t> SplitAxis(const Node& node, const Operand& axis, const Operand& split) {
  if (axis.elems() != 1) return InvalidNode(node, &axis, "must have one element");
  LITERT_ASSIGN_OR_RETURN(const std::vector<int64_t> values, IntegerValues(node, axis));
  return ResolveAxis(node, values[0], split.shape.size());
}

// Output shapes are set; an output's size along the axis follows from its elements.
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

litert::Expected<Inferred> InferSplit(const Node& node) {
  const size_t count = node.outputs.size();
  const Operand& in = *node.inputs[1];
  const auto* options = node.op->OptionsAs<SplitOptions>();
  if (options != nullptr && options->num_splits != static_cast<int64_t>(count)) {
    return InvalidNode(node,
                       fmt::format("has {} outputs, num_splits is {}", count, options->num_splits));
  }
  if (IsUnknown(*node.inputs[0])) return Inferred::NeedsValueOf(0);
  LITERT_ASSIGN_OR_RETURN(const int32_t axis, SplitAxis(node, *node.inputs[0], in));
  if (in.shape[axis] % static_cast<int64_t>(count) != 0) {
    return InvalidNode(
        node, &in,
        fmt::format("cannot be split into {} equal parts along dimension {}", count, axis));
  }
  Shape shape = in.shape;
  shape[axis] /= static_cast<int32_t>(count);
  return Inferred{.shapes = std::vector<Shape>(count, shape)};
}

litert::Expected<std::unique_ptr<Kernel>> MakeEqualParts(const Node& node, size_t elem_bytes) {
  LITERT_ASSIGN_OR_RETURN(const int32_t axis, SplitAxis(node, *node.inputs[0], *node.inputs[1]));
  return MakeSplit(node, /*input=*/1, axis, elem_bytes);
}

// Sizes of the parts; one may be -1: what is left.
litert::Expected<std::vector<int64_t>> SizesOf(const Node& node, int64_t whole) {
  const Operand& operand = *node.inputs[1];
  LITERT_ASSIGN_OR_RETURN(std::vector<int64_t> sizes, IntegerValues(node, operand));
  int64_t sum = 0;
  int64_t* rest = nullptr;
  for (int64_t& size : sizes) {
    if (size == -1 && rest == nullptr) {
      rest = &size;
    } else if (size < 0 || size > whole) {
      return InvalidNode(node, &operand, fmt::format("holds the size {}", size));
    } else {
      sum += size;
    }
  }
  if (rest != nullptr && sum <= whole) {
    *rest = whole - sum;
    sum = whole;
  }
  if (sum != whole) {
    return InvalidNode(node, &operand,
                       fmt::format("holds sizes that sum to {}, not {}", sum, whole));
  }
  return sizes;
}

litert::Expected<Inferred> InferSplitV(const Node& node) {
  const size_t count = node.outputs.size();
  const Operand& in = *node.inputs[0];
  if (node.inputs[1]->elems() != static_cast<int64_t>(count))
    return InvalidNode(node, node.inputs[1], "must have as many elements as there are outputs");
  for (size_t i : {1, 2}) {
    if (IsUnknown(*node.inputs[i])) return Inferred::NeedsValueOf(i);
  }
  LITERT_ASSIGN_OR_RETURN(const int32_t axis, SplitAxis(node, *node.inputs[2], in));
  LITERT_ASSIGN_OR_RETURN(const std::vector<int64_t> sizes, SizesOf(node, in.shape[axis]));
  Inferred inferred;
  for (int64_t size : sizes) {
    inferred.shapes.push_back(in.shape);
    inferred.shapes.back()[axis] = static_cast<int32_t>(size);
  }
  return inferred;
}

litert::Expected<std::unique_ptr<Kernel>> MakeSizedParts(const Node& node, size_t elem_bytes) {
  LITERT_ASSIGN_OR_RETURN(const int32_t axis, SplitAxis(node, *node.inputs[2], *node.inputs[0]));
  return MakeSplit(node, /*input=*/0, axis, elem_bytes);
}

litert::Expected<int32_t> UnpackAxis(const Node& node) {
  const auto* options = node.op->OptionsAs<UnpackOptions>();
  return ResolveAxis(node, options == nullptr ? 0 : options->axis, node.inputs[0]->shape.size());
}

litert::Expected<Inferred> InferUnpack(const Node& node) {
  const size_t count = node.outputs.size();
  const Operand& in = *node.inputs[0];
  LITERT_ASSIGN_OR_RETURN(const int32_t axis, UnpackAxis(node));
  if (in.shape[axis] != static_cast<int64_t>(count)) {
    return InvalidNode(node, &in,
                       fmt::format("has {} slices, the op has {} outputs", in.shape[axis], count));
  }
  Shape shape = in.shape;
  shape.erase(shape.begin() + axis);
  return Inferred{.shapes = std::vector<Shape>(count, shape)};
}

litert::Expected<std::unique_ptr<Kernel>> MakeSlices(const Node& node, size_t elem_bytes) {
  LITERT_ASSIGN_OR_RETURN(const int32_t axis, UnpackAxis(node));
  return MakeSplit(node, /*input=*/0, axis, elem_bytes);
}

}  // namespace

NPUKIT_DEFINE_OPERATOR(Split) = {
    .doc = {.formula = "the input cut into num_splits equal parts along axis",
            .source = "TFLite SPLIT"},
    .signature = "int32|int64, T -> T+; T = bytes",
    .infer = InferSplit,
    .prepare = PrepareMovement<MakeEqualParts>,
    .oracle = OracleByMoving<MakeEqualParts, InputMask{0b10}>,
    .tolerance = kExactResult,
};

NPUKIT_DEFINE_OPERATOR(SplitV) = {
    .doc = {.formula = "the input cut along axis into parts of the given sizes; one size may be "
                       "-1: what is left",
            .source = "TFLite SPLIT_V"},
    .signature = "T, int32|int64, int32|int64 -> T+; T = bytes",
    .infer = InferSplitV,
    .prepare = PrepareMovement<MakeSizedParts>,
    .oracle = OracleByMoving<MakeSizedParts, InputMask{1}>,
    .tolerance = kExactResult,
};

NPUKIT_DEFINE_OPERATOR(Unpack) = {
    .doc = {.formula = "the slices of the input along axis, which goes", .source = "TFLite UNPACK"},
    .signature = "T -> T*; T = bytes",
    .infer = InferUnpack,
    .prepare = PrepareMovement<MakeSlices>,
    .oracle = OracleByMoving<MakeSlices, InputMask{1}>,
    .tolerance = kExactResult,
};

}  // namespace npukit::kernels
