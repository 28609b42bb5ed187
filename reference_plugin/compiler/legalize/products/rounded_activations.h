// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// float32 activations as TFLite's hybrid kernels see them: each row is rounded to int8 by a scale of
// its own and, if asymmetrically, a zero point, which is known where nothing is negative
// (never_negative.h). A row is a row of FULLY_CONNECTED, or a whole image.

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_LEGALIZE_PRODUCTS_ROUNDED_ACTIVATIONS_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_LEGALIZE_PRODUCTS_ROUNDED_ACTIVATIONS_H_

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "reference_plugin/compiler/legalize/legalize.h"
#include "reference_plugin/compiler/lower/elementwise/binary.h"

namespace acme::compiler {

// An operand of rows of pixels of columns, in elements from one to the next; 0 repeats.
struct Side {
  ValueId value = kNoValue;
  int32_t col_stride = 1;
  int32_t row_stride = 0;
  int32_t pixel_stride = 0;
};

// Adds layers of float32 over rows.
class RowLayers {
 public:
  // image: the shape of values of as many elements; of others it is [rows, columns].
  RowLayers(std::string name, int32_t rows, std::vector<int32_t> image, NetworkBuilder& builder)
      : name_(std::move(name)), rows_(rows), image_(std::move(image)), builder_(builder) {}

  int32_t rows() const { return rows_; }
  const std::string& name() const { return name_; }
  NetworkBuilder& builder() { return builder_; }

  ValueId Constant(const std::vector<float>& numbers);
  ValueId Integers(const std::vector<int32_t>& numbers);
  Side Number(float number) { return {Constant({number}), 0, 0}; }
  // cols: of a pixel.
  std::shared_ptr<Binary> Op(BinaryOp op, const Side& a, const Side& b, int32_t cols,
                             int32_t pixels = 1) const;
  ValueId Add(BinaryOp op, const Side& a, const Side& b, int32_t cols, int32_t pixels = 1) {
    return AddLayer(Dtype::kF32, cols * pixels, Op(op, a, b, cols, pixels));
  }
  ValueId AddLayer(Dtype dtype, int32_t cols, std::shared_ptr<const LayerOp> op);

 private:
  std::string name_;
  int32_t rows_;
  std::vector<int32_t> image_;
  NetworkBuilder& builder_;
};

// How ranges of activations become those of int8.
enum class RoundedRange : uint8_t {
  kSymmetric,    // as far down as up
  kAsymmetric,   // from the least number, or 0
  kNotNegative,  // from 0: what kAsymmetric does where no number is below
};
RoundedRange RangeOf(ValueId x, bool asymmetric, const Network& network);

struct RoundedRows {
  ValueId stored = kNoValue;       // [rows, depth] of int8, in steps of
  ValueId scales = kNoValue;       // [rows]
  ValueId zero_points = kNoValue;  // [rows] of float32; kNoValue: all are
  int32_t zero_point = 0;
  ValueId stored_zero_points = kNoValue;  // zero_points of int8
};

// Rows of `depth` elements. What reads the same rows has them in common.
RoundedRows RoundRows(ValueId x, int32_t depth, RoundedRange range, RowLayers& layers);

// Whether there is room for the records of so many channels that are computed at run time.
bool RecordsFit(int32_t channels, const Hardware& hardware);

// What the sums of a channel are scaled by, without the row's scale, and what that adds up to.
struct ChannelWeights {
  std::vector<float> scales;
  std::vector<int32_t> sums;  // of its weights
  ValueId bias = kNoValue;    // kNoValue if there is none
};
// Conv::scales_and_biases, of one row.
struct ChannelRecords {
  ValueId value = kNoValue;
  // What the row's zero point adds to sums is taken away before they are scaled: of a window over nothing but padding the bias is
  // left, exactly.
  bool offsets = false;
};
// with_row_scale: the scales are times the row's.
ChannelRecords AddRecords(const RoundedRows& rounded, const ChannelWeights& weights,
                          bool with_row_scale, RowLayers& layers);

// What was rounded, as float32.
ValueId AddRealRows(const RoundedRows& rounded, int32_t depth, RowLayers& layers);

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_LEGALIZE_PRODUCTS_ROUNDED_ACTIVATIONS_H_
