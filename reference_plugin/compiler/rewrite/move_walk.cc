// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/rewrite/move_walk.h"

#include <algorithm>

namespace acme::compiler {

std::optional<MoveWalk> MoveWalk::FromResult(const MovePiece& piece, int64_t elems) {
  return Between(piece, {&MovePiece::to_base_elems, &MoveDimension::to_stride_elems},
                 {&MovePiece::from_base_elems, &MoveDimension::from_stride_elems}, elems);
}

std::optional<MoveWalk> MoveWalk::FromOperand(const MovePiece& piece, int64_t elems) {
  return Between(piece, {&MovePiece::from_base_elems, &MoveDimension::from_stride_elems},
                 {&MovePiece::to_base_elems, &MoveDimension::to_stride_elems}, elems);
}

std::optional<MoveWalk> MoveWalk::Between(const MovePiece& piece, const Side& near, const Side& far,
                                          int64_t near_elems) {
  MoveWalk walk;
  walk.moves_ = true;
  walk.far_base_ = piece.*far.base;
  for (const MoveDimension& dim : MergeMoveDimensions(piece.dims))
    walk.dims_.push_back({dim.extent, dim.*near.stride, dim.*far.stride});
  // From the innermost of the near side on, strides must be the products of the extents so far:
  // that is what makes it dense.
  std::sort(walk.dims_.begin(), walk.dims_.end(),
            [](const Dimension& a, const Dimension& b) { return a.near_stride < b.near_stride; });
  int64_t elems = 1;
  for (const Dimension& dim : walk.dims_) {
    if (dim.near_stride != elems) return std::nullopt;
    elems *= dim.extent;
  }
  if (piece.*near.base != 0 || elems != near_elems) return std::nullopt;
  return walk;
}

int64_t MoveWalk::Far(int64_t near) const {
  if (!moves_) return near;
  int64_t far = far_base_;
  for (const Dimension& dim : dims_) far += near / dim.near_stride % dim.extent * dim.far_stride;
  return far;
}

const MoveWalk::Dimension* MoveWalk::DimensionOf(int64_t step) const {
  for (const Dimension& dim : dims_) {
    if (step % dim.near_stride == 0 && step < dim.near_stride * dim.extent) return &dim;
  }
  return nullptr;
}

std::optional<Loops> MoveWalk::FarLoops(int64_t near, int64_t step, int64_t count) const {
  Loops loops;
  while (count > 1) {
    if (!moves_) {
      loops.push_back({count, step});
      break;
    }
    const Dimension* dim = DimensionOf(step);
    if (dim == nullptr) return std::nullopt;
    const int64_t index_step = step / dim->near_stride;
    const int64_t index = near / dim->near_stride % dim->extent;
    const int64_t far_step = index_step * dim->far_stride;
    if (index + (count - 1) * index_step < dim->extent) {
      loops.push_back({count, far_step});
      break;
    }
    // All of this dimension, again and again.
    const int64_t steps = dim->extent / index_step;
    if (index >= index_step || dim->extent % index_step != 0 || count % steps != 0)
      return std::nullopt;
    if (steps > 1) loops.push_back({steps, far_step});
    count /= steps;
    step = dim->near_stride * dim->extent;
  }
  return loops;
}

std::optional<MovedRows> RowsInResult(const MovePiece& piece, int64_t elems) {
  const std::optional<MoveWalk> walk = MoveWalk::FromOperand(piece, elems);
  if (!walk) return std::nullopt;
  const std::optional<Loops> loops = walk->FarLoops(0, 1, elems);
  if (!loops || loops->empty() || loops->size() > 2 || loops->front().stride != 1)
    return std::nullopt;
  const int64_t cols = loops->front().extent;
  const int64_t pitch = loops->size() == 2 ? loops->back().stride : cols;
  if (pitch < cols) return std::nullopt;
  return MovedRows{walk->Far(0), cols, pitch};
}

}  // namespace acme::compiler
