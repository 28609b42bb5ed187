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

namespace npukit::kernels::op_split_v {
namespace {

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
      return InvalidNode(node, &operand, "holds the size " + std::to_string(size));
    } else {
      sum += size;
    }
  }
  if (rest != nullptr && sum <= whole) {
    *rest = whole - sum;
    sum = whole;
  }
  if (sum != whole) {
    return InvalidNode(
        node, &operand,
        "holds sizes that sum to " + std::to_string(sum) + ", not " + std::to_string(whole));
  }
  return sizes;
}

litert::Expected<Inferred> Infer(const Node& node) {
  const size_t count = node.outputs.size();
  LITERT_RETURN_IF_ERROR(CheckNode(node, {.min_inputs = 3,
                                          .max_inputs = 3,
                                          .min_outputs = 1,
                                          .max_outputs = std::max<size_t>(count, 1)}));
  const Operand& in = *node.inputs[0];
  LITERT_RETURN_IF_ERROR(CheckMovingTypes(node, in));
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

litert::Expected<std::unique_ptr<Kernel>> Make(const Node& node, size_t elem_bytes) {
  LITERT_ASSIGN_OR_RETURN(const int32_t axis, SplitAxis(node, *node.inputs[2], *node.inputs[0]));
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
    .doc = {.formula = "the input cut along axis into parts of the given sizes; one size may be "
                       "-1: what is left",
            .source = "TFLite SPLIT_V",
            .types = "any of whole bytes"},
    .infer = Infer,
    .prepare = Prepare,
    .oracle = Oracle,
    .tolerance = ExactTolerance,
};

}  // namespace npukit::kernels::op_split_v
