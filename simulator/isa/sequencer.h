// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The command processor's walk through a program: loops, address registers, debug handles. There
// are no data-dependent branches, so the walk is the same on every run; the verifier, the device
// and the disassembler's statistics share it.

#ifndef NPUKIT_SIMULATOR_ISA_SEQUENCER_H_
#define NPUKIT_SIMULATOR_ISA_SEQUENCER_H_

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "simulator/isa/expected.h"
#include "simulator/isa/instruction.h"

namespace acme {

// A program that Decode accepted.
class Program {
 public:
  Program() = default;

  // Decodes untrusted code and checks what can be seen without walking it: every instruction
  // decodes, loops match and nest at most kMaxLoopDepth deep, the last instruction is cp.halt and
  // there is none before it. Errors carry the offset.
  static Expected<Program> Decode(std::span<const Word> code);

  std::span<const Instr> Instructions() const { return instrs_; }
  const Instr& operator[](uint32_t pc) const { return instrs_[pc]; }
  // Opcode of an instruction, kept beside so that the dispatch loop does not visit a variant for
  // it.
  Opcode OpcodeAt(uint32_t pc) const { return opcodes_[pc]; }
  // Whether an address register is added to some field.
  bool UsesRegisters(uint32_t pc) const { return uses_registers_[pc]; }
  uint32_t Size() const { return static_cast<uint32_t>(instrs_.size()); }
  // Bytes of the instructions before pc in their packed form (packing.h).
  uint32_t PackedBytesBefore(uint32_t pc) const { return pc == 0 ? 0 : packed_ends_[pc - 1]; }

 private:
  std::vector<Instr> instrs_;
  std::vector<Opcode> opcodes_;
  std::vector<bool> uses_registers_;
  std::vector<uint32_t> packed_ends_;
};

// One step of the walk.
struct Step {
  uint32_t pc = 0;
  uint32_t handle = 0;             // debug handle in force
  Opcode opcode = Opcode::kCpNop;  // of instr
  const Instr* instr = nullptr;    // addresses resolved; valid until the next step
  bool address_ok = true;  // false: adding a register left the field below 0 or above 32 bits
};

// Walks a program once, from its first instruction to cp.halt.
class Sequencer {
 public:
  // The program must outlive the sequencer.
  explicit Sequencer(const Program& program) : program_(&program) {}

  // The next instruction, in the order the command processor meets them; cp.* are executed as they
  // are passed. False after cp.halt.
  bool Next(Step& step);

  uint64_t StepsTaken() const { return steps_; }
  // Where the walk stands: the next instruction.
  uint32_t Pc() const { return pc_; }

 private:
  struct Loop {
    uint32_t body_pc;
    uint32_t left;
  };

  void Execute(const Instr& instr, Opcode opcode);

  const Program* program_;
  uint32_t pc_ = 0;
  uint32_t handle_ = 0;
  uint64_t steps_ = 0;
  bool halted_ = false;
  std::array<int32_t, kAddressRegisterCount> registers_ = {};
  std::array<Loop, kMaxLoopDepth> loops_ = {};
  int loop_depth_ = 0;
  Instr resolved_;
};

}  // namespace acme

#endif  // NPUKIT_SIMULATOR_ISA_SEQUENCER_H_
