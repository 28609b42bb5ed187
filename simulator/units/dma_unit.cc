// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "simulator/units/dma_unit.h"

#include <algorithm>
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

// Bytes of two elements of four bits, each to one of its own, the lower half first.
void UnpackBox(uint8_t* to, const Strides& to_stride, const uint8_t* from,
               const Strides& from_stride, const Extents& shape) {
  // With the sign of its bit 3.
  const auto widen = [](uint8_t half) { return static_cast<uint8_t>((half ^ 8) - 8); };
  for (int64_t i3 = 0; i3 < shape[3]; ++i3) {
    for (int64_t i2 = 0; i2 < shape[2]; ++i2) {
      for (int64_t i1 = 0; i1 < shape[1]; ++i1) {
        const uint8_t* source =
            from + i3 * from_stride[3] + i2 * from_stride[2] + i1 * from_stride[1];
        uint8_t* target = to + i3 * to_stride[3] + i2 * to_stride[2] + i1 * to_stride[1];
        for (int64_t i0 = 0; i0 < shape[0]; ++i0, target += 2 * to_stride[0]) {
          target[0] = widen(source[i0] & 0xF);
          target[to_stride[0]] = widen(source[i0] >> 4);
        }
      }
    }
  }
}

// Calls copy(i3, index) for every index; stops at one that is none.
template <class F>
void ForEachIndex(const DmaState& state, Memory& memory, F&& copy) {
  const DmaIndex& index = state.index;
  for (int64_t i3 = 0; i3 < state.shape[3]; ++i3) {
    int64_t at = LoadAs<int32_t>(memory.Scratchpad(index.addr + i3 * SizeBytes(Dtype::kI32)));
    if (index.clamp) at = std::clamp<int64_t>(at, 0, index.last);
    if (at < 0 || at > index.last) {
      memory.bad_index = {at, i3, index.last};
      return;
    }
    copy(i3, at);
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
  const uint8_t* from = memory.buffers[instr.binding] + instr.dram;
  if (instr.unpack) return UnpackBox(to, state.spm_stride, from, dram, state.shape);
  CopyBox(to, state.spm_stride, from, dram, state.shape, instr.elem_bytes);
}

void RunLoad(const isa::LdGather& instr, const DmaState& state, Memory& memory) {
  Strides dram = state.dram_stride;
  dram[0] = instr.elem_bytes;
  Extents slice = state.shape;
  slice[3] = 1;
  ForEachIndex(state, memory, [&](int64_t i3, int64_t index) {
    const uint8_t* from = memory.buffers[instr.binding] + instr.dram + index * dram[3];
    uint8_t* to = memory.Scratchpad(instr.spm) + i3 * state.spm_stride[3];
    if (instr.unpack) return UnpackBox(to, state.spm_stride, from, dram, slice);
    CopyBox(to, state.spm_stride, from, dram, slice, instr.elem_bytes);
  });
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

void RunStore(const isa::StScatter& instr, const DmaState& state, Memory& memory) {
  Strides dram = state.dram_stride;
  dram[0] = instr.elem_bytes;
  Extents slice = state.shape;
  slice[3] = 1;
  ForEachIndex(state, memory, [&](int64_t i3, int64_t index) {
    CopyBox(memory.buffers[instr.binding] + instr.dram + index * dram[3], dram,
            memory.Scratchpad(instr.spm) + i3 * state.spm_stride[3], state.spm_stride, slice,
            instr.elem_bytes);
  });
}

}  // namespace acme
