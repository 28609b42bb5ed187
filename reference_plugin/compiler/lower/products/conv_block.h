// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Convolutions of which neither the image nor the weights stay in the scratchpad. Tiles of pixels
// that take all weights load these again for each tile; here, as in a blocked matrix product, a
// block of pixels and columns is summed up in the accumulators while slices of the channels come and
// go: the image comes once for each group of columns, the weights once for each tile of pixels.

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWER_PRODUCTS_CONV_BLOCK_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWER_PRODUCTS_CONV_BLOCK_H_

#include <cstdint>
#include <optional>

#include "reference_plugin/compiler/lower/products/conv.h"
#include "reference_plugin/compiler/lower/products/conv_tile.h"
#include "simulator/hw/hardware.h"

namespace acme::compiler {

// How a convolution goes through the array: each tile of pixels through every fold of every column
// tile.
struct ArrayPasses {
  int64_t tiles = 1;
  int64_t pixels = 1;  // of a tile
  int64_t folds = 1;
  int64_t column_tiles = 1;
  int64_t row_cycles = 1;  // of the array, for a pixel
};
// The cycles of that or of moving so many bytes, whichever are more.
int64_t EstimateCycles(const ArrayPasses& passes, int64_t dram_bytes, const Hardware& hardware);

struct ConvBlock {
  ConvTile tile;               // its channels are one slice
  int32_t column_tiles = 1;    // of array.cols columns, summed up together
  bool keeps_weights = false;  // of a group of columns, from one tile to the next

  bool operator==(const ConvBlock&) const = default;
};

// The block that takes the fewest cycles by estimate, of computing and of what comes from DRAM.
// Nothing if the weights fit half of the step's bytes, or if the tiles of ChooseConvTile with
// x_bytes of the image take no more.
std::optional<ConvBlock> ChooseConvBlock(const Conv& conv, int64_t step_bytes, int64_t x_bytes,
                                         const Hardware& hardware);

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWER_PRODUCTS_CONV_BLOCK_H_
