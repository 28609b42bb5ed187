// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Convolutions on the matrix engine.

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWER_PRODUCTS_CONV_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWER_PRODUCTS_CONV_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reference_plugin/compiler/lower/elementwise/binary.h"
#include "reference_plugin/compiler/lower/products/dot/dot.h"
#include "reference_plugin/compiler/lower/records.h"
#include "reference_plugin/compiler/lower/window.h"
#include "reference_plugin/compiler/network/network.h"
#include "simulator/isa/footprint.h"

namespace acme::compiler {

// Where a convolution that computes a part of its result, or reads some of its image's channels,
// stands in both. Extents of 0: y is this convolution's result alone, x has in_c channels.
struct ConvPart {
  int32_t x_channels = 0;
  int32_t first_x_channel = 0;
  int32_t y_rows = 0;
  int32_t y_cols = 0;
  int32_t y_channels = 0;
  int32_t first_row = 0;  // result pixel (i, j) is y's (first_row + i row_step, first_col + j ...)
  int32_t row_step = 1;
  int32_t first_col = 0;
  int32_t col_step = 1;
  int32_t first_channel = 0;

  bool is_whole() const { return y_rows == 0; }
};

// Kernels may weigh with nothing what is not theirs, to compute more at a time. Of integers that is
// the zero point; of floats, zero times an infinity or a NaN would be a NaN, so that it is a hole of
// the array (m.type), which -0 stands for. Weights that are -0 become 0, which makes no difference.
std::vector<uint8_t> NoWeights(size_t bytes, Dtype dtype, int32_t weight_zp);
void CopyWeights(const uint8_t* from, size_t bytes, Dtype dtype, uint8_t* to);

// y[b][oy][ox][o] = clamp(requantise(bias[o] + sum over ky, kx, c of
//   (x[b][oy sh - ph + ky dh][ox sw - pw + kx dw][c] - act_zp) * (w[o][ky][kx][c] - weight_zp)))
struct Conv : LayerOp, RowWise, ColumnWise {
  Dtype dtype = Dtype::kI8;  // of x, and of y unless sums are scaled: i8, u8, i16 or f32
  bool holes = false;        // float32 weights of -0 are holes
  WindowGeometry geometry;
  int32_t in_c = 1;
  int32_t out_c = 1;
  ValueId x = kNoValue;     // [batches, in_h, in_w, in_c]
  ValueId w = kNoValue;     // [out_c, kernel_h, kernel_w, in_c], constant
  ValueId bias = kNoValue;  // [out_c], constant; kNoValue: zero
  // [out_c] of f32, constant: y is f32, the sums of i8 times these, with no bias.
  ValueId sum_scales = kNoValue;
  // With sum_scales, of f32, one an image or, of one row of pixels, one a pixel: y is further times
  // these, plus the bias.
  ValueId row_factors = kNoValue;
  bool factor_a_pixel = false;
  // In the place of sum_scales and bias, with row_factors, what is only known when it runs: [out_c, 2]
  // of f32, each channel's scale and bias. With offsets [out_c, 3]: and, of i32, what is taken from its sums before.
  ValueId scales_and_biases = kNoValue;
  bool offsets = false;
  int32_t act_zp = 0;
  int32_t weight_zp = 0;
  Requantization requantize;
  // An ADD of the result, its a, which is no value, and of another value, its b: v.residual.
  std::optional<Binary> residual;
  // How many channels that one has; to the others nothing is added. 0: all of them.
  int32_t residual_c = 0;
  // What the results are looked up in, after all else: v.lookup. Empty: nothing.
  std::vector<uint8_t> table;
  ConvPart part;
  // Of one row of pixels: which of its channels are computed, multiples of the array's columns; the
  // weights are those of all. 0: all.
  int32_t first_out = 0;
  int32_t end_out = 0;

  std::vector<ValueId> Operands() const override;
  LayerWork Work(const Network& network, ValueId output) const override;
  uint64_t ElemsRead(const Network& network, ValueId output, ValueId operand) const override;
  std::string Describe() const override;
  Expected<void> Lower(ValueId output, LoweringContext& context) const override;
  const RowWise* AsRowWise() const override {
    return geometry.batches == 1 && part.is_whole() ? this : nullptr;
  }
  std::optional<Walked> WalkedRows() const override {
    return Walked{geometry.h.in, geometry.h.out};
  }
  std::vector<ValueId> Images() const override;
  bool ScalesSums() const { return sum_scales != kNoValue || scales_and_biases != kNoValue; }
  Dtype YDtype() const { return ScalesSums() ? Dtype::kF32 : dtype; }
  bool FindsExtremes(const Value&) const override { return YDtype() == Dtype::kF32; }
  // Whether its results, those of more than one pixel, can be looked up as they are drained.
  bool TakesTable() const;
  int32_t ResidualChannels() const { return residual_c > 0 ? residual_c : out_c; }
  // What the records of the channels are made of, besides requantize; scales_and_biases are records.
  ValueId Records() const {
    if (scales_and_biases != kNoValue) return scales_and_biases;
    return sum_scales != kNoValue ? sum_scales : bias;
  }
  int64_t RecordSize() const {
    if (offsets) return kOffsetRecordBytes;
    return row_factors != kNoValue ? kScaledRecordBytes : RecordBytes(requantize, YDtype());
  }
  // The same of all strips of a convolution; another of any that differs in more than its rows and
  // its image, though it may have the kernel in common.
  std::string KeyOfStrips() const;
  RowRange RowsRead(ValueId image, const RowRange& result) const override;
  std::shared_ptr<const LayerOp> Rows(const RowRange& result,
                                      std::span<const HeldRows> held) const override;
  const ColumnWise* AsColumnWise(int32_t cols) const override;
  std::vector<ValueId> Matrices(int32_t) const override { return {}; }
  std::shared_ptr<const LayerOp> Columns(const ColumnPart& columns,
                                         std::span<const HeldColumns> held) const override;
};

// Whether the array has cells without a weight when so many pixels are computed together.
inline bool HasHoles(const Conv& conv, int32_t pixels) {
  return conv.dtype == Dtype::kF32 && (conv.holes || pixels > 1);
}

// A convolution of a single pixel that sees all of its image, if the vector engine does it sooner.
std::optional<Dot> AsDot(const Conv& conv, const Network& network, const Hardware& hardware);

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWER_PRODUCTS_CONV_H_
