// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// SPACE_TO_DEPTH and DEPTH_TO_SPACE: a block of `block` x `block` pixels ("fine") and the channels of
// one pixel ("coarse"). The loops run in the order of the output.

#include <fmt/format.h>

#include <string>

#include "sdk/host/kernels/movement/movement.h"
#include "sdk/host/kernels/movement/strided_copy.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/shape_rules.h"
#include "sdk/host/model/options/op_options.h"

namespace npukit::kernels {
namespace {

template <typename Options>
litert::Expected<int32_t> BlockOf(const Node& node) {
  const auto* options = node.op->OptionsAs<Options>();
  const int32_t block = options == nullptr ? 0 : options->block_size;
  if (block < 1) return InvalidNode(node, fmt::format("has the block size {}", block));
  return block;
}

litert::Expected<Inferred> InferToDepth(const Node& node) {
  const Operand& in = *node.inputs[0];
  if (in.shape.size() != 4) return InvalidNode(node, &in, "must have 4 dimensions");
  LITERT_ASSIGN_OR_RETURN(const int64_t block, BlockOf<SpaceToDepthOptions>(node));
  if (in.shape[1] % block != 0 || in.shape[2] % block != 0)
    return InvalidNode(node, &in, fmt::format("is not divisible into blocks of {}", block));
  int64_t channels = 0;
  if (__builtin_mul_overflow(in.shape[3] * block, block, &channels))
    return InvalidNode(node, fmt::format("has the block size {}", block));
  const std::vector<int64_t> dims = {in.shape[0], in.shape[1] / block, in.shape[2] / block,
                                     channels};
  LITERT_ASSIGN_OR_RETURN(Shape shape, NarrowShape(node, dims));
  return Inferred{.shapes = {std::move(shape)}};
}

litert::Expected<std::unique_ptr<Kernel>> MakeToDepth(const Node& node, size_t elem_bytes) {
  LITERT_ASSIGN_OR_RETURN(const int64_t block, BlockOf<SpaceToDepthOptions>(node));
  const Shape& fine = node.inputs[0]->shape;     // of many pixels
  const Shape& coarse = node.outputs[0]->shape;  // of many channels
  const std::vector<int64_t> pixel = StridesOf(fine);
  const std::vector<int64_t> group = StridesOf(coarse);
  StridedCopy copy;
  auto add = [&](int64_t extent, int64_t fine_stride, int64_t coarse_stride) {
    copy.dims.push_back({.extent = extent, .in_stride = fine_stride, .out_stride = coarse_stride});
  };
  add(coarse[0], pixel[0], group[0]);
  add(coarse[1], block * pixel[1], group[1]);
  add(coarse[2], block * pixel[2], group[2]);
  add(block, pixel[1], block * fine[3]);
  add(block, pixel[2], fine[3]);
  add(fine[3], 1, 1);
  return MakeCopies({copy}, elem_bytes);
}

litert::Expected<Inferred> InferToSpace(const Node& node) {
  const Operand& in = *node.inputs[0];
  if (in.shape.size() != 4) return InvalidNode(node, &in, "must have 4 dimensions");
  LITERT_ASSIGN_OR_RETURN(const int64_t block, BlockOf<DepthToSpaceOptions>(node));
  if (block > in.shape[3] || in.shape[3] % (block * block) != 0)
    return InvalidNode(node, &in, fmt::format("has channels that do not make blocks of {}", block));
  const std::vector<int64_t> dims = {in.shape[0], in.shape[1] * block, in.shape[2] * block,
                                     in.shape[3] / (block * block)};
  LITERT_ASSIGN_OR_RETURN(Shape shape, NarrowShape(node, dims));
  return Inferred{.shapes = {std::move(shape)}};
}

litert::Expected<std::unique_ptr<Kernel>> MakeToSpace(const Node& node, size_t elem_bytes) {
  LITERT_ASSIGN_OR_RETURN(const int64_t block, BlockOf<DepthToSpaceOptions>(node));
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

}  // namespace

NPUKIT_DEFINE_OPERATOR(SpaceToDepth) = {
    .doc = {.formula = "blocks of block_size x block_size pixels become pixels whose channels are "
                       "the block row by row",
            .source = "TFLite SPACE_TO_DEPTH"},
    .signature = "T -> T; T = bytes",
    .infer = InferToDepth,
    .prepare = PrepareMovement<MakeToDepth>,
    .oracle = OracleByMoving<MakeToDepth, InputMask{1}>,
    .tolerance = kExactResult,
};

NPUKIT_DEFINE_OPERATOR(DepthToSpace) = {
    .doc = {.formula = "each pixel becomes a block of block_size x block_size pixels, filled row "
                       "by row from its channels",
            .source = "TFLite DEPTH_TO_SPACE"},
    .signature = "T -> T; T = bytes",
    .infer = InferToSpace,
    .prepare = PrepareMovement<MakeToSpace>,
    .oracle = OracleByMoving<MakeToSpace, InputMask{1}>,
    .tolerance = kExactResult,
};

}  // namespace npukit::kernels
