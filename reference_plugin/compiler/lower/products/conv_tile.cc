// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/lower/products/conv_tile.h"

#include <algorithm>

#include "reference_plugin/compiler/lower/lowering.h"
#include "reference_plugin/compiler/lower/products/pixel_plan.h"

namespace acme::compiler {

int64_t ConvTiles(const Conv& conv, const ConvTile& tile) {
  const auto parts = [](int32_t extent, int32_t part) {
    return (int64_t{extent} + part - 1) / part;
  };
  const WindowGeometry& g = conv.geometry;
  return g.batches * parts(g.h.out, tile.rows) * parts(g.w.out, tile.cols);
}

int64_t ConvPixelsRead(const Conv& conv, const ConvTile& tile) {
  return ConvTiles(conv, tile) * conv.geometry.h.MostInputs(tile.rows) *
         conv.geometry.w.MostInputs(tile.cols);
}

int64_t ConvTileInputBytes(const Conv& conv, const ConvTile& tile) {
  return conv.geometry.h.MostInputs(tile.rows) * conv.geometry.w.MostInputs(tile.cols) *
         tile.channels * SizeBytes(conv.dtype);
}

int64_t ConvTileSums(const Conv& conv, const Hardware& hardware) {
  const int64_t halves = conv.dtype == Dtype::kI16 ? 4 : 2;
  const int64_t result_bytes = int64_t{UsedColumns(conv, hardware)} * SizeBytes(conv.YDtype());
  return std::max<int64_t>(1, std::min(hardware.accumulator_rows / halves,
                                       hardware.scratchpad_bytes / 3 / result_bytes));
}

ConvTile ChooseConvTile(const Conv& conv, int32_t pixels, bool stream_x, int64_t x_bytes,
                        const Hardware& hardware) {
  constexpr int32_t kLargestExtent = 2047;  // of the instruction's fields
  constexpr int32_t kLargestInput = 4095;
  const int64_t acc_rows = ConvTileSums(conv, hardware);
  const WindowGeometry& g = conv.geometry;
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
  // Of rows and columns those are cut whose windows then see less twice.
  constexpr int32_t kFewColumns = 8;
  while (!fits() && (tile.rows > 1 || tile.cols > kFewColumns * pixels)) {
    ConvTile fewer_rows = tile;
    fewer_rows.rows = (tile.rows + 1) / 2;
    ConvTile fewer_cols = tile;
    halve(fewer_cols.cols, pixels);
    const bool cut_cols =
        tile.cols > kFewColumns * pixels &&
        (tile.rows == 1 || ConvPixelsRead(conv, fewer_cols) < ConvPixelsRead(conv, fewer_rows));
    tile = cut_cols ? fewer_cols : fewer_rows;
  }
  const auto array_rows = static_cast<int32_t>(hardware.array_rows);
  while (!fits() && tile.channels > array_rows) halve(tile.channels, array_rows);
  while (!fits() && tile.cols > pixels) halve(tile.cols, pixels);
  return tile;
}

bool ConvPlanFits(const Conv& conv, int32_t pixels, const Hardware& hardware) {
  // As Conv::Lower shares a step: a quarter for a tile of the image, an eighth for a chunk of weights, which holds a plane.
  const int64_t bytes = GuaranteedStepBytes(hardware);
  const ConvTile tile = ChooseConvTile(conv, pixels, /*stream_x=*/true, bytes / 4, hardware);
  const int64_t plane_bytes = PlaneBytes(conv, UsedColumns(conv, hardware), hardware);
  const int64_t acc_rows =
      int64_t{tile.rows} * std::max(1, tile.cols / pixels) * (conv.dtype == Dtype::kI16 ? 2 : 1);
  return ConvTileInputBytes(conv, tile) <= bytes / 4 && plane_bytes <= bytes / 6 &&
         acc_rows <= hardware.accumulator_rows / 2;
}

bool ConvFits(const Conv& conv, const Hardware& hardware) {
  const PixelPlan plan = PlanPixels(conv, hardware);
  return ConvPlanFits(CutPixels(conv, plan.parts), plan.together, hardware);
}

}  // namespace acme::compiler
