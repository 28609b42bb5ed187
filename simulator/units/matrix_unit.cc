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

MatrixUnit::MatrixUnit(const Hardware& hardware) {
  // Pairs of rows and 16 columns: what the microkernels multiply at a time. Sized once for the whole
  // array, so that no instruction allocates.
  const int64_t k = RoundUp(hardware.array_rows, 2);
  const int64_t n = RoundUp(hardware.array_cols, 16);
  for (Plane* plane : {&shadow_, &active_}) {
    plane->integer.resize(k * n);
    plane->high.resize(k * n);
    plane->real.resize(k * n);
  }
  staged_integer_.resize(kBlockRows * k);
  staged_real_.resize(kBlockRows * k);
  wide_sums_.resize(kBlockRows * n);
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
  for (int64_t r = 0; r < plane.k; ++r) {
    int16_t* to = plane.integer.data() + (r / 2 * plane.n_padded) * 2 + r % 2;
    const uint8_t* row = from + r * instr.k_stride;
    for (int64_t c = 0; c < plane.n; ++c) {
      const uint8_t byte = row[c * instr.n_stride];
      to[2 * c] = static_cast<int16_t>((is_signed ? static_cast<int8_t>(byte) : byte) -
                                       state.type.weight_zp);
    }
  }
}

void MatrixUnit::StageInteger(const uint8_t* from, int64_t to, int64_t count,
                              const MatrixState& state) {
  int16_t* dst = staged_integer_.data() + to;
  switch (state.type.act) {
    case Dtype::kI8:
      return BestMicrokernels().widen_i8(reinterpret_cast<const int8_t*>(from), dst, count,
                                         state.type.act_zp);
    case Dtype::kU8:
      return BestMicrokernels().widen_u8(from, dst, count, state.type.act_zp);
    default:
      std::memcpy(dst, from, count * sizeof(int16_t));
  }
}

void MatrixUnit::Multiply(int64_t rows, int64_t acc_row, bool accumulate, Dtype act,
                          Memory& memory) {
  const Microkernels& kernels = BestMicrokernels();
  const Plane& plane = active_;
  if (act == Dtype::kF32) {
    // A sum is never -0, so what a hole would add to it, a zero of either sign, changes it only where
    // it is no zero at all.
    if (plane.holes && !AllFinite(staged_real_.data(), rows * plane.k))
      return MultiplyAroundHoles(rows, acc_row, accumulate, memory);
    float* out = reinterpret_cast<float*>(memory.AccumulatorRow(acc_row));
    kernels.gemm_f32(staged_real_.data(), plane.real.data(), out, rows, plane.k, plane.n,
                     plane.n_padded, memory.ArrayCols(), accumulate);
    return;
  }
  const int64_t pairs = (plane.k + 1) / 2;
  if (act != Dtype::kI16) {
    kernels.gemm_i16(staged_integer_.data(), plane.integer.data(), memory.AccumulatorRow(acc_row),
                     rows, pairs, plane.n, plane.n_padded, memory.ArrayCols(), accumulate);
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
        if (!IsHole(weight)) sum += staged_real_[i * plane.k + r] * weight;
      }
      out[c] = accumulate ? out[c] + sum : sum;
    }
  }
}

void MatrixUnit::MultiplyWide(const std::vector<int16_t>& weights, int shift, int64_t rows,
                              int64_t acc_row, bool accumulate, Memory& memory) {
  // 2^15 * 255 * 256 rows stays below 2^31, so one plane's sum is exact in 32 bits.
  const Plane& plane = active_;
  BestMicrokernels().gemm_i16(staged_integer_.data(), weights.data(), wide_sums_.data(), rows,
                              (plane.k + 1) / 2, plane.n, plane.n_padded, plane.n_padded, false);
  for (int64_t i = 0; i < rows; ++i) {
    AddWide(wide_sums_.data() + i * plane.n_padded, shift, memory.AccumulatorRow(acc_row + 2 * i),
            memory.AccumulatorRow(acc_row + 2 * i + 1), plane.n, accumulate);
  }
}

void MatrixUnit::Stream(const isa::MStream& instr, const MatrixState& state, Memory& memory) {
  Swap(instr.swap);
  const Dtype act = state.type.act;
  const int64_t row_elems = RowElems(act);
  const int64_t acc_rows_each = act == Dtype::kI16 ? 2 : 1;
  for (int64_t i0 = 0; i0 < instr.m; i0 += kBlockRows) {
    const int64_t rows = std::min<int64_t>(kBlockRows, instr.m - i0);
    for (int64_t i = 0; i < rows; ++i) {
      const uint8_t* from =
          memory.Scratchpad(static_cast<int64_t>(instr.addr) + (i0 + i) * instr.row_stride);
      if (act == Dtype::kF32) {
        std::memcpy(staged_real_.data() + i * row_elems, from, active_.k * sizeof(float));
      } else {
        StageInteger(from, i * row_elems, active_.k, state);
        // The second of the last pair; its weights are zero, but 0 * what is left there need not be
        // computed from uninitialised storage.
        if (active_.k % 2 != 0) staged_integer_[i * row_elems + active_.k] = 0;
      }
    }
    Multiply(rows, instr.acc + i0 * acc_rows_each, instr.accumulate, act, memory);
  }
}

// What lies outside the tile is 0 after the zero point, for integers and floats alike
// (docs/adr/0003-acme-isa.md): no padding is stored anywhere.
void MatrixUnit::StageWindow(const uint8_t* tile, int64_t y, int64_t x, int64_t row,
                             const MatrixState& state) {
  const isa::MConvWindow& w = state.window;
  const isa::MConvInput& in = state.input;
  const bool real = state.type.act == Dtype::kF32;
  const int64_t elem_bytes = SizeBytes(state.type.act);
  // Where the taps of one kernel row are contiguous and inside, they are one run.
  const bool joined = w.dilation_w == 1 &&
                      in.pixel_stride == static_cast<int64_t>(w.channels) * elem_bytes && x >= 0 &&
                      x + static_cast<int64_t>(w.taps_w) <= in.in_w;
  const int64_t runs = joined ? 1 : w.taps_w;
  const int64_t run_elems = joined ? static_cast<int64_t>(w.taps_w) * w.channels : w.channels;
  int64_t at = row * RowElems(state.type.act);
  for (int64_t ty = 0; ty < w.taps_h; ++ty) {
    const int64_t iy = y + ty * w.dilation_h;
    for (int64_t tx = 0; tx < runs; ++tx, at += run_elems) {
      const int64_t ix = x + tx * w.dilation_w;
      const bool inside = iy >= 0 && iy < in.in_h && ix >= 0 && ix < in.in_w;
      const uint8_t* from = inside ? tile + iy * in.row_stride + ix * in.pixel_stride : tile;
      if (real) {
        float* to = staged_real_.data() + at;
        if (inside) {
          std::memcpy(to, from, run_elems * sizeof(float));
        } else {
          std::fill_n(to, run_elems, 0.0f);
        }
      } else if (inside) {
        StageInteger(from, at, run_elems, state);
      } else {
        std::fill_n(staged_integer_.data() + at, run_elems, int16_t{0});
      }
    }
  }
  if (!real && active_.k % 2 != 0) staged_integer_[at] = 0;
}

void MatrixUnit::Convolve(const isa::MConv& instr, const MatrixState& state, Memory& memory) {
  Swap(instr.swap);
  const int64_t acc_rows_each = state.type.act == Dtype::kI16 ? 2 : 1;
  const int64_t total = static_cast<int64_t>(instr.out_h) * instr.out_w;
  const uint8_t* tile = memory.Scratchpad(instr.addr);
  int64_t oy = 0;
  int64_t ox = 0;
  for (int64_t i0 = 0; i0 < total; i0 += kBlockRows) {
    const int64_t rows = std::min(kBlockRows, total - i0);
    for (int64_t i = 0; i < rows; ++i) {
      StageWindow(tile, instr.y0 + oy * state.window.stride_h,
                  instr.x0 + ox * state.window.stride_w, i, state);
      if (++ox == instr.out_w) {
        ox = 0;
        ++oy;
      }
    }
    Multiply(rows, instr.acc + i0 * acc_rows_each, instr.accumulate, state.type.act, memory);
  }
}

}  // namespace acme
