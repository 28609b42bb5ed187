// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// How the reduction of a convolution is cut into folds: what one loaded plane of weights covers.

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWER_PRODUCTS_FOLD_PLAN_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWER_PRODUCTS_FOLD_PLAN_H_

#include <cstdint>
#include <vector>

namespace acme::compiler {

// taps_h x taps_w kernel positions from (ky, kx), of each `channels` channels from c0.
struct Fold {
  int32_t ky = 0;
  int32_t kx = 0;
  int32_t taps_h = 1;
  int32_t taps_w = 1;
  int32_t c0 = 0;
  int32_t channels = 0;

  int32_t depth() const { return taps_h * taps_w * channels; }
  bool operator==(const Fold&) const = default;
};

// Folds of a kernel of [kernel_h][kernel_w][channels] on an array with so many rows, in the order
// of their channels. Channels beyond a multiple of the array's rows share planes with those of
// neighbouring kernel positions.
std::vector<Fold> PlanFolds(int32_t kernel_h, int32_t kernel_w, int32_t channels,
                            int32_t array_rows);

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWER_PRODUCTS_FOLD_PLAN_H_
