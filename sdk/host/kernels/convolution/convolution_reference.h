// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Sums of products as plain loops: the definition that the oracle runs and that fast kernels are
// tested against.

#ifndef NPUKIT_SDK_HOST_KERNELS_CONVOLUTION_CONVOLUTION_REFERENCE_H_
#define NPUKIT_SDK_HOST_KERNELS_CONVOLUTION_CONVOLUTION_REFERENCE_H_

#include <cstdint>

#include "sdk/host/kernels/convolution/conv_geometry.h"

namespace npukit::kernels {

// Calls fn(batch, y, x, out_channel, output_index) for every output in memory order.
template <typename Fn>
void ForEachOutput(const ConvGeometry& geometry, Fn fn) {
  int64_t index = 0;
  for (int64_t b = 0; b < geometry.batches; ++b) {
    for (int64_t y = 0; y < geometry.height.out; ++y) {
      for (int64_t x = 0; x < geometry.width.out; ++x) {
        for (int64_t o = 0; o < geometry.out_channels; ++o) fn(b, y, x, o, index++);
      }
    }
  }
}

// fn(output_index, out_channel, accumulator) with the sum of (in - in_zero_point)(weight -
// weight_zero_point) over the inputs that exist: padding counts as real 0. int64 does not overflow;
// callers cut to int32 where TFLite does.
template <typename In, typename Weight, typename Fn>
void AccumulateIntegers(const ConvGeometry& geometry, const In* in, int32_t in_zero_point,
                        const Weight* weights, int32_t weight_zero_point, Fn fn) {
  ForEachOutput(geometry, [&](int64_t b, int64_t y, int64_t x, int64_t o, int64_t index) {
    int64_t sum = 0;
    geometry.ForEachRun(b, y, x, o, [&](int64_t from, int64_t weight, int64_t count) {
      for (int64_t c = 0; c < count; ++c) {
        const int64_t product =
            static_cast<int64_t>(in[from + c] - in_zero_point) *
            (weights[weight + c * geometry.weight_stride.c] - weight_zero_point);
        sum += product;
      }
    });
    fn(index, o, sum);
  });
}

}  // namespace npukit::kernels

#endif  // NPUKIT_SDK_HOST_KERNELS_CONVOLUTION_CONVOLUTION_REFERENCE_H_
