// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include <string>

#include "sdk/host/kernels/movement/batch_blocks.h"
#include "sdk/host/kernels/movement/movement.h"
#include "sdk/host/kernels/movement/padding.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/oracle/oracle.h"
#include "sdk/host/kernels/shape_rules.h"

namespace npukit::kernels::op_space_to_batch_nd {
namespace {

litert::Expected<Inferred> Infer(const Node& node) {
  LITERT_ASSIGN_OR_RETURN(const Inferred checked, CheckBatchBlocks(node));
  if (checked.needs_value_of.has_value()) return checked;
  LITERT_ASSIGN_OR_RETURN(const std::vector<BatchBlock> blocks, ReadBatchBlocks(node));
  const Operand& in = *node.inputs[0];
  std::vector<int64_t> dims(in.shape.begin(), in.shape.end());
  for (size_t d = 0; d < blocks.size(); ++d) {
    const int64_t padded = in.shape[d + 1] + blocks[d].before + blocks[d].after;
    if (padded % blocks[d].block != 0) {
      return InvalidNode(node, &in,
                         "has " + std::to_string(padded) + " padded elements in dimension " +
                             std::to_string(d + 1) + ", which blocks of " +
                             std::to_string(blocks[d].block) + " do not divide");
    }
    dims[d + 1] = padded / blocks[d].block;
    if (__builtin_mul_overflow(dims[0], blocks[d].block, &dims[0]))
      return InvalidNode(node, node.inputs[1], "holds blocks whose product is too large");
  }
  LITERT_ASSIGN_OR_RETURN(Shape shape, NarrowShape(node, dims));
  return Inferred{.shapes = {std::move(shape)}};
}

litert::Expected<std::unique_ptr<Kernel>> Make(const Node& node, size_t elem_bytes) {
  LITERT_ASSIGN_OR_RETURN(std::vector<StridedCopy> copies,
                          BatchBlockCopies(node, BlockDirection::kToBatch));
  return MakeCopies(std::move(copies), elem_bytes, PaddingValue(node, elem_bytes));
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
    .doc = {.formula = "out[(shift of the block) B + b, i, c] = in[b, i block + shift - padding, "
                       "c]; padding is 0 or the zero point",
            .source = "TFLite SPACE_TO_BATCH_ND",
            .types = "any of 1, 2, 4 or 8 bytes"},
    .infer = Infer,
    .prepare = Prepare,
    .oracle = Oracle,
    .tolerance = ExactTolerance,
};

}  // namespace npukit::kernels::op_space_to_batch_nd
