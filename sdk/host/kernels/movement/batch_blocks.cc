// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/kernels/movement/batch_blocks.h"

#include <algorithm>
#include <string>

#include "sdk/host/kernels/movement/movement.h"
#include "sdk/host/kernels/shape_rules.h"

namespace npukit::kernels {
namespace {

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

}  // namespace

litert::Expected<Inferred> CheckBatchBlocks(const Node& node) {
  LITERT_RETURN_IF_ERROR(CheckNode(node, {.min_inputs = 3, .max_inputs = 3}));
  const Operand& in = *node.inputs[0];
  LITERT_RETURN_IF_ERROR(CheckMovingTypes(node, in));
  if (in.shape.size() < 3) return InvalidNode(node, &in, "must have at least 3 dimensions");
  const auto spatial = static_cast<int32_t>(in.shape.size()) - 2;
  if (node.inputs[1]->shape != Shape{spatial}) {
    return InvalidNode(node, node.inputs[1],
                       "must have the shape [" + std::to_string(spatial) + "]");
  }
  if (node.inputs[2]->shape != Shape{spatial, 2}) {
    return InvalidNode(node, node.inputs[2],
                       "must have the shape [" + std::to_string(spatial) + ",2]");
  }
  for (size_t i : {1, 2}) {
    if (IsUnknown(*node.inputs[i])) return Inferred::NeedsValueOf(i);
  }
  return Inferred{};
}

litert::Expected<std::vector<BatchBlock>> ReadBatchBlocks(const Node& node) {
  LITERT_ASSIGN_OR_RETURN(const std::vector<int64_t> sizes, IntegerValues(node, *node.inputs[1]));
  LITERT_ASSIGN_OR_RETURN(const std::vector<int64_t> margins, IntegerValues(node, *node.inputs[2]));
  std::vector<BatchBlock> blocks;
  for (size_t d = 0; d < sizes.size(); ++d) {
    const BatchBlock block{
        .block = sizes[d], .before = margins[2 * d], .after = margins[2 * d + 1]};
    if (block.block < 1 || block.block > kLargest)
      return InvalidNode(node, node.inputs[1], "holds the block " + std::to_string(block.block));
    for (int64_t margin : {block.before, block.after}) {
      if (margin < 0 || margin > kLargest)
        return InvalidNode(node, node.inputs[2], "holds " + std::to_string(margin));
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

}  // namespace npukit::kernels
