// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "simulator/isa/engine_state.h"

#include "simulator/isa/codec.h"

namespace acme {
namespace {

template <class Shape>
Extents ToExtents(const Shape& shape) {
  return {shape.n0, shape.n1, shape.n2, shape.n3};
}

struct Applier {
  EngineState& state;

  void operator()(const isa::LdShape& i) { state.load.shape = ToExtents(i); }
  // In DRAM the elements of dimension 0 are contiguous. Their size comes with the transfer, which
  // sets the stride that is 0 here.
  void operator()(const isa::LdDramStride& i) { state.load.dram_stride = {0, i.s1, i.s2, i.s3}; }
  void operator()(const isa::LdSpmStride& i) { state.load.spm_stride = {i.s0, i.s1, i.s2, i.s3}; }
  void operator()(const isa::LdPad& i) {
    state.load.pad_value = i.value;
    state.load.pad_lo = {i.lo0, i.lo1, i.lo2, i.lo3};
    state.load.pad_hi = {i.hi0, i.hi1, i.hi2, i.hi3};
  }
  void operator()(const isa::LdIndex& i) { state.load.index = {i.addr, i.last, i.clamp}; }
  void operator()(const isa::StIndex& i) { state.store.index = {i.addr, i.last, i.clamp}; }
  void operator()(const isa::StShape& i) { state.store.shape = ToExtents(i); }
  void operator()(const isa::StDramStride& i) { state.store.dram_stride = {0, i.s1, i.s2, i.s3}; }
  void operator()(const isa::StSpmStride& i) { state.store.spm_stride = {i.s0, i.s1, i.s2, i.s3}; }
  void operator()(const isa::MType& i) { state.matrix.type = i; }
  void operator()(const isa::MConvInput& i) { state.matrix.input = i; }
  void operator()(const isa::MConvWindow& i) { state.matrix.window = i; }
  void operator()(const isa::MLoadW& i) {
    state.matrix.shadow = {true, static_cast<int32_t>(i.k), static_cast<int32_t>(i.n),
                           state.matrix.type.weight};
  }
  void operator()(const isa::MStream& i) { Swap(i.swap); }
  void operator()(const isa::MConv& i) { Swap(i.swap); }
  void operator()(const isa::VShape& i) { state.vector.shape = ToExtents(i); }
  void operator()(const isa::VView& i) {
    state.vector.stride[static_cast<int>(i.view)] = {i.s0, i.s1, i.s2, i.s3};
  }
  void operator()(const isa::VQuant& i) { state.vector.quant[static_cast<int>(i.view)] = i; }
  void operator()(const isa::VClamp& i) {
    state.vector.clamp = i;
    state.vector.clamp_set = true;
  }
  void operator()(const isa::VParams& i) { state.vector.params = i; }
  void operator()(const isa::VWindow& i) { state.vector.window = i; }
  void operator()(const isa::VInput& i) { state.vector.input = i; }
  void operator()(const isa::VEpilogue& i) { state.vector.epilogue = i; }
  void operator()(const isa::VResidual& i) {
    state.vector.residual = i;
    state.vector.residual_set = true;
  }
  void operator()(const isa::VLookup& i) {
    state.vector.lookup = i;
    state.vector.lookup_set = true;
  }
  template <class I>
  void operator()(const I&) {}

  // Also what the verifier relies on: a shadow plane is taken once.
  void Swap(bool swap) {
    if (!swap) return;
    state.matrix.active = state.matrix.shadow;
    state.matrix.shadow.valid = false;
  }
};

}  // namespace

void ApplyToState(const Instr& instr, EngineState& state) { std::visit(Applier{state}, instr.op); }

bool IsConfiguration(Opcode opcode) {
  switch (opcode) {
    case Opcode::kLdCopy:
    case Opcode::kLdNd:
    case Opcode::kStCopy:
    case Opcode::kStNd:
    case Opcode::kLdGather:
    case Opcode::kStScatter:
    case Opcode::kMLoadW:
    case Opcode::kMStream:
    case Opcode::kMConv:
      return false;
    case Opcode::kVEpilogue:
    case Opcode::kVResidual:
    case Opcode::kVLookup:
      return true;
    default:
      // The vector engine's operations stand behind its other configuration in isa.def.
      return EngineOf(opcode) != Engine::kVector || opcode < Opcode::kVDrain;
  }
}

}  // namespace acme
