// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/lower/products/conv_block.h"

#include <algorithm>
#include <vector>

#include "reference_plugin/compiler/lower/products/fold_plan.h"
#include "reference_plugin/compiler/lower/products/pixel_plan.h"

namespace acme::compiler {
namespace {

// Of the cycles without blocks, in percent: what the estimate leaves out is not worth less.
constexpr int64_t kWorthPercent = 90;

class BlockChooser {
 public:
  BlockChooser(const Conv& conv, int64_t step_bytes, const Hardware& hardware)
      : conv_(conv),
        hardware_(hardware),
        step_bytes_(step_bytes),
        elem_bytes_(SizeBytes(conv.dtype)),
        feed_(FeedOf(conv, 1, hardware)),
        folds_(static_cast<int64_t>(
            PlanFolds(conv.geometry.h.kernel, conv.geometry.w.kernel, conv.in_c, feed_).size())),
        used_cols_(UsedColumns(conv, hardware)),
        column_tiles_(Parts(conv.out_c, used_cols_)),
        tap_bytes_(int64_t{conv.geometry.h.kernel} * conv.geometry.w.kernel *
                   WeightBytes(conv.dtype)) {}

  int64_t WeightBytesOf(int64_t channels, int64_t columns) const {
    return channels * columns * tap_bytes_;
  }
  int64_t AllWeights() const { return WeightBytesOf(conv_.in_c, conv_.out_c); }

  // Of tiles that take all columns, with all weights for each.
  int64_t CyclesByTile(const ConvTile& tile) const {
    const int64_t slices = Parts(conv_.in_c, tile.channels);
    const int64_t image = ImageBytes(tile) * (slices > 1 ? column_tiles_ : 1);
    return Cycles(tile, image + ConvTiles(conv_, tile) * AllWeights());
  }

  int64_t CyclesOf(const ConvBlock& block) const {
    const int64_t groups = Parts(column_tiles_, block.column_tiles);
    const int64_t loads = block.keeps_weights ? 1 : ConvTiles(conv_, block.tile);
    return Cycles(block.tile, groups * ImageBytes(block.tile) + loads * AllWeights());
  }

  // Of so many column tiles: the largest tile of pixels that the accumulators hold and of which a
  // slice of the channels fits. False if there is none.
  bool Fill(ConvBlock& block) const {
    const WindowGeometry& g = conv_.geometry;
    const int64_t most =
        std::min(ConvTileSums(conv_, hardware_) / block.column_tiles, kLargestExtent);
    if (most < 1) return false;
    ConvTile& tile = block.tile;
    tile.cols = static_cast<int32_t>(std::min<int64_t>(g.w.out, most));
    tile.rows = static_cast<int32_t>(std::min<int64_t>(g.h.out, most / tile.cols));
    const int64_t columns = block.column_tiles * used_cols_;
    // Whole folds, of a burst of each pixel at least.
    const int64_t burst = std::max<int64_t>(1, hardware_.dram_burst_bytes / elem_bytes_);
    const int64_t unit = Parts(burst, hardware_.array_rows) * hardware_.array_rows;
    for (;; tile.rows = (tile.rows + 1) / 2) {
      const int64_t pixels = g.h.MostInputs(tile.rows) * g.w.MostInputs(tile.cols);
      // A quarter of a step each: the next pixels and weights come while these are read.
      const int64_t fit = std::min(step_bytes_ / 4 / (pixels * elem_bytes_),
                                   step_bytes_ / 4 / WeightBytesOf(1, columns));
      tile.channels = static_cast<int32_t>(std::min<int64_t>(conv_.in_c, fit / unit * unit));
      if (tile.channels > 0) break;
      if (tile.rows == 1) return false;
    }
    block.keeps_weights = WeightBytesOf(conv_.in_c, columns) <= step_bytes_ / 2;
    return g.h.MostInputs(tile.rows) <= kLargestInput && g.w.MostInputs(tile.cols) <= kLargestInput;
  }

  int64_t column_tiles() const { return column_tiles_; }

 private:
  static constexpr int64_t kLargestExtent = 2047;  // of the instruction's fields
  static constexpr int64_t kLargestInput = 4095;

  static int64_t Parts(int64_t extent, int64_t part) { return (extent + part - 1) / part; }
  int64_t ImageBytes(const ConvTile& tile) const {
    return ConvPixelsRead(conv_, tile) * conv_.in_c * elem_bytes_;
  }
  int64_t Cycles(const ConvTile& tile, int64_t dram_bytes) const {
    return EstimateCycles({.tiles = ConvTiles(conv_, tile),
                           .pixels = int64_t{tile.rows} * tile.cols,
                           .folds = folds_,
                           .column_tiles = column_tiles_,
                           .row_cycles = feed_.row_cycles},
                          dram_bytes, hardware_);
  }

  const Conv& conv_;
  const Hardware& hardware_;
  int64_t step_bytes_;
  int64_t elem_bytes_;
  ArrayFeed feed_;
  int64_t folds_;
  int64_t used_cols_;
  int64_t column_tiles_;
  int64_t tap_bytes_;  // of a weight at all positions of the kernel
};

}  // namespace

int64_t EstimateCycles(const ArrayPasses& passes, int64_t dram_bytes, const Hardware& hardware) {
  // Fewer do not hide the next weights and the way through the array.
  const int64_t least_cycles = 2 * hardware.array_rows;
  const int64_t fold_cycles = std::max(passes.pixels * passes.row_cycles, least_cycles);
  return std::max(passes.tiles * passes.column_tiles * passes.folds * fold_cycles,
                  dram_bytes / hardware.dram_bytes_per_cycle);
}

std::optional<ConvBlock> ChooseConvBlock(const Conv& conv, int64_t step_bytes, int64_t x_bytes,
                                         const Hardware& hardware) {
  const BlockChooser chooser(conv, step_bytes, hardware);
  if (chooser.AllWeights() <= step_bytes / 2) return std::nullopt;
  const ConvTile whole = ChooseConvTile(conv, 1, /*stream_x=*/true, x_bytes, hardware);
  int64_t fewest = chooser.CyclesByTile(whole) * kWorthPercent / 100;
  std::optional<ConvBlock> best;
  for (int32_t tiles = 1; tiles <= chooser.column_tiles(); tiles += 1 + tiles / 4) {
    ConvBlock block{.tile = {}, .column_tiles = tiles};
    if (!chooser.Fill(block)) continue;
    const int64_t cycles = chooser.CyclesOf(block);
    if (cycles >= fewest) continue;
    fewest = cycles;
    best = block;
  }
  return best;
}

}  // namespace acme::compiler
