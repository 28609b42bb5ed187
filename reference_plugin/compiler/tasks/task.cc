// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/tasks/task.h"

#include <array>
#include <utility>
#include <variant>

namespace acme::compiler {

namespace {

template <size_t... kIndex>
constexpr auto OpcodesByIndex(std::index_sequence<kIndex...>) {
  return std::array{std::variant_alternative_t<kIndex, AnyInstr>::kOpcode...};
}

// By alternative: the compiler asks this of every task again and again.
constexpr auto kOpcodes =
    OpcodesByIndex(std::make_index_sequence<std::variant_size_v<AnyInstr> - 1>());

}  // namespace

Opcode OpcodeOf(const AnyInstr& instr) {
  return instr.index() < kOpcodes.size() ? kOpcodes[instr.index()] : Opcode::kCpNop;
}

Engine Task::engine() const { return EngineOf(OpcodeOf(work)); }

}  // namespace acme::compiler
