// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// SPACE_TO_BATCH_ND and BATCH_TO_SPACE_ND. Both relate a spacious tensor [B, S..., C]
// and a batched one [prod(block) B, I..., C]:
//   spacious[b, i * block + shift - before, c] = batched[shift_index * B + b, i, c]
// `before` is the padding or the crop; what of the batched tensor falls outside the spacious one is
// padding.

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "sdk/host/kernels/movement/movement.h"
#include "sdk/host/kernels/movement/padding.h"
#include "sdk/host/kernels/movement/strided_copy.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/shape_rules.h"

namespace npukit::kernels {
namespace {

// One spatial dimension.
struct BatchBlock {
  int64_t block = 1;   // at least 1
  int64_t before = 0;  // not negative, as `after`
  int64_t after = 0;
};

enum class BlockDirection { kToBatch, kToSpace };

constexpr int64_t kLargest = int64_t{1} << 31;

int64_t CeilDiv(int64_t a, int64_t b) { return a <= 0 ? 0 : (a - 1) / b + 1; }

// The copy of one shift. Strides stand per dimension of either tensor.
class ShiftCopier {
 public:
  ShiftCopier(const Shape& spacious, const Shape& batched, const std::vector<BatchBlock>& blocks,
              BlockDirection direction)
      : spacious_(spacious),
        batched_(batched),
        blocks_(blocks),
        space_strides_(StridesOf(spacious)),
        batch_strides_(StridesOf(batched)),
        to_batch_(direction == BlockDirection::kToBatch) {}

  StridedCopy Copy(int64_t shift_index, const std::vector<int64_t>& shift) const {
    int64_t space_offset = 0;
    int64_t batch_offset = shift_index * spacious_[0] * batch_strides_[0];
    StridedCopy copy;
    auto add = [&](int64_t extent, int64_t space_stride, int64_t batch_stride) {
      copy.dims.push_back({.extent = extent,
                           .in_stride = to_batch_ ? space_stride : batch_stride,
                           .out_stride = to_batch_ ? batch_stride : space_stride});
    };
    add(spacious_[0], space_strides_[0], batch_strides_[0]);
    for (size_t d = 0; d < blocks_.size(); ++d) {
      const BatchBlock& block = blocks_[d];
      // The i for which i * block + shift - before lies in the spacious tensor.
      const int64_t first = CeilDiv(block.before - shift[d], block.block);
      const int64_t end = std::min<int64_t>(
          batched_[d + 1], CeilDiv(spacious_[d + 1] + block.before - shift[d], block.block));
      space_offset += (first * block.block + shift[d] - block.before) * space_strides_[d + 1];
      batch_offset += first * batch_strides_[d + 1];
      add(std::max<int64_t>(end - first, 0), block.block * space_strides_[d + 1],
          batch_strides_[d + 1]);
    }
    add(spacious_.back(), 1, 1);
    copy.in_offset = to_batch_ ? space_offset : batch_offset;
    copy.out_offset = to_batch_ ? batch_offset : space_offset;
    return copy;
  }

 private:
  const Shape& spacious_;
  const Shape& batched_;
  const std::vector<BatchBlock>& blocks_;
  std::vector<int64_t> space_strides_;
  std::vector<int64_t> batch_strides_;
  bool to_batch_;
};

// The shapes of inputs 1, the blocks, and 2, paddings or crops. Gives no shapes, perhaps the input
// whose value is needed.
litert::Expected<Inferred> CheckBatchBlocks(const Node& node) {
  const Operand& in = *node.inputs[0];
  if (in.shape.size() < 3) return InvalidNode(node, &in, "must have at least 3 dimensions");
  const auto spatial = static_cast<int32_t>(in.shape.size()) - 2;
  if (node.inputs[1]->shape != Shape{spatial}) {
    return InvalidNode(node, node.inputs[1], fmt::format("must have the shape [{}]", spatial));
  }
  if (node.inputs[2]->shape != Shape{spatial, 2}) {
    return InvalidNode(node, node.inputs[2], fmt::format("must have the shape [{},2]", spatial));
  }
  for (size_t i : {1, 2}) {
    if (IsUnknown(*node.inputs[i])) return Inferred::NeedsValueOf(i);
  }
  return Inferred{};
}

// Inputs 1 and 2, which are known.
litert::Expected<std::vector<BatchBlock>> ReadBatchBlocks(const Node& node) {
  LITERT_ASSIGN_OR_RETURN(const std::vector<int64_t> sizes, IntegerValues(node, *node.inputs[1]));
  LITERT_ASSIGN_OR_RETURN(const std::vector<int64_t> margins, IntegerValues(node, *node.inputs[2]));
  std::vector<BatchBlock> blocks;
  for (size_t d = 0; d < sizes.size(); ++d) {
    const BatchBlock block{
        .block = sizes[d], .before = margins[2 * d], .after = margins[2 * d + 1]};
    if (block.block < 1 || block.block > kLargest)
      return InvalidNode(node, node.inputs[1], fmt::format("holds the block {}", block.block));
    for (int64_t margin : {block.before, block.after}) {
      if (margin < 0 || margin > kLargest)
        return InvalidNode(node, node.inputs[2], fmt::format("holds {}", margin));
    }
    blocks.push_back(block);
  }
  return blocks;
}

litert::Expected<std::vector<StridedCopy>> BatchBlockCopies(const Node& node,
                                                            BlockDirection direction) {
  LITERT_ASSIGN_OR_RETURN(const std::vector<BatchBlock> blocks, ReadBatchBlocks(node));
  std::vector<StridedCopy> copies;
  if (node.inputs[0]->elems() == 0 || node.outputs[0]->elems() == 0) return copies;
  const bool to_batch = direction == BlockDirection::kToBatch;
  const Shape& spacious = (to_batch ? node.inputs[0] : node.outputs[0])->shape;
  const Shape& batched = (to_batch ? node.outputs[0] : node.inputs[0])->shape;
  const ShiftCopier copier(spacious, batched, blocks, direction);
  std::vector<int64_t> shift(blocks.size(), 0);
  // Row by row over all shifts; there are batched[0] / spacious[0] of them.
  for (int64_t index = 0; index < batched[0] / spacious[0]; ++index) {
    const StridedCopy copy = copier.Copy(index, shift);
    const bool empty = std::any_of(copy.dims.begin(), copy.dims.end(),
                                   [](const StridedCopy::Dim& dim) { return dim.extent == 0; });
    if (!empty) copies.push_back(copy);
    for (size_t d = blocks.size(); d-- > 0;) {
      if (++shift[d] < blocks[d].block) break;
      shift[d] = 0;
    }
  }
  return copies;
}

litert::Expected<Inferred> InferToBatch(const Node& node) {
  LITERT_ASSIGN_OR_RETURN(const Inferred checked, CheckBatchBlocks(node));
  if (checked.needs_value_of.has_value()) return checked;
  LITERT_ASSIGN_OR_RETURN(const std::vector<BatchBlock> blocks, ReadBatchBlocks(node));
  const Operand& in = *node.inputs[0];
  std::vector<int64_t> dims(in.shape.begin(), in.shape.end());
  for (size_t d = 0; d < blocks.size(); ++d) {
    const int64_t padded = in.shape[d + 1] + blocks[d].before + blocks[d].after;
    if (padded % blocks[d].block != 0) {
      return InvalidNode(
          node, &in,
          fmt::format("has {} padded elements in dimension {}, which blocks of {} do not divide",
                      padded, d + 1, blocks[d].block));
    }
    dims[d + 1] = padded / blocks[d].block;
    if (__builtin_mul_overflow(dims[0], blocks[d].block, &dims[0]))
      return InvalidNode(node, node.inputs[1], "holds blocks whose product is too large");
  }
  LITERT_ASSIGN_OR_RETURN(Shape shape, NarrowShape(node, dims));
  return Inferred{.shapes = {std::move(shape)}};
}

litert::Expected<std::unique_ptr<Kernel>> MakeToBatch(const Node& node, size_t elem_bytes) {
  LITERT_ASSIGN_OR_RETURN(std::vector<StridedCopy> copies,
                          BatchBlockCopies(node, BlockDirection::kToBatch));
  return MakeCopies(std::move(copies), elem_bytes, PaddingValue(node, elem_bytes));
}

litert::Expected<Inferred> InferToSpace(const Node& node) {
  LITERT_ASSIGN_OR_RETURN(const Inferred checked, CheckBatchBlocks(node));
  if (checked.needs_value_of.has_value()) return checked;
  LITERT_ASSIGN_OR_RETURN(const std::vector<BatchBlock> blocks, ReadBatchBlocks(node));
  const Operand& in = *node.inputs[0];
  std::vector<int64_t> dims(in.shape.begin(), in.shape.end());
  for (size_t d = 0; d < blocks.size(); ++d) {
    if (dims[0] % blocks[d].block != 0) {
      return InvalidNode(
          node, &in, fmt::format("has a batch that blocks of {} do not divide", blocks[d].block));
    }
    dims[0] /= blocks[d].block;
    dims[d + 1] = in.shape[d + 1] * blocks[d].block - blocks[d].before - blocks[d].after;
    if (dims[d + 1] < 0) {
      return InvalidNode(node, node.inputs[2],
                         fmt::format("crops more than there is in dimension {}", d + 1));
    }
  }
  LITERT_ASSIGN_OR_RETURN(Shape shape, NarrowShape(node, dims));
  return Inferred{.shapes = {std::move(shape)}};
}

litert::Expected<std::unique_ptr<Kernel>> MakeToSpace(const Node& node, size_t elem_bytes) {
  LITERT_ASSIGN_OR_RETURN(std::vector<StridedCopy> copies,
                          BatchBlockCopies(node, BlockDirection::kToSpace));
  return MakeCopies(std::move(copies), elem_bytes);
}

}  // namespace

NPUKIT_DEFINE_OPERATOR(SpaceToBatchNd) = {
    .doc = {.formula = "out[(shift of the block) B + b, i, c] = in[b, i block + shift - padding, "
                       "c]; padding is 0 or the zero point",
            .source = "TFLite SPACE_TO_BATCH_ND"},
    .signature = "T, int32|int64, int32|int64 -> T; T = bytes8",
    .infer = InferToBatch,
    .prepare = PrepareMovement<MakeToBatch>,
    .oracle = OracleByMoving<MakeToBatch, InputMask{1}>,
    .tolerance = kExactResult,
};

NPUKIT_DEFINE_OPERATOR(BatchToSpaceNd) = {
    .doc = {.formula = "out[b, i block + shift - crop, c] = in[(shift of the block) B + b, i, c]",
            .source = "TFLite BATCH_TO_SPACE_ND"},
    .signature = "T, int32|int64, int32|int64 -> T; T = bytes",
    .infer = InferToSpace,
    .prepare = PrepareMovement<MakeToSpace>,
    .oracle = OracleByMoving<MakeToSpace, InputMask{1}>,
    .tolerance = kExactResult,
};

}  // namespace npukit::kernels
