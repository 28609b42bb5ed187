// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_EMIT_NOP_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_EMIT_NOP_H_

#include "simulator/isa/instruction.h"

namespace acme::compiler {

// The engine's instruction that does nothing: it carries a semaphore to wait for or to post.
inline AnyInstr NopOf(Engine engine) {
  switch (engine) {
    case Engine::kLoad:
      return isa::LdNop{};
    case Engine::kMatrix:
      return isa::MNop{};
    case Engine::kVector:
      return isa::VNop{};
    case Engine::kStore:
      return isa::StNop{};
    case Engine::kCommand:
      break;
  }
  return isa::CpNop{};
}

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_EMIT_NOP_H_
