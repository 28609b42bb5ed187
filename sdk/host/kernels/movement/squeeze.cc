// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include <string>

#include "sdk/host/kernels/movement/movement.h"
#include "sdk/host/kernels/movement/strided_copy.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/shape_rules.h"
#include "sdk/host/model/options/op_options.h"

namespace npukit::kernels::op_squeeze {
namespace {

// Without a list of dimensions all that are 1 go.
litert::Expected<Inferred> Infer(const Node& node) {
  LITERT_RETURN_IF_ERROR(CheckNode(node, {}));
  const Operand& in = *node.inputs[0];
  LITERT_RETURN_IF_ERROR(CheckMovingTypes(node, in));
  const auto* options = node.op->OptionsAs<SqueezeOptions>();
  const bool all = options == nullptr || options->squeeze_dims.empty();
  std::vector<bool> goes(in.shape.size(), false);
  if (all) {
    for (size_t d = 0; d < in.shape.size(); ++d) goes[d] = in.shape[d] == 1;
  } else {
    for (int32_t dim : options->squeeze_dims) {
      LITERT_ASSIGN_OR_RETURN(const int32_t d, ResolveAxis(node, dim, in.shape.size()));
      if (in.shape[d] != 1)
        return InvalidNode(node, &in, "is not 1 in dimension " + std::to_string(d));
      goes[d] = true;
    }
  }
  Shape shape;
  for (size_t d = 0; d < in.shape.size(); ++d) {
    if (!goes[d]) shape.push_back(in.shape[d]);
  }
  return Inferred{.shapes = {std::move(shape)}};
}

}  // namespace

NPUKIT_DEFINE_OPERATOR = {
    .doc = {.formula = "the same elements without the dimensions squeeze_dims, which are 1; "
                       "without the list all that are 1 go",
            .source = "TFLite SQUEEZE",
            .types = "any of whole bytes"},
    .infer = Infer,
    .prepare = PrepareWholeCopy,
    .oracle = WholeCopyOracle,
    .tolerance = ExactTolerance,
};

}  // namespace npukit::kernels::op_squeeze
