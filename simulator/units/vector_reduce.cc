// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// v.reduce, v.epilogue and v.dot.

#include <algorithm>
#include <cmath>

#include "simulator/units/arithmetic/fixed_point.h"
#include "simulator/units/vector_row.h"
#include "simulator/units/vector_unit.h"

namespace acme {
namespace {

// Of floats, as the ISA has it (docs/isa.md, v.reduce): in which order they are added decides the
// last bits.
constexpr int kPartials = 16;

// Splits the four dimensions into those that stay and those that are reduced; the others have
// extent 1.
struct Split {
  Extents kept;
  Extents reduced;
  int64_t count = 1;  // elements per result
};

Split SplitDims(const Extents& shape, uint32_t dims) {
  const Split split{KeptExtents(shape, dims), KeptExtents(shape, ~dims)};
  return {split.kept, split.reduced, Count(split.reduced)};
}

// Calls visit(pointer) for the elements that one result reduces, innermost dimension fastest.
template <class F>
void ForEachReduced(const Extents& reduced, const Strides& stride, const uint8_t* from, F&& visit) {
  ForEachRow(reduced, [&](int64_t i1, int64_t i2, int64_t i3) {
    const uint8_t* row = from + RowOffset(stride, i1, i2, i3);
    for (int64_t i0 = 0; i0 < reduced[0]; ++i0) visit(row + i0 * stride[0]);
  });
}

int64_t ReduceIntegers(ReduceOp op, Dtype dtype, int32_t zero_point, const Split& split,
                       const Strides& stride, const uint8_t* from) {
  // Unsigned, since sums of squares may wrap modulo 2^64.
  uint64_t sum = 0;
  int64_t best = 0;
  bool first = true;
  ForEachReduced(split.reduced, stride, from, [&](const uint8_t* at) {
    const int64_t raw = LoadInteger(at, dtype);
    if (op == ReduceOp::kMax || op == ReduceOp::kMin) {
      const bool better = first || (op == ReduceOp::kMax ? raw > best : raw < best);
      if (better) best = raw;
      first = false;
      return;
    }
    const int64_t value = raw - zero_point;
    sum += op == ReduceOp::kSumSquares ? static_cast<uint64_t>(value) * static_cast<uint64_t>(value)
                                       : static_cast<uint64_t>(value);
  });
  return op == ReduceOp::kMax || op == ReduceOp::kMin ? best : static_cast<int64_t>(sum);
}

float Combine(ReduceOp op, float a, float b) {
  switch (op) {
    case ReduceOp::kMax:
    case ReduceOp::kMaxMagnitude:
      return a > b ? a : b;
    case ReduceOp::kMin:
      return a < b ? a : b;
    default:
      return a + b;
  }
}

float ReduceFloats(ReduceOp op, const Split& split, const Strides& stride, const uint8_t* from) {
  constexpr float kInf = std::numeric_limits<float>::infinity();
  const float start = op == ReduceOp::kMax ? -kInf : op == ReduceOp::kMin ? kInf : 0.0f;
  float partial[kPartials];
  std::fill_n(partial, kPartials, start);
  int64_t j = 0;
  ForEachReduced(split.reduced, stride, from, [&](const uint8_t* at) {
    float value = LoadAs<float>(at);
    if (op == ReduceOp::kSumSquares || op == ReduceOp::kMeanSquares) value = value * value;
    if (op == ReduceOp::kMaxMagnitude) value = std::fabs(value);
    float& to = partial[j++ % kPartials];
    to = Combine(op, to, value);
  });
  for (int half = kPartials / 2; half >= 1; half /= 2) {
    for (int p = 0; p < half; ++p) partial[p] = Combine(op, partial[p], partial[p + half]);
  }
  const bool is_mean = op == ReduceOp::kMean || op == ReduceOp::kMeanSquares;
  return is_mean ? partial[0] / static_cast<float>(split.count) : partial[0];
}

// Where the first of the largest, or smallest, stands. A NaN that is not the first of all is passed
// over, for it is not better than what came before; nothing is better than one that is.
template <class Load>
int32_t PlaceOfBest(bool largest, const Split& split, const Strides& stride, const uint8_t* from,
                    Load load) {
  auto best = load(from);
  int32_t place = 0;
  int32_t j = 0;
  ForEachReduced(split.reduced, stride, from, [&](const uint8_t* at) {
    const auto value = load(at);
    if (largest ? value > best : value < best) {
      best = value;
      place = j;
    }
    ++j;
  });
  return place;
}

int32_t PlaceOf(const isa::VReduce& instr, const Split& split, const Strides& stride,
                const uint8_t* from) {
  const bool largest = instr.op == ReduceOp::kMax;
  if (instr.dtype == Dtype::kF32) return PlaceOfBest(largest, split, stride, from, LoadAs<float>);
  return PlaceOfBest(largest, split, stride, from,
                     [&](const uint8_t* at) { return LoadInteger(at, instr.dtype); });
}

// Modulo 2^32.
template <class T>
int32_t Product(const uint8_t* a, int32_t a_zp, const uint8_t* b, int32_t b_zp, int64_t count) {
  uint32_t sum = 0;
  for (int64_t k = 0; k < count; ++k) {
    const int32_t x = static_cast<T>(a[k]) - a_zp;
    const int32_t y = static_cast<T>(b[k]) - b_zp;
    sum += static_cast<uint32_t>(x * y);
  }
  return static_cast<int32_t>(sum);
}

}  // namespace

void VectorUnit::Run(const isa::VReduce& instr, const VectorState& state, Memory& memory) {
  const Split split = SplitDims(state.shape, instr.dims);
  const Strides& a_stride = state.StrideOf(View::kA);
  const Strides& d_stride = state.StrideOf(View::kDst);
  const isa::VQuant& qd = state.QuantOf(View::kDst);
  const IntegerClamp clamp = ClampOf(state, instr.out);
  const FloatClamp float_clamp = FloatClampOf(state);
  const bool raw = instr.op == ReduceOp::kMax || instr.op == ReduceOp::kMin ||
                   instr.out != instr.dtype || instr.dtype == Dtype::kI32;
  const uint8_t* a = memory.Scratchpad(instr.a);
  uint8_t* dst = memory.Scratchpad(instr.dst);
  ForEachRow(split.kept, [&](int64_t i1, int64_t i2, int64_t i3) {
    for (int64_t i0 = 0; i0 < split.kept[0]; ++i0) {
      const uint8_t* from = a + RowOffset(a_stride, i1, i2, i3) + i0 * a_stride[0];
      uint8_t* to = dst + RowOffset(d_stride, i1, i2, i3) + i0 * d_stride[0];
      if (instr.place) {
        StoreAs(to, clamp.Apply(PlaceOf(instr, split, a_stride, from)));
        continue;
      }
      if (instr.dtype == Dtype::kF32) {
        StoreAs(to, float_clamp.Apply(ReduceFloats(instr.op, split, a_stride, from)));
        continue;
      }
      const int64_t result =
          ReduceIntegers(instr.op, instr.dtype, state.QuantOf(View::kA).zp, split, a_stride, from);
      if (instr.out == Dtype::kI64) {
        StoreAs(to, result);
        continue;
      }
      const int64_t value =
          raw ? result
              : static_cast<int64_t>(MultiplyByQuantizedMultiplier(
                    result, static_cast<int32_t>(qd.mult), qd.shift, qd.rounding)) +
                    qd.zp;
      const int32_t clamped = clamp.Apply(static_cast<int32_t>(value));
      StoreRow(&clamped, instr.out, 1, to, 0);
    }
  });
}

void VectorUnit::RunEpilogue(uint32_t dst, const VectorState& state, Memory& memory) {
  const isa::VEpilogue& epilogue = state.epilogue;
  const Split split = SplitDims(state.shape, epilogue.dims);
  const Strides& stride = state.StrideOf(View::kDst);
  const uint8_t* results = memory.Scratchpad(dst);
  const auto reduce_by = [&](ReduceOp op, uint8_t* to) {
    ForEachRow(split.kept, [&](int64_t i1, int64_t i2, int64_t i3) {
      for (int64_t i0 = 0; i0 < split.kept[0]; ++i0, to += sizeof(float)) {
        const uint8_t* from = results + RowOffset(stride, i1, i2, i3) + i0 * stride[0];
        const float result = ReduceFloats(op, split, stride, from);
        StoreAs(to, epilogue.accumulate ? Combine(op, LoadAs<float>(to), result) : result);
      }
    });
  };
  reduce_by(epilogue.op, memory.Scratchpad(epilogue.dst));
  if (epilogue.lows) reduce_by(ReduceOp::kMin, memory.Scratchpad(epilogue.lows_dst));
}

void VectorUnit::Run(const isa::VDot& instr, const VectorState& state, Memory& memory) {
  const int64_t results = state.shape[0];
  const auto product = instr.dtype == Dtype::kU8 ? Product<uint8_t> : Product<int8_t>;
  const uint8_t* a = memory.Scratchpad(instr.a);
  const uint8_t* weights = memory.Scratchpad(instr.weights);
  requantizer_.Unpack(memory.Scratchpad(state.params.addr), state.params.record_stride, results,
                      state, instr.dtype);
  sums_.resize(std::max<size_t>(sums_.size(), results));
  for (int64_t i = 0; i < results; ++i) {
    sums_[i] = product(a, state.QuantOf(View::kA).zp, weights + i * state.StrideOf(View::kB)[0],
                       state.QuantOf(View::kB).zp, state.shape[1]);
  }
  requantizer_.Store(sums_.data(), results, memory.Scratchpad(instr.dst),
                     state.StrideOf(View::kDst)[0]);
}

}  // namespace acme
