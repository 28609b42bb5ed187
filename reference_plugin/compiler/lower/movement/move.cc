// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What the stages before lowering ask of a Move; its tasks are move_lowering.cc's.

#include "reference_plugin/compiler/lower/movement/move.h"

#include <fmt/format.h>

#include <algorithm>

namespace acme::compiler {

std::vector<MoveDimension> MergeMoveDimensions(const std::vector<MoveDimension>& dims) {
  constexpr int64_t kMaxExtent = INT32_MAX;
  std::vector<MoveDimension> merged;
  for (const MoveDimension& dim : dims) {
    if (dim.extent == 1) continue;
    if (!merged.empty()) {
      MoveDimension& inner = merged.back();
      if (dim.from_stride_elems == inner.from_stride_elems * inner.extent &&
          dim.to_stride_elems == inner.to_stride_elems * inner.extent &&
          int64_t{inner.extent} * dim.extent <= kMaxExtent) {
        inner.extent *= dim.extent;
        continue;
      }
    }
    merged.push_back(dim);
  }
  return merged;
}

std::vector<int32_t> ChooseMoveTile(const std::vector<MoveDimension>& dims, int64_t max_elems) {
  std::vector<int32_t> tile;
  int64_t elems = 1;
  for (const MoveDimension& dim : dims) {
    tile.push_back(dim.extent);
    elems *= dim.extent;
  }
  const auto halve = [&](size_t d) {
    elems = elems / tile[d];
    tile[d] = (tile[d] + 1) / 2;
    elems *= tile[d];
  };
  for (size_t d = dims.size(); d-- > 0;) {
    if (std::abs(dims[d].from_stride_elems) == 1 || dims[d].to_stride_elems == 1) continue;
    while (elems > max_elems && tile[d] > 1) halve(d);
  }
  while (elems > max_elems)
    halve(static_cast<size_t>(std::max_element(tile.begin(), tile.end()) - tile.begin()));
  return tile;
}

std::vector<ValueId> Move::Operands() const {
  std::vector<ValueId> ids;
  for (const MovePiece& piece : pieces) ids.push_back(piece.from);
  return ids;
}

std::vector<ValueId> Move::Images() const {
  std::vector<ValueId> ids = Operands();
  std::erase(ids, kNoValue);
  return ids;
}

// Pieces may be of the same elements: the largest counts.
uint64_t Move::ElemsRead(const Network& network, ValueId, ValueId operand) const {
  int64_t most = 0;
  for (const MovePiece& piece : pieces) {
    if (piece.from != operand) continue;
    int64_t elems = 1;
    for (const MoveDimension& dim : piece.dims)
      elems *= dim.from_stride_elems == 0 ? 1 : dim.extent;
    most = std::max(most, elems);
  }
  return static_cast<uint64_t>(std::min(most, network.value(operand).Elems()));
}

// None: another compiler might leave the elements where they are, and the roofline must hold for it.
LayerWork Move::Work(const Network& network, ValueId output) const {
  return {.dtype = network.value(output).dtype};
}

bool Move::IsReshape(const Network& network) const {
  if (pieces.size() != 1 || pieces[0].from == kNoValue) return false;
  const MovePiece& piece = pieces[0];
  const std::vector<MoveDimension> dims = MergeMoveDimensions(piece.dims);
  const int64_t elems = network.value(piece.from).Elems();
  if (dims.empty()) return elems == 1;
  return dims.size() == 1 && dims[0] == MoveDimension{static_cast<int32_t>(elems), 1, 1};
}

std::string Move::Describe() const {
  std::string text = "move";
  for (const MovePiece& piece : pieces) {
    text += piece.from == kNoValue ? fmt::format(" fill {}", piece.fill)
                                   : fmt::format(" v{}+{}", piece.from, piece.from_base_elems);
    std::vector<std::string> dims;
    for (const MoveDimension& dim : piece.dims)
      dims.push_back(
          fmt::format("{}:{}:{}", dim.extent, dim.from_stride_elems, dim.to_stride_elems));
    text += fmt::format(" to {} ({})", piece.to_base_elems, fmt::join(dims, " "));
  }
  return text;
}

int32_t RowDimension(const MovePiece& piece, int32_t rows, int32_t row_elems) {
  int32_t outermost = -1;
  for (size_t d = 0; d < piece.dims.size(); ++d) {
    if (piece.dims[d].extent > 1 &&
        (outermost < 0 || piece.dims[d].to_stride_elems >
                              piece.dims[static_cast<size_t>(outermost)].to_stride_elems))
      outermost = static_cast<int32_t>(d);
  }
  if (outermost < 0) return -1;
  const MoveDimension& outer = piece.dims[static_cast<size_t>(outermost)];
  if (outer.to_stride_elems <= 0 || row_elems % outer.to_stride_elems != 0) return -1;
  const int64_t steps = row_elems / outer.to_stride_elems;
  if (outer.extent != rows * steps || piece.to_base_elems >= row_elems) return -1;
  int64_t last = piece.to_base_elems;
  for (const MoveDimension& dim : piece.dims) last += (dim.extent - 1) * dim.to_stride_elems;
  // No piece reaches from one row into the next.
  if (last >= int64_t{rows} * row_elems) return -1;
  if (last - (outer.extent - 1) * outer.to_stride_elems + (steps - 1) * outer.to_stride_elems >=
      row_elems)
    return -1;
  return outermost;
}

std::shared_ptr<const LayerOp> Move::Rows(const RowRange& result,
                                          std::span<const HeldRows> held) const {
  auto part = std::make_shared<Move>(*this);
  for (MovePiece& piece : part->pieces) {
    int64_t outermost = 0;
    MoveDimension* outer = nullptr;
    for (MoveDimension& dim : piece.dims) {
      if (dim.extent == 1 || dim.to_stride_elems <= outermost) continue;
      outermost = dim.to_stride_elems;
      outer = &dim;
    }
    const int64_t steps = row_elems / outer->to_stride_elems;
    // Where the first row's part goes stays: it is a place within one row (RowDimension).
    outer->extent = static_cast<int32_t>(result.size() * steps);
    if (piece.from == kNoValue) continue;
    const HeldRows image = FindRows(piece.from, held);
    piece.from = image.value;
    piece.from_base_elems += (result.begin - image.rows.begin) * steps * outer->from_stride_elems;
  }
  return part;
}

}  // namespace acme::compiler
