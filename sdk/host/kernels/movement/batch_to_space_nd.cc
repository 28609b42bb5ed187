// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include <string>

#include "sdk/host/kernels/movement/batch_blocks.h"
#include "sdk/host/kernels/movement/movement.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/oracle/oracle.h"
#include "sdk/host/kernels/shape_rules.h"

namespace npukit::kernels::op_batch_to_space_nd {
namespace {

litert::Expected<Inferred> Infer(const Node& node) {
  LITERT_ASSIGN_OR_RETURN(const Inferred checked, CheckBatchBlocks(node));
  if (checked.needs_value_of.has_value()) return checked;
  LITERT_ASSIGN_OR_RETURN(const std::vector<BatchBlock> blocks, ReadBatchBlocks(node));
  const Operand& in = *node.inputs[0];
  std::vector<int64_t> dims(in.shape.begin(), in.shape.end());
  for (size_t d = 0; d < blocks.size(); ++d) {
    if (dims[0] % blocks[d].block != 0) {
      return InvalidNode(
          node, &in,
          "has a batch that blocks of " + std::to_string(blocks[d].block) + " do not divide");
    }
    dims[0] /= blocks[d].block;
    dims[d + 1] = in.shape[d + 1] * blocks[d].block - blocks[d].before - blocks[d].after;
    if (dims[d + 1] < 0) {
      return InvalidNode(node, node.inputs[2],
                         "crops more than there is in dimension " + std::to_string(d + 1));
    }
  }
  LITERT_ASSIGN_OR_RETURN(Shape shape, NarrowShape(node, dims));
  return Inferred{.shapes = {std::move(shape)}};
}

litert::Expected<std::unique_ptr<Kernel>> Make(const Node& node, size_t elem_bytes) {
  LITERT_ASSIGN_OR_RETURN(std::vector<StridedCopy> copies,
                          BatchBlockCopies(node, BlockDirection::kToSpace));
  return MakeCopies(std::move(copies), elem_bytes);
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
    .doc = {.formula = "out[b, i block + shift - crop, c] = in[(shift of the block) B + b, i, c]",
            .source = "TFLite BATCH_TO_SPACE_ND",
            .types = "any of whole bytes"},
    .infer = Infer,
    .prepare = Prepare,
    .oracle = Oracle,
    .tolerance = ExactTolerance,
};

}  // namespace npukit::kernels::op_batch_to_space_nd
