// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Costs of the vector engine. Every operation pays the pipeline's depth (vector.startup_cycles),
// then the largest of what its lanes, its read port and its write port need.

#ifndef NPUKIT_SIMULATOR_TIMING_VECTOR_COST_H_
#define NPUKIT_SIMULATOR_TIMING_VECTOR_COST_H_

#include "simulator/timing/instruction_cost.h"

namespace acme {

InstructionCost EstimateVector(const isa::VDrain& instr, const EngineState& state,
                               const Hardware& hardware);
InstructionCost EstimateVector(const isa::VChain& instr, const EngineState& state,
                               const Hardware& hw);
InstructionCost EstimateVector(const isa::VBinary& instr, const EngineState& state,
                               const Hardware& hardware);
InstructionCost EstimateVector(const isa::VCompare& instr, const EngineState& state,
                               const Hardware& hardware);
InstructionCost EstimateVector(const isa::VSelect& instr, const EngineState& state,
                               const Hardware& hardware);
InstructionCost EstimateVector(const isa::VUnary& instr, const EngineState& state,
                               const Hardware& hardware);
InstructionCost EstimateVector(const isa::VLut& instr, const EngineState& state,
                               const Hardware& hardware);
InstructionCost EstimateVector(const isa::VConvert& instr, const EngineState& state,
                               const Hardware& hardware);
InstructionCost EstimateVector(const isa::VReduce& instr, const EngineState& state,
                               const Hardware& hardware);
InstructionCost EstimateVector(const isa::VPool& instr, const EngineState& state,
                               const Hardware& hardware);
InstructionCost EstimateVector(const isa::VDepthwise& instr, const EngineState& state,
                               const Hardware& hardware);
InstructionCost EstimateVector(const isa::VDot& instr, const EngineState& state,
                               const Hardware& hardware);
InstructionCost EstimateVector(const isa::VSoftmax& instr, const EngineState& state,
                               const Hardware& hardware);
InstructionCost EstimateVector(const isa::VResize& instr, const EngineState& state,
                               const Hardware& hardware);
InstructionCost EstimateVector(const isa::VFill& instr, const EngineState& state,
                               const Hardware& hardware);

}  // namespace acme

#endif  // NPUKIT_SIMULATOR_TIMING_VECTOR_COST_H_
