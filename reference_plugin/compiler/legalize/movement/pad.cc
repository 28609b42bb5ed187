// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// PAD and PADV2 by constant amounts: the operand is copied, slabs around it are filled with zero,
// the zero point or PADV2's constant.

#include "reference_plugin/compiler/legalize/movement/pad.h"

#include <cstring>
#include <memory>
#include <utility>

#include "reference_plugin/compiler/legalize/legalize.h"
#include "reference_plugin/compiler/legalize/operands.h"
#include "reference_plugin/compiler/lower/movement/move.h"

namespace acme::compiler {
namespace {

Expected<Padding> ReadPadding(const litert::Tensor& tensor, const OneOperand& operands) {
  ACME_ASSIGN_OR_RETURN(const std::vector<int64_t> amounts, ReadIntegers(tensor, "the padding"));
  const std::vector<int32_t>& x = operands.x.value.shape;
  const std::vector<int32_t>& y = operands.y.value.shape;
  if (amounts.size() != 2 * x.size() || y.size() != x.size())
    return Unsupported("the padding does not fit the operand's dimensions");
  Padding padding;
  for (size_t d = 0; d < x.size(); ++d) {
    const int64_t before = amounts[2 * d];
    const int64_t after = amounts[2 * d + 1];
    if (before < 0 || before > y[d] || after < 0 || after > y[d] || x[d] + before + after != y[d])
      return Unsupported("the result's shape does not fit the padding");
    padding.before.push_back(before);
    padding.after.push_back(after);
  }
  return padding;
}

// The bytes of the fill as a little-endian number.
Expected<uint32_t> ReadFill(const litert::Op& op, const TensorInfo& y) {
  const auto inputs = op.Inputs();
  if (inputs.size() < 3) return ZeroOf(y);
  ACME_ASSIGN_OR_RETURN(const TensorInfo fill, ReadTensor(inputs[2]));
  if (!inputs[2].IsConstant()) return Unsupported("the value to pad with must be constant");
  if (fill.value.dtype != y.value.dtype || fill.value.Elems() != 1)
    return Unsupported("the value to pad with must be one element of the result's type");
  uint32_t value = 0;
  std::memcpy(&value, fill.value.constant.data(), fill.value.constant.size());
  return value;
}

// The box [begin, end) of the result; a piece has its dimensions innermost first.
struct Box {
  std::vector<int64_t> begin;
  std::vector<int64_t> end;
};

MovePiece PieceOf(const Box& box, const std::vector<int32_t>& y) {
  MovePiece piece;
  int64_t stride = 1;
  for (size_t d = y.size(); d-- > 0;) {
    piece.to_base_elems += box.begin[d] * stride;
    piece.dims.push_back({static_cast<int32_t>(box.end[d] - box.begin[d]), 0, stride});
    stride *= y[d];
  }
  return piece;
}

// Slabs before and after the operand, outermost dimension first, each between the slabs of the
// dimensions before it.
void AddSlabs(const Padding& padding, uint32_t fill, const std::vector<int32_t>& y,
              std::vector<MovePiece>& pieces) {
  Box rest;
  for (int32_t dim : y) {
    rest.begin.push_back(0);
    rest.end.push_back(dim);
  }
  const auto add = [&](const Box& box) {
    MovePiece piece = PieceOf(box, y);
    piece.fill = fill;
    pieces.push_back(std::move(piece));
  };
  for (size_t d = 0; d < y.size(); ++d) {
    Box slab = rest;
    slab.end[d] = padding.before[d];
    if (padding.before[d] > 0) add(slab);
    slab = rest;
    slab.begin[d] = y[d] - padding.after[d];
    if (padding.after[d] > 0) add(slab);
    rest.begin[d] = padding.before[d];
    rest.end[d] = y[d] - padding.after[d];
  }
}

}  // namespace

uint32_t ZeroOf(const TensorInfo& info) {
  if (!IsQuantisedType(info.value.dtype) || info.scales.empty()) return 0;
  return static_cast<uint32_t>(ZeroPointOf(info));
}

std::vector<MovePiece> PadPieces(ValueId from, const Padding& padding, uint32_t fill,
                                 const std::vector<int32_t>& y) {
  std::vector<MovePiece> pieces;
  AddSlabs(padding, fill, y, pieces);
  Box inside{padding.before, {}};
  for (size_t d = 0; d < y.size(); ++d) inside.end.push_back(y[d] - padding.after[d]);
  MovePiece copy = PieceOf(inside, y);
  int64_t stride = 1;
  for (MoveDimension& dim : copy.dims) {
    dim.from_stride_elems = stride;
    stride *= dim.extent;
  }
  copy.from = from;
  pieces.push_back(std::move(copy));
  return pieces;
}

Expected<void> LegalizePad(const litert::Op& op, const Hardware&, NetworkBuilder& builder) {
  ACME_ASSIGN_OR_RETURN(const OneOperand operands, ReadOneOperand(op));
  ACME_ASSIGN_OR_RETURN(const Padding padding, ReadPadding(op.Inputs()[1], operands));
  ACME_ASSIGN_OR_RETURN(const uint32_t fill, ReadFill(op, operands.y));
  ACME_ASSIGN_OR_RETURN(const ValueId x, builder.AddTensor(op.Inputs()[0]));
  auto move = std::make_shared<Move>();
  move->pieces = PadPieces(x, padding, fill, operands.y.value.shape);
  return builder.AddLayer(op.Outputs()[0], std::move(move));
}

}  // namespace acme::compiler
