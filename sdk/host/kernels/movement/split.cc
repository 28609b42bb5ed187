// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include <string>

#include "sdk/host/kernels/movement/movement.h"
#include "sdk/host/kernels/movement/splitting.h"
#include "sdk/host/kernels/movement/strided_copy.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/oracle/oracle.h"
#include "sdk/host/kernels/shape_rules.h"
#include "sdk/host/model/options/op_options.h"

namespace npukit::kernels::op_split {
namespace {

litert::Expected<Inferred> Infer(const Node& node) {
  const size_t count = node.outputs.size();
  LITERT_RETURN_IF_ERROR(CheckNode(node, {.min_inputs = 2,
                                          .max_inputs = 2,
                                          .min_outputs = 1,
                                          .max_outputs = std::max<size_t>(count, 1)}));
  const Operand& in = *node.inputs[1];
  LITERT_RETURN_IF_ERROR(CheckMovingTypes(node, in));
  const auto* options = node.op->OptionsAs<SplitOptions>();
  if (options != nullptr && options->num_splits != static_cast<int64_t>(count)) {
    return InvalidNode(node, "has " + std::to_string(count) + " outputs, num_splits is " +
                                 std::to_string(options->num_splits));
  }
  if (IsUnknown(*node.inputs[0])) return Inferred::NeedsValueOf(0);
  LITERT_ASSIGN_OR_RETURN(const int32_t axis, SplitAxis(node, *node.inputs[0], in));
  if (in.shape[axis] % static_cast<int64_t>(count) != 0) {
    return InvalidNode(node, &in,
                       "cannot be split into " + std::to_string(count) +
                           " equal parts along dimension " + std::to_string(axis));
  }
  Shape shape = in.shape;
  shape[axis] /= static_cast<int32_t>(count);
  return Inferred{.shapes = std::vector<Shape>(count, shape)};
}

litert::Expected<std::unique_ptr<Kernel>> Make(const Node& node, size_t elem_bytes) {
  LITERT_ASSIGN_OR_RETURN(const int32_t axis, SplitAxis(node, *node.inputs[0], *node.inputs[1]));
  return MakeSplit(node, /*input=*/1, axis, elem_bytes);
}

litert::Expected<std::unique_ptr<Kernel>> Prepare(const Node& node,
                                                  const PrepareOptions& /*options*/) {
  return PrepareMovement(node, Make);
}

litert::Expected<void> Oracle(const Node& node, std::span<const OracleTensor* const> inputs,
                              std::span<OracleTensor> outputs) {
  return OracleByMoving(node, inputs, outputs, Make, InputMask{0b10});
}

}  // namespace

NPUKIT_DEFINE_OPERATOR = {
    .doc = {.formula = "the input cut into num_splits equal parts along axis",
            .source = "TFLite SPLIT",
            .types = "any of whole bytes"},
    .infer = Infer,
    .prepare = Prepare,
    .oracle = Oracle,
    .tolerance = ExactTolerance,
};

}  // namespace npukit::kernels::op_split
