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

namespace npukit::kernels::op_unpack {
namespace {

litert::Expected<int32_t> AxisOf(const Node& node) {
  const auto* options = node.op->OptionsAs<UnpackOptions>();
  return ResolveAxis(node, options == nullptr ? 0 : options->axis, node.inputs[0]->shape.size());
}

litert::Expected<Inferred> Infer(const Node& node) {
  const size_t count = node.outputs.size();
  LITERT_RETURN_IF_ERROR(
      CheckNode(node, {.min_outputs = 0, .max_outputs = std::max<size_t>(count, 1)}));
  const Operand& in = *node.inputs[0];
  LITERT_RETURN_IF_ERROR(CheckMovingTypes(node, in));
  LITERT_ASSIGN_OR_RETURN(const int32_t axis, AxisOf(node));
  if (in.shape[axis] != static_cast<int64_t>(count)) {
    return InvalidNode(node, &in,
                       "has " + std::to_string(in.shape[axis]) + " slices, the op has " +
                           std::to_string(count) + " outputs");
  }
  Shape shape = in.shape;
  shape.erase(shape.begin() + axis);
  return Inferred{.shapes = std::vector<Shape>(count, shape)};
}

litert::Expected<std::unique_ptr<Kernel>> Make(const Node& node, size_t elem_bytes) {
  LITERT_ASSIGN_OR_RETURN(const int32_t axis, AxisOf(node));
  return MakeSplit(node, /*input=*/0, axis, elem_bytes);
}

litert::Expected<std::unique_ptr<Kernel>> Prepare(const Node& node,
                                                  const PrepareOptions& /*options*/) {
  return PrepareMovement(node, Make);
}

litert::Expected<void> Oracle(const Node& node, std::span<const OracleTensor* const> inputs,
                              std::span<OracleTensor> outputs) {
  return OracleByMoving(node, inputs, outputs, Make, InputMask{1});
}

}  // namespace

NPUKIT_DEFINE_OPERATOR = {
    .doc = {.formula = "the slices of the input along axis, which goes",
            .source = "TFLite UNPACK",
            .types = "any of whole bytes"},
    .infer = Infer,
    .prepare = Prepare,
    .oracle = Oracle,
    .tolerance = ExactTolerance,
};

}  // namespace npukit::kernels::op_unpack
