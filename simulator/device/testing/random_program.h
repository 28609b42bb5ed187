// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// For tests: random instruction sequences, mostly legal, on a small machine.

#ifndef NPUKIT_SIMULATOR_DEVICE_TESTING_RANDOM_PROGRAM_H_
#define NPUKIT_SIMULATOR_DEVICE_TESTING_RANDOM_PROGRAM_H_

#include <cstdint>
#include <random>
#include <vector>

#include "simulator/hw/hardware.h"
#include "simulator/isa/info.h"
#include "simulator/isa/program_builder.h"

namespace acme {

// An 8x4 array, 4 KiB scratchpad, 32 accumulator rows. Made once: reading a description takes longer
// than running a hundred small programs.
inline const Hardware& FuzzHardware() {
  static const Hardware hardware = [] {
    Hardware hw = *BuiltinHardware("acme_a0");
    hw.array_rows = 8;
    hw.array_cols = 4;
    hw.scratchpad_bytes = 4096;
    hw.accumulator_rows = 32;
    hw.queue_depth = 4;
    return hw;
  }();
  return hardware;
}

inline std::vector<std::vector<uint8_t>> FuzzBuffers() {
  return {std::vector<uint8_t>(256, 1), std::vector<uint8_t>(256, 2), std::vector<uint8_t>(300, 3),
          std::vector<uint8_t>(300, 4)};
}

// A value for a field that is often legal: small sizes, addresses inside the machine.
inline int64_t PlausibleValue(const FieldInfo& field, std::mt19937& random) {
  auto below = [&](uint32_t limit) { return static_cast<int64_t>(random() % limit); };
  if (field.enumeration != nullptr)
    return field.enumeration->values[random() % field.enumeration->values.size()].value;
  switch (field.kind) {
    case FieldKind::kSize:
      return 1 + below(field.name == "elem_bytes" ? 4 : random() % 8 == 0 ? 60 : 6);
    case FieldKind::kSpm:
      return below(random() % 16 == 0 ? 5000 : 2000);
    case FieldKind::kAcc:
      return below(20);
    case FieldKind::kDram:
      return below(200);
    case FieldKind::kBinding:
      return below(4);
    case FieldKind::kBindingOut:
      return 1 + 2 * below(2);
    case FieldKind::kAreg:
      return random() % 6 == 0 ? below(3) : 0;
    case FieldKind::kAregTarget:
      return 1 + below(2);
    case FieldKind::kInt:
      return below(40) - (random() % 8 == 0 ? 20 : 0);
    default:
      return below(random() % 4 == 0 ? 1u << 31 : 40);
  }
}

// Instructions with plausible fields, now and then a loop, few semaphores, cp.halt at the end.
inline std::vector<Word> RandomProgram(uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<Word> code;
  const int count = 2 + static_cast<int>(random() % 24);
  int open_loops = 0;
  // A small set of instructions makes configuration and use meet often.
  const uint32_t window = static_cast<uint32_t>(AllInstructions().size());
  while (static_cast<int>(code.size()) < count) {
    const InstrInfo& info = AllInstructions()[random() % window];
    if (info.opcode == Opcode::kCpHalt) continue;
    if (info.opcode == Opcode::kCpLoop && ++open_loops > 2) {
      --open_loops;
      continue;
    }
    if (info.opcode == Opcode::kCpEndLoop && --open_loops < 0) {
      ++open_loops;
      continue;
    }
    Word word;
    word.w[0] = static_cast<uint32_t>(info.opcode);
    if (random() % 8 == 0) word.w[0] |= 1u << 20;  // posts semaphore 1
    if (random() % 12 == 0) word.w[0] |= 1u << 8;  // waits for it
    for (const FieldInfo& field : info.fields)
      WriteField(word, field, PlausibleValue(field, random));
    code.push_back(word);
  }
  for (; open_loops > 0; --open_loops)
    code.push_back(Word{{static_cast<uint32_t>(Opcode::kCpEndLoop), 0, 0, 0}});
  code.push_back(Word{{static_cast<uint32_t>(Opcode::kCpHalt), 0, 0, 0}});
  return code;
}

// Short copies among DRAM, two places of the scratchpad and back, on three engines. Semaphores 1 to
// 6 each lead from one engine to another; each post is waited for at some later instruction of the
// right engine, if there is one, and most neighbours are ordered by one.
inline std::vector<Word> TransferProgram(uint32_t seed) {
  std::mt19937 random(seed);
  auto below = [&](uint32_t limit) { return static_cast<uint32_t>(random() % limit); };
  constexpr Engine kEngines[] = {Engine::kLoad, Engine::kVector, Engine::kStore};
  ProgramBuilder b;
  b.Emit(isa::VShape{4, 1, 1, 1});
  for (View view : {View::kDst, View::kA, View::kB}) b.Emit(isa::VView{view, 4, 0, 0, 0});
  const int count = 2 + static_cast<int>(below(6));
  int previous = -1;    // engine of the instruction before
  bool posted = false;  // and whether it has posted to this one
  int next = static_cast<int>(below(3));
  for (int i = 0; i < count; ++i) {
    const int engine = next;
    next = static_cast<int>(below(3));
    auto semaphore = [](int from, int to) {
      return static_cast<uint8_t>(1 + from * 2 + (to > from ? to - 1 : to));
    };
    Sync sync;
    if (posted) sync.wait[0] = semaphore(previous, engine);
    posted = i + 1 < count && next != engine && below(6) != 0;
    if (posted) sync.post[0] = semaphore(engine, next);
    const uint32_t here = 16 * (below(2)), there = 16 * (below(2));
    if (kEngines[engine] == Engine::kLoad) {
      b.Emit(
          isa::LdCopy{.binding = 2 + below(2), .dram = 16 * (below(3)), .spm = here, .bytes = 16},
          sync);
    } else if (kEngines[engine] == Engine::kStore) {
      b.Emit(isa::StCopy{.binding = 3, .dram = 16 * (below(3)), .spm = here, .bytes = 16}, sync);
    } else {
      b.Emit(
          isa::VBinary{
              .op = BinaryOp::kAdd, .dtype = Dtype::kI32, .dst = here, .a = there, .b = here},
          sync);
    }
    previous = engine;
  }
  b.Halt();
  return *b.Finish();
}

}  // namespace acme

#endif  // NPUKIT_SIMULATOR_DEVICE_TESTING_RANDOM_PROGRAM_H_
