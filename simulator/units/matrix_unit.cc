// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "simulator/units/matrix_unit.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "simulator/units/microkernels/microkernels.h"

namespace acme {
namespace {

int64_t RoundUp(int64_t value, int64_t to) { return (value + to - 1) / to * to; }

// Adds 32-bit partial sums, `shift` bits higher, to 64-bit accumulators: low words in the even row,
// high words in the odd one.
void AddWide(const int32_t* sums, int shift, int32_t* low, int32_t* high, int64_t n,
             bool accumulate) {
  for (int64_t c = 0; c < n; ++c) {
    // Unsigned, for sums wrap modulo 2^64 as registers do; signed ones would be undefined there.
    uint64_t value = 0;
    if (accumulate)
      value = static_cast<uint32_t>(low[c]) | static_cast<uint64_t>(static_cast<uint32_t>(high[c]))
                                                  << 32;
    value += static_cast<uint64_t>(static_cast<int64_t>(sums[c])) << shift;
    low[c] = static_cast<int32_t>(value);
    high[c] = static_cast<int32_t>(value >> 32);
  }
}

bool IsHole(float weight) { return weight == 0.0f && std::signbit(weight); }

bool AllFinite(const float* values, int64_t count) {
  constexpr uint32_t kExponent = 0x7F800000;
  // Without an early end, so that the compiler vectorises it: it looks at all that is staged, and
  // infinities are rare.
  uint32_t special = 0;
  for (int64_t i = 0; i < count; ++i)
    special |= (std::bit_cast<uint32_t>(values[i]) & kExponent) == kExponent ? 1 : 0;
  return special == 0;
}

}  // namespace

MatrixUnit::MatrixUnit(const Hardware& hardware) : staged_(hardware.array_rows) {
  // Pairs of rows and 16 columns: what the microkernels multiply at a time. Sized once for the whole
  // array, so that no instruction allocates.
  const int64_t k = RoundUp(hardware.array_rows, 2);
  const int64_t n = RoundUp(hardware.array_cols, 16);
  for (Plane* plane : {&shadow_, &active_}) {
    plane->integer.resize(k * n);
    plane->high.resize(k * n);
    plane->real.resize(k * n);
  }
  wide_sums_.resize(StagedRows::kMost * n);
}

void MatrixUnit::LoadWeights(const isa::MLoadW& instr, const MatrixState& state,
                             const Memory& memory) {
  Plane& plane = shadow_;
  plane.k = instr.k;
  plane.n = instr.n;
  plane.n_padded = RoundUp(plane.n, 16);
  const uint8_t* from = memory.Scratchpad(instr.addr);
  if (state.type.weight == Dtype::kF32) {
    plane.holes = state.type.holes;
    std::fill_n(plane.real.begin(), plane.k * plane.n_padded, 0.0f);
    for (int64_t r = 0; r < plane.k; ++r) {
      for (int64_t c = 0; c < plane.n; ++c) {
        plane.real[r * plane.n_padded + c] =
            LoadAs<float>(from + r * instr.k_stride + c * instr.n_stride);
      }
    }
    return;
  }
  // Rows lie in pairs, both weights of a column side by side, as the processor's multiply-add of
  // 16-bit pairs takes them. Columns beyond n and the second row of an odd last pair must be zero.
  std::fill_n(plane.integer.begin(), (plane.k + 1) / 2 * 2 * plane.n_padded, int16_t{0});
  plane.wide = state.type.weight == Dtype::kI16;
  if (plane.wide) {
    // Two planes of bytes, the low one unsigned: a product with 16-bit activations then fits 32 bits
    // for as many rows as an array may have.
    std::fill_n(plane.high.begin(), (plane.k + 1) / 2 * 2 * plane.n_padded, int16_t{0});
    for (int64_t r = 0; r < plane.k; ++r) {
      const int64_t to = (r / 2 * plane.n_padded) * 2 + r % 2;
      for (int64_t c = 0; c < plane.n; ++c) {
        const auto weight = LoadAs<int16_t>(from + r * instr.k_stride + c * instr.n_stride);
        plane.integer[to + 2 * c] = static_cast<int16_t>(weight & 0xFF);
        plane.high[to + 2 * c] = static_cast<int16_t>(weight >> 8);
      }
    }
    return;
  }
  const bool is_signed = state.type.weight == Dtype::kI8;
  int64_t r = 0;
  for (; instr.n_stride == 1 && r + 2 <= plane.k; r += 2) {
    const uint8_t* even = from + r * instr.k_stride;
    const uint8_t* odd = even + instr.k_stride;
    int16_t* to = plane.integer.data() + r * plane.n_padded;
    if (is_signed) {
      BestMicrokernels().interleave_i8(reinterpret_cast<const int8_t*>(even),
                                       reinterpret_cast<const int8_t*>(odd), to, plane.n,
                                       state.type.weight_zp);
    } else {
      BestMicrokernels().interleave_u8(even, odd, to, plane.n, state.type.weight_zp);
    }
  }
  for (; r < plane.k; ++r) {
    int16_t* to = plane.integer.data() + (r / 2 * plane.n_padded) * 2 + r % 2;
    const uint8_t* row = from + r * instr.k_stride;
    for (int64_t c = 0; c < plane.n; ++c) {
      const uint8_t byte = row[c * instr.n_stride];
      to[2 * c] = static_cast<int16_t>((is_signed ? static_cast<int8_t>(byte) : byte) -
                                       state.type.weight_zp);
    }
  }
}

template <class StageRows>
void MatrixUnit::MultiplyBlocks(int64_t total, int64_t acc_row, bool accumulate,
                                const MatrixState& state, Memory& memory, StageRows&& stage) {
  const int64_t acc_rows_each = state.type.act == Dtype::kI16 ? 2 : 1;
  for (int64_t first = 0; first < total; first += StagedRows::kMost) {
    const int64_t rows = std::min(StagedRows::kMost, total - first);
    stage(first, rows);
    Multiply(rows, acc_row + first * acc_rows_each, accumulate, state.type.act, memory);
  }
}

void MatrixUnit::Multiply(int64_t rows, int64_t acc_row, bool accumulate, Dtype act,
                          Memory& memory) {
  const Microkernels& kernels = BestMicrokernels();
  const Plane& plane = active_;
  if (act == Dtype::kF32) {
    // A sum is never -0, so what a hole would add to it, a zero of either sign, changes it only where
    // it is no zero at all.
    if (plane.holes && !AllFinite(staged_.reals(), rows * plane.k))
      return MultiplyAroundHoles(rows, acc_row, accumulate, memory);
    float* out = reinterpret_cast<float*>(memory.AccumulatorRow(acc_row));
    kernels.gemm_f32(staged_.reals(), plane.real.data(), out, rows, plane.k, plane.n,
                     plane.n_padded, memory.ArrayCols(), accumulate);
    return;
  }
  const int64_t pairs = (plane.k + 1) / 2;
  if (act != Dtype::kI16) {
    kernels.gemm_i16(staged_.integers(), plane.integer.data(), memory.AccumulatorRow(acc_row), rows,
                     pairs, plane.n, plane.n_padded, memory.ArrayCols(), accumulate);
    return;
  }
  MultiplyWide(plane.integer, 0, rows, acc_row, accumulate, memory);
  if (plane.wide) MultiplyWide(plane.high, 8, rows, acc_row, /*accumulate=*/true, memory);
}

void MatrixUnit::MultiplyAroundHoles(int64_t rows, int64_t acc_row, bool accumulate,
                                     Memory& memory) const {
  const Plane& plane = active_;
  for (int64_t i = 0; i < rows; ++i) {
    float* out = reinterpret_cast<float*>(memory.AccumulatorRow(acc_row + i));
    for (int64_t c = 0; c < plane.n; ++c) {
      // From 0 in the order of the rows, then the old value: as gemm_f32, or else a row's results
      // would depend on what other rows are staged with it.
      float sum = 0.0f;
      for (int64_t r = 0; r < plane.k; ++r) {
        const float weight = plane.real[r * plane.n_padded + c];
        if (!IsHole(weight)) sum += staged_.reals()[i * plane.k + r] * weight;
      }
      out[c] = accumulate ? out[c] + sum : sum;
    }
  }
}

void MatrixUnit::MultiplyWide(const std::vector<int16_t>& weights, int shift, int64_t rows,
                              int64_t acc_row, bool accumulate, Memory& memory) {
  // 2^15 * 255 * 256 rows stays below 2^31, so one plane's sum is exact in 32 bits.
  const Plane& plane = active_;
  BestMicrokernels().gemm_i16(staged_.integers(), weights.data(), wide_sums_.data(), rows,
                              (plane.k + 1) / 2, plane.n, plane.n_padded, plane.n_padded, false);
  for (int64_t i = 0; i < rows; ++i) {
    AddWide(wide_sums_.data() + i * plane.n_padded, shift, memory.AccumulatorRow(acc_row + 2 * i),
            memory.AccumulatorRow(acc_row + 2 * i + 1), plane.n, accumulate);
  }
}

void MatrixUnit::Stream(const isa::MStream& instr, const MatrixState& state, Memory& memory) {
  Swap(instr.swap);
  staged_.Begin(active_.k, state);
  MultiplyBlocks(
      instr.m, instr.acc, instr.accumulate, state, memory, [&](int64_t first, int64_t rows) {
        staged_.Stage(
            memory.Scratchpad(static_cast<int64_t>(instr.addr) + first * instr.row_stride),
            instr.row_stride, rows);
      });
}

void MatrixUnit::Convolve(const isa::MConv& instr, const MatrixState& state, Memory& memory) {
  Swap(instr.swap);
  staged_.Begin(active_.k, state);
  const uint8_t* tile = memory.Scratchpad(instr.addr);
  MultiplyBlocks(
      static_cast<int64_t>(instr.out_h) * instr.out_w, instr.acc, instr.accumulate, state, memory,
      [&](int64_t first, int64_t rows) { staged_.StageWindows(tile, instr, first, rows); });
}

}  // namespace acme
