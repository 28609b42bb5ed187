// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The verifier: decides whether untrusted code may run. What it accepts never reads or writes
// outside its buffers and ends after a bounded number of instructions; the device relies on that
// and checks nothing again.

#ifndef NPUKIT_SIMULATOR_MODULE_VERIFY_H_
#define NPUKIT_SIMULATOR_MODULE_VERIFY_H_

#include <cstdint>
#include <span>
#include <vector>

#include "simulator/hw/hardware.h"
#include "simulator/isa/engine_state.h"
#include "simulator/isa/expected.h"
#include "simulator/isa/sequencer.h"
#include "simulator/module/module.h"

namespace acme {

// Size and direction of the DRAM buffer that a binding number names.
struct BufferLimits {
  uint64_t size_bytes = 0;
  bool readable = false;
  bool writable = false;
};

// The buffers of an entry point by binding number: constants, workspace, bindings. Inputs are
// read-only; outputs may be read back after they are written.
std::vector<BufferLimits> BuffersOf(const Module& module, const ModuleEntry& entry);

// A program may not take more steps than this when loops are unrolled.
inline constexpr uint64_t kMaxProgramSteps = uint64_t{1} << 24;
// Elements one instruction may touch.
inline constexpr int64_t kMaxInstructionElements = int64_t{1} << 24;
// Workspace of an entry point. Memory is taken as it is touched.
inline constexpr uint64_t kMaxWorkspaceBytes = uint64_t{1} << 36;

// Checks one instruction with resolved addresses in the state before it: types, sizes, array
// limits, memory bounds.
Expected<void> CheckInstruction(const Instr& instr, const EngineState& state,
                                const Hardware& hardware, std::span<const BufferLimits> buffers);

// Decodes and checks a whole program by walking it once. Errors: kInvalidProgram with the offset of
// the instruction and the reason.
Expected<Program> VerifyProgram(std::span<const Word> code, const Hardware& hardware,
                                std::span<const BufferLimits> buffers);

// kIncompatible if the module was compiled for a chip of other sizes.
Expected<void> CheckHardware(const Module& module, const Hardware& hardware);

// The programs of an entry point.
struct EntryPrograms {
  Program own;
  std::vector<Program> variants;
};

// One entry point's own program, checked alone: what a run for time executes. kIncompatible if the module does not
// fit the hardware.
Expected<Program> VerifyOwnProgram(const Module& module, const ModuleEntry& entry,
                                   const Hardware& hardware);

// Checks that a module fits the hardware (kIncompatible), every entry point's programs and its guards.
// The programs, by entry point.
Expected<std::vector<EntryPrograms>> VerifyModule(const Module& module, const Hardware& hardware);

}  // namespace acme

#endif  // NPUKIT_SIMULATOR_MODULE_VERIFY_H_
