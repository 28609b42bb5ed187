// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/legalize/products/rounded_moves.h"

#include <algorithm>
#include <iterator>
#include <vector>

#include "reference_plugin/compiler/lower/movement/moved_elems.h"
#include "reference_plugin/compiler/lower/movement/resize.h"

namespace acme::compiler {
namespace {

// Whether the piece reads each of so many elements once.
bool ReadsAll(const MovePiece& piece, int64_t elems) {
  std::vector<MoveDimension> dims;
  std::copy_if(piece.dims.begin(), piece.dims.end(), std::back_inserter(dims),
               [](const MoveDimension& dim) { return dim.extent > 1; });
  std::sort(dims.begin(), dims.end(), [](const MoveDimension& a, const MoveDimension& b) {
    return a.from_stride_elems < b.from_stride_elems;
  });
  int64_t read = 1;
  for (const MoveDimension& dim : dims) {
    if (dim.from_stride_elems != read) return false;
    read *= dim.extent;
  }
  return piece.from_base_elems == 0 && read == elems;
}

// Of a move that fills with nothing but zeros.
ValueId SourceOf(const Move& move, const Network& network) {
  ValueId source = kNoValue;
  for (const MovePiece& piece : move.pieces) {
    if (piece.from == kNoValue && piece.fill != 0) return kNoValue;
    if (piece.from == kNoValue || piece.from == source) continue;
    if (source != kNoValue) return kNoValue;
    source = piece.from;
  }
  if (source == kNoValue || network.value(source).is_constant()) return kNoValue;
  const int64_t elems = network.value(source).Elems();
  const bool is_all = std::any_of(
      move.pieces.begin(), move.pieces.end(),
      [&](const MovePiece& piece) { return piece.from == source && ReadsAll(piece, elems); });
  return is_all ? source : kNoValue;
}

bool AreAllSampled(const std::vector<ResizeSample>& samples, int32_t extent) {
  std::vector<bool> is_sampled(static_cast<size_t>(extent));
  for (const ResizeSample& sample : samples) is_sampled[static_cast<size_t>(sample.lo)] = true;
  return std::find(is_sampled.begin(), is_sampled.end(), false) == is_sampled.end();
}

bool SamplesAll(const Resize& resize) {
  return resize.op == ResizeOp::kNearest && AreAllSampled(resize.rows, resize.in_h) &&
         AreAllSampled(resize.cols, resize.in_w);
}

}  // namespace

ValueId SourceOfMove(ValueId x, const Network& network) {
  const Layer* writer = network.WriterOf(x);
  if (writer == nullptr || network.value(x).dtype != Dtype::kF32) return kNoValue;
  if (const auto* move = writer->As<Move>()) return SourceOf(*move, network);
  const auto* resize = writer->As<Resize>();
  return resize != nullptr && SamplesAll(*resize) ? resize->x : kNoValue;
}

void FillWith(const RoundedZero& zero, MovePiece& piece) {
  piece.fill = static_cast<uint8_t>(zero.byte);
  if (zero.value == kNoValue) return;
  piece.from = zero.value;
  for (MoveDimension& dim : piece.dims) dim.from_stride_elems = 0;
}

std::shared_ptr<const LayerOp> MoveRounded(ValueId x, ValueId source, const RoundedZero& zero,
                                           const Network& network) {
  return MoveOf(
      *network.WriterOf(x), Dtype::kI8, [source](ValueId) { return source; },
      [&zero](MovePiece& piece) { FillWith(zero, piece); });
}

}  // namespace acme::compiler
