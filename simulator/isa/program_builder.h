// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Writes programs from C++:
//
//   ProgramBuilder b;
//   b.Mark(7);
//   b.Emit(isa::LdCopy{.binding = 0, .dram = 0, .spm = 0, .bytes = 1024}, Post(1));
//   b.BeginLoop(4);
//   b.Emit(isa::MLoadW{...}, Wait(1));
//   b.AddA(3, 32);
//   b.EndLoop();
//   b.Halt();
//   Expected<std::vector<Word>> code = b.Finish();
//
// Errors (a value that its field can't hold) are kept and come back from Finish with the
// instruction's index and mnemonic.

#ifndef NPUKIT_SIMULATOR_ISA_PROGRAM_BUILDER_H_
#define NPUKIT_SIMULATOR_ISA_PROGRAM_BUILDER_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "simulator/isa/codec.h"
#include "simulator/isa/expected.h"
#include "simulator/isa/instruction.h"

namespace acme {

// Sync values to pass to Emit; combine with &: Wait(1, 2) & Post(3).
constexpr Sync Wait(uint8_t first, uint8_t second = 0) { return Sync{{first, second}, {}}; }
constexpr Sync Post(uint8_t first, uint8_t second = 0) { return Sync{{}, {first, second}}; }
constexpr Sync operator&(Sync wait, Sync post) { return Sync{wait.wait, post.post}; }

class ProgramBuilder {
 public:
  template <class I>
  void Emit(const I& instr, Sync sync = {}) {
    Append(Instr{sync, instr});
  }

  // Appends any decoded instruction.
  void Append(const Instr& instr);

  void Mark(uint32_t handle) { Emit(isa::CpMark{.handle = handle}); }
  void BeginLoop(uint32_t count) { Emit(isa::CpLoop{.count = count}); }
  void EndLoop() { Emit(isa::CpEndLoop{}); }
  void SetA(uint32_t areg, int32_t value) { Emit(isa::CpSetA{.areg = areg, .value = value}); }
  void AddA(uint32_t areg, int32_t value) { Emit(isa::CpAddA{.areg = areg, .value = value}); }
  void Fence() { Emit(isa::CpFence{}); }
  void Halt() { Emit(isa::CpHalt{}); }

  // Instructions so far: the next one's index.
  uint32_t Size() const { return static_cast<uint32_t>(code_.size()); }

  // The code, or the first error. The builder is empty afterwards.
  Expected<std::vector<Word>> Finish();

 private:
  std::vector<Word> code_;
  std::optional<Error> error_;
};

}  // namespace acme

#endif  // NPUKIT_SIMULATOR_ISA_PROGRAM_BUILDER_H_
