// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What RESIZE_BILINEAR and RESIZE_NEAREST_NEIGHBOR share. Inputs: 0 images [batch, height, width,
// depth], 1 the new [height, width], int32.

#ifndef NPUKIT_SDK_HOST_KERNELS_RESIZING_RESIZING_H_
#define NPUKIT_SDK_HOST_KERNELS_RESIZING_RESIZING_H_

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "sdk/host/kernels/operator.h"

namespace npukit::kernels {

struct ResizeMode {
  bool align_corners = false;
  bool half_pixel_centers = false;
};

struct ResizeSizes {
  int64_t batches = 0;
  int32_t in_height = 0;
  int32_t in_width = 0;
  int32_t out_height = 0;
  int32_t out_width = 0;
  int64_t depth = 0;
};

// After shapes are set. An output without elements has no rows and columns, however large.
inline ResizeSizes SizesOf(const Node& node) {
  const Shape& in = node.inputs[0]->shape;
  const Shape& out = node.outputs[0]->shape;
  const bool empty = node.outputs[0]->elems() == 0;
  return {.batches = in[0],
          .in_height = in[1],
          .in_width = in[2],
          .out_height = empty ? 0 : out[1],
          .out_width = empty ? 0 : out[2],
          .depth = in[3]};
}

// Types and the number of inputs have been checked.
litert::Expected<Inferred> InferResize(const Node& node);

}  // namespace npukit::kernels

#endif  // NPUKIT_SDK_HOST_KERNELS_RESIZING_RESIZING_H_
