// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Products of matrices on the matrix engine, both computed at run time.

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWER_PRODUCTS_MATMUL_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWER_PRODUCTS_MATMUL_H_

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "reference_plugin/compiler/lower/records.h"
#include "reference_plugin/compiler/network/network.h"
#include "simulator/hw/hardware.h"

namespace acme::compiler {

// y[r][c] = clamp(requantise(sum over k of (a[r][k] - a_zp) * (b[k][c] - b_zp))) for the matrices of
// each product. Rows are contiguous; between them may be others, so that transpositions which keep
// rows whole need no layer (rewrite/transpositions.h).
struct MatMul : LayerOp, RowWise {
  // Where its matrices begin in their values, in elements.
  struct Product {
    int64_t a = 0;
    int64_t b = 0;
    int64_t y = 0;
    bool operator==(const Product&) const = default;
  };

  Dtype dtype = Dtype::kI8;    // of a: i8, i16 or f32
  Dtype b_dtype = Dtype::kI8;  // as a; or i8 with i16
  Dtype y_dtype = Dtype::kI8;  // as a; or i32, the raw sums, with i8
  int32_t rows = 1;
  int32_t depth = 1;
  int32_t cols = 1;
  bool b_transposed = false;  // b's matrices are stored as [cols, depth]
  bool y_transposed = false;  // y's matrices are stored as [cols, rows]; in the scratchpad alone
  std::vector<Product> products;
  ValueId a = kNoValue;  // matrices [rows, depth]
  ValueId b = kNoValue;  // matrices [depth, cols]
  // From row to row of the matrices as they are stored, in elements.
  int32_t a_row_stride = 1;
  int32_t b_row_stride = 1;
  int32_t y_row_stride = 1;
  int32_t a_zp = 0;
  int32_t b_zp = 0;
  Requantization requantize;  // per tensor
  // Of an image whose rows can be computed apart (rewrite/rows): elements of y's; else 0. Of a's, if that is
  // such an image, too. A row of the image has some matrices, or one row of each.
  int64_t row_elems = 0;
  int64_t a_row_elems = 0;
  bool row_of_each = false;

  // Sets the strides of matrices without anything between their rows.
  void SetDenseRows();

  std::vector<ValueId> Operands() const override { return {a, b}; }
  uint64_t ElemsRead(const Network& network, ValueId output, ValueId operand) const override;
  LayerWork Work(const Network& network, ValueId output) const override;
  std::string Describe() const override;
  Expected<void> Lower(ValueId output, LoweringContext& context) const override;
  // Not where A is B as well, all of which every row of the product needs.
  const RowWise* AsRowWise() const override {
    return row_elems > 0 && (a_row_elems == 0 || a != b) ? this : nullptr;
  }
  std::vector<ValueId> Images() const override;
  RowRange RowsRead(ValueId /*image*/, const RowRange& result) const override { return result; }
  std::shared_ptr<const LayerOp> Rows(const RowRange& result,
                                      std::span<const HeldRows> held) const override;
};

// A part of one matrix of y that is computed at once.
struct MatMulTile {
  int32_t rows = 1;
  int32_t depth = 1;  // of the sum, in the scratchpad at once: all, or a multiple of array.rows
  int32_t cols = 1;   // at most array.cols
};

// The largest tile of which the parts of a, b and y fit part_bytes each and the sums half of the
// accumulators.
MatMulTile ChooseMatMulTile(const MatMul& matmul, int64_t part_bytes, const Hardware& hardware);

// The same results as the product of b's rows by a's: what was streamed becomes weights. Of one whose
// b is transposed and of a's type.
MatMul Exchanged(const MatMul& matmul);

// Cycles of all its products. `b_is_loaded`: a step brings it from DRAM; it does not live in the
// scratchpad.
int64_t EstimateMatMul(const MatMul& matmul, bool b_is_loaded, const Hardware& hardware);

// What loading and streaming its parts costs beside their work, by measurement: instructions, and gaps
// between engines.
int64_t PartCycles(const MatMul& matmul, const Hardware& hardware);

// Whether its smallest tile fits the scratchpad's guaranteed share.
bool MatMulFits(const MatMul& matmul, const Hardware& hardware);

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWER_PRODUCTS_MATMUL_H_
