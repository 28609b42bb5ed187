// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/lower/products/fold_plan.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace acme::compiler {
namespace {

int32_t RowGroupsOf(int32_t depth, const ArrayFeed& feed) {
  int32_t groups = 1;
  while (groups * 2 <= feed.row_groups && groups * 2 * depth <= feed.array_rows) groups *= 2;
  return groups;
}

int64_t OwnCycles(int32_t depth, const ArrayFeed& feed) {
  return feed.row_cycles * kFeedCycle / (RowGroupsOf(depth, feed) * feed.col_groups);
}

// What no way to cut so many rows of weights goes below.
int64_t LeastCycles(int32_t depth, const ArrayFeed& feed) {
  const int32_t part = std::max(1, feed.array_rows / feed.row_groups);
  return std::max(feed.row_cycles * kFeedCycle * ((depth + part - 1) / part) /
                      (feed.row_groups * feed.col_groups),
                  feed.load_cycles);
}

// Words of one of many runs of bytes, so far apart, wherever the first begins.
int64_t RunWords(int64_t bytes, int64_t step_bytes, const ArrayFeed& feed) {
  const int64_t word = feed.word_bytes;
  // Runs of a divisor of a word stand within one if they are as far apart as words.
  if (step_bytes % word == 0 && (bytes % word == 0 || word % bytes == 0))
    return (bytes + word - 1) / word;
  // The most that it touches wherever it begins: its first byte may be a word's last.
  return (bytes + 2 * word - 2) / word;
}

// Whether a window a step further along the row begins where the last one has read already.
bool IsGapless(const Fold& fold, const ArrayFeed& feed) { return feed.stride_w <= fold.taps_w; }

bool IsDense(const Fold& fold, int32_t channels, const ArrayFeed& feed) {
  return feed.dense && fold.channels == channels;
}

// Of rows that meet so many rows of weights and bring so many words, in parts of kFeedCycle.
int64_t Cycles(int32_t depth, int64_t words, const ArrayFeed& feed) {
  const int64_t port_words = feed.port_words * feed.col_groups;
  return std::max(
      {OwnCycles(depth, feed), (words + port_words - 1) / port_words, feed.load_cycles});
}

// Cuts a grid of kernel positions into rectangles of at most `area` positions, by straight cuts
// through all of it.
class RectangleCuts {
 public:
  RectangleCuts(const Fold& position, int32_t area, int32_t channels, const ArrayFeed& feed)
      : position_(position), area_(area), channels_(channels), feed_(feed) {}

  template <class Visit>
  void ForEach(int32_t y, int32_t x, int32_t h, int32_t w, Visit&& visit) {
    const Cut cut = Best(h, w);
    if (cut.rows > 0) {
      ForEach(y, x, cut.rows, w, visit);
      ForEach(y + cut.rows, x, h - cut.rows, w, visit);
    } else if (cut.cols > 0) {
      ForEach(y, x, h, cut.cols, visit);
      ForEach(y, x + cut.cols, h, w - cut.cols, visit);
    } else {
      visit(y, x, h, w);
    }
  }

 private:
  struct Cut {
    int64_t cycles = 0;  // 0: not looked at yet
    int32_t rows = 0;    // cut below so many rows, or
    int32_t cols = 0;    // right of so many columns, or not at all
  };
  // Looking at every cut is for kernels of usual sizes.
  static constexpr int32_t kSearched = 16;
  static constexpr int32_t kSearchedCols = 64;

  Cut Best(int32_t h, int32_t w) {
    // Larger ones are cut into such. That is done, not compared: nobody asks for the cycles.
    if (h > kSearched) return {1, kSearched, 0};
    const int32_t most = h == 1 ? kSearchedCols : kSearched;
    if (w > most) return {1, 0, most};
    Cut& known = best_[static_cast<size_t>(h - 1)][static_cast<size_t>(w - 1)];
    if (known.cycles > 0) return known;
    Cut best{INT64_MAX, 0, 0};
    if (h * w <= area_) {
      Fold whole = position_;
      whole.taps_h = h;
      whole.taps_w = w;
      best.cycles = FeedCycles(whole, channels_, feed_);
      if (best.cycles <= LeastCycles(whole.depth(), feed_)) return known = best;
    }
    for (int32_t rows = 1; rows < h; ++rows) {
      const int64_t cycles = Best(rows, w).cycles + Best(h - rows, w).cycles;
      if (cycles < best.cycles) best = {cycles, rows, 0};
    }
    for (int32_t cols = 1; cols < w; ++cols) {
      const int64_t cycles = Best(h, cols).cycles + Best(h, w - cols).cycles;
      if (cycles < best.cycles) best = {cycles, 0, cols};
    }
    return known = best;
  }

  Fold position_;
  int32_t area_;
  int32_t channels_;
  const ArrayFeed& feed_;
  std::array<std::array<Cut, kSearchedCols>, kSearched> best_ = {};
};

}  // namespace

int64_t FeedCycles(const Fold& fold, int32_t channels, const ArrayFeed& feed) {
  if (feed.word_bytes == 0) return Cycles(fold.depth(), 0, feed);
  const int64_t position_bytes = fold.channels * feed.elem_bytes;
  const bool dense = IsDense(fold, channels, feed);
  const int64_t pixel_bytes = channels * feed.elem_bytes;
  int64_t words = 0;
  // A window that begins where the last one has read brings new columns only. Others bring all of
  // theirs: a row's positions as one run where these stand side by side, otherwise each by itself.
  if (IsGapless(fold, feed)) {
    words = dense ? feed.stride_w * position_bytes * kFeedCycle / feed.word_bytes
                  : feed.stride_w * RunWords(position_bytes, pixel_bytes, feed) * kFeedCycle;
  } else if (dense && !feed.padded) {
    words =
        RunWords(fold.taps_w * position_bytes, feed.stride_w * position_bytes, feed) * kFeedCycle;
  } else {
    words = fold.taps_w * RunWords(position_bytes, feed.stride_w * pixel_bytes, feed) * kFeedCycle;
  }
  return Cycles(fold.depth(), words * fold.taps_h, feed);
}

int64_t FoldsCycles(const std::vector<Fold>& folds, int32_t channels, const ArrayFeed& feed) {
  int64_t cycles = 0;
  for (const Fold& fold : folds) cycles += FeedCycles(fold, channels, feed);
  return cycles;
}

int64_t FeedCyclesAlone(const Fold& fold, int32_t channels, const ArrayFeed& feed) {
  if (feed.word_bytes == 0) return Cycles(fold.depth(), 0, feed);
  const int64_t position_bytes = fold.channels * feed.elem_bytes;
  const int64_t words = IsDense(fold, channels, feed)
                            ? RunWords(fold.taps_w * position_bytes, 1, feed)
                            : fold.taps_w * RunWords(position_bytes, 1, feed);
  return Cycles(fold.depth(), words * fold.taps_h * kFeedCycle, feed);
}

namespace {

// Folds of the channels [c0, c0 + slice) at all kernel positions; their cycles are added.
std::vector<Fold> FoldsOfSlice(const Fold& kernel, int32_t channels, const ArrayFeed& feed,
                               int64_t& cycles) {
  std::vector<Fold> folds;
  Fold position = kernel;
  position.taps_h = position.taps_w = 1;
  RectangleCuts cuts(position, feed.array_rows / kernel.channels, channels, feed);
  cuts.ForEach(0, 0, kernel.taps_h, kernel.taps_w, [&](int32_t y, int32_t x, int32_t h, int32_t w) {
    Fold fold{y, x, h, w, kernel.c0, kernel.channels};
    fold.joined = feed.word_bytes != 0 && w > 1 && IsDense(fold, channels, feed) && !feed.padded &&
                  !IsGapless(fold, feed);
    cycles += FeedCycles(fold, channels, feed);
    folds.push_back(fold);
  });
  return folds;
}

// The same of channels that do not fill the array's rows: as they are, or first of as many as fill a
// half of the rows, or a quarter and so on, whichever takes fewer cycles.
std::vector<Fold> FoldsOfRest(const Fold& kernel, int32_t channels, const ArrayFeed& feed,
                              int64_t& cycles) {
  int64_t whole_cycles = 0;
  std::vector<Fold> whole = FoldsOfSlice(kernel, channels, feed, whole_cycles);
  int32_t part = feed.array_rows / 2;
  while (part >= kernel.channels) part /= 2;
  // To take less than the rows of one block gains nothing.
  if (part < 1 || part * feed.row_groups < feed.array_rows) {
    cycles += whole_cycles;
    return whole;
  }
  Fold first = kernel;
  first.channels = part;
  Fold rest = kernel;
  rest.c0 += part;
  rest.channels -= part;
  int64_t cut_cycles = 0;
  std::vector<Fold> cut = FoldsOfSlice(first, channels, feed, cut_cycles);
  const std::vector<Fold> others = FoldsOfRest(rest, channels, feed, cut_cycles);
  if (cut_cycles >= whole_cycles) {
    cycles += whole_cycles;
    return whole;
  }
  cut.insert(cut.end(), others.begin(), others.end());
  cycles += cut_cycles;
  return cut;
}

}  // namespace

std::vector<Fold> PlanFolds(int32_t kernel_h, int32_t kernel_w, int32_t channels,
                            const ArrayFeed& feed) {
  std::vector<Fold> folds;
  int64_t cycles = 0;
  for (int32_t c0 = 0; c0 < channels; c0 += feed.array_rows) {
    const int32_t slice = std::min(feed.array_rows, channels - c0);
    const Fold kernel{.taps_h = kernel_h, .taps_w = kernel_w, .c0 = c0, .channels = slice};
    const std::vector<Fold> some = FoldsOfRest(kernel, channels, feed, cycles);
    folds.insert(folds.end(), some.begin(), some.end());
  }
  return folds;
}

}  // namespace acme::compiler
