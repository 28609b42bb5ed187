// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// How the vector engine is told of an operation of two operands, and of its quantisation.

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWER_ELEMENTWISE_BINARY_INSTRUCTION_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWER_ELEMENTWISE_BINARY_INSTRUCTION_H_

#include <bit>
#include <cstdint>
#include <vector>

#include "reference_plugin/compiler/lower/elementwise/binary.h"
#include "simulator/isa/instruction.h"

namespace acme::compiler {

// `result`: the view that the result's goes by.
inline std::vector<AnyInstr> QuantConfig(const Binary& op, View result) {
  return {isa::VQuant{.view = View::kA,
                      .zp = op.a.zero_point,
                      .mult = std::bit_cast<uint32_t>(op.a.scale.mult),
                      .shift = op.a.scale.shift,
                      .left_shift = op.left_shift},
          isa::VQuant{.view = View::kB,
                      .zp = op.b.zero_point,
                      .mult = std::bit_cast<uint32_t>(op.b.scale.mult),
                      .shift = op.b.scale.shift},
          isa::VQuant{.view = result,
                      .zp = op.out_zp,
                      .mult = std::bit_cast<uint32_t>(op.out_scale.mult),
                      .shift = op.out_scale.shift,
                      .rounding = Rounding::kDouble}};
}

// v.binary without addresses; `result`: the type that the result is stored as.
inline isa::VBinary BinaryInstruction(const Binary& op, Dtype result) {
  return {.op = op.op,
          .dtype = op.ComputedIn(result),
          .convert_a = op.a.is_converted,
          .convert_b = op.b.is_converted,
          .convert_dst = op.converts_result};
}

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWER_ELEMENTWISE_BINARY_INSTRUCTION_H_
