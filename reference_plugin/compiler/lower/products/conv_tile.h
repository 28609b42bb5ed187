// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// How much of a convolution is computed at once: a tile's sums stand in the accumulators, its part of
// the image in the scratchpad. Pure functions of the convolution and the hardware, so that legalising
// can ask whether the smallest tile fits, and lowering takes the same.

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWER_PRODUCTS_CONV_TILE_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWER_PRODUCTS_CONV_TILE_H_

#include <cstdint>

#include "reference_plugin/compiler/lower/products/conv.h"
#include "simulator/hw/hardware.h"

namespace acme::compiler {

// A part of the output that is computed at once.
struct ConvTile {
  int32_t rows = 1;
  int32_t cols = 1;
  int32_t channels = 1;  // of the input, in the scratchpad at once
  bool operator==(const ConvTile&) const = default;
};

// Of a convolution whose result's pixels are computed so many together (pixel_plan.h):
// the largest tile of at most ConvTileSums() and, if x does not live in the
// scratchpad, whose part of x fits x_bytes. The smallest is one pixel and array.rows channels;
// empty if that does not fit.
ConvTile ChooseConvTile(const Conv& conv, int32_t pixels, bool stream_x, int64_t x_bytes,
                        const Hardware& hardware);
// Pixels whose sums a tile may hold, of one tile of columns. It is drained from one half of the accumulators while the next is summed
// up in the other; into the scratchpad, of which its results are a third at most.
int64_t ConvTileSums(const Conv& conv, const Hardware& hardware);
int64_t ConvTileInputBytes(const Conv& conv, const ConvTile& tile);
// How many there are, and pixels of the image that all of them read.
int64_t ConvTiles(const Conv& conv, const ConvTile& tile);
int64_t ConvPixelsRead(const Conv& conv, const ConvTile& tile);

// Whether its smallest tile fits the scratchpad's guaranteed share; by the best plan of its pixels.
bool ConvPlanFits(const Conv& conv, int32_t pixels, const Hardware& hardware);
bool ConvFits(const Conv& conv, const Hardware& hardware);

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWER_PRODUCTS_CONV_TILE_H_
