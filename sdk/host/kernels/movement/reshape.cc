// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include <string>

#include "sdk/host/kernels/movement/strided_copy.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/shape_rules.h"
#include "sdk/host/model/options/op_options.h"

namespace npukit::kernels::op_reshape {
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

litert::Expected<Inferred> Infer(const Node& node) {
  if (auto ok = CheckNode(node, {.min_inputs = 1, .max_inputs = 2}); !ok) return ok.Error();
  const Operand& input = *node.inputs[0];
  if (auto ok = CheckSameType(node, *node.outputs[0], input); !ok) return ok.Error();
  if (node.input(1) != nullptr && node.input(1)->shape.size() == 1 && IsUnknown(*node.input(1))) {
    return Inferred::NeedsValueOf(1);
  }
  litert::Expected<std::vector<int64_t>> dims = WantedDims(node);
  if (!dims) return dims.Error();

  int64_t known = 1;
  int64_t* stretched = nullptr;
  for (int64_t& dim : *dims) {
    if (dim == -1) {
      if (stretched != nullptr) return InvalidNode(node, "the new shape has -1 twice");
      stretched = &dim;
    } else if (dim < 0 || __builtin_mul_overflow(known, dim, &known)) {
      return InvalidNode(node, "the new shape has dimension " + std::to_string(dim));
    }
  }
  if (stretched != nullptr) {
    *stretched = known == 0 ? 0 : input.elems() / known;
    known *= *stretched;
  }
  if (known != input.elems()) {
    return InvalidNode(node, &input,
                       "cannot take a shape of " + std::to_string(known) + " elements");
  }
  litert::Expected<Shape> shape = NarrowShape(node, *dims);
  if (!shape) return shape.Error();
  return Inferred{.shapes = {*shape}};
}

}  // namespace

NPUKIT_DEFINE_OPERATOR = {
    .doc = {.formula = "the same elements in a new shape; one dimension may be "
                       "-1: what is left",
            .source = "TFLite RESHAPE",
            .types = "any"},
    .infer = Infer,
    .prepare = PrepareWholeCopy,
    .oracle = WholeCopyOracle,
    .tolerance = ExactTolerance,
};

}  // namespace npukit::kernels::op_reshape
