// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// RESHAPE, SQUEEZE and EXPAND_DIMS: the same elements in another shape.

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "sdk/host/kernels/movement/strided_copy.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/shape_rules.h"
#include "sdk/host/model/options/op_options.h"

namespace npukit::kernels {
namespace {

// The wanted dimensions: from input 1, or where that is absent or not a vector,
// from the options.
litert::Expected<std::vector<int64_t>> WantedDims(const Node& node) {
  const Operand* shape = node.input(1);
  if (shape != nullptr && shape->shape.size() == 1) return IntegerValues(node, *shape);
  const auto* options = node.op->OptionsAs<ReshapeOptions>();
  if (options == nullptr) {
    if (shape != nullptr) return InvalidNode(node, shape, "must have one dimension");
    return InvalidNode(node, "gives no new shape");
  }
  std::vector<int64_t> dims(options->new_shape.begin(), options->new_shape.end());
  // Old converters write a scalar's shape as [0].
  if (dims.size() == 1 && dims[0] == 0) dims.clear();
  return dims;
}

// The product of the dimensions that are not 0: nodes are checked for overflow of it.
int64_t ElemsButZeros(const Shape& shape) {
  int64_t product = 1;
  for (int32_t dim : shape) product *= std::max(dim, 1);
  return product;
}

litert::Expected<Inferred> InferReshape(const Node& node) {
  const Operand& input = *node.inputs[0];
  if (node.input(1) != nullptr && node.input(1)->shape.size() == 1 && IsUnknown(*node.input(1))) {
    return Inferred::NeedsValueOf(1);
  }
  litert::Expected<std::vector<int64_t>> dims = WantedDims(node);
  if (!dims) return dims.Error();

  int64_t known_but_zeros = 1;
  bool has_zero = false;
  int64_t* stretched = nullptr;
  for (int64_t& dim : *dims) {
    if (dim == -1) {
      if (stretched != nullptr) return InvalidNode(node, "the new shape has -1 twice");
      stretched = &dim;
    } else if (dim == 0) {
      has_zero = true;
    } else if (dim < 0 || __builtin_mul_overflow(known_but_zeros, dim, &known_but_zeros)) {
      return InvalidNode(node, fmt::format("the new shape has dimension {}", dim));
    }
  }
  int64_t known = has_zero ? 0 : known_but_zeros;
  if (stretched != nullptr) {
    // Where both shapes have a 0, what is left is that of their other dimensions.
    const bool takes_zero = input.elems() == 0 && !has_zero;
    *stretched = takes_zero ? 0 : ElemsButZeros(input.shape) / known_but_zeros;
    known *= *stretched;
  }
  if (known != input.elems()) {
    return InvalidNode(node, &input, fmt::format("cannot take a shape of {} elements", known));
  }
  litert::Expected<Shape> shape = NarrowShape(node, *dims);
  if (!shape) return shape.Error();
  return Inferred{.shapes = {*shape}};
}

// Without a list of dimensions all that are 1 go.
litert::Expected<Inferred> InferSqueeze(const Node& node) {
  const Operand& in = *node.inputs[0];
  const auto* options = node.op->OptionsAs<SqueezeOptions>();
  const bool all = options == nullptr || options->squeeze_dims.empty();
  std::vector<bool> goes(in.shape.size(), false);
  if (all) {
    for (size_t d = 0; d < in.shape.size(); ++d) goes[d] = in.shape[d] == 1;
  } else {
    for (int32_t dim : options->squeeze_dims) {
      LITERT_ASSIGN_OR_RETURN(const int32_t d, ResolveAxis(node, dim, in.shape.size()));
      if (in.shape[d] != 1)
        return InvalidNode(node, &in, fmt::format("is not 1 in dimension {}", d));
      goes[d] = true;
    }
  }
  Shape shape;
  for (size_t d = 0; d < in.shape.size(); ++d) {
    if (!goes[d]) shape.push_back(in.shape[d]);
  }
  return Inferred{.shapes = {std::move(shape)}};
}

litert::Expected<Inferred> InferExpandDims(const Node& node) {
  const Operand& in = *node.inputs[0];
  const Operand& axis = *node.inputs[1];
  if (axis.elems() != 1) return InvalidNode(node, &axis, "must have one element");
  if (IsUnknown(axis)) return Inferred::NeedsValueOf(1);
  LITERT_ASSIGN_OR_RETURN(const std::vector<int64_t> values, IntegerValues(node, axis));
  LITERT_ASSIGN_OR_RETURN(const int32_t at, ResolveAxis(node, values[0], in.shape.size() + 1));
  Shape shape = in.shape;
  shape.insert(shape.begin() + at, 1);
  return Inferred{.shapes = {std::move(shape)}};
}

}  // namespace

NPUKIT_DEFINE_OPERATOR(Reshape) = {
    .doc = {.formula = "the same elements in a new shape; one dimension may be -1: what is left",
            .source = "TFLite RESHAPE"},
    .signature = "T, int32|int64? -> T; T = any",
    .infer = InferReshape,
    .prepare = PrepareWholeCopy,
    .oracle = WholeCopyOracle,
    .tolerance = kExactResult,
};

NPUKIT_DEFINE_OPERATOR(Squeeze) = {
    .doc = {.formula = "the same elements without the dimensions squeeze_dims, which are 1; "
                       "without the list all that are 1 go",
            .source = "TFLite SQUEEZE"},
    .signature = "T -> T; int4 -> int4; T = bytes",
    .infer = InferSqueeze,
    .prepare = PrepareWholeCopy,
    .oracle = WholeCopyOracle,
    .tolerance = kExactResult,
};

NPUKIT_DEFINE_OPERATOR(ExpandDims) = {
    .doc = {.formula = "the same elements with a dimension of 1 at axis",
            .source = "TFLite EXPAND_DIMS"},
    .signature = "T, int16|int32|int64 -> T; int4, int16|int32|int64 -> int4; T = bytes",
    .infer = InferExpandDims,
    .prepare = PrepareWholeCopy,
    .oracle = WholeCopyOracle,
    .tolerance = kExactResult,
};

}  // namespace npukit::kernels
