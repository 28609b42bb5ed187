// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The packed form of instructions, as chips with command.packed_instructions hold them in DRAM. An
// instruction is mostly the last one of its opcode again:
//
//   byte 0       the instruction's first byte, its opcode
//   bytes 1, 2   a bit for each of its other 15 bytes, the lowest for byte 1: whether it differs
//   then         those bytes
//
// What the last one of an opcode was is forgotten every kPackedBlock instructions; then it is zeros.
// Blocks follow each other without a gap. A loop that is fetched again goes back to the block in which
// the command processor was when it began, so no other place in a program needs to be found.

#ifndef NPUKIT_SIMULATOR_ISA_PACKING_H_
#define NPUKIT_SIMULATOR_ISA_PACKING_H_

#include <cstdint>
#include <span>
#include <vector>

#include "simulator/isa/instruction.h"

namespace acme {

inline constexpr size_t kPackedBlock = 64;

// Where each instruction ends in the packed form, in bytes. The form itself is the DRAM's: programs and
// modules hold instructions as they are.
std::vector<uint32_t> PackedEnds(std::span<const Word> code);

}  // namespace acme

#endif  // NPUKIT_SIMULATOR_ISA_PACKING_H_
