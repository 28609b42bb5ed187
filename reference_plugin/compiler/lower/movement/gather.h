// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Slices of a table that indices choose while the program runs.

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWER_MOVEMENT_GATHER_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWER_MOVEMENT_GATHER_H_

#include <cstdint>
#include <string>
#include <vector>

#include "reference_plugin/compiler/network/network.h"

namespace acme::compiler {

// y[o][i][r] = table[o][indices[i]][r]; an index outside the table is an error of the run.
struct Gather : LayerOp {
  ValueId table = kNoValue;    // [outer, along, run]; if packed, a constant of int4, run even
  ValueId indices = kNoValue;  // [count], i32
  int32_t outer = 1;
  int32_t along = 1;
  int32_t run = 1;
  int32_t count = 1;

  std::vector<ValueId> Operands() const override { return {table, indices}; }
  LayerWork Work(const Network& network, ValueId output) const override;
  uint64_t ElemsRead(const Network& network, ValueId output, ValueId operand) const override;
  std::string Describe() const override;
  Expected<void> Lower(ValueId output, LoweringContext& context) const override;
  std::vector<ValueId> ValuesInDram(ValueId /*output*/) const override { return {table}; }
};

// Whether the instruction's fields hold a slice's bytes.
bool GatherFits(const Gather& gather, Dtype dtype);

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWER_MOVEMENT_GATHER_H_
