// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// How a convolution is cut for the microkernels: rectangles of output pixels whose input, converted
// and padded, fits into the second-level cache. Each tile's input becomes an image in which every
// window lies whole, so that the inner loops see neither borders nor zero points.

#ifndef NPUKIT_SDK_HOST_KERNELS_CONVOLUTION_CONV_TILING_H_
#define NPUKIT_SDK_HOST_KERNELS_CONVOLUTION_CONV_TILING_H_

#include <algorithm>
#include <cstdint>
#include <vector>

#include "sdk/host/kernels/convolution/conv_geometry.h"

namespace npukit::kernels {

// A convolution of single pixels without stride or padding sees one long row.
ConvGeometry Flattened(ConvGeometry geometry);

// Whether every window lies inside the input.
bool IsUnpadded(const ConvGeometry& geometry);

struct ConvTiling {
  ConvGeometry geometry;
  int64_t image_channels = 1;  // elements of an image pixel
  int64_t elem_bytes = 1;      // of an image element
  int64_t tile_rows = 1;       // output pixels
  int64_t tile_cols = 1;
  int64_t channel_splits = 1;  // parts of the output channels that are separate work

  int64_t tiles_down() const { return (geometry.height.out + tile_rows - 1) / tile_rows; }
  int64_t tiles_across() const { return (geometry.width.out + tile_cols - 1) / tile_cols; }
  int64_t work_items() const {
    return geometry.batches * tiles_down() * tiles_across() * channel_splits;
  }
  // Input pixels that so many output pixels need.
  static int64_t Reach(const Window& window, int64_t out) {
    return (out - 1) * window.stride + (window.filter - 1) * window.dilation + 1;
  }
  int64_t image_cols() const { return Reach(geometry.width, tile_cols); }
  // Of the largest image, with room to read a vector beyond its end.
  int64_t image_bytes() const {
    constexpr int64_t kSlackBytes = 64;
    const int64_t bytes =
        Reach(geometry.height, tile_rows) * image_cols() * image_channels * elem_bytes;
    return (bytes + 2 * kSlackBytes - 1) / kSlackBytes * kSlackBytes;
  }
};

// `panels` is how many parts the output channels can be split into.
ConvTiling PlanTiling(const ConvGeometry& geometry, int64_t image_channels, int64_t elem_bytes,
                      int64_t panels, int num_threads);

// One unit of work.
struct ConvTile {
  int64_t batch = 0;
  int64_t y = 0;  // first output row and column
  int64_t x = 0;
  int64_t rows = 0;
  int64_t cols = 0;
  int64_t split = 0;
};
ConvTile TileAt(const ConvTiling& tiling, int64_t item);

// Makes a tile's image: convert(from, pixels, to) for runs of neighbouring input pixels,
// fill(pixels, to) where there are none. `in` is the activations' first element; Image elements are
// image_channels a pixel.
template <typename In, typename Image, typename Convert, typename Fill>
void MakeImage(const ConvTiling& tiling, const ConvTile& tile, const In* in, Image* image,
               Convert convert, Fill fill) {
  const ConvGeometry& geometry = tiling.geometry;
  const int64_t rows = ConvTiling::Reach(geometry.height, tile.rows);
  const int64_t cols = ConvTiling::Reach(geometry.width, tile.cols);
  const int64_t first_y = geometry.height.Origin(tile.y);
  const int64_t first_x = geometry.width.Origin(tile.x);
  const int64_t begin = std::clamp<int64_t>(-first_x, 0, cols);
  const int64_t end = std::clamp<int64_t>(geometry.width.in - first_x, begin, cols);
  for (int64_t r = 0; r < rows; ++r, image += tiling.image_cols() * tiling.image_channels) {
    const int64_t y = first_y + r;
    if (y < 0 || y >= geometry.height.in) {
      fill(cols, image);
      continue;
    }
    if (begin > 0) fill(begin, image);
    if (end > begin) {
      convert(in + geometry.InputIndex(tile.batch, y, first_x + begin, 0), end - begin,
              image + begin * tiling.image_channels);
    }
    if (end < cols) fill(cols - end, image + end * tiling.image_channels);
  }
}

}  // namespace npukit::kernels

#endif  // NPUKIT_SDK_HOST_KERNELS_CONVOLUTION_CONV_TILING_H_
