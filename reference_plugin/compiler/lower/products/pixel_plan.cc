// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/lower/products/pixel_plan.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <vector>

#include "reference_plugin/compiler/lower/lowering.h"
#include "reference_plugin/compiler/lower/products/conv_tile.h"
#include "simulator/timing/access_words.h"
#include "simulator/timing/instruction_cost.h"

namespace acme::compiler {
namespace {

// What the instructions' fields hold.
constexpr int32_t kLargestKernel = 255;
constexpr int32_t kLargestInput = 4095;

int32_t RowCycles(Dtype dtype, const Hardware& hardware) {
  const int64_t cycles = dtype == Dtype::kI16   ? hardware.int16_cycles_per_row
                         : dtype == Dtype::kF32 ? hardware.f32_cycles_per_row
                                                : hardware.int8_cycles_per_row;
  return static_cast<int32_t>(cycles);
}

int64_t WeightsOf(const Conv& conv, int32_t together) {
  const WindowAxis& w = conv.geometry.w;
  const int64_t wide = w.kernel + (together - 1) * int64_t{w.stride};
  return conv.geometry.h.kernel * wide * conv.in_c * together * conv.out_c *
         WeightBytes(conv.dtype);
}

// Columns of the array that are computed together, from `first` on: tiles of one width each.
struct ColumnTiles {
  int32_t first = 0;
  int32_t width = 0;
  int64_t count = 1;
};

// What v.drain takes for a row of sums, in parts of kFeedCycle: until it is read, until the lanes have
// its results, until the words they stand in are written. Rows that others' channels stand between
// share no word, unless the chip joins such near runs.
int64_t DrainCycles(const Conv& conv, int32_t together, const ColumnTiles& tiles,
                    const Hardware& hardware) {
  const Dtype type = conv.YDtype();
  const int64_t elem = SizeBytes(type);
  const int32_t pixel = conv.part.is_whole() ? conv.out_c : conv.part.y_channels;
  const bool dense = tiles.width == pixel * together;
  const int64_t sums = conv.dtype == Dtype::kI16 ? 2 : 1;  // 64 bits are two rows of accumulators
  const int64_t groups = ColumnGroups(tiles.width, hardware);
  const int64_t read = kFeedCycle * sums / (hardware.accumulator_read_rows * groups);
  const int64_t lanes = kFeedCycle * tiles.width / LanesFor(type, hardware);
  constexpr int64_t kRows = 64;
  const Access written{.addr_bytes = tiles.first * elem,
                       .run_bytes = tiles.width * elem * (dense ? kRows : 1),
                       .count = {dense ? 1 : kRows, 1, 1, 1},
                       .stride = {int64_t{pixel} * together * elem, 0, 0, 0}};
  const PortCycles write =
      CyclesThroughPort(CountWords(written, hardware), hardware.vector_write_words);
  return std::max({read, lanes, kFeedCycle * write.cycles / kRows});
}

// Engine cycles of a plan's column tiles, in parts of kFeedCycle and doubled.
int64_t TilesCost(const Conv& conv, int32_t together, const ColumnTiles& tiles,
                  const Hardware& hardware) {
  if (tiles.count == 0) return 0;
  const WindowGeometry& g = conv.geometry;
  const ArrayFeed feed = FeedOf(conv, together, tiles.width, hardware);
  const int32_t wide = g.w.kernel + (together - 1) * g.w.stride;
  const std::vector<Fold> folds = PlanFolds(g.h.kernel, wide, conv.in_c, feed);
  const int64_t cycles = FoldsCycles(folds, conv.in_c, feed);
  int64_t alone = 0;
  for (const Fold& fold : folds) alone += FeedCyclesAlone(fold, conv.in_c, feed);
  const int64_t drain = 2 * DrainCycles(conv, together, tiles, hardware);
  int64_t cost = int64_t{g.h.out} * (g.w.out / together) * tiles.count * (2 * cycles + drain);
  if (g.w.out % together != 0) {
    // The last ones of each row are a tile by themselves: its planes are loaded for few rows, and it
    // has a drain of its own.
    const int64_t load = hardware.array_rows / hardware.weight_rows_per_cycle;
    cost += 2 * kFeedCycle * tiles.count * (hardware.array_rows + hardware.array_cols);
    cost += tiles.count * (int64_t{g.h.out} * (2 * alone + drain) +
                           2 * kFeedCycle * load * static_cast<int64_t>(folds.size()));
  }
  return cost;
}

// What is left beside whole tiles of the used columns, as one tile or as two, and its cost.
struct LastTiles {
  std::vector<int32_t> widths;
  int64_t cost = 0;
};
LastTiles PlanLastTiles(const Conv& conv, int32_t together, const Hardware& hardware) {
  const int32_t cols = conv.out_c * together;
  const int32_t used_cols = UsedColumns(conv, hardware);
  const int32_t rest = cols % used_cols;
  if (rest == 0) return {};
  const int32_t first = cols - rest;
  LastTiles one{{rest}, TilesCost(conv, together, {first, rest}, hardware)};
  const int32_t half = used_cols / 2;
  if (rest <= half || ColumnGroups(half, hardware) == 1) return one;
  LastTiles two{{half, rest - half},
                TilesCost(conv, together, {first, half}, hardware) +
                    TilesCost(conv, together, {first + half, rest - half}, hardware)};
  return two.cost < one.cost ? two : one;
}

// The same of a plan.
int64_t PlanCost(const Conv& conv, int32_t together, const Hardware& hardware) {
  const int32_t used_cols = UsedColumns(conv, hardware);
  const ColumnTiles whole{0, used_cols, conv.out_c * together / used_cols};
  int64_t cost =
      TilesCost(conv, together, whole, hardware) + PlanLastTiles(conv, together, hardware).cost;
  if (together > 1) cost += WeightsOf(conv, together) * kFeedCycle / hardware.dram_bytes_per_cycle;
  return cost;
}

// Whether a convolution of cut pixels can be computed in tiles of whole channels.
bool CanCut(const Conv& conv, int32_t parts, const Hardware& hardware) {
  const WindowAxis& w = conv.geometry.w;
  if (!FeedOf(conv, 1, hardware).dense || w.dilation != 1) return false;
  return int64_t{w.in} * parts <= kLargestInput && w.kernel * parts <= kLargestKernel &&
         w.stride * parts <= kLargestKernel && std::abs(w.pad) * parts <= kLargestKernel;
}

bool CanGoTogether(const Conv& conv, int32_t together, const Hardware& hardware) {
  const WindowAxis& w = conv.geometry.w;
  if (together == 1) return true;
  if (w.stride * together > kLargestKernel || w.kernel + (together - 1) * w.stride > kLargestKernel)
    return false;
  if (w.out % together == 0) return true;
  // Weights should stay for the last ones.
  return together < w.out && WeightsOf(conv, together) <= GuaranteedStepBytes(hardware) / 4;
}

struct Planned {
  PixelPlan plan;
  int64_t cost = INT64_MAX;
};

void TryTogether(const Conv& cut, int32_t parts, const Hardware& hardware, Planned& best) {
  // Beyond the array's columns a few pixels may still fill its last columns or rows better.
  constexpr int32_t kMostBeyond = 4;
  constexpr std::array<int32_t, 13> kCounts = {1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 24, 32, 64};
  const ConvPart& part = cut.part;
  const bool alone = cut.geometry.w.dilation != 1 || cut.factor_a_pixel || cut.residual_c > 0 ||
                     cut.scales_and_biases != kNoValue ||
                     (!part.is_whole() && (part.col_step != 1 || part.y_channels != cut.out_c));
  for (int32_t together : kCounts) {
    if (together > 1 && alone) return;
    if (together > kMostBeyond && together * cut.out_c > UsedColumns(cut, hardware)) return;
    if (!CanGoTogether(cut, together, hardware)) continue;
    const int64_t cost = PlanCost(cut, together, hardware);
    if (cost >= best.cost) continue;
    if ((parts > 1 || together > 1) && !ConvPlanFits(cut, together, hardware)) continue;
    best = {{parts, together}, cost};
  }
}

Planned Plan(const Conv& conv, const Hardware& hardware) {
  Planned best;
  TryTogether(conv, 1, hardware, best);
  const auto rows = static_cast<int32_t>(hardware.array_rows);
  // The fewest parts whose channels divide the array's rows.
  const int32_t parts = conv.in_c / std::gcd(conv.in_c, rows);
  if (parts > 1 && CanCut(conv, parts, hardware))
    TryTogether(CutPixels(conv, parts), parts, hardware, best);
  return best;
}

}  // namespace

PixelPlan PlanPixels(const Conv& conv, const Hardware& hardware) {
  return Plan(conv, hardware).plan;
}

int64_t ConvEngineCycles(const Conv& conv, const Hardware& hardware) {
  return Plan(conv, hardware).cost / kFeedCycle;
}

Conv CutPixels(const Conv& conv, int32_t parts) {
  Conv cut = conv;
  WindowAxis& w = cut.geometry.w;
  cut.in_c /= parts;
  w.in *= parts;
  w.kernel *= parts;
  w.stride *= parts;
  w.pad *= parts;
  cut.part.x_channels /= parts;
  return cut;
}

int64_t PlaneBytes(const Conv& conv, int32_t cols, const Hardware& hardware) {
  return hardware.array_rows * cols * (conv.dtype == Dtype::kF32 ? 4 : 1);
}

int32_t UsedColumns(const Conv& conv, const Hardware& hardware) {
  // Conv::Lower gives a chunk of weights an eighth, which holds a plane at least and may be a little more for that.
  constexpr int64_t kPlaneShare = 6;
  const auto array_cols = static_cast<int32_t>(hardware.array_cols);
  // Parts of one width: layers are cut by the array's columns.
  for (int32_t parts = 1; parts < array_cols; ++parts) {
    const int32_t cols = array_cols / parts;
    if (array_cols % parts == 0 &&
        PlaneBytes(conv, cols, hardware) <= GuaranteedStepBytes(hardware) / kPlaneShare)
      return cols;
  }
  return 1;
}

std::vector<int32_t> LastColumnTiles(const Conv& conv, int32_t together, const Hardware& hardware) {
  return PlanLastTiles(conv, together, hardware).widths;
}

ArrayFeed FeedOf(const Conv& conv, int32_t together, const Hardware& hardware) {
  const int64_t cols = int64_t{conv.out_c} * together;
  const int64_t most = UsedColumns(conv, hardware);
  return FeedOf(conv, together, static_cast<int32_t>(std::min(cols, most)), hardware);
}

ArrayFeed FeedOf(const Conv& conv, int32_t together, int32_t cols, const Hardware& hardware) {
  const WindowAxis& w = conv.geometry.w;
  const int64_t rows = int64_t{conv.geometry.h.out} * std::max(1, w.out / together);
  const int64_t load =
      hardware.array_rows / hardware.weight_rows_per_cycle * WeightBytes(conv.dtype) +
      hardware.weight_swap_cycles;
  const int32_t end = (w.out - 1) * w.stride - w.pad + (w.kernel - 1) * w.dilation + 1;
  const int64_t word = hardware.scratchpad_word_bytes;
  return {
      .array_rows = static_cast<int32_t>(hardware.array_rows),
      .row_cycles = RowCycles(conv.dtype, hardware),
      .stride_w = w.stride * together,
      .elem_bytes = SizeBytes(conv.dtype),
      .word_bytes = word,
      .port_words = (hardware.array_rows + word - 1) / word + 1,
      .row_groups = static_cast<int32_t>(hardware.row_groups),
      .col_groups = static_cast<int32_t>(ColumnGroups(cols, hardware)),
      .load_cycles = load * kFeedCycle / std::min(rows, hardware.accumulator_rows / 2),
      .dense = w.dilation == 1 && (conv.part.x_channels == 0 || conv.part.x_channels == conv.in_c),
      .padded = w.pad > 0 || end > w.in};
}

}  // namespace acme::compiler
