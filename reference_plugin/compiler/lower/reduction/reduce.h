// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Sums, means and extremes over any dimensions.

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWER_REDUCTION_REDUCE_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWER_REDUCTION_REDUCE_H_

#include <cstdint>
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

// y[kept] = op over reduced of x[kept, reduced]. Integer sums and means: of x - in_zp, then
// requantised (kMean: the scale has the count in it); to an i32 result as they are.
struct Reduce : LayerOp {
  ValueId x = kNoValue;
  ReduceOp op = ReduceOp::kSum;
  Dtype in = Dtype::kI8;
  Dtype out = Dtype::kI8;
  // Innermost first, no neighbours of one kind; at most five.
  std::vector<ReduceDimension> dims;
  int32_t in_zp = 0;
  int32_t out_zp = 0;
  FixedPoint scale;
  // Of some columns of a matrix, the first dimension: where the first stands in x, and from one row
  // to the next; 0: x is what is reduced.
  int64_t x_base_elems = 0;
  int32_t x_pitch = 0;

  std::vector<ValueId> Operands() const override { return {x}; }
  LayerWork Work(const Network& network, ValueId output) const override;
  std::string Describe() const override;
  Expected<void> Lower(ValueId output, LoweringContext& context) const override;

  int64_t Count() const;  // elements that go into one result
};

// The dimensions of a shape (outermost first), neighbours of one kind joined.
std::vector<ReduceDimension> MergeReduceDimensions(const std::vector<int32_t>& shape,
                                                   const std::vector<bool>& reduced);

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWER_REDUCTION_REDUCE_H_
