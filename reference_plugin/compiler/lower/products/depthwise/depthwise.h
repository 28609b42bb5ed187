// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Depthwise convolutions on the vector engine.

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWER_PRODUCTS_DEPTHWISE_DEPTHWISE_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWER_PRODUCTS_DEPTHWISE_DEPTHWISE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "reference_plugin/compiler/lower/records.h"
#include "reference_plugin/compiler/lower/window.h"
#include "reference_plugin/compiler/network/network.h"
#include "simulator/hw/hardware.h"

namespace acme::compiler {

// y[b][oy][ox][o] = clamp(requantise(bias[o] + sum over ky, kx of
//   (x[b][oy sh - ph + ky dh][ox sw - pw + kx dw][o / multiplier] - act_zp) *
//   (w[ky][kx][o] - weight_zp)))
struct Depthwise : LayerOp, RowWise {
  Dtype dtype = Dtype::kI8;  // of x, and of y unless sums are scaled: i8, u8, i16 or f32
  WindowGeometry geometry;
  int32_t in_c = 1;
  int32_t multiplier = 1;
  ValueId x = kNoValue;     // [batches, in_h, in_w, in_c]
  ValueId w = kNoValue;     // [1, kernel_h, kernel_w, in_c * multiplier], constant
  ValueId bias = kNoValue;  // [in_c * multiplier], constant; kNoValue: zero
  // [in_c * multiplier, 2] of f32, known when it runs: y is f32, the sums of bytes times each channel's
  // scale, plus its bias. There is no other bias then. With offsets [in_c * multiplier, 3]: and, of i32, what
  // is taken from its sums before.
  ValueId scales_and_biases = kNoValue;
  bool offsets = false;
  int32_t act_zp = 0;
  int32_t weight_zp = 0;
  Requantization requantize;
  // What the results, bytes, are looked up in, after all else: v.lookup. Empty: nothing.
  std::vector<uint8_t> table;

  int32_t out_c() const { return in_c * multiplier; }
  bool ScalesSums() const { return scales_and_biases != kNoValue; }
  Dtype YDtype() const { return ScalesSums() ? Dtype::kF32 : dtype; }
  bool FindsExtremes(const Value&) const override { return YDtype() == Dtype::kF32; }
  std::vector<ValueId> Operands() const override { return {x, w, bias, scales_and_biases}; }
  LayerWork Work(const Network& network, ValueId output) const override;
  uint64_t ElemsRead(const Network& network, ValueId output, ValueId operand) const override;
  std::string Describe() const override;
  Expected<void> Lower(ValueId output, LoweringContext& context) const override;
  const RowWise* AsRowWise() const override { return geometry.batches == 1 ? this : nullptr; }
  std::optional<Walked> WalkedRows() const override {
    return Walked{geometry.h.in, geometry.h.out};
  }
  std::vector<ValueId> Images() const override { return {x}; }
  RowRange RowsRead(ValueId /*image*/, const RowRange& result) const override {
    return compiler::RowsRead(geometry.h, result);
  }
  std::shared_ptr<const LayerOp> Rows(const RowRange& result,
                                      std::span<const HeldRows> held) const override;
};

// What one instruction computes: so many output rows, columns and channels of one image.
struct DepthwiseTile {
  int32_t rows = 1;
  int32_t cols = 1;
  int32_t channels = 1;  // of the output; a multiple of the multiplier
  bool operator==(const DepthwiseTile&) const = default;
};

// Bytes of a tile that does not live in the scratchpad: its input, result, weights and records.
int64_t DepthwiseTileBytes(const Depthwise& op, const DepthwiseTile& tile, bool stream_x,
                           bool stream_y);

// The finest tile that costs little more than the whole, so that producers and consumers run beside
// it; at most max_bytes as above. The smallest is one pixel of one input channel.
DepthwiseTile ChooseDepthwiseTile(const Depthwise& op, bool stream_x, bool stream_y,
                                  int64_t max_bytes, const Hardware& hardware);

// Of the vector engine's lanes, for an image.
int64_t DepthwiseLaneCycles(const Depthwise& op, const Hardware& hardware);

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWER_PRODUCTS_DEPTHWISE_DEPTHWISE_H_
