// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// A part that is written over a larger value at a place that is computed while the program runs.

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWER_MOVEMENT_UPDATE_SLICE_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWER_MOVEMENT_UPDATE_SLICE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reference_plugin/compiler/network/network.h"

namespace acme::compiler {

// y = operand, but for a box of the update's shape whose first element is number place * unit_elems.
// A place below 0 or above `last` is moved to the nearest of them.
struct UpdateSlice : LayerOp {
  ValueId operand = kNoValue;
  ValueId update = kNoValue;
  ValueId place = kNoValue;  // [1], i32
  int32_t unit_elems = 1;
  int32_t last = 0;
  std::vector<int32_t> extent;        // of the update, outermost first
  std::vector<int64_t> stride_elems;  // of the operand in these dimensions

  std::vector<ValueId> Operands() const override { return {operand, update, place}; }
  LayerWork Work(const Network& network, ValueId output) const override;
  uint64_t ElemsRead(const Network& network, ValueId output, ValueId operand) const override;
  std::string Describe() const override;
  Expected<void> Lower(ValueId output, LoweringContext& context) const override;
  std::vector<ValueId> ValuesInDram(ValueId output) const override;
};

// The input whose buffer an output may share: the layer that makes the output writes over it, and
// nothing else reads it. The program then leaves what it does not write to the driver, which copies
// it unless the buffers are one. Nothing if there is none.
std::optional<ValueId> UpdatedInPlace(const Network& network, ValueId output);

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWER_MOVEMENT_UPDATE_SLICE_H_
