// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include <string>

#include "sdk/host/kernels/movement/movement.h"
#include "sdk/host/kernels/movement/strided_copy.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/oracle/oracle.h"
#include "sdk/host/kernels/shape_rules.h"
#include "sdk/host/model/options/op_options.h"

namespace npukit::kernels::op_depth_to_space {
namespace {

// Rank 4: [batch, height, width, channels].
litert::Expected<int32_t> BlockOf(const Node& node) {
  const auto* options = node.op->OptionsAs<DepthToSpaceOptions>();
  const int32_t block = options == nullptr ? 0 : options->block_size;
  if (block < 1) return InvalidNode(node, "has the block size " + std::to_string(block));
  return block;
}

litert::Expected<Inferred> Infer(const Node& node) {
  LITERT_RETURN_IF_ERROR(CheckNode(node, {}));
  const Operand& in = *node.inputs[0];
  LITERT_RETURN_IF_ERROR(CheckMovingTypes(node, in));
  if (in.shape.size() != 4) return InvalidNode(node, &in, "must have 4 dimensions");
  LITERT_ASSIGN_OR_RETURN(const int64_t block, BlockOf(node));
  if (block > in.shape[3] || in.shape[3] % (block * block) != 0)
    return InvalidNode(node, &in,
                       "has channels that do not make blocks of " + std::to_string(block));
  const std::vector<int64_t> dims = {in.shape[0], in.shape[1] * block, in.shape[2] * block,
                                     in.shape[3] / (block * block)};
  LITERT_ASSIGN_OR_RETURN(Shape shape, NarrowShape(node, dims));
  return Inferred{.shapes = {std::move(shape)}};
}

litert::Expected<std::unique_ptr<Kernel>> Make(const Node& node, size_t elem_bytes) {
  LITERT_ASSIGN_OR_RETURN(const int64_t block, BlockOf(node));
  const Shape& fine = node.outputs[0]->shape;   // of many pixels
  const Shape& coarse = node.inputs[0]->shape;  // of many channels
  const std::vector<int64_t> pixel = StridesOf(fine);
  const std::vector<int64_t> group = StridesOf(coarse);
  StridedCopy copy;
  auto add = [&](int64_t extent, int64_t fine_stride, int64_t coarse_stride) {
    copy.dims.push_back({.extent = extent, .in_stride = coarse_stride, .out_stride = fine_stride});
  };
  add(coarse[0], pixel[0], group[0]);
  add(coarse[1], block * pixel[1], group[1]);
  add(block, pixel[1], block * fine[3]);
  add(coarse[2], block * pixel[2], group[2]);
  add(block, pixel[2], fine[3]);
  add(fine[3], 1, 1);
  return MakeCopies({copy}, elem_bytes);
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
    .doc = {.formula = "each pixel becomes a block of block_size x block_size pixels, filled row "
                       "by row from its channels",
            .source = "TFLite DEPTH_TO_SPACE",
            .types = "any of whole bytes"},
    .infer = Infer,
    .prepare = Prepare,
    .oracle = Oracle,
    .tolerance = ExactTolerance,
};

}  // namespace npukit::kernels::op_depth_to_space
