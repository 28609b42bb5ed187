// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Loops. In: instructions one after the other. Out: fewer, which the command processor walks to the
// same ones: what repeats with addresses a constant distance further becomes the body of a loop.
//
//   m.loadw addr=0x100      cp.seta a1 0
//   m.conv  addr=0x40       cp.seta a2 0
//   m.loadw addr=0x200      cp.loop 3
//   m.conv  addr=0x50       m.loadw addr=0x100 + a1
//   m.loadw addr=0x300      m.conv  addr=0x40 + a2
//   m.conv  addr=0x60       cp.adda a1 0x100
//                           cp.adda a2 0x10
//                           cp.endloop
//
// Instructions come from the DRAM, which a layer of few pixels waits for anyway: there a loop saves
// as many cycles as its instructions would take.

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_EMIT_LOOPS_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_EMIT_LOOPS_H_

#include <vector>

#include "simulator/isa/instruction.h"

namespace acme::compiler {

// Of instructions without loops and address registers.
std::vector<Instr> RollLoops(std::vector<Instr> code);

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_EMIT_LOOPS_H_
