// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "simulator/timing/instruction_cost.h"

#include "simulator/timing/dma_cost.h"
#include "simulator/timing/matrix_cost.h"
#include "simulator/timing/vector_cost.h"

namespace acme {

InstructionCost EstimateInstruction(const Instr& instr, const EngineState& state,
                                    const Hardware& hardware) {
  return std::visit(
      [&](const auto& op) -> InstructionCost {
        if constexpr (requires { EstimateDma(op, state, hardware); }) {
          return EstimateDma(op, state, hardware);
        } else if constexpr (requires { EstimateMatrix(op, state, hardware); }) {
          return EstimateMatrix(op, state, hardware);
        } else if constexpr (requires { EstimateVector(op, state, hardware); }) {
          return EstimateVector(op, state, hardware);
        } else {
          return InstructionCost{};
        }
      },
      instr.op);
}

double EnergyOf(const InstructionCost& cost, const Hardware& hardware) {
  const Energy& e = hardware.energy;
  double mac_pj = e.mac_int8_pj;
  double elem_pj = e.vector_int_pj;
  if (cost.dtype == Dtype::kI16) mac_pj = e.mac_int16_pj;
  if (cost.dtype == Dtype::kF32) {
    mac_pj = e.mac_f32_pj;
    elem_pj = e.vector_f32_pj;
  }
  return static_cast<double>(cost.macs) * mac_pj +
         static_cast<double>(cost.vector_elems) * elem_pj +
         static_cast<double>(cost.scratchpad_bytes) * e.scratchpad_byte_pj +
         static_cast<double>(cost.accumulator_bytes) * e.accumulator_byte_pj +
         static_cast<double>(cost.dram_read_bytes + cost.dram_write_bytes) * e.dram_byte_pj +
         e.instruction_pj;
}

}  // namespace acme
