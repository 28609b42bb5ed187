// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/kernels/convolution/conv_tiling.h"

namespace npukit::kernels {
namespace {

constexpr int64_t kImageBytes = int64_t{96} * 1024;
constexpr int64_t kMostPixels = 1024;
constexpr int64_t kLeastPixels = 16;        // below, weights are loaded too often
constexpr int64_t kParallelMacs = 400'000;  // below, a second thread costs more than it gains
constexpr int64_t kItemsPerThread = 4;

}  // namespace

// Then a block of pixels goes on from row to row and image to image, and a small image fills blocks
// too. Not where outputs have places of their own: these are given by rows.
ConvGeometry Flattened(ConvGeometry geometry) {
  const bool single = geometry.height.filter == 1 && geometry.width.filter == 1;
  const bool dense =
      geometry.height.out == geometry.height.in && geometry.width.out == geometry.width.in;
  if (!single || !dense || geometry.placement) return geometry;
  const int64_t pixels = geometry.batches * geometry.height.in * geometry.width.in;
  geometry.batches = 1;
  geometry.height = Window{};
  geometry.width = Window{.in = pixels, .out = pixels};
  return geometry;
}

bool IsUnpadded(const ConvGeometry& geometry) {
  auto inside = [](const Window& window) {
    return window.pad_before == 0 && ConvTiling::Reach(window, window.out) <= window.in;
  };
  return inside(geometry.height) && inside(geometry.width);
}

ConvTiling PlanTiling(const ConvGeometry& geometry, int64_t image_channels, int64_t elem_bytes,
                      int64_t panels, int num_threads) {
  ConvTiling tiling{
      .geometry = geometry, .image_channels = image_channels, .elem_bytes = elem_bytes};
  int64_t& rows = tiling.tile_rows;
  int64_t& cols = tiling.tile_cols;
  rows = 1;
  // Width first: input is then converted in long runs.
  cols = std::min(std::max<int64_t>(1, geometry.width.out), kMostPixels);
  while (cols > kLeastPixels && tiling.image_bytes() > kImageBytes) cols = (cols + 1) / 2;
  if (cols == geometry.width.out) {
    while (rows < geometry.height.out && rows * cols < kMostPixels) {
      ++rows;
      if (tiling.image_bytes() <= kImageBytes) continue;
      --rows;
      break;
    }
  } else {
    // Whole blocks of pixels: no code path has blocks of more than 8.
    cols = (cols + 7) / 8 * 8;
  }
  if (num_threads > 1 && geometry.macs() >= kParallelMacs) {
    // Several items for each thread, so that one that comes late has less to make up for.
    while (tiling.work_items() < num_threads * kItemsPerThread && rows * cols > 2 * kLeastPixels) {
      int64_t& larger = rows > 1 ? rows : cols;
      larger = (larger + 1) / 2;
    }
    // Only then by channels: every part makes the tile's image anew.
    if (tiling.work_items() < int64_t{num_threads} * 2) {
      tiling.channel_splits =
          std::clamp<int64_t>(int64_t{num_threads} * 2 / std::max<int64_t>(1, tiling.work_items()),
                              1, std::max<int64_t>(1, panels));
    }
  }
  return tiling;
}

ConvTile TileAt(const ConvTiling& tiling, int64_t item) {
  ConvTile tile;
  // Parts of a tile are neighbours, and so are tiles of a row: who takes a range of items reads
  // input that it has in its cache.
  tile.split = item % tiling.channel_splits;
  item /= tiling.channel_splits;
  tile.x = item % tiling.tiles_across() * tiling.tile_cols;
  item /= tiling.tiles_across();
  tile.y = item % tiling.tiles_down() * tiling.tile_rows;
  tile.batch = item / tiling.tiles_down();
  tile.rows = std::min(tiling.tile_rows, tiling.geometry.height.out - tile.y);
  tile.cols = std::min(tiling.tile_cols, tiling.geometry.width.out - tile.x);
  return tile;
}

}  // namespace npukit::kernels
