// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Hybrid operators as TFLite runs them: a float kernel that reads its first input as it is after
// rounding to 8 bits, row by row (dynamic_quantization.h). Its sums are then TFLite's but for the
// rounding of float32.

#ifndef NPUKIT_SDK_HOST_KERNELS_FIXED_POINT_ROUNDED_ACTIVATIONS_H_
#define NPUKIT_SDK_HOST_KERNELS_FIXED_POINT_ROUNDED_ACTIVATIONS_H_

#include <cstdint>
#include <memory>

#include "sdk/host/kernels/kernel.h"

namespace npukit::kernels {

// Rows of input 0 that share a scale: element (group, row, col) lies at
// group * rows * cols + row * row_stride + col * col_stride.
struct ActivationRows {
  int64_t groups = 1;
  int64_t rows = 1;
  int64_t cols = 1;
  int64_t row_stride = 1;
  int64_t col_stride = 1;
  bool asymmetric = false;

  // [rows, cols] without gaps.
  static ActivationRows Dense(int64_t rows, int64_t cols, bool asymmetric) {
    return {.rows = rows, .cols = cols, .row_stride = cols, .asymmetric = asymmetric};
  }
};

std::unique_ptr<Kernel> WithRoundedActivations(std::unique_ptr<Kernel> kernel,
                                               const ActivationRows& rows);

}  // namespace npukit::kernels

#endif  // NPUKIT_SDK_HOST_KERNELS_FIXED_POINT_ROUNDED_ACTIVATIONS_H_
