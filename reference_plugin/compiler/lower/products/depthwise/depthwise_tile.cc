// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// How a depthwise convolution is cut into tiles.

#include <algorithm>

#include "reference_plugin/compiler/lower/lowering.h"
#include "reference_plugin/compiler/lower/products/depthwise/depthwise.h"
#include "reference_plugin/compiler/lower/products/depthwise/depthwise_task.h"
#include "reference_plugin/compiler/placement/alignment.h"
#include "reference_plugin/compiler/tasks/task_cost.h"
#include "simulator/timing/access_words.h"
#include "simulator/timing/instruction_cost.h"

namespace acme::compiler {

int64_t DepthwiseTileBytes(const Depthwise& op, const DepthwiseTile& tile, bool stream_x,
                           bool stream_y) {
  const int64_t x =
      AlignUp(op.geometry.h.MostInputs(tile.rows) * op.geometry.w.MostInputs(tile.cols) *
              (tile.channels / op.multiplier) * SizeBytes(op.dtype));
  const int64_t y =
      AlignUp(int64_t{tile.rows} * tile.cols * tile.channels * SizeBytes(op.YDtype()));
  return (stream_x ? x : 0) + (stream_y ? y : 0) + ParameterBytes(op, tile.channels);
}

namespace {

// Cycles of all tiles, each as the one in the middle of a value in the scratchpad.
int64_t EstimateTiles(const Depthwise& op, const DepthwiseTile& tile, const Hardware& hardware) {
  const WindowGeometry& g = op.geometry;
  TilePlaces places;
  const auto elem = static_cast<int32_t>(SizeBytes(op.dtype));
  places.in_rows = static_cast<int32_t>(g.h.MostInputs(tile.rows));
  places.in_cols = static_cast<int32_t>(g.w.MostInputs(tile.cols));
  places.x.stride_bytes = {elem, op.in_c * elem, op.in_c * g.w.in * elem, 0};
  const auto y_elem = static_cast<int32_t>(SizeBytes(op.YDtype()));
  places.y.stride_bytes = {y_elem, op.out_c() * y_elem, op.out_c() * g.w.out * y_elem, 0};
  places.tap_stride = op.out_c() * WeightBytes(op.dtype);
  EngineState state;
  const int64_t cycles = EstimateTask(MakeTask(op, tile, places), state, hardware).busy_cycles;
  return cycles * g.batches * CeilDiv(g.h.out, tile.rows) * CeilDiv(g.w.out, tile.cols) *
         CeilDiv(op.out_c(), tile.channels);
}

constexpr int32_t kLargestInput = 4095;  // of the instruction's fields
constexpr int64_t kWorthPercent = 80;

bool Halve(int32_t& extent, int32_t step) {
  if (extent <= step) return false;
  extent = std::max(step, (extent / step + 1) / 2 * step);
  return true;
}

class TileChooser {
 public:
  TileChooser(const Depthwise& op, bool stream_x, bool stream_y, int64_t max_bytes,
              const Hardware& hardware)
      : op_(op),
        stream_x_(stream_x),
        stream_y_(stream_y),
        max_bytes_(max_bytes),
        hardware_(hardware),
        whole_rows_(static_cast<int32_t>(hardware.array_cols) * op.multiplier) {}

  DepthwiseTile Choose() const {
    const DepthwiseTile coarse = stream_x_ || stream_y_ ? CheapestThatFits() : LargestThatFits();
    return Finer(coarse);
  }

 private:
  DepthwiseTile Whole() const { return {op_.geometry.h.out, op_.geometry.w.out, op_.out_c()}; }

  bool Fits(const DepthwiseTile& tile) const {
    return DepthwiseTileBytes(op_, tile, stream_x_, stream_y_) <= max_bytes_ &&
           op_.geometry.h.MostInputs(tile.rows) <= kLargestInput &&
           op_.geometry.w.MostInputs(tile.cols) <= kLargestInput &&
           int64_t{tile.rows} * tile.cols * tile.channels <= (1 << 23);
  }

  DepthwiseTile LargestThatFits() const {
    DepthwiseTile tile = Whole();
    while (!Fits(tile) && tile.rows > 4 && Halve(tile.rows, 1)) {
    }
    while (!Fits(tile) && tile.channels > 4 * whole_rows_ && Halve(tile.channels, whole_rows_)) {
    }
    while (!Fits(tile) && Halve(tile.rows, 1)) {
    }
    while (!Fits(tile) && Halve(tile.channels, op_.multiplier)) {
    }
    while (!Fits(tile) && Halve(tile.cols, 1)) {
    }
    return tile;
  }

  // Rows, columns and channels are cut where the windows then see less twice, and DRAM bursts are
  // used whole.
  DepthwiseTile CheapestThatFits() const {
    DepthwiseTile best = LargestThatFits();
    // The largest leaves the engines most to do side by side, which the estimate does not see.
    int64_t fewest = Cycles(best) * kWorthPercent / 100;
    DepthwiseTile tile = Whole();
    do {
      tile.cols = op_.geometry.w.out;
      do {
        tile.rows = op_.geometry.h.out;
        while (!Fits(tile) && Halve(tile.rows, 1)) {
        }
        if (!Fits(tile) || DramCycles(tile) >= fewest) continue;
        const int64_t cycles = Cycles(tile);
        if (cycles >= fewest) continue;
        fewest = cycles;
        best = tile;
      } while (Halve(tile.cols, 1));
    } while (Halve(tile.channels, whole_rows_));
    return best;
  }

  // Finer: by rows while the matrix engine makes the operand in several parts of all channels, else
  // by channels, which is how it makes one part.
  DepthwiseTile Finer(DepthwiseTile tile) const {
    const int64_t limit = Cycles(tile) * 5 / 4;
    const auto sums = static_cast<int32_t>(hardware_.accumulator_rows / 2);
    if (int64_t{tile.rows} * tile.cols > sums) {
      while (int64_t{tile.rows} * tile.cols > sums) {
        DepthwiseTile finer = tile;
        if (!Halve(finer.rows, 1) || Cycles(finer) > limit) break;
        tile = finer;
      }
      return tile;
    }
    const int32_t slice = whole_rows_ * 2;
    for (int32_t channels : {whole_rows_, slice, 2 * slice}) {
      if (channels >= tile.channels) break;
      DepthwiseTile finer = tile;
      finer.channels = channels;
      if (Cycles(finer) > limit) continue;
      tile = finer;
      break;
    }
    return tile;
  }

  int64_t Cycles(const DepthwiseTile& tile) const {
    return std::max(EstimateTiles(op_, tile, hardware_), DramCycles(tile));
  }

  // Of what streams, in whole bursts.
  int64_t DramCycles(const DepthwiseTile& tile) const {
    const WindowGeometry& g = op_.geometry;
    int64_t bytes = 0;
    if (stream_x_) {
      bytes += BurstBytes(g.h.MostInputs(tile.rows), g.w.MostInputs(tile.cols),
                          tile.channels / op_.multiplier, op_.in_c, g.w.in, op_.dtype);
    }
    if (stream_y_)
      bytes += BurstBytes(tile.rows, tile.cols, tile.channels, op_.out_c(), g.w.out, op_.YDtype());
    return bytes * g.batches * CeilDiv(g.h.out, tile.rows) * CeilDiv(g.w.out, tile.cols) *
           CeilDiv(op_.out_c(), tile.channels) / hardware_.dram_bytes_per_cycle;
  }
  // Of a box of an image with so many channels and columns.
  int64_t BurstBytes(int64_t rows, int64_t cols, int64_t channels, int64_t all_channels,
                     int64_t all_cols, Dtype dtype) const {
    const int64_t elem = SizeBytes(dtype);
    const int64_t burst = hardware_.dram_burst_bytes;
    int64_t runs = rows * cols;
    int64_t run = channels * elem;
    if (channels == all_channels) {
      runs = cols == all_cols ? 1 : rows;
      run *= rows * cols / runs;
    }
    const bool aligned = all_channels * elem % burst == 0 && run % burst == 0;
    // One that begins anywhere has half a burst before and behind that it does not need.
    return runs * (aligned ? run : run + burst);
  }

  const Depthwise& op_;
  bool stream_x_;
  bool stream_y_;
  int64_t max_bytes_;
  const Hardware& hardware_;
  int32_t whole_rows_;
};

}  // namespace

DepthwiseTile ChooseDepthwiseTile(const Depthwise& op, bool stream_x, bool stream_y,
                                  int64_t max_bytes, const Hardware& hardware) {
  return TileChooser(op, stream_x, stream_y, max_bytes, hardware).Choose();
}

int64_t DepthwiseLaneCycles(const Depthwise& op, const Hardware& hardware) {
  const WindowGeometry& g = op.geometry;
  const int64_t passes = CeilDiv(int64_t{g.h.kernel} * g.w.kernel, hardware.depthwise_taps);
  const int64_t elems = int64_t{g.w.out} * op.out_c();
  const int64_t row = std::max(CeilDiv(elems, LanesFor(op.dtype, hardware)) * passes,
                               CeilDiv(elems, LanesFor(op.YDtype(), hardware)));
  return g.h.out * row;
}

}  // namespace acme::compiler
