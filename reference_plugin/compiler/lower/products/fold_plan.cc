// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/lower/products/fold_plan.h"

#include <algorithm>
#include <map>
#include <utility>

namespace acme::compiler {
namespace {

// Cuts a grid of kernel positions into the fewest rectangles of at most `area` positions that
// straight cuts through all of it can give.
class RectangleCuts {
 public:
  explicit RectangleCuts(int32_t area) : area_(area) {}

  template <class Visit>
  void ForEach(int32_t y, int32_t x, int32_t h, int32_t w, Visit&& visit) {
    if (h * w <= area_) {
      visit(y, x, h, w);
      return;
    }
    const Cut cut = Best(h, w);
    if (cut.rows > 0) {
      ForEach(y, x, cut.rows, w, visit);
      ForEach(y + cut.rows, x, h - cut.rows, w, visit);
    } else {
      ForEach(y, x, h, cut.cols, visit);
      ForEach(y, x + cut.cols, h, w - cut.cols, visit);
    }
  }

 private:
  struct Cut {
    int32_t count = 0;
    int32_t rows = 0;  // cut below so many rows, or
    int32_t cols = 0;  // right of so many columns
  };

  Cut Best(int32_t h, int32_t w) {
    if (h * w <= area_) return {1, 0, 0};
    // Looking at every cut is for kernels of usual sizes.
    constexpr int32_t kSearched = 16;
    if (h > kSearched) return {0, kSearched, 0};
    if (w > kSearched) return {0, 0, kSearched};
    const auto [it, inserted] = best_.try_emplace({h, w});
    if (!inserted) return it->second;
    Cut best{h * w + 1, 0, 0};
    for (int32_t rows = 1; rows < h; ++rows) {
      const int32_t count = Best(rows, w).count + Best(h - rows, w).count;
      if (count < best.count) best = {count, rows, 0};
    }
    for (int32_t cols = 1; cols < w; ++cols) {
      const int32_t count = Best(h, cols).count + Best(h, w - cols).count;
      if (count < best.count) best = {count, 0, cols};
    }
    return best_[{h, w}] = best;
  }

  int32_t area_;
  std::map<std::pair<int32_t, int32_t>, Cut> best_;
};

}  // namespace

std::vector<Fold> PlanFolds(int32_t kernel_h, int32_t kernel_w, int32_t channels,
                            int32_t array_rows) {
  std::vector<Fold> folds;
  for (int32_t c0 = 0; c0 < channels; c0 += array_rows) {
    const int32_t slice = std::min(array_rows, channels - c0);
    RectangleCuts cuts(array_rows / slice);
    cuts.ForEach(0, 0, kernel_h, kernel_w, [&](int32_t y, int32_t x, int32_t h, int32_t w) {
      folds.push_back({y, x, h, w, c0, slice});
    });
  }
  return folds;
}

}  // namespace acme::compiler
