// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "simulator/units/units.h"

#include "simulator/units/dma_unit.h"

namespace acme {

void Units::Execute(const Instr& instr, const EngineState& state) {
  std::visit(
      [&](const auto& op) {
        using Op = std::decay_t<decltype(op)>;
        if constexpr (std::is_same_v<Op, isa::LdCopy>) {
          RunLoad(op, memory_);
        } else if constexpr (std::is_same_v<Op, isa::LdNd> || std::is_same_v<Op, isa::LdGather>) {
          RunLoad(op, state.load, memory_);
        } else if constexpr (std::is_same_v<Op, isa::StCopy>) {
          RunStore(op, memory_);
        } else if constexpr (std::is_same_v<Op, isa::StNd> || std::is_same_v<Op, isa::StScatter>) {
          RunStore(op, state.store, memory_);
        } else if constexpr (std::is_same_v<Op, isa::MLoadW>) {
          matrix_.LoadWeights(op, state.matrix, memory_);
        } else if constexpr (std::is_same_v<Op, isa::MStream>) {
          matrix_.Stream(op, state.matrix, memory_);
        } else if constexpr (std::is_same_v<Op, isa::MConv>) {
          matrix_.Convolve(op, state.matrix, memory_);
        } else if constexpr (requires { vector_.Run(op, state.vector, memory_); }) {
          if constexpr (requires { op.lookup; }) {
            if (op.lookup) vector_.HoldTable(state.vector, memory_);
          }
          vector_.Run(op, state.vector, memory_);
          if constexpr (requires { op.lookup; }) {
            if (op.lookup) vector_.LookUp(op.dst, ResultOf(op), state.vector, memory_);
          }
          if (HasEpilogue(op, state.vector)) {
            if constexpr (requires { op.dst; })
              VectorUnit::RunEpilogue(op.dst, state.vector, memory_);
          }
        }
      },
      instr.op);
}

}  // namespace acme
