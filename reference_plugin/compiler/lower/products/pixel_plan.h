// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// How the pixels of a convolution fill the array. Few channels leave rows or columns of it idle, so
//
//   a pixel of the image counts as several of fewer channels where they fill rows that whole pixels
//   do not: of 24 channels two pixels fit 64 rows, but eight parts of eight channels do, too;
//   neighbouring pixels of the result are computed as one of so many times the channels, of a kernel
//   that is wider. Where they do not divide a row, the last ones begin further to the left, on
//   pixels that are then computed twice.

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWER_PRODUCTS_PIXEL_PLAN_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWER_PRODUCTS_PIXEL_PLAN_H_

#include <cstdint>
#include <vector>

#include "reference_plugin/compiler/lower/products/conv.h"
#include "reference_plugin/compiler/lower/products/fold_plan.h"
#include "simulator/hw/hardware.h"

namespace acme::compiler {

struct PixelPlan {
  int32_t parts = 1;     // of a pixel of the image
  int32_t together = 1;  // pixels of the result
  bool operator==(const PixelPlan&) const = default;
};

// What takes the array the fewest cycles, by its rows, the words that feed it and the weights.
PixelPlan PlanPixels(const Conv& conv, const Hardware& hardware);

// The same convolution over an image of so many times the columns and fewer channels, which divide.
Conv CutPixels(const Conv& conv, int32_t parts);

// The array's cycles and, half as dear, the drain's; doubled. Of the best plan.
int64_t ConvEngineCycles(const Conv& conv, const Hardware& hardware);

// What feeds the array when so many pixels are computed together; for a tile of so many columns.
ArrayFeed FeedOf(const Conv& conv, int32_t together, const Hardware& hardware);
ArrayFeed FeedOf(const Conv& conv, int32_t together, int32_t cols, const Hardware& hardware);

// How many of the array's columns a tile has at most: all, or of a large array beside a small scratchpad a part of them, of
// which a plane of weights fits its share of a step.
int32_t UsedColumns(const Conv& conv, const Hardware& hardware);
// What a plane of so many columns takes.
int64_t PlaneBytes(const Conv& conv, int32_t cols, const Hardware& hardware);

// Widths of the column tiles that hold what a multiple of the used columns leaves, of so many pixels
// together: one, or two where the array holds narrow ones more often and their drains write no more
// words for it than that saves.
std::vector<int32_t> LastColumnTiles(const Conv& conv, int32_t together, const Hardware& hardware);

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWER_PRODUCTS_PIXEL_PLAN_H_
