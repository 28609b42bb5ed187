// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What configuration instructions have set so far, engine by engine. Semantics, timing, checks and
// footprints of an instruction are functions of the instruction and this.

#ifndef NPUKIT_SIMULATOR_ISA_ENGINE_STATE_H_
#define NPUKIT_SIMULATOR_ISA_ENGINE_STATE_H_

#include <array>
#include <cstdint>

#include "simulator/isa/instruction.h"

namespace acme {

// Four extents, innermost first. Before the first configuration every extent is 1.
using Extents = std::array<int64_t, 4>;
using Strides = std::array<int64_t, 4>;  // bytes, innermost first

// The extents that a reduction over `dims`, a bit each, keeps; 1 in the others.
constexpr Extents KeptExtents(Extents shape, uint32_t dims) {
  for (size_t d = 0; d < shape.size(); ++d) {
    if (((dims >> d) & 1) != 0) shape[d] = 1;
  }
  return shape;
}
constexpr int64_t Count(const Extents& shape) { return shape[0] * shape[1] * shape[2] * shape[3]; }

// Where a gather or scatter finds its indices.
struct DmaIndex {
  int64_t addr = 0;  // in the scratchpad
  int64_t last = 0;
  bool clamp = false;
};

struct DmaState {
  Extents shape = {1, 1, 1, 1};
  Strides dram_stride = {};  // [0] is not used: the element size
  Strides spm_stride = {};
  DmaIndex index;
  // Load only.
  uint32_t pad_value = 0;
  Extents pad_lo = {};
  Extents pad_hi = {};
};

// The weights that one plane of the array holds.
struct WeightPlane {
  bool valid = false;
  int32_t k = 0;
  int32_t n = 0;
  Dtype dtype = Dtype::kI8;
};

struct MatrixState {
  isa::MType type;
  isa::MConvInput input;
  isa::MConvWindow window;
  WeightPlane shadow;
  WeightPlane active;
};

struct VectorState {
  Extents shape = {1, 1, 1, 1};
  std::array<Strides, 4> stride = {};  // by View
  std::array<isa::VQuant, 4> quant = {};
  bool clamp_set = false;  // until the first v.clamp results are not clamped
  isa::VClamp clamp;
  isa::VParams params;
  isa::VWindow window;
  isa::VInput input;
  isa::VEpilogue epilogue;  // no dims: not set
  bool residual_set = false;
  isa::VResidual residual;
  bool lookup_set = false;
  isa::VLookup lookup;

  int64_t Elements() const { return Count(shape); }
  const Strides& StrideOf(View view) const { return stride[static_cast<int>(view)]; }
  const isa::VQuant& QuantOf(View view) const { return quant[static_cast<int>(view)]; }
};

struct EngineState {
  DmaState load;
  DmaState store;
  MatrixState matrix;
  VectorState vector;
};

// Takes a configuration instruction, m.loadw or a swapping stream into the state; others leave it
// as it is. Addresses must be resolved (their registers added).
void ApplyToState(const Instr& instr, EngineState& state);

// Whether an instruction only configures or only synchronises: one cycle, no data.
bool IsConfiguration(Opcode opcode);

}  // namespace acme

#endif  // NPUKIT_SIMULATOR_ISA_ENGINE_STATE_H_
