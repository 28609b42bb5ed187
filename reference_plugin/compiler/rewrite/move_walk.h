// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Where the elements of one side of a move stand on its other side.

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_REWRITE_MOVE_WALK_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_REWRITE_MOVE_WALK_H_

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "reference_plugin/compiler/lower/movement/move.h"

namespace acme::compiler {

// Of nested loops, one: so many steps, so many elements apart.
struct Loop {
  int64_t extent = 1;
  int64_t stride = 0;
  bool operator==(const Loop&) const = default;
};
using Loops = std::vector<Loop>;  // innermost first; none with one step

// From the near side, a dense array, to the far side, which may repeat, reverse and leave out.
class MoveWalk {
 public:
  // Every element where it is.
  MoveWalk() = default;
  // Near is the result or the operand of the piece. Nothing unless that is a dense array of so many
  // elements.
  static std::optional<MoveWalk> FromResult(const MovePiece& piece, int64_t elems);
  static std::optional<MoveWalk> FromOperand(const MovePiece& piece, int64_t elems);

  int64_t Far(int64_t near) const;
  // The far side of `count` elements `step` apart from `near` on; nothing if no nested loops visit
  // them.
  std::optional<Loops> FarLoops(int64_t near, int64_t step, int64_t count) const;
  // The same of nested loops, which of them each becomes.
  std::optional<std::vector<Loops>> FarNest(int64_t near, std::span<const Loop> nest) const;

 private:
  struct Dimension {
    int64_t extent = 1;
    int64_t near_stride = 1;
    int64_t far_stride = 1;
  };

  // How a side of a piece is walked over.
  struct Side {
    int64_t MovePiece::*base;
    int64_t MoveDimension::*stride;
  };

  // Some steps along one dimension.
  struct Steps {
    size_t dim = 0;
    int64_t extent = 1;
    int64_t index_step = 1;
  };

  static std::optional<MoveWalk> Between(const MovePiece& piece, const Side& near, const Side& far,
                                         int64_t near_elems);
  std::optional<size_t> DimensionOf(int64_t step) const;
  int64_t IndexOf(int64_t near, size_t dim) const {
    return near / dims_[dim].near_stride % dims_[dim].extent;
  }
  // Loops as steps along dimensions, innermost first.
  std::optional<std::vector<Steps>> StepsOf(int64_t near, int64_t step, int64_t count) const;
  Loops FarOf(std::span<const Steps> steps) const;

  bool moves_ = false;
  std::vector<Dimension> dims_;  // innermost of the near side first
  int64_t far_base_ = 0;
};

// Where a piece's operand stands in the result: rows without gaps, their begins `pitch` elements apart.
struct MovedRows {
  int64_t begin = 0;
  int64_t cols = 0;
  int64_t pitch = 0;  // of one row, its columns
  bool operator==(const MovedRows&) const = default;
};
// Nothing unless all of an operand of so many elements stands so, in its order.
std::optional<MovedRows> RowsInResult(const MovePiece& piece, int64_t elems);

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_REWRITE_MOVE_WALK_H_
