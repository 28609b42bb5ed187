// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Sums, means and extremes over any dimensions.

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWER_REDUCTION_REDUCE_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWER_REDUCTION_REDUCE_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "reference_plugin/compiler/arithmetic/fixed_point.h"
#include "reference_plugin/compiler/network/network.h"

namespace acme::compiler {

struct ReduceDimension {
  int32_t extent = 1;
  bool reduced = false;
  bool operator==(const ReduceDimension&) const = default;
};

// y[kept] = op over reduced of x[kept, reduced]. Integer sums and means, also of i32: of x - in_zp, then
// requantised (kMean: the scale has the count in it); to an i32 result as they are.
struct Reduce : LayerOp, RowWise {
  ValueId x = kNoValue;
  ReduceOp op = ReduceOp::kSum;
  Dtype in = Dtype::kI8;
  Dtype out = Dtype::kI8;
  bool place = false;  // kMax, kMin: where the first of them stands, i32; all of it in one step
  // Innermost first, no neighbours of one kind; at most five.
  std::vector<ReduceDimension> dims;
  int32_t in_zp = 0;
  int32_t out_zp = 0;
  FixedPoint scale;
  int64_t x_base_elems = 0;  // where the part of x begins that it reads
  // Of some columns of a matrix, the first dimension: from one row to the next; 0: x is what is
  // reduced.
  int32_t x_pitch = 0;
  int32_t row_elems = 0;  // of an image whose rows can be computed apart (rewrite/rows); else 0

  std::vector<ValueId> Operands() const override { return {x}; }
  LayerWork Work(const Network& network, ValueId output) const override;
  std::string Describe() const override;
  Expected<void> Lower(ValueId output, LoweringContext& context) const override;

  std::optional<RowReduction> AsRowReduction() const override;
  const RowWise* AsRowWise() const override { return row_elems > 0 ? this : nullptr; }
  std::vector<ValueId> Images() const override { return {x}; }
  RowRange RowsRead(ValueId /*image*/, const RowRange& result) const override { return result; }
  std::shared_ptr<const LayerOp> Rows(const RowRange& result,
                                      std::span<const HeldRows> held) const override;

  bool IsOfSquares() const { return op == ReduceOp::kSumSquares || op == ReduceOp::kMeanSquares; }
  bool IsMean() const { return op == ReduceOp::kMean || op == ReduceOp::kMeanSquares; }
  bool IsSum() const { return op == ReduceOp::kSum || op == ReduceOp::kSumSquares || IsMean(); }
  // Whether rows of a result of so many rows of so many elements can be computed apart.
  bool HasRows(int32_t rows, int32_t result_row_elems) const;
  int64_t Count() const;  // elements that go into one result
  // What a step takes that reduces so many elements to one result at once.
  static int64_t StepBytesOfOne(int64_t count, Dtype in, Dtype out);
};

// The dimensions of a shape (outermost first), neighbours of one kind joined.
std::vector<ReduceDimension> MergeReduceDimensions(const std::vector<int32_t>& shape,
                                                   const std::vector<bool>& reduced);

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWER_REDUCTION_REDUCE_H_
