// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// A convolution's image and result while it is computed: where a tile's pixels stand, in their value
// or in a step buffer, and what brings them there and away.

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWER_PRODUCTS_CONV_OPERANDS_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWER_PRODUCTS_CONV_OPERANDS_H_

#include <cstdint>
#include <optional>

#include "reference_plugin/compiler/lower/box.h"
#include "reference_plugin/compiler/lower/lowering.h"
#include "reference_plugin/compiler/lower/products/conv.h"

namespace acme::compiler {

// A convolution as the array computes it: `pixels` neighbouring pixels of a row of the result are
// one, of a kernel that is wider and has so many times the output channels (pixel_plan.h).
struct WidenedConv {
  WidenedConv(const Conv& narrow, int32_t pixels);

  const Conv& conv;
  int32_t pixels = 1;
  WindowGeometry geometry;  // of the widened kernel
  int32_t out_cols = 0;     // output channels of all its pixels
  ConvPart part;            // with all its extents, in the widened kernel's pixels
  int64_t row_elems = 0;    // of the result, from one row to the next
  int32_t whole_cols = 0;   // of geometry.w.out, those that are `pixels` of their own
  int32_t back = 0;         // pixels that the last one begins further to the left, if it is not
  int64_t elem_bytes = 1;   // of the image
  int64_t y_bytes = 1;      // of an element of the result
};

// A tile of output pixels of one image.
struct OutputTile {
  int32_t batch = 0;
  int32_t y = 0;
  int32_t x = 0;
  int32_t rows = 1;
  int32_t cols = 1;
  int32_t back = 0;  // pixels of the result, not of the widened kernel's, further to the left
};

// Where a tile of the image stands in the scratchpad.
struct InputTile {
  int64_t base = 0;  // pixel (0, 0), first channel
  int32_t rows = 1;
  int32_t cols = 1;
  int64_t row_stride_bytes = 0;
  int64_t pixel_stride_bytes = 0;
  int32_t y0 = 0;  // of the first window, from the tile's first row
  int32_t x0 = 0;
};

class ConvImage {
 public:
  // An image that does not live in the scratchpad is loaded by so many channels.
  ConvImage(const WidenedConv& conv, int32_t slice_channels, LoweringContext& context);

  // Nothing is kept of the tiles before.
  void BeginTile() { slice_ = -1; }
  // What the tile's windows see, from channel c0 on; loaded unless the last one asked for is the
  // same.
  InputTile Place(const OutputTile& tile, int32_t c0);

 private:
  void Load(int64_t offset_bytes, int32_t rows, int32_t cols, int32_t channels);

  const WidenedConv& conv_;
  LoweringContext& context_;
  int32_t slice_channels_;
  int32_t slice_ = -1;  // of the channels, at buffer_
  int64_t buffer_ = 0;
};

// Where a tile's results stand in the scratchpad.
struct ResultTile {
  int64_t base = 0;
  int64_t row_stride_bytes = 0;
  int64_t pixel_stride_bytes = 0;
};

class ConvResult {
 public:
  ConvResult(const WidenedConv& conv, ValueId output, LoweringContext& context)
      : conv_(conv), output_(output), context_(context) {}

  // Whether it does not live in the scratchpad, so that tiles are stored from step buffers.
  bool streams() const { return !context_.place(output_).scratchpad_offset; }
  int64_t Bytes() const { return context_.value(output_).Bytes(); }
  int64_t TileBytes(const OutputTile& tile, int32_t cols) const;

  // Columns [first, first + cols) of a tile: in the value, or from `buffer` on as a tile of all
  // columns.
  ResultTile InValue(const OutputTile& tile, int32_t first) const;
  ResultTile InBuffer(const OutputTile& tile, int32_t cols, int64_t base) const;

  // Columns [first, first + cols) of a buffered tile to DRAM.
  void StoreTile(const OutputTile& tile, int32_t first, int32_t cols, int64_t buffer);
  // A tile that stands in its value to the value's home in DRAM, too, if it has one. Not of parts:
  // their operator stores the whole result.
  void StoreResident(const OutputTile& tile);
  // The same for all of the value.
  void StoreAllResident();

 private:
  int64_t PixelBytes() const { return conv_.part.y_channels * conv_.y_bytes; }
  // Bytes from the value's beginning.
  int64_t Offset(const OutputTile& tile, int32_t col) const;

  const WidenedConv& conv_;
  ValueId output_;
  LoweringContext& context_;
};

// A tile of a few columns, as it is summed up.
struct TileSums {
  OutputTile tile;
  int32_t first_col = 0;
  int32_t cols = 1;
  int64_t accumulators = 0;
  int64_t records = 0;  // where the columns' stand
};

// Brings sums out of the accumulators.
class ConvDrain {
 public:
  ConvDrain(const WidenedConv& conv, ValueId output, LoweringContext& context);
  // Columns [first, first + cols) of a tile follow. A residual that does not live in the scratchpad
  // comes for all of them at once if that takes no more than so many bytes.
  void BeginTile(const OutputTile& tile, int32_t first, int32_t cols, int64_t most_bytes);
  // Where the records from a channel on stand that are computed at run time (scales_and_biases).
  int64_t RecordsAt(int32_t channel);
  void Append(const TileSums& sums, const ResultTile& result);

 private:
  // Where all of a value stands, which comes once: `at` is -1 before.
  int64_t AllOf(ValueId value, int64_t& at);
  // Whether what pixels are multiplied by is so much that each tile loads its own.
  bool FactorsComeByTile() const;
  // Where what a tile's rows are multiplied by stands; 0 if there are no such factors.
  int64_t FactorsAt(const OutputTile& tile);
  isa::VView FactorsView() const;
  // Where the table stands, which comes once.
  int64_t TableAt();
  // What is added to columns [first, first + cols) of a tile.
  OperandLayout ResidualLayout(const OutputTile& tile) const;
  // Of those, what there is; it may be of no columns.
  Extent4 ResidualExtent(const OutputTile& tile, int32_t first, int32_t cols) const;
  ScratchpadBox ReadResidual(const OutputTile& tile, int32_t first, int32_t cols);
  void AddResidual(const TileSums& sums, Task& drain);

  const WidenedConv& widened_;
  const Conv& conv_;
  LoweringContext& context_;
  const std::optional<isa::VEpilogue> extremes_;  // that it finds on the way
  int64_t factors_ = -1;                          // all, or the tile's; -1: not there yet
  int64_t records_ = -1;
  int64_t table_ = -1;
  // The residual of all columns of the tile, from first_held_ on, if it came at once.
  std::optional<ScratchpadBox> held_;
  int32_t first_held_ = 0;
};

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWER_PRODUCTS_CONV_OPERANDS_H_
