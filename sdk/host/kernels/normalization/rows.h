// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_SDK_HOST_KERNELS_NORMALIZATION_ROWS_H_
#define NPUKIT_SDK_HOST_KERNELS_NORMALIZATION_ROWS_H_

#include <cstdint>

#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/shape_rules.h"

namespace npukit::kernels {

// Rows of `depth` elements along the last dimension.
struct Rows {
  int64_t count = 0;
  int64_t depth = 0;
};

// Of the first input, which has at least one dimension.
inline Rows RowsOf(const Node& node) {
  const Shape& shape = node.inputs[0]->shape;
  return {.count = ElemsOf(shape, 0, shape.size() - 1), .depth = shape.back()};
}

}  // namespace npukit::kernels

#endif  // NPUKIT_SDK_HOST_KERNELS_NORMALIZATION_ROWS_H_
