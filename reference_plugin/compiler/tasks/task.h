// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The unit that scheduling works on: one instruction that does work and the configuration that it
// needs. Lowering writes tasks in an order that would be right if they ran one after the other;
// emit/hazards.h finds which of them must wait for which when the engines run side by side.

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_TASKS_TASK_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_TASKS_TASK_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "reference_plugin/compiler/tasks/symbolic_addresses.h"
#include "simulator/isa/instruction.h"

namespace acme::compiler {

// For instructions' fields, of a number that is known to fit.
constexpr uint32_t U(int64_t value) { return static_cast<uint32_t>(value); }
constexpr int32_t I(int64_t value) { return static_cast<int32_t>(value); }

struct Task {
  uint32_t handle = 0;  // debug handle of the layer
  // Of the same engine; what the engine already has is not emitted again.
  std::vector<AnyInstr> config;
  std::optional<isa::MLoadW> weights;  // the plane that a stream takes: issued just before it
  AnyInstr work;
  SymbolicAddresses symbols;

  Engine engine() const;
};

// The opcode of an instruction; every alternative has one.
Opcode OpcodeOf(const AnyInstr& instr);

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_TASKS_TASK_H_
