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

std::optional<size_t> MoveWalk::DimensionOf(int64_t step) const {
  for (size_t d = 0; d < dims_.size(); ++d) {
    const Dimension& dim = dims_[d];
    if (step % dim.near_stride == 0 && step < dim.near_stride * dim.extent) return d;
  }
  return std::nullopt;
}

std::optional<std::vector<MoveWalk::Steps>> MoveWalk::StepsOf(int64_t near, int64_t step,
                                                              int64_t count) const {
  std::vector<Steps> all;
  while (count > 1) {
    const std::optional<size_t> at = DimensionOf(step);
    if (!at) return std::nullopt;
    const Dimension& dim = dims_[*at];
    const int64_t index_step = step / dim.near_stride;
    const int64_t index = IndexOf(near, *at);
    if (index + (count - 1) * index_step < dim.extent) {
      all.push_back({*at, count, index_step});
      break;
    }
    // All of this dimension, again and again.
    const int64_t steps = dim.extent / index_step;
    if (index >= index_step || dim.extent % index_step != 0 || count % steps != 0)
      return std::nullopt;
    if (steps > 1) all.push_back({*at, steps, index_step});
    count /= steps;
    step = dim.near_stride * dim.extent;
  }
  return all;
}

Loops MoveWalk::FarOf(std::span<const Steps> steps) const {
  Loops loops;
  for (const Steps& of : steps)
    loops.push_back({of.extent, of.index_step * dims_[of.dim].far_stride});
  return loops;
}

std::optional<Loops> MoveWalk::FarLoops(int64_t near, int64_t step, int64_t count) const {
  if (!moves_) return count > 1 ? Loops{{count, step}} : Loops{};
  const std::optional<std::vector<Steps>> steps = StepsOf(near, step, count);
  return steps ? std::optional(FarOf(*steps)) : std::nullopt;
}

std::optional<std::vector<Loops>> MoveWalk::FarNest(int64_t near,
                                                    std::span<const Loop> nest) const {
  std::vector<Loops> far;
  std::vector<int64_t> last;  // index in each dimension when all loops are at their ends
  for (size_t d = 0; d < dims_.size(); ++d) last.push_back(IndexOf(near, d));
  for (const Loop& loop : nest) {
    const std::optional<std::vector<Steps>> steps = StepsOf(near, loop.stride, loop.extent);
    if (!steps) return std::nullopt;
    for (const Steps& of : *steps) last[of.dim] += (of.extent - 1) * of.index_step;
    far.push_back(FarOf(*steps));
  }
  // Loops along one dimension must not lead out of it together, into the next.
  for (size_t d = 0; d < dims_.size(); ++d) {
    if (last[d] >= dims_[d].extent) return std::nullopt;
  }
  return far;
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
