// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// TILE and BROADCAST_TO: the operand several times.

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "reference_plugin/compiler/legalize/legalize.h"
#include "reference_plugin/compiler/legalize/operands.h"
#include "reference_plugin/compiler/lower/movement/move.h"

namespace acme::compiler {
namespace {

Expected<void> AddPiece(const litert::Op& op, MovePiece piece, NetworkBuilder& builder) {
  ACME_ASSIGN_OR_RETURN(piece.from, builder.AddTensor(op.Inputs()[0]));
  auto move = std::make_shared<Move>();
  move->pieces = {std::move(piece)};
  return builder.AddLayer(op.Outputs()[0], std::move(move));
}

}  // namespace

Expected<void> LegalizeTile(const litert::Op& op, const Hardware&, NetworkBuilder& builder) {
  ACME_ASSIGN_OR_RETURN(const OneOperand operands, ReadOneOperand(op));
  ACME_ASSIGN_OR_RETURN(const std::vector<int64_t> multiples,
                        ReadIntegers(op.Inputs()[1], "the list of multiples"));
  const std::vector<int32_t>& x = operands.x.value.shape;
  const std::vector<int32_t>& y = operands.y.value.shape;
  if (multiples.size() != x.size() || y.size() != x.size())
    return Unsupported("the multiples do not fit the operand's dimensions");
  MovePiece piece;
  int64_t from_stride = 1;
  int64_t to_stride = 1;
  for (size_t d = x.size(); d-- > 0;) {
    if (multiples[d] < 1 || multiples[d] > y[d] || multiples[d] * x[d] != y[d])
      return Unsupported("the result's shape does not fit the multiples");
    piece.dims.push_back({x[d], from_stride, to_stride});
    piece.dims.push_back({static_cast<int32_t>(multiples[d]), 0, x[d] * to_stride});
    from_stride *= x[d];
    to_stride *= y[d];
  }
  return AddPiece(op, std::move(piece), builder);
}

// Shapes are aligned at their ends.
Expected<void> LegalizeBroadcastTo(const litert::Op& op, const Hardware&, NetworkBuilder& builder) {
  ACME_ASSIGN_OR_RETURN(const OneOperand operands, ReadOneOperand(op));
  ACME_ASSIGN_OR_RETURN(const std::vector<int64_t> shape,
                        ReadIntegers(op.Inputs()[1], "the shape"));
  const std::vector<int32_t>& x = operands.x.value.shape;
  const std::vector<int32_t>& y = operands.y.value.shape;
  if (!std::equal(shape.begin(), shape.end(), y.begin(), y.end()) || x.size() > y.size())
    return Unsupported("the result does not have the shape that is asked for");
  MovePiece piece;
  int64_t from_stride = 1;
  int64_t to_stride = 1;
  for (size_t d = 0; d < y.size(); ++d) {
    const int32_t extent = y[y.size() - 1 - d];
    const int32_t given = d < x.size() ? x[x.size() - 1 - d] : 1;
    if (given != 1 && given != extent)
      return Unsupported("the operand does not broadcast to the result");
    piece.dims.push_back({extent, given == 1 ? 0 : from_stride, to_stride});
    from_stride *= given;
    to_stride *= extent;
  }
  return AddPiece(op, std::move(piece), builder);
}

}  // namespace acme::compiler
