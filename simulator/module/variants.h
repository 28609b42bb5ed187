// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Which of an entry point's programs a call runs.

#ifndef NPUKIT_SIMULATOR_MODULE_VARIANTS_H_
#define NPUKIT_SIMULATOR_MODULE_VARIANTS_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "simulator/isa/expected.h"
#include "simulator/module/module.h"

namespace acme {

// kInvalidProgram if a guard of the entry point's names no input, or does not fit its size.
Expected<void> CheckGuards(const ModuleEntry& entry);

// Whether what it asks for is so of the binding's bytes. Of a checked guard.
bool Passes(const ModuleGuard& guard, std::span<const uint8_t> bytes);

// The first variant whose guards pass; nothing: the entry point's own program. `bindings`: their
// memory, in their order.
std::optional<size_t> ChooseVariant(const ModuleEntry& entry,
                                    std::span<const uint8_t* const> bindings);

// In words: "'input_pos' is below 64".
std::string Describe(const ModuleGuard& guard, const ModuleEntry& entry);

}  // namespace acme

#endif  // NPUKIT_SIMULATOR_MODULE_VARIANTS_H_
