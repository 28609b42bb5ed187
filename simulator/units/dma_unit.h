// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Values of the load and store engines.

#ifndef NPUKIT_SIMULATOR_UNITS_DMA_UNIT_H_
#define NPUKIT_SIMULATOR_UNITS_DMA_UNIT_H_

#include "simulator/isa/engine_state.h"
#include "simulator/units/memory.h"

namespace acme {

void RunLoad(const isa::LdCopy& instr, Memory& memory);
void RunLoad(const isa::LdNd& instr, const DmaState& state, Memory& memory);
void RunStore(const isa::StCopy& instr, Memory& memory);
void RunStore(const isa::StNd& instr, const DmaState& state, Memory& memory);
// At an index that is none: memory.bad_index, and what comes after it is not copied.
void RunLoad(const isa::LdGather& instr, const DmaState& state, Memory& memory);
void RunStore(const isa::StScatter& instr, const DmaState& state, Memory& memory);

}  // namespace acme

#endif  // NPUKIT_SIMULATOR_UNITS_DMA_UNIT_H_
