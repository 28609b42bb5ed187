// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// SPACE_TO_BATCH_ND and BATCH_TO_SPACE_ND. Both relate a spacious tensor [B, S..., C] and a batched
// one [prod(block) B, I..., C]: the batch of shift s holds the elements at s, s + block, s + 2 block
// ... Padding is a layer before it; what is cropped is not copied.

#include <utility>
#include <vector>

#include "reference_plugin/compiler/legalize/legalize.h"
#include "reference_plugin/compiler/legalize/movement/pad.h"
#include "reference_plugin/compiler/legalize/movement/segments.h"
#include "reference_plugin/compiler/legalize/operands.h"
#include "reference_plugin/compiler/legalize/steps.h"

namespace acme::compiler {
namespace {

// Each shift is a copy of its own.
constexpr int64_t kMostShifts = 1024;

struct BatchBlocks {
  OneOperand operands;
  std::vector<int64_t> blocks;  // by spatial dimension
  Padding margins;              // padding or crops, of all dimensions
  int64_t shifts = 1;
};

Expected<BatchBlocks> ReadBatchBlocks(const litert::Op& op) {
  BatchBlocks read;
  ACME_ASSIGN_OR_RETURN(read.operands, ReadOneOperand(op));
  ACME_ASSIGN_OR_RETURN(read.blocks, ReadIntegers(op.Inputs()[1], "the list of blocks"));
  ACME_ASSIGN_OR_RETURN(const std::vector<int64_t> margins,
                        ReadIntegers(op.Inputs()[2], "the list of margins"));
  const size_t rank = read.operands.x.value.shape.size();
  const size_t spatial = read.blocks.size();
  if (rank < 3 || read.operands.y.value.shape.size() != rank || spatial + 2 != rank ||
      margins.size() != 2 * spatial)
    return Unsupported("the blocks do not fit the operand's dimensions");
  read.margins.before.assign(rank, 0);
  read.margins.after.assign(rank, 0);
  for (size_t d = 0; d < spatial; ++d) {
    if (read.blocks[d] < 1 || read.blocks[d] > kMostShifts || read.shifts > kMostShifts)
      return Unsupported("the blocks are too large");
    read.shifts *= read.blocks[d];
    read.margins.before[d + 1] = margins[2 * d];
    read.margins.after[d + 1] = margins[2 * d + 1];
    if (margins[2 * d] < 0 || margins[2 * d + 1] < 0)
      return Unsupported("padding and crops are not negative");
  }
  if (read.shifts > kMostShifts) return Unsupported("the blocks are too large");
  return read;
}

// The shapes belong together.
Expected<void> CheckShapes(const BatchBlocks& read, const std::vector<int32_t>& spacious,
                           const std::vector<int32_t>& batched, bool crops) {
  bool fits = spacious[0] * read.shifts == batched[0] && spacious.back() == batched.back();
  for (size_t d = 0; fits && d < read.blocks.size(); ++d) {
    const int64_t margins = read.margins.before[d + 1] + read.margins.after[d + 1];
    fits = spacious[d + 1] + margins == batched[d + 1] * read.blocks[d] &&
           margins < batched[d + 1] * read.blocks[d];
  }
  if (!fits) return Unsupported(crops ? "the crops do not fit" : "the padding does not fit");
  return {};
}

// Where the elements of a shift lie in a dimension of the batched and of the spacious tensor, of
// which `before` elements are cropped.
struct Shifted {
  int64_t extent = 0;
  int64_t batched_begin = 0;
  int64_t spacious_begin = 0;
};
// Index i of the batch stands at i * block + shift - before: from the first i for which that is not
// negative up to the last that is still in the tensor.
Shifted PlaceShift(int64_t shift, int64_t block, int64_t before, int64_t spacious_dim) {
  const int64_t first = before <= shift ? 0 : (before - shift + block - 1) / block;
  const int64_t begin = first * block + shift - before;
  return {begin >= spacious_dim ? 0 : (spacious_dim - 1 - begin) / block + 1, first, begin};
}

// The copies of all shifts, from the spacious tensor or to it.
std::vector<MovePiece> ShiftPieces(const BatchBlocks& read, ValueId from,
                                   const std::vector<int32_t>& spacious,
                                   const std::vector<int32_t>& batched,
                                   const std::vector<int64_t>& crops, bool to_batch) {
  std::vector<MovePiece> pieces;
  for (int64_t index = 0; index < read.shifts; ++index) {
    std::vector<std::vector<Segment>> dims(spacious.size());
    int64_t rest = index;
    for (size_t d = read.blocks.size(); d-- > 0;) {
      const int64_t block = read.blocks[d];
      const Shifted at = PlaceShift(rest % block, block, crops[d + 1], spacious[d + 1]);
      rest /= block;
      dims[d + 1] = {{.extent = at.extent,
                      .from_begin = to_batch ? at.spacious_begin : at.batched_begin,
                      .to_begin = to_batch ? at.batched_begin : at.spacious_begin,
                      .from_step = to_batch ? block : 1,
                      .to_step = to_batch ? 1 : block}};
    }
    const int64_t batch = index * spacious[0];
    dims[0] = {{.extent = spacious[0],
                .from_begin = to_batch ? 0 : batch,
                .to_begin = to_batch ? batch : 0}};
    dims.back() = {{.extent = spacious.back()}};
    std::vector<MovePiece> shift = to_batch ? PiecesOf(from, spacious, batched, dims)
                                            : PiecesOf(from, batched, spacious, dims);
    pieces.insert(pieces.end(), shift.begin(), shift.end());
  }
  return pieces;
}

}  // namespace

Expected<void> LegalizeSpaceToBatch(const litert::Op& op, const Hardware&,
                                    NetworkBuilder& builder) {
  ACME_ASSIGN_OR_RETURN(const BatchBlocks read, ReadBatchBlocks(op));
  const std::vector<int32_t>& batched = read.operands.y.value.shape;
  std::vector<int32_t> spacious = read.operands.x.value.shape;
  ACME_RETURN_IF_ERROR(CheckShapes(read, spacious, batched, /*crops=*/false));
  ACME_ASSIGN_OR_RETURN(ValueId x, builder.AddTensor(op.Inputs()[0]));
  ACME_ASSIGN_OR_RETURN(const ValueId y, builder.AddTensor(op.Outputs()[0]));
  Steps steps(read.operands.y.value.name, builder);
  const Dtype dtype = read.operands.y.value.dtype;
  for (size_t d = 0; d < spacious.size(); ++d)
    spacious[d] += static_cast<int32_t>(read.margins.before[d] + read.margins.after[d]);
  if (spacious != read.operands.x.value.shape)
    x = steps.Rearrange(PadPieces(x, read.margins, ZeroOf(read.operands.y), spacious), dtype,
                        spacious);
  const std::vector<int64_t> no_crops(spacious.size(), 0);
  steps.Rearrange(ShiftPieces(read, x, spacious, batched, no_crops, /*to_batch=*/true), dtype,
                  batched, y);
  return {};
}

Expected<void> LegalizeBatchToSpace(const litert::Op& op, const Hardware&,
                                    NetworkBuilder& builder) {
  ACME_ASSIGN_OR_RETURN(const BatchBlocks read, ReadBatchBlocks(op));
  const std::vector<int32_t>& batched = read.operands.x.value.shape;
  const std::vector<int32_t>& spacious = read.operands.y.value.shape;
  ACME_RETURN_IF_ERROR(CheckShapes(read, spacious, batched, /*crops=*/true));
  ACME_ASSIGN_OR_RETURN(const ValueId x, builder.AddTensor(op.Inputs()[0]));
  ACME_ASSIGN_OR_RETURN(const ValueId y, builder.AddTensor(op.Outputs()[0]));
  Steps(read.operands.y.value.name, builder)
      .Rearrange(ShiftPieces(read, x, spacious, batched, read.margins.before, /*to_batch=*/false),
                 read.operands.y.value.dtype, spacious, y);
  return {};
}

}  // namespace acme::compiler
