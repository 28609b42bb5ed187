// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/tasks/task.h"

#include <type_traits>

namespace acme::compiler {

Opcode OpcodeOf(const AnyInstr& instr) {
  return std::visit(
      [](const auto& op) {
        if constexpr (std::is_same_v<std::decay_t<decltype(op)>, std::monostate>) {
          return Opcode::kCpNop;
        } else {
          return op.kOpcode;
        }
      },
      instr);
}

Engine Task::engine() const { return EngineOf(OpcodeOf(work)); }

}  // namespace acme::compiler
