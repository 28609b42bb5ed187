// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// v.softmax.

#include <bit>

#include "simulator/units/arithmetic/fixed_point.h"
#include "simulator/units/arithmetic/float_functions.h"
#include "simulator/units/arithmetic/softmax_fixed_point.h"
#include "simulator/units/vector_row.h"
#include "simulator/units/vector_unit.h"

namespace acme {
namespace {

// One row of 8-bit softmax. x: raw inputs; result: shifted to the output type's range.
void ByteRow(const isa::VQuant& q, Dtype out, const int32_t* x, int32_t* result, int64_t depth) {
  // TFLite's: exponentials, at most 1, are added with 12 bits before the point and 19 behind it.
  constexpr int kAccumulatorIntegerBits = 12;
  const int32_t multiplier = static_cast<int32_t>(q.mult);
  const int32_t lowest = out == Dtype::kI8 ? -128 : out == Dtype::kI16 ? -32768 : 0;
  const int32_t highest = out == Dtype::kI8 ? 127 : out == Dtype::kI16 ? 32767 : 255;
  const int32_t diff_min = q.zp;
  int32_t largest = x[0];
  for (int64_t c = 1; c < depth; ++c) largest = std::max(largest, x[c]);
  auto exponential = [&](int64_t c) {
    return ExpOfNegative(HighMulRounded(
        ShiftLeftWrapped(x[c] - largest, static_cast<int>(q.left_shift)), multiplier));
  };
  uint32_t sum = 0;
  for (int64_t c = 0; c < depth; ++c) {
    if (x[c] - largest >= diff_min)
      sum += static_cast<uint32_t>(ShiftRightRounded(exponential(c), kAccumulatorIntegerBits));
  }
  int bits_over_unit = 0;
  const int32_t scale =
      ReciprocalOf(static_cast<int32_t>(sum), kAccumulatorIntegerBits, &bits_over_unit);
  const int exponent = std::max(bits_over_unit + 31 - static_cast<int>(SizeBytes(out)) * 8, 0);
  for (int64_t c = 0; c < depth; ++c) {
    // What is that much smaller than the largest rounds to nothing; its difference would not even
    // fit the fixed-point format of the exponential. So does each of many equals.
    result[c] = lowest;
    if (x[c] - largest >= diff_min && exponent < 32) {
      const int32_t value = ShiftRightRounded(HighMulRounded(scale, exponential(c)), exponent);
      result[c] = std::clamp(value + lowest, lowest, highest);
    }
  }
}

int32_t LookUp(const uint8_t* table, int32_t x) {
  const uint8_t* entry = table + (256 + (x >> 7)) * 2;
  const int32_t base = LoadAs<int16_t>(entry);
  const int32_t slope = static_cast<int16_t>(LoadAs<int16_t>(entry + 2) - base);
  return static_cast<int16_t>(base + ((slope * (x & 127) + 64) >> 7));
}

// One row of 16-bit softmax by the two tables. `left_out`: what elements that are not there add to the
// sum.
void WordRow(const isa::VQuant& q, uint32_t left_out, const uint8_t* tables, const int32_t* x,
             int32_t* result, int64_t depth) {
  const uint8_t* reciprocal_table = tables + 2 * 513;
  int32_t largest = x[0];
  for (int64_t c = 1; c < depth; ++c) largest = std::max(largest, x[c]);
  uint32_t sum = left_out;
  for (int64_t c = 0; c < depth; ++c) {
    const int32_t scaled =
        MultiplyDouble(x[c] - largest, static_cast<int32_t>(q.mult), std::clamp(q.shift, -31, 30));
    // Differences are 0 or less; moved up they use the whole range of the table, which is
    // symmetric.
    result[c] = LookUp(tables, std::clamp(scaled + 32767, -32768, 32767));
    sum += static_cast<uint32_t>(result[c]);
  }
  // Steps and constants are those of TFLite's SoftmaxInt16. The sum is scaled to 1 .. 2, so that
  // the second table, of 1 / (1 + x), gives its reciprocal. Tables are data: with one that gives a
  // sum of 0 the shifts below must stay defined.
  const int headroom = sum == 0 ? 31 : std::max(1, std::countl_zero(sum));
  const int32_t shifted =
      static_cast<int32_t>(((static_cast<int64_t>(sum) << (headroom - 1)) + (1 << 13)) >> 14);
  const int32_t reciprocal =
      LookUp(reciprocal_table, std::clamp(shifted - ((1 << 15) + (1 << 16)), -32768, 32767));
  const int right = 31 - headroom;
  const int64_t round = right > 0 ? int64_t{1} << (right - 1) : 0;
  for (int64_t c = 0; c < depth; ++c) {
    const int64_t value = (static_cast<int64_t>(result[c]) * reciprocal + round) >> right;
    result[c] = static_cast<int32_t>(std::clamp<int64_t>(value, 0, 32767));
  }
}

// Sixteen partial sums in the order of v.reduce.
float SumFloats(const float* x, int64_t count) {
  float partial[16] = {};
  for (int64_t i = 0; i < count; ++i) partial[i % 16] = partial[i % 16] + x[i];
  for (int half = 8; half >= 1; half /= 2) {
    for (int p = 0; p < half; ++p) partial[p] = partial[p] + partial[p + half];
  }
  return partial[0];
}

void FloatSoftmaxRow(float beta, float* x, int64_t depth) {
  float largest = x[0];
  for (int64_t c = 1; c < depth; ++c) largest = x[c] > largest ? x[c] : largest;
  for (int64_t c = 0; c < depth; ++c) x[c] = static_cast<float>(ExpDouble((x[c] - largest) * beta));
  const float scale = 1.0f / SumFloats(x, depth);
  for (int64_t c = 0; c < depth; ++c) x[c] = x[c] * scale;
}

}  // namespace

void VectorUnit::Run(const isa::VSoftmax& instr, const VectorState& state, Memory& memory) {
  const int64_t depth = state.shape[0];
  const Strides& a_stride = state.StrideOf(View::kA);
  const Strides& d_stride = state.StrideOf(View::kDst);
  isa::VQuant q = state.QuantOf(View::kA);
  const uint32_t beside = state.QuantOf(View::kB).mult;
  q.zp = WrapSub(0, static_cast<int32_t>(beside));  // 8 bits: differences below it count as nothing
  const uint8_t* a = memory.Scratchpad(instr.a);
  uint8_t* dst = memory.Scratchpad(instr.dst);
  const uint8_t* tables = memory.Scratchpad(state.params.addr);
  sums_.resize(std::max<size_t>(sums_.size(), 2 * depth));
  float_sums_.resize(std::max<size_t>(float_sums_.size(), depth));
  ForEachRow(state.shape, [&](int64_t i1, int64_t i2, int64_t i3) {
    const uint8_t* from = a + RowOffset(a_stride, i1, i2, i3);
    uint8_t* to = dst + RowOffset(d_stride, i1, i2, i3);
    if (instr.dtype == Dtype::kF32) {
      LoadRow(from, 4, depth, float_sums_.data());
      FloatSoftmaxRow(std::bit_cast<float>(q.mult), float_sums_.data(), depth);
      StoreRow(float_sums_.data(), depth, to, 4);
      return;
    }
    int32_t* x = sums_.data();
    int32_t* result = x + depth;
    LoadRow(from, SizeBytes(instr.dtype), instr.dtype, depth, x);
    if (instr.dtype == Dtype::kI16) {
      WordRow(q, beside, tables, x, result, depth);
    } else {
      ByteRow(q, instr.out, x, result, depth);
    }
    StoreRow(result, instr.out, depth, to, SizeBytes(instr.out));
  });
}

}  // namespace acme
