// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What AVERAGE_POOL_2D, MAX_POOL_2D and L2_POOL_2D share: activations [b, h, w, c], windows over h
// and w, no dilation.

#ifndef NPUKIT_SDK_HOST_KERNELS_POOLING_POOLING_H_
#define NPUKIT_SDK_HOST_KERNELS_POOLING_POOLING_H_

#include <algorithm>

#include "sdk/host/kernels/convolution/conv_geometry.h"
#include "sdk/host/kernels/operator.h"

namespace npukit::kernels {

struct Pooling {
  int64_t batches = 1;
  int64_t channels = 1;
  Window height;
  Window width;
  ActivationFunctionType activation = ActivationFunctionType::kNone;

  int64_t out_pixels() const { return batches * height.out * width.out; }

  // Calls fn(input_index) with the first channel of every input pixel in the window of output pixel
  // `pixel`; returns how many there were.
  template <typename Fn>
  int32_t ForEachPixel(int64_t pixel, Fn fn) const {
    const int64_t x = pixel % width.out;
    const int64_t y = pixel / width.out % height.out;
    const int64_t b = pixel / width.out / height.out;
    int32_t count = 0;
    for (int64_t fy = height.FilterBegin(y); fy < height.FilterEnd(y); ++fy) {
      for (int64_t fx = width.FilterBegin(x); fx < width.FilterEnd(x); ++fx) {
        fn(((b * height.in + height.Origin(y) + fy) * width.in + width.Origin(x) + fx) * channels);
        ++count;
      }
    }
    return count;
  }
};

litert::Expected<Pooling> PoolingOf(const Node& node);

// Quantised input and output have the same scale and zero point: TFLite assumes it.
litert::Expected<Inferred> InferPooling(const Node& node);

}  // namespace npukit::kernels

#endif  // NPUKIT_SDK_HOST_KERNELS_POOLING_POOLING_H_
