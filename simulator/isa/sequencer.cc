// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "simulator/isa/sequencer.h"

#include <fmt/format.h>

#include <limits>
#include <string>

#include "simulator/isa/codec.h"
#include "simulator/isa/info.h"
#include "simulator/isa/packing.h"

namespace acme {
namespace {

// Adds address registers to the fields before them.
class Resolver {
 public:
  explicit Resolver(const std::array<int32_t, kAddressRegisterCount>& registers)
      : registers_(registers) {}

  template <int bits, FieldKind kind, class T>
  void Field(T& member) {
    if constexpr (kind == FieldKind::kSpm || kind == FieldKind::kAcc || kind == FieldKind::kDram) {
      // isa.def lists an address field's register right behind it, which is what pairs the two
      // here.
      address_ = &member;
    } else if constexpr (kind == FieldKind::kAreg) {
      if (member != 0) {
        const int64_t sum = static_cast<int64_t>(*address_) + registers_[member];
        ok_ = ok_ && sum >= 0 && sum <= std::numeric_limits<uint32_t>::max();
        *address_ = static_cast<uint32_t>(sum);
      }
    }
  }

  bool ok() const { return ok_; }

 private:
  const std::array<int32_t, kAddressRegisterCount>& registers_;
  uint32_t* address_ = nullptr;
  bool ok_ = true;
};

// Whether some address register field is not zero.
class RegisterFinder {
 public:
  template <int bits, FieldKind kind, class T>
  void Field(const T& member) {
    if constexpr (kind == FieldKind::kAreg) found_ = found_ || member != 0;
  }
  bool found() const { return found_; }

 private:
  bool found_ = false;
};

template <class Visitor, class InstrT>
void VisitAny(InstrT& instr, Visitor& visitor) {
  std::visit(
      [&](auto& op) {
        if constexpr (!std::is_same_v<std::decay_t<decltype(op)>, std::monostate>)
          isa::VisitFields(op, visitor);
      },
      instr.op);
}

Error At(uint32_t pc, const std::string& message) {
  return Error(ErrorCode::kInvalidProgram, fmt::format("instruction {}: {}", pc, message),
               static_cast<int64_t>(pc) * kInstructionBytes);
}

}  // namespace

Expected<Program> Program::Decode(std::span<const Word> code) {
  Program program;
  program.instrs_.reserve(code.size());
  int depth = 0;
  for (uint32_t pc = 0; pc < code.size(); ++pc) {
    Expected<Instr> instr = acme::Decode(code[pc]);
    if (!instr) return At(pc, instr.Error().Message());
    const Opcode opcode = static_cast<Opcode>(code[pc].w[0] & 0xFF);
    if (opcode == Opcode::kCpLoop && ++depth > kMaxLoopDepth) return At(pc, "loops nest too deep");
    if (opcode == Opcode::kCpEndLoop && --depth < 0) return At(pc, "cp.endloop without cp.loop");
    if (opcode == Opcode::kCpHalt && pc + 1 != code.size()) return At(pc, "cp.halt before the end");
    RegisterFinder finder;
    VisitAny(*instr, finder);
    program.instrs_.push_back(*instr);
    program.opcodes_.push_back(opcode);
    program.uses_registers_.push_back(finder.found());
  }
  const uint32_t end = program.Size();
  if (end == 0 || program.opcodes_.back() != Opcode::kCpHalt)
    return At(end, "the program does not end in cp.halt");
  if (depth != 0) return At(end, "a loop is not closed");
  program.packed_ends_ = PackedEnds(code);
  return program;
}

bool Sequencer::Next(Step& step) {
  if (halted_) return false;
  const Instr& instr = (*program_)[pc_];
  const Opcode opcode = program_->OpcodeAt(pc_);
  step.pc = pc_;
  step.opcode = opcode;
  step.instr = &instr;
  step.address_ok = true;
  // Only this walk moves pc_: what the verifier has seen of it is what the device will do.
  ++steps_;
  ++pc_;
  if (EngineOf(opcode) == Engine::kCommand) {
    Execute(instr, opcode);
  } else if (program_->UsesRegisters(step.pc)) {
    resolved_ = instr;
    Resolver resolver(registers_);
    VisitAny(resolved_, resolver);
    step.instr = &resolved_;
    step.address_ok = resolver.ok();
  }
  step.handle = handle_;
  return true;
}

void Sequencer::Execute(const Instr& instr, Opcode opcode) {
  switch (opcode) {
    case Opcode::kCpHalt:
      halted_ = true;
      break;
    case Opcode::kCpMark:
      handle_ = std::get<isa::CpMark>(instr.op).handle;
      break;
    case Opcode::kCpLoop:
      loops_[loop_depth_++] = {pc_, std::get<isa::CpLoop>(instr.op).count};
      break;
    case Opcode::kCpEndLoop:
      // The count is at least 1 and every loop closed, both by Decode: nothing is checked here.
      if (--loops_[loop_depth_ - 1].left != 0) {
        pc_ = loops_[loop_depth_ - 1].body_pc;
      } else {
        --loop_depth_;
      }
      break;
    case Opcode::kCpSetA: {
      const auto& op = std::get<isa::CpSetA>(instr.op);
      registers_[op.areg] = op.value;
      break;
    }
    case Opcode::kCpAddA: {
      // Wraps modulo 2^32; an address that leaves its memory is found where it is used.
      const auto& op = std::get<isa::CpAddA>(instr.op);
      registers_[op.areg] = static_cast<int32_t>(static_cast<uint32_t>(registers_[op.areg]) +
                                                 static_cast<uint32_t>(op.value));
      break;
    }
    case Opcode::kCpXorA: {
      const auto& op = std::get<isa::CpXorA>(instr.op);
      registers_[op.areg] =
          static_cast<int32_t>(static_cast<uint32_t>(registers_[op.areg]) ^ op.value);
      break;
    }
    default:
      break;
  }
}

}  // namespace acme
