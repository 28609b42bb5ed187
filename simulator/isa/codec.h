// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Instructions to 128-bit words and back.

#ifndef NPUKIT_SIMULATOR_ISA_CODEC_H_
#define NPUKIT_SIMULATOR_ISA_CODEC_H_

#include <cstdint>

#include "simulator/isa/expected.h"
#include "simulator/isa/instruction.h"

namespace acme {

// Encodes. Error: a value that its field can't hold, a value the field's kind forbids (size 0, an
// enumeration value that does not exist, address register 0 as a target), a semaphore above 63.
Expected<Word> Encode(const Instr& instr);

// Decodes untrusted words. Error: an opcode that does not exist, bits set beyond the last field, a
// forbidden value. What depends on the machine (memory sizes, array) is checked by
// simulator/module/verify.h.
Expected<Instr> Decode(const Word& word);

Opcode OpcodeOf(const Instr& instr);

}  // namespace acme

#endif  // NPUKIT_SIMULATOR_ISA_CODEC_H_
