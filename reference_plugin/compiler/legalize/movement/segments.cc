// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/legalize/movement/segments.h"

#include <utility>

namespace acme::compiler {

std::vector<MovePiece> PiecesOf(ValueId from, const std::vector<int32_t>& from_shape,
                                const std::vector<int32_t>& to_shape,
                                std::span<const std::vector<Segment>> dims) {
  std::vector<MovePiece> pieces = {{.from = from}};
  int64_t from_stride = 1;
  int64_t to_stride = 1;
  for (size_t d = dims.size(); d-- > 0;) {
    std::vector<MovePiece> extended;
    for (const MovePiece& piece : pieces) {
      for (const Segment& segment : dims[d]) {
        if (segment.extent <= 0) continue;
        MovePiece next = piece;
        next.from_base_elems += segment.from_begin * from_stride;
        next.to_base_elems += segment.to_begin * to_stride;
        next.dims.push_back({static_cast<int32_t>(segment.extent), segment.from_step * from_stride,
                             segment.to_step * to_stride});
        extended.push_back(std::move(next));
      }
    }
    pieces = std::move(extended);
    from_stride *= from_shape[d];
    to_stride *= to_shape[d];
  }
  return pieces;
}

}  // namespace acme::compiler
