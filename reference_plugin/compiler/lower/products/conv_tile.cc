// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/lower/products/conv_tile.h"

#include <algorithm>

#include "reference_plugin/compiler/lower/lowering.h"
#include "reference_plugin/compiler/lower/products/fold_plan.h"

namespace acme::compiler {
namespace {

// The matrix engine's rows and, half as dear, the drain's; doubled.
int64_t EngineRows(const Conv& conv, int32_t pixels, const Hardware& hardware) {
  const WindowAxis& w = conv.geometry.w;
  const int32_t wide = w.kernel + (pixels - 1) * w.stride;
  const auto folds = static_cast<int64_t>(
      PlanFolds(conv.geometry.h.kernel, wide, conv.in_c, static_cast<int32_t>(hardware.array_rows))
          .size());
  const int64_t tiles =
      (int64_t{conv.out_c} * pixels + hardware.array_cols - 1) / hardware.array_cols;
  return int64_t{conv.geometry.h.out} * w.out / pixels * tiles * (2 * folds + 1);
}

int64_t EngineRowCycles(const Conv& conv, const Hardware& hardware) {
  if (conv.dtype == Dtype::kI16) return hardware.int16_cycles_per_row;
  return conv.dtype == Dtype::kF32 ? hardware.f32_cycles_per_row : hardware.int8_cycles_per_row;
}

}  // namespace

int64_t ConvEngineRows(const Conv& conv, const Hardware& hardware) {
  return EngineRows(conv, ChoosePixelsTogether(conv, hardware), hardware);
}

int32_t ChoosePixelsTogether(const Conv& conv, const Hardware& hardware) {
  const WindowAxis& w = conv.geometry.w;
  if (w.dilation != 1) return 1;
  const ConvPart& part = conv.part;
  if (!part.is_whole() && (part.col_step != 1 || part.y_channels != conv.out_c)) return 1;
  // Beyond the array's columns a few pixels may still fill its last columns or rows better.
  constexpr int32_t kMostBeyond = 4;
  int64_t best_cycles = INT64_MAX;
  int32_t best = 1;
  for (int32_t pixels = 1; pixels <= kMostBeyond || pixels * conv.out_c <= hardware.array_cols;
       pixels *= 2) {
    if (w.out % pixels != 0) break;
    const int32_t wide = w.kernel + (pixels - 1) * w.stride;
    if (w.stride * pixels > 255 || wide > 255) break;
    // Wider kernels have more weights to load.
    const int64_t weight_bytes = int64_t{conv.geometry.h.kernel} * wide * conv.in_c * pixels *
                                 conv.out_c * WeightBytes(conv.dtype);
    const int64_t cycles = EngineRows(conv, pixels, hardware) * EngineRowCycles(conv, hardware) +
                           (pixels == 1 ? 0 : weight_bytes / hardware.dram_bytes_per_cycle);
    if (cycles < best_cycles) {
      best_cycles = cycles;
      best = pixels;
    }
  }
  return best;
}

int64_t ConvTileInputBytes(const Conv& conv, const ConvTile& tile) {
  return conv.geometry.h.MostInputs(tile.rows) * conv.geometry.w.MostInputs(tile.cols) *
         tile.channels * SizeBytes(conv.dtype);
}

ConvTile ChooseConvTile(const Conv& conv, bool stream_x, int64_t x_bytes,
                        const Hardware& hardware) {
  constexpr int32_t kLargestExtent = 2047;  // of the instruction's fields
  constexpr int32_t kLargestInput = 4095;
  const int64_t acc_rows =
      std::max<int64_t>(1, hardware.accumulator_rows / 2 / (conv.dtype == Dtype::kI16 ? 2 : 1));
  const WindowGeometry& g = conv.geometry;
  const int32_t pixels = ChoosePixelsTogether(conv, hardware);
  ConvTile tile{std::min(g.h.out, kLargestExtent),
                std::min(g.w.out, kLargestExtent / pixels * pixels), conv.in_c};
  const auto halve = [](int32_t& extent, int32_t step) {
    extent = std::max(step, (extent / step + 1) / 2 * step);
  };
  while (tile.cols / pixels > acc_rows && tile.cols > pixels) halve(tile.cols, pixels);
  while (g.w.in > kLargestInput && g.w.MostInputs(tile.cols) > kLargestInput && tile.cols > pixels)
    halve(tile.cols, pixels);
  tile.rows = static_cast<int32_t>(std::min<int64_t>(
      tile.rows, std::max<int64_t>(1, acc_rows / std::max(1, tile.cols / pixels))));
  while (tile.rows > 1 &&
         (int64_t{tile.rows} - 1) * g.h.stride + (g.h.kernel - 1) * g.h.dilation + 1 >
             kLargestInput)
    tile.rows = (tile.rows + 1) / 2;
  if (!stream_x) return tile;
  const auto fits = [&] { return ConvTileInputBytes(conv, tile) <= x_bytes; };
  while (!fits() && tile.rows > 1) tile.rows = (tile.rows + 1) / 2;
  const auto array_rows = static_cast<int32_t>(hardware.array_rows);
  while (!fits() && tile.cols > 8 * pixels) halve(tile.cols, pixels);
  while (!fits() && tile.channels > array_rows) halve(tile.channels, array_rows);
  while (!fits() && tile.cols > pixels) halve(tile.cols, pixels);
  return tile;
}

bool ConvFits(const Conv& conv, const Hardware& hardware) {
  const int64_t bytes = GuaranteedStepBytes(hardware);
  const ConvTile tile = ChooseConvTile(conv, /*stream_x=*/true, bytes / 4, hardware);
  const int64_t plane_bytes =
      hardware.array_rows * hardware.array_cols * (conv.dtype == Dtype::kF32 ? 4 : 1);
  const int64_t acc_rows = int64_t{tile.rows} * tile.cols / ChoosePixelsTogether(conv, hardware) *
                           (conv.dtype == Dtype::kI16 ? 2 : 1);
  return ConvTileInputBytes(conv, tile) <= bytes / 4 && plane_bytes <= bytes / 8 &&
         acc_rows <= hardware.accumulator_rows / 2;
}

}  // namespace acme::compiler
