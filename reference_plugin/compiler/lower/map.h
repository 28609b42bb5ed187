// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Elementwise functions of one operand: the vector engine's functions, tables and conversions.

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWER_MAP_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWER_MAP_H_

#include <cstdint>
#include <variant>
#include <vector>

#include "reference_plugin/compiler/network.h"
#include "simulator/isa/instruction.h"

namespace acme::compiler {

// y[i] = function(x[i])
struct Map : LayerOp {
  // v.lut; `table` is what the instruction's kind says, little-endian.
  struct Table {
    LutKind kind = LutKind::kDirect;
    std::vector<uint8_t> bytes;
  };

  ValueId x = kNoValue;
  Dtype in = Dtype::kI8;
  Dtype out = Dtype::kI8;
  std::variant<UnaryOp, ConvertOp, Table> function = UnaryOp::kCopy;
  // Configuration of functions and conversions.
  isa::VQuant a{.view = View::kA};
  isa::VQuant b{.view = View::kB};
  isa::VQuant dst{.view = View::kDst};
  isa::VClamp clamp;

  std::vector<ValueId> Operands() const override { return {x}; }
  LayerWork Work(const Network& network, ValueId output) const override;
  void Print(std::ostream& out) const override;
  Expected<void> Lower(ValueId output, LoweringContext& context) const override;
};

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWER_MAP_H_
