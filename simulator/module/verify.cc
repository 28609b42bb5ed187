// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "simulator/module/verify.h"

#include <fmt/format.h>

#include <string>
#include <string_view>

#include "simulator/isa/codec.h"
#include "simulator/isa/info.h"
#include "simulator/module/variants.h"

namespace acme {
namespace {

Error At(uint32_t pc, Opcode opcode, const std::string& message) {
  return Error(ErrorCode::kInvalidProgram,
               fmt::format("instruction {} ({}): {}", pc, InfoOf(opcode).mnemonic, message),
               static_cast<int64_t>(pc) * kInstructionBytes);
}

}  // namespace

std::vector<BufferLimits> BuffersOf(const Module& module, const ModuleEntry& entry) {
  std::vector<BufferLimits> buffers;
  buffers.push_back({module.constants.size(), true, false});
  buffers.push_back({entry.workspace_bytes, true, true});
  for (const ModuleBinding& binding : entry.bindings)
    buffers.push_back({binding.size_bytes, true, binding.output});
  // What may be an output's buffer is not read: it would depend on whether it is.
  for (const ModuleBinding& binding : entry.bindings) {
    if (binding.initial > 0 && binding.initial <= entry.bindings.size())
      buffers[kFirstIoBinding + binding.initial - 1].readable = false;
  }
  return buffers;
}

Expected<Program> VerifyProgram(std::span<const Word> code, const Hardware& hardware,
                                std::span<const BufferLimits> buffers) {
  ACME_ASSIGN_OR_RETURN(Program program, Program::Decode(code));
  Sequencer sequencer(program);
  EngineState state;
  Step step;
  while (sequencer.Next(step)) {
    if (sequencer.StepsTaken() > kMaxProgramSteps) {
      return At(step.pc, step.opcode, "the program takes more than 2^24 steps");
    }
    if (!step.address_ok)
      return At(step.pc, step.opcode, "an address register takes an address out of range");
    Expected<void> checked = CheckInstruction(*step.instr, state, hardware, buffers);
    if (!checked) return At(step.pc, step.opcode, checked.Error().Message());
    ApplyToState(*step.instr, state);
  }
  return program;
}

Expected<void> CheckHardware(const Module& module, const Hardware& hardware) {
  if (module.program_key == hardware.ProgramKey()) return {};
  return Error(ErrorCode::kIncompatible,
               "the module was compiled for " + module.soc_model + ", this is " +
                   (module.soc_model == hardware.name ? "one of other sizes" : hardware.name));
}

namespace {

// Outputs that begin as inputs, each input as one of them at most.
Expected<void> CheckInitial(const ModuleEntry& entry) {
  std::vector<bool> taken(entry.bindings.size());
  for (const ModuleBinding& binding : entry.bindings) {
    if (binding.initial == 0) continue;
    const size_t from = binding.initial - 1;
    const bool fits = binding.output && from < entry.bindings.size() &&
                      !entry.bindings[from].output &&
                      entry.bindings[from].size_bytes == binding.size_bytes && !taken[from];
    if (!fits) {
      return Error(ErrorCode::kInvalidProgram,
                   fmt::format("entry point {}: binding {} cannot begin as binding {}", entry.name,
                               binding.name, from));
    }
    taken[from] = true;
  }
  return {};
}

}  // namespace

namespace {

Expected<Program> VerifyOf(const ModuleEntry& entry, std::string_view which,
                           std::span<const Word> code, const Module& module,
                           const Hardware& hardware) {
  if (entry.workspace_bytes > kMaxWorkspaceBytes) {
    return Error(ErrorCode::kInvalidProgram,
                 fmt::format("entry point {}: a workspace of {} bytes, at most {} are possible",
                             entry.name, entry.workspace_bytes, kMaxWorkspaceBytes));
  }
  Expected<Program> program = VerifyProgram(code, hardware, BuffersOf(module, entry));
  if (program) return program;
  return Error(program.Error().Code(),
               fmt::format("entry point {}{}: {}", entry.name, which, program.Error().Message()),
               program.Error().OffsetBytes());
}

}  // namespace

Expected<Program> VerifyOwnProgram(const Module& module, const ModuleEntry& entry,
                                   const Hardware& hardware) {
  ACME_RETURN_IF_ERROR(CheckHardware(module, hardware));
  ACME_RETURN_IF_ERROR(CheckInitial(entry));
  return VerifyOf(entry, "", entry.code, module, hardware);
}

Expected<std::vector<EntryPrograms>> VerifyModule(const Module& module, const Hardware& hardware) {
  ACME_RETURN_IF_ERROR(CheckHardware(module, hardware));
  std::vector<EntryPrograms> programs;
  for (const ModuleEntry& entry : module.entries) {
    ACME_RETURN_IF_ERROR(CheckInitial(entry));
    ACME_RETURN_IF_ERROR(CheckGuards(entry));
    EntryPrograms& of_entry = programs.emplace_back();
    ACME_ASSIGN_OR_RETURN(of_entry.own, VerifyOf(entry, "", entry.code, module, hardware));
    for (const ModuleVariant& variant : entry.variants) {
      ACME_ASSIGN_OR_RETURN(Program program,
                            VerifyOf(entry, ", a variant", variant.code, module, hardware));
      of_entry.variants.push_back(std::move(program));
    }
  }
  return programs;
}

}  // namespace acme
