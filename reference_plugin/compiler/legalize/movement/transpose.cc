// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// TRANSPOSE, DEPTH_TO_SPACE, SPACE_TO_DEPTH: all elements, walked in another order.

#include <fmt/format.h>

#include <memory>

#include "litert/c/litert_op_options.h"
#include "reference_plugin/compiler/legalize/legalize.h"
#include "reference_plugin/compiler/legalize/operands.h"
#include "reference_plugin/compiler/lower/movement/move.h"

namespace acme::compiler {
namespace {

Expected<void> AddPermutation(const litert::Op& op, std::vector<MoveDimension> dims,
                              NetworkBuilder& builder) {
  MovePiece piece;
  ACME_ASSIGN_OR_RETURN(piece.from, builder.AddTensor(op.Inputs()[0]));
  piece.dims = std::move(dims);
  auto move = std::make_shared<Move>();
  move->pieces = {std::move(piece)};
  return builder.AddLayer(op.Outputs()[0], std::move(move));
}

// The walk between [b, h, w, c] and [b, h block, w block, c / block^2], innermost first, with the
// strides of the deep and of the wide tensor.
struct Blocks {
  std::vector<MoveDimension> dims;  // from the deep to the wide
};

Expected<Blocks> BlocksOf(const std::vector<int32_t>& deep, const std::vector<int32_t>& wide,
                          int32_t block) {
  const int64_t size = block;
  const bool fits = deep.size() == 4 && wide.size() == 4 && block > 0 && deep[0] == wide[0] &&
                    deep[1] * size == wide[1] && deep[2] * size == wide[2] &&
                    deep[3] == wide[3] * size * size;
  if (!fits)
    return Unsupported(fmt::format("the shapes {} and {} do not fit blocks of {}", ShapeName(deep),
                                   ShapeName(wide), block));
  const int64_t channels = wide[3];
  const int64_t deep_row = int64_t{deep[2]} * deep[3];
  const int64_t wide_row = int64_t{wide[2]} * channels;
  return Blocks{{{wide[3], 1, 1},
                 {block, channels, channels},
                 {deep[2], deep[3], size * channels},
                 {block, size * channels, wide_row},
                 {deep[1], deep_row, size * wide_row},
                 {deep[0], deep[1] * deep_row, wide[1] * wide_row}}};
}

}  // namespace

Expected<void> LegalizeTranspose(const litert::Op& op, const Hardware&, NetworkBuilder& builder) {
  ACME_ASSIGN_OR_RETURN(const OneOperand operands, ReadOneOperand(op));
  ACME_ASSIGN_OR_RETURN(const std::vector<int64_t> order,
                        ReadIntegers(op.Inputs()[1], "the permutation"));
  const std::vector<int32_t>& x = operands.x.value.shape;
  const std::vector<int32_t>& y = operands.y.value.shape;
  if (order.size() != x.size() || y.size() != x.size())
    return Unsupported("the permutation does not fit the operand's dimensions");
  std::vector<int64_t> strides(x.size(), 1);
  for (size_t d = x.size(); d-- > 1;) strides[d - 1] = strides[d] * x[d];
  std::vector<bool> seen(x.size());
  std::vector<MoveDimension> dims;
  int64_t to_stride = 1;
  for (size_t d = x.size(); d-- > 0;) {
    ACME_ASSIGN_OR_RETURN(const size_t from, ResolveAxis(order[d], x.size()));
    if (seen[from] || y[d] != x[from])
      return Unsupported(fmt::format("the result {} does not fit the permutation", ShapeName(y)));
    seen[from] = true;
    dims.push_back({x[from], strides[from], to_stride});
    to_stride *= x[from];
  }
  return AddPermutation(op, std::move(dims), builder);
}

Expected<void> LegalizeDepthToSpace(const litert::Op& op, const Hardware&,
                                    NetworkBuilder& builder) {
  int32_t block = 0;
  if (LiteRtGetDepthToSpaceBlockSizeOption(op.Get(), &block) != kLiteRtStatusOk)
    return Unsupported("the op has no DepthToSpaceOptions");
  ACME_ASSIGN_OR_RETURN(const OneOperand operands, ReadOneOperand(op));
  ACME_ASSIGN_OR_RETURN(Blocks blocks,
                        BlocksOf(operands.x.value.shape, operands.y.value.shape, block));
  return AddPermutation(op, std::move(blocks.dims), builder);
}

Expected<void> LegalizeSpaceToDepth(const litert::Op& op, const Hardware&,
                                    NetworkBuilder& builder) {
  int32_t block = 0;
  if (LiteRtGetSpaceToDepthBlockSizeOption(op.Get(), &block) != kLiteRtStatusOk)
    return Unsupported("the op has no SpaceToDepthOptions");
  ACME_ASSIGN_OR_RETURN(const OneOperand operands, ReadOneOperand(op));
  ACME_ASSIGN_OR_RETURN(Blocks blocks,
                        BlocksOf(operands.y.value.shape, operands.x.value.shape, block));
  for (MoveDimension& dim : blocks.dims) std::swap(dim.from_stride_elems, dim.to_stride_elems);
  std::swap(blocks.dims[2], blocks.dims[3]);  // innermost of the result first
  return AddPermutation(op, std::move(blocks.dims), builder);
}

}  // namespace acme::compiler
