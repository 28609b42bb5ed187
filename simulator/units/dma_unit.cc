// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "simulator/units/dma_unit.h"

#include <cstring>

namespace acme {
namespace {

// Copies or fills one line of count elements.
template <int kBytes>
void CopyLine(uint8_t* to, int64_t to_stride, const uint8_t* from, int64_t from_stride,
              int64_t count) {
  for (int64_t i = 0; i < count; ++i)
    std::memcpy(to + i * to_stride, from + i * from_stride, kBytes);
}

void CopyLineAny(uint8_t* to, int64_t to_stride, const uint8_t* from, int64_t from_stride,
                 int64_t count, int64_t bytes) {
  if (to_stride == bytes && from_stride == bytes) {
    std::memcpy(to, from, count * bytes);
    return;
  }
  switch (bytes) {
    case 1:
      return CopyLine<1>(to, to_stride, from, from_stride, count);
    case 2:
      return CopyLine<2>(to, to_stride, from, from_stride, count);
    case 4:
      return CopyLine<4>(to, to_stride, from, from_stride, count);
    default:
      return CopyLine<8>(to, to_stride, from, from_stride, count);
  }
}

// A four-dimensional copy; from strides of 0 repeat an element.
void CopyBox(uint8_t* to, const Strides& to_stride, const uint8_t* from, const Strides& from_stride,
             const Extents& shape, int64_t bytes) {
  for (int64_t i3 = 0; i3 < shape[3]; ++i3) {
    for (int64_t i2 = 0; i2 < shape[2]; ++i2) {
      for (int64_t i1 = 0; i1 < shape[1]; ++i1) {
        CopyLineAny(to + i3 * to_stride[3] + i2 * to_stride[2] + i1 * to_stride[1], to_stride[0],
                    from + i3 * from_stride[3] + i2 * from_stride[2] + i1 * from_stride[1],
                    from_stride[0], shape[0], bytes);
      }
    }
  }
}

}  // namespace

void RunLoad(const isa::LdCopy& instr, Memory& memory) {
  std::memcpy(memory.Scratchpad(instr.spm), memory.buffers[instr.binding] + instr.dram,
              instr.bytes);
}

void RunLoad(const isa::LdNd& instr, const DmaState& state, Memory& memory) {
  uint8_t* to = memory.Scratchpad(instr.spm);
  if (instr.pad) {
    // The whole outer box is filled, then the inside is overwritten.
    uint8_t fill[8] = {};
    std::memcpy(fill, &state.pad_value, sizeof(state.pad_value));
    Extents outer = state.shape;
    for (int d = 0; d < 4; ++d) outer[d] += state.pad_lo[d] + state.pad_hi[d];
    CopyBox(to, state.spm_stride, fill, {0, 0, 0, 0}, outer, instr.elem_bytes);
    for (int d = 0; d < 4; ++d) to += state.pad_lo[d] * state.spm_stride[d];
  }
  Strides dram = state.dram_stride;
  dram[0] = instr.elem_bytes;
  CopyBox(to, state.spm_stride, memory.buffers[instr.binding] + instr.dram, dram, state.shape,
          instr.elem_bytes);
}

void RunStore(const isa::StCopy& instr, Memory& memory) {
  std::memcpy(memory.buffers[instr.binding] + instr.dram, memory.Scratchpad(instr.spm),
              instr.bytes);
}

void RunStore(const isa::StNd& instr, const DmaState& state, Memory& memory) {
  Strides dram = state.dram_stride;
  dram[0] = instr.elem_bytes;
  CopyBox(memory.buffers[instr.binding] + instr.dram, dram, memory.Scratchpad(instr.spm),
          state.spm_stride, state.shape, instr.elem_bytes);
}

}  // namespace acme
