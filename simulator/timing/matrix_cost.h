// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Costs of the matrix engine.

#ifndef NPUKIT_SIMULATOR_TIMING_MATRIX_COST_H_
#define NPUKIT_SIMULATOR_TIMING_MATRIX_COST_H_

#include "simulator/timing/instruction_cost.h"

namespace acme {

InstructionCost EstimateMatrix(const isa::MLoadW& instr, const EngineState& state,
                               const Hardware& hardware);
InstructionCost EstimateMatrix(const isa::MStream& instr, const EngineState& state,
                               const Hardware& hardware);
InstructionCost EstimateMatrix(const isa::MConv& instr, const EngineState& state,
                               const Hardware& hardware);

}  // namespace acme

#endif  // NPUKIT_SIMULATOR_TIMING_MATRIX_COST_H_
