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
  // The positions of a kernel row stand side by side in the image and never beyond its edge, so that
  // they can be read as one of so many times the channels.
  bool joined = false;

  int32_t depth() const { return taps_h * taps_w * channels; }
  bool operator==(const Fold&) const = default;
};

// What feeds the array with the image.
struct ArrayFeed {
  int32_t array_rows = 1;
  int32_t row_cycles = 1;  // of the array, for a row of activations
  int32_t stride_w = 1;    // of the windows, in positions
  int64_t elem_bytes = 1;
  // Words of the scratchpad: their size, and how many come in a cycle. None: what is fed costs
  // nothing.
  int64_t word_bytes = 0;
  int64_t port_words = 1;
  // Parts of the array's rows that may hold the same weights, if these are few, for several rows of
  // activations at once; and how many its columns hold.
  int32_t row_groups = 1;
  int32_t col_groups = 1;
  // Of a fold, in parts of kFeedCycle for each row: until the next one's weights are there.
  int64_t load_cycles = 0;
  bool dense = false;   // there is nothing between one position's channels and the next one's
  bool padded = false;  // windows reach beyond the image's columns
};

// Folds of a kernel of [kernel_h][kernel_w][channels], in the order of their channels. Channels
// beyond a multiple of the array's rows share planes with those of neighbouring kernel positions.
// Of all ways that straight cuts give, the one that the array is through with first.
std::vector<Fold> PlanFolds(int32_t kernel_h, int32_t kernel_w, int32_t channels,
                            const ArrayFeed& feed);

// Cycles that the array needs for a row of the fold: the larger of its own, of the words that a
// window further along a row of the image brings, and of its weights'. In parts of kFeedCycle.
inline constexpr int64_t kFeedCycle = 1024;
int64_t FeedCycles(const Fold& fold, int32_t channels, const ArrayFeed& feed);
int64_t FoldsCycles(const std::vector<Fold>& folds, int32_t channels, const ArrayFeed& feed);
// The same for a window by itself, of which nothing was read before.
int64_t FeedCyclesAlone(const Fold& fold, int32_t channels, const ArrayFeed& feed);

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWER_PRODUCTS_FOLD_PLAN_H_
