// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Pooling over windows of height and width.

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWER_REDUCTION_POOL_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWER_REDUCTION_POOL_H_

#include <cstdint>
#include <string>

#include "reference_plugin/compiler/arithmetic/fixed_point.h"
#include "reference_plugin/compiler/lower/window.h"
#include "reference_plugin/compiler/network/network.h"

namespace acme::compiler {

// y[b, oy, ox, c] = clamp(pool over the window's elements that lie inside x[b, :, :, c])
struct Pool : LayerOp, RowWise {
  ValueId x = kNoValue;  // [batches, in_h, in_w, channels]
  PoolOp op = PoolOp::kMax;
  Dtype dtype = Dtype::kI8;
  int32_t batches = 1;
  int32_t channels = 1;
  WindowAxis height;
  WindowAxis width;
  ClampRange clamp;

  std::vector<ValueId> Operands() const override { return {x}; }
  LayerWork Work(const Network& network, ValueId output) const override;
  uint64_t ElemsRead(const Network& network, ValueId output, ValueId operand) const override;
  std::string Describe() const override;
  Expected<void> Lower(ValueId output, LoweringContext& context) const override;
  const RowWise* AsRowWise() const override { return batches == 1 ? this : nullptr; }
  std::optional<Walked> WalkedRows() const override { return Walked{height.in, height.out}; }
  std::vector<ValueId> Images() const override { return {x}; }
  RowRange RowsRead(ValueId /*image*/, const RowRange& result) const override;
  std::shared_ptr<const LayerOp> Rows(const RowRange& result,
                                      std::span<const HeldRows> held) const override;
};

// Results that are computed at a time.
struct PoolTile {
  int32_t rows = 1;
  int32_t cols = 1;
  int32_t channels = 1;
  bool operator==(const PoolTile&) const = default;
};

// Bytes that a tile needs in a step: its input, its result.
int64_t PoolStepBytes(const Pool& op, const PoolTile& tile, bool stream_x, bool stream_y);

// The largest tile that fits: rows are cut first, then channels, then columns. Even a tile of one
// result may not fit: see PoolStepBytes.
PoolTile ChoosePoolTile(const Pool& op, bool stream_x, bool stream_y, int64_t step_bytes);

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWER_REDUCTION_POOL_H_
