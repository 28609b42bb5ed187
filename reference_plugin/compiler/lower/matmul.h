// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Matrix products and their tiling.

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWER_MATMUL_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWER_MATMUL_H_

#include <cstdint>
#include <span>
#include <vector>

#include "reference_plugin/compiler/fixed_point.h"
#include "reference_plugin/compiler/network.h"
#include "simulator/hw/hardware.h"

namespace acme::compiler {

// y[m][n] = clamp(requantise(sum over k of (x[m][k] - act_zp) * (w[n][k] - weight_zp) + bias[n])).
// FULLY_CONNECTED.
struct MatMul : LayerOp {
  int32_t m = 0;
  int32_t k = 0;
  int32_t n = 0;
  ValueId x = kNoValue;     // [m, k]
  ValueId w = kNoValue;     // [n, k], constant
  ValueId bias = kNoValue;  // [n], constant; kNoValue: zero
  int32_t act_zp = 0;
  int32_t weight_zp = 0;
  int32_t out_zp = 0;
  std::vector<FixedPoint> requantize;  // one, or one per column
  Rounding rounding = Rounding::kSingle;
  ClampRange clamp;

  std::vector<ValueId> Operands() const override { return {x, w, bias}; }
  LayerWork Work(const Network& network, ValueId output) const override;
  void Print(std::ostream& out) const override;
  Expected<void> Lower(ValueId output, LoweringContext& context) const override;
};

// Columns go through the array array.cols at a time. For each such column tile, rows go through in
// chunks that fill at most half of the accumulators (the other half drains meanwhile), and the
// reduction in chunks whose weights fit a step.
struct MatMulTiling {
  int32_t rows = 0;       // of activations in a chunk
  int32_t reduction = 0;  // of k in a chunk; a multiple of array.rows, or k
  bool operator==(const MatMulTiling&) const = default;
};

// Bytes that a step needs: records, weights, and twice (to overlap) the streamed activations and
// results.
int64_t MatMulStepBytes(const MatMulTiling& tiling, int32_t cols, bool stream_x, bool stream_y);

// The largest chunks that fit; reduction is cut before rows. Every matrix product has a tiling.
MatMulTiling ChooseMatMulTiling(const MatMul& op, bool stream_x, bool stream_y, int64_t step_bytes,
                                const Hardware& hardware);

// What a column tile needs from DRAM, packed so that one transfer brings it: a record (bias,
// multiplier, shift) for each column, up to a multiple of 64 bytes, then the weights [k][columns].
std::vector<uint8_t> PackMatMulColumns(const MatMul& op, std::span<const uint8_t> weights,
                                       std::span<const uint8_t> bias, int32_t first_col,
                                       int32_t cols);

// Bytes before the weights of such a tile.
int64_t MatMulRecordBytes(int32_t cols);

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWER_MATMUL_H_
