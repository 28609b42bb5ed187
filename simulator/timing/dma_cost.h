// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Costs of the load and store engines' transfers.

#ifndef NPUKIT_SIMULATOR_TIMING_DMA_COST_H_
#define NPUKIT_SIMULATOR_TIMING_DMA_COST_H_

#include "simulator/timing/instruction_cost.h"

namespace acme {

// The data phase: the larger of the bursts at full DRAM bandwidth and the scratchpad words through
// one port. Set-up and latency are added by the device, which overlaps them with earlier transfers.
InstructionCost EstimateDma(const isa::LdCopy& instr, const EngineState& state,
                            const Hardware& hardware);
InstructionCost EstimateDma(const isa::LdNd& instr, const EngineState& state,
                            const Hardware& hardware);
InstructionCost EstimateDma(const isa::StCopy& instr, const EngineState& state,
                            const Hardware& hardware);
InstructionCost EstimateDma(const isa::StNd& instr, const EngineState& state,
                            const Hardware& hardware);
InstructionCost EstimateDma(const isa::LdGather& instr, const EngineState& state,
                            const Hardware& hardware);
InstructionCost EstimateDma(const isa::StScatter& instr, const EngineState& state,
                            const Hardware& hardware);

}  // namespace acme

#endif  // NPUKIT_SIMULATOR_TIMING_DMA_COST_H_
