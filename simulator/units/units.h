// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// All engines' values behind one call.

#ifndef NPUKIT_SIMULATOR_UNITS_UNITS_H_
#define NPUKIT_SIMULATOR_UNITS_UNITS_H_

#include "simulator/hw/hardware.h"
#include "simulator/isa/engine_state.h"
#include "simulator/units/matrix_unit.h"
#include "simulator/units/memory.h"
#include "simulator/units/vector_unit.h"

namespace acme {

// Computes what instructions write. The program must have passed the verifier for this hardware and
// these buffers.
class Units {
 public:
  explicit Units(const Hardware& hardware) : memory_(hardware), matrix_(hardware) {}

  Memory& memory() { return memory_; }

  // `state` is the engines' state before the instruction; addresses are resolved. Configuration
  // does nothing here.
  void Execute(const Instr& instr, const EngineState& state);
  // Of the last instruction, an index that it read and that is none; the run cannot go on.
  const std::optional<Memory::BadIndex>& BadIndex() const { return memory_.bad_index; }

 private:
  Memory memory_;
  MatrixUnit matrix_;
  VectorUnit vector_;
};

}  // namespace acme

#endif  // NPUKIT_SIMULATOR_UNITS_UNITS_H_
