// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// For tests: random instruction sequences, mostly legal, on a small machine.

#ifndef NPUKIT_SIMULATOR_DEVICE_RANDOM_PROGRAM_H_
#define NPUKIT_SIMULATOR_DEVICE_RANDOM_PROGRAM_H_

#include <cstdint>
#include <random>
#include <vector>

#include "simulator/hw/hardware.h"
#include "simulator/isa/info.h"

namespace acme {

// An 8x4 array, 4 KiB scratchpad, 32 accumulator rows.
inline Hardware FuzzHardware() {
  Hardware hw = *BuiltinHardware("acme_a0");
  hw.array_rows = 8;
  hw.array_cols = 4;
  hw.scratchpad_bytes = 4096;
  hw.accumulator_rows = 32;
  hw.queue_depth = 4;
  return hw;
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

}  // namespace acme

#endif  // NPUKIT_SIMULATOR_DEVICE_RANDOM_PROGRAM_H_
