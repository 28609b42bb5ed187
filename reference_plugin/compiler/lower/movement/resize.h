// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Images resampled to another height and width.

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWER_MOVEMENT_RESIZE_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWER_MOVEMENT_RESIZE_H_

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reference_plugin/compiler/network/network.h"

namespace acme::compiler {

// Where one row or column of the result comes from.
struct ResizeSample {
  int32_t lo = 0;
  int32_t hi = 0;  // nearest: lo
  // bilinear: of hi, 10 bits for integers, binary32 for floats and `real`
  int32_t fraction_bits = 0;
};

// y[b, oy, ox, c] = blend of x[b, rows[oy], cols[ox], c]. Samples stand in any order, as of an image
// whose edges are mirrored; what neighbours of the result sample should be near in the operand.
struct Resize : LayerOp, RowWise {
  ValueId x = kNoValue;
  ResizeOp op = ResizeOp::kNearest;
  Dtype dtype = Dtype::kI8;
  bool real = false;  // bilinear kU8, blended in float32; + 0.5, and cut
  int32_t batches = 1;
  int32_t in_h = 1;
  int32_t in_w = 1;
  int32_t channels = 1;
  std::vector<ResizeSample> rows;
  std::vector<ResizeSample> cols;

  std::vector<ValueId> Operands() const override { return {x}; }
  LayerWork Work(const Network& network, ValueId output) const override;
  uint64_t ElemsRead(const Network& network, ValueId output, ValueId operand) const override;
  std::string Describe() const override;
  Expected<void> Lower(ValueId output, LoweringContext& context) const override;
  const RowWise* AsRowWise() const override { return batches == 1 ? this : nullptr; }
  std::optional<Walked> WalkedRows() const override {
    return Walked{in_h, static_cast<int32_t>(rows.size())};
  }
  std::vector<ValueId> Images() const override { return {x}; }
  RowRange RowsRead(ValueId /*image*/, const RowRange& result) const override;
  std::shared_ptr<const LayerOp> Rows(const RowRange& result,
                                      std::span<const HeldRows> held) const override;

  // Bytes that a tile of the result {channels, columns, rows} needs in a step at most.
  int64_t StepBytes(const std::array<int32_t, 3>& tile) const;
};

// v.resize has no type for all elements that are moved, but one of each size; nothing for 8 bytes.
inline std::optional<Dtype> ResampledAs(Dtype dtype) {
  switch (SizeBytes(dtype)) {
    case 1:
      return Dtype::kI8;
    case 2:
      return Dtype::kI16;
    case 4:
      return Dtype::kF32;
    default:
      return std::nullopt;
  }
}

// The layer's resampling if it is one by nearest neighbours, which moves elements and looks at none;
// else null.
inline const Resize* AsNearest(const Layer& layer) {
  const auto* resize = layer.As<Resize>();
  return resize != nullptr && resize->op == ResizeOp::kNearest ? resize : nullptr;
}

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWER_MOVEMENT_RESIZE_H_
