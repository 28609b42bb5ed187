// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Data movement: reshaping, slicing, concatenating, padding, transposing are all boxes that are
// copied or filled.

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWER_MOVEMENT_MOVE_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWER_MOVEMENT_MOVE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "reference_plugin/compiler/network/network.h"

namespace acme::compiler {

struct MoveDimension {
  int32_t extent = 1;
  int64_t from_stride_elems = 0;  // 0 repeats, negative reverses
  int64_t to_stride_elems = 0;
  bool operator==(const MoveDimension&) const = default;
};

// for (i..) y[to_base + sum of i * to_stride] = from[from_base + sum of i * from_stride], or the
// fill. Any number of dimensions, innermost of the result first.
struct MovePiece {
  ValueId from = kNoValue;  // kNoValue: filled
  uint32_t fill = 0;        // the element's bytes, little-endian
  int64_t from_base_elems = 0;
  int64_t to_base_elems = 0;
  std::vector<MoveDimension> dims;
  bool operator==(const MovePiece&) const = default;
};

// Pieces don't overlap; together they write every element of the result.
struct Move : LayerOp, RowWise {
  std::vector<MovePiece> pieces;
  int32_t row_elems = 0;  // of an image whose rows can be computed apart (rewrite/rows); else 0

  std::vector<ValueId> Operands() const override;
  LayerWork Work(const Network& network, ValueId output) const override;
  uint64_t ElemsRead(const Network& network, ValueId output, ValueId operand) const override;
  std::string Describe() const override;
  Expected<void> Lower(ValueId output, LoweringContext& context) const override;

  const RowWise* AsRowWise() const override { return row_elems > 0 ? this : nullptr; }
  std::vector<ValueId> Images() const override;
  RowRange RowsRead(ValueId /*image*/, const RowRange& result) const override { return result; }
  std::shared_ptr<const LayerOp> Rows(const RowRange& result,
                                      std::span<const HeldRows> held) const override;

  // Whether the result is one operand's elements in their order.
  bool IsReshape(const Network& network) const;
};

// The dimension of a piece that walks over the rows of an image of so many rows of so many elements,
// on both sides; -1 if there is none.
int32_t RowDimension(const MovePiece& piece, int32_t rows, int32_t row_elems);

// Extents of 1 dropped, dimensions that are one walk on both sides joined.
std::vector<MoveDimension> MergeMoveDimensions(const std::vector<MoveDimension>& dims);

// The part of a piece that is moved at a time when neither side is in the scratchpad: extents of at
// most `max_elems` elements in all. The dimensions that are contiguous in DRAM on either side are
// cut last.
std::vector<int32_t> ChooseMoveTile(const std::vector<MoveDimension>& dims, int64_t max_elems);

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWER_MOVEMENT_MOVE_H_
