// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// v.binary, v.chain, v.unary, v.lut, v.convert: rows of up to kRowBlock elements through int32 or float32
// buffers.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <optional>
#include <utility>

#include "simulator/units/arithmetic/conversions.h"
#include "simulator/units/arithmetic/fixed_point.h"
#include "simulator/units/arithmetic/float_functions.h"
#include "simulator/units/binary_rows.h"
#include "simulator/units/microkernels/microkernels.h"
#include "simulator/units/vector_row.h"
#include "simulator/units/vector_unit.h"

namespace acme {
namespace {

int32_t Scale(int64_t x, const isa::VQuant& q, Rounding rounding) {
  return MultiplyByQuantizedMultiplier(x, static_cast<int32_t>(q.mult), q.shift, rounding);
}

// One row of a quantised binary operation, in place of a.
void QuantisedRow(BinaryOp op, const VectorState& state, const IntegerClamp& clamp, int32_t* a,
                  const int32_t* b, int64_t n) {
  const isa::VQuant& qa = state.QuantOf(View::kA);
  const isa::VQuant& qb = state.QuantOf(View::kB);
  const isa::VQuant& qd = state.QuantOf(View::kDst);
  const Rounding rounding = qd.rounding;
  for (int64_t i = 0; i < n; ++i) {
    const int32_t x = a[i] - qa.zp;
    const int32_t y = b[i] - qb.zp;
    int32_t value = 0;
    switch (op) {
      case BinaryOp::kAdd:
      case BinaryOp::kSub:
      case BinaryOp::kSquaredDifference: {
        // As TFLite adds: shifted up for precision, each to a common scale, and the sum to the
        // result's.
        const int32_t sx = Scale(ShiftLeftWrapped(x, qa.left_shift), qa, rounding);
        const int32_t sy = Scale(ShiftLeftWrapped(y, qa.left_shift), qb, rounding);
        value = op == BinaryOp::kAdd ? WrapAdd(sx, sy) : WrapSub(sx, sy);
        if (op == BinaryOp::kSquaredDifference) value = WrapMul(value, value);
        value = Scale(value, qd, rounding);
        break;
      }
      case BinaryOp::kMul:
        value = Scale(WrapMul(x, y), qd, rounding);
        break;
      default:  // kPrelu
        value = x >= 0 ? Scale(x, qa, rounding) : Scale(WrapMul(x, y), qb, rounding);
    }
    a[i] = clamp.Apply(WrapAdd(value, qd.zp));
  }
}

// The one quotient that does not fit is the lowest number's by -1: that number again.
int32_t FloorDiv(int32_t a, int32_t b) {
  if (b == 0) return 0;
  if (b == -1) return WrapSub(0, a);
  return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
}
int32_t FloorMod(int32_t a, int32_t b) {
  if (b == 0 || b == -1) return 0;
  const int32_t rest = a % b;
  return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

// max and min of any integer type; everything of i32.
void RawRow(BinaryOp op, const IntegerClamp& clamp, int32_t* a, const int32_t* b, int64_t n) {
  for (int64_t i = 0; i < n; ++i) {
    int32_t value = a[i];
    switch (op) {
      case BinaryOp::kAdd:
        value = WrapAdd(value, b[i]);
        break;
      case BinaryOp::kSub:
        value = WrapSub(value, b[i]);
        break;
      case BinaryOp::kMul:
        value = WrapMul(value, b[i]);
        break;
      case BinaryOp::kMax:
        value = std::max(value, b[i]);
        break;
      case BinaryOp::kMin:
        value = std::min(value, b[i]);
        break;
      case BinaryOp::kFloorDiv:
        value = FloorDiv(value, b[i]);
        break;
      case BinaryOp::kFloorMod:
        value = FloorMod(value, b[i]);
        break;
      default:  // kSquaredDifference
        value = WrapMul(WrapSub(value, b[i]), WrapSub(value, b[i]));
    }
    a[i] = clamp.Apply(value);
  }
}

// An operand's bytes as those of the result, of which the zero point is.
void RequantiseRow(const VectorState& state, View view, int32_t* x, int64_t n) {
  const isa::VQuant& q = state.QuantOf(view);
  const isa::VQuant& qd = state.QuantOf(View::kDst);
  for (int64_t i = 0; i < n; ++i)
    x[i] = std::clamp(WrapAdd(Scale(x[i] - q.zp, q, qd.rounding), qd.zp), -128, 127);
}

// One of the values that an operation walks over.
struct Side {
  View view;
  uint32_t addr;
  Dtype dtype;
};

// Calls visit(pieces, count), a piece of each side, for as many elements as a row or kRowBlock has.
template <size_t kSides, class F>
void ForEachPiece(const VectorState& state, Memory& memory, const Side (&sides)[kSides],
                  F&& visit) {
  uint8_t* data[kSides];
  const Strides* strides[kSides];
  int64_t bytes[kSides];
  for (size_t side = 0; side < kSides; ++side) {
    data[side] = memory.Scratchpad(sides[side].addr);
    strides[side] = &state.StrideOf(sides[side].view);
    bytes[side] = SizeBytes(sides[side].dtype);
  }
  const MergedShape merged = MergeContiguous(state.shape, strides, bytes, int{kSides});
  ForEachRow(merged.shape, [&](int64_t i1, int64_t i2, int64_t i3) {
    std::array<Piece, kSides> pieces;
    for (size_t side = 0; side < kSides; ++side) {
      const Strides& stride = merged.stride[side];
      pieces[side] = {data[side] + RowOffset(stride, i1, i2, i3), stride[0]};
    }
    for (int64_t i0 = 0; i0 < merged.shape[0]; i0 += kRowBlock) {
      const int64_t count = std::min(kRowBlock, merged.shape[0] - i0);
      visit(std::as_const(pieces), count);
      for (Piece& piece : pieces) piece.at += count * piece.stride;
    }
  });
}

// TFLite's int16 logistic and tanh: a table of sigmoid with linear interpolation.
constexpr uint16_t kSigmoid[256] = {
#include "simulator/units/arithmetic/sigmoid_table.inc"
};

// |input| as an index with `fraction_bits` of fraction; the interpolated table value with as many
// extra bits.
uint32_t InterpolateSigmoid(uint32_t magnitude, int fraction_bits, uint32_t saturated) {
  const uint32_t index = magnitude >> fraction_bits;
  if (index >= 255) return saturated;
  const uint32_t fraction = magnitude & ((1u << fraction_bits) - 1);
  return (static_cast<uint32_t>(kSigmoid[index]) << fraction_bits) +
         fraction * (kSigmoid[index + 1] - kSigmoid[index]);
}

int32_t SigmoidInput(int32_t x, const isa::VQuant& q) {
  int32_t multiplier = static_cast<int32_t>(q.mult);
  int32_t shift = static_cast<int32_t>(q.left_shift);
  if (multiplier == 0) {  // a power-of-two scale
    multiplier = ShiftLeftWrapped(3, shift);
    shift = 0;
  }
  const int32_t round = shift > 0 ? ShiftLeftWrapped(1, shift - 1) : 0;
  return WrapAdd(WrapMul(x, multiplier), round) >> shift;
}

int16_t LogisticInt16(int32_t x, const isa::VQuant& q) {
  const int32_t input = SigmoidInput(x, q);
  const uint32_t magnitude =
      input < 0 ? 0u - static_cast<uint32_t>(input) : static_cast<uint32_t>(input);
  uint32_t result = InterpolateSigmoid(magnitude, 9, 0x7FFFu << 10);
  // The table has the half of x >= 0, and 1 - sigmoid(x) is the other; 1 is 2^25 here.
  result = input >= 0 ? result + (1u << 9) : (1u << 25) - result + (1u << 9) - 1;
  return static_cast<int16_t>(result >> 10);
}

int16_t TanhInt16(int32_t x, const isa::VQuant& q) {
  const int32_t input = SigmoidInput(x, q);
  const uint32_t magnitude =
      input < 0 ? 0u - static_cast<uint32_t>(input) : static_cast<uint32_t>(input);
  const int32_t sigmoid = static_cast<int32_t>(InterpolateSigmoid(magnitude, 8, 0xFFFFu << 8));
  const int32_t result =
      input >= 0 ? sigmoid - (1 << 23) + (1 << 7) : -sigmoid + (1 << 23) + (1 << 7) - 1;
  return static_cast<int16_t>(result >> 8);
}

int32_t IntegerUnary(UnaryOp op, Dtype dtype, int32_t x, const VectorState& state) {
  const isa::VQuant& qa = state.QuantOf(View::kA);
  const isa::VQuant& qd = state.QuantOf(View::kDst);
  const int32_t lowest = dtype == Dtype::kI8    ? -128
                         : dtype == Dtype::kI16 ? -32768
                                                : std::numeric_limits<int32_t>::min();
  switch (op) {
    case UnaryOp::kAbs:
      return x == lowest ? -(lowest + 1) : std::abs(x);
    case UnaryOp::kNeg:
      return x == lowest ? -(lowest + 1) : -x;
    case UnaryOp::kTanh:
      return TanhInt16(x, qa);
    case UnaryOp::kLogistic:
      return LogisticInt16(x, qa);
    case UnaryOp::kLeakyRelu: {
      const int32_t value = x - qa.zp;
      const isa::VQuant& q = value >= 0 ? qd : state.QuantOf(View::kB);
      return WrapAdd(Scale(value, q, qd.rounding), qd.zp);
    }
    default:
      return x;
  }
}

// Results of float32, converted to int8 or as they are.
void StoreFloats(const float* results, bool converted, const VectorState& state, const Piece& dst,
                 int64_t count) {
  if (!converted) return StoreRow(results, count, dst.at, dst.stride);
  int32_t stored[kRowBlock];
  for (int64_t i = 0; i < count; ++i)
    stored[i] = std::clamp(Quantise(results[i], state.QuantOf(View::kDst)), -128, 127);
  StoreRow(stored, Dtype::kI8, count, dst.at, dst.stride);
}

void RoundedProducts(const IntegerClamp& clamp, const float* a, const float* b, int64_t n,
                     int32_t* rounded) {
  for (int64_t i = 0; i < n; ++i) rounded[i] = clamp.Apply(RoundAway(a[i] * b[i]));
}

}  // namespace

BinaryRows::BinaryRows(const isa::VBinary& instr, const VectorState& state)
    : instr_(instr),
      state_(state),
      clamp_(ClampOf(state, ResultOf(instr))),
      float_clamp_(FloatClampOf(state)) {
  if (ByteSums::Applies(instr, state)) sums_.emplace(instr, state);
}

void BinaryRows::Row(const Piece& dst, const Piece& a, const Piece& b, int64_t count) const {
  if (instr_.dtype == Dtype::kF32) return RealRow(dst, a, b, count);
  const bool raw =
      instr_.dtype == Dtype::kI32 || instr_.op == BinaryOp::kMax || instr_.op == BinaryOp::kMin;
  int32_t x[kRowBlock], y[kRowBlock];
  LoadRow(a.at, a.stride, instr_.dtype, count, x);
  LoadRow(b.at, b.stride, instr_.dtype, count, y);
  if (instr_.convert_a) RequantiseRow(state_, View::kA, x, count);
  if (instr_.convert_b) RequantiseRow(state_, View::kB, y, count);
  if (sums_) {
    sums_->Row(x, y, count);
  } else if (raw) {
    RawRow(instr_.op, clamp_, x, y, count);
  } else {
    QuantisedRow(instr_.op, state_, clamp_, x, y, count);
  }
  StoreRow(x, instr_.dtype, count, dst.at, dst.stride);
}

void BinaryRows::RealRow(const Piece& dst, const Piece& a, const Piece& b, int64_t count) const {
  float x[kRowBlock], y[kRowBlock];
  int32_t stored[kRowBlock];
  const auto load = [&](View view, bool converted, const Piece& from, float* to) {
    if (!converted) return LoadRow(from.at, from.stride, count, to);
    LoadRow(from.at, from.stride, Dtype::kI8, count, stored);
    for (int64_t i = 0; i < count; ++i) to[i] = Dequantise(stored[i], state_.QuantOf(view));
  };
  load(View::kA, instr_.convert_a, a, x);
  load(View::kB, instr_.convert_b, b, y);
  if (instr_.op == BinaryOp::kMulRound) {
    RoundedProducts(clamp_, x, y, count, stored);
    return StoreRow(stored, ResultOf(instr_), count, dst.at, dst.stride);
  }
  CombineRow(instr_.op, float_clamp_, x, y, count);
  StoreFloats(x, instr_.convert_dst, state_, dst, count);
}

void VectorUnit::Run(const isa::VBinary& instr, const VectorState& state, Memory& memory) {
  const BinaryRows rows(instr, state);
  const Side sides[] = {{View::kDst, instr.dst, ResultOf(instr)},
                        {View::kA, instr.a, FirstOf(instr)},
                        {View::kB, instr.b, SecondOf(instr)}};
  ForEachPiece(state, memory, sides, [&](const std::array<Piece, 3>& pieces, int64_t count) {
    const auto& [dst, a, b] = pieces;
    rows.Row(dst, a, b, count);
  });
}

void VectorUnit::Run(const isa::VChain& instr, const VectorState& state, Memory& memory) {
  constexpr float kMost = std::numeric_limits<float>::max();
  constexpr FloatClamp kFinite = {-kMost, kMost};
  const FloatClamp clamp = FloatClampOf(state);
  const Side sides[] = {{View::kDst, instr.dst, ResultOf(instr)},
                        {View::kA, instr.a, Dtype::kF32},
                        {View::kB, instr.b, Dtype::kF32},
                        {View::kC, state.params.addr, Dtype::kF32}};
  ForEachPiece(state, memory, sides, [&](const std::array<Piece, 4>& pieces, int64_t count) {
    const auto& [dst, a, b, c] = pieces;
    float x[kRowBlock], y[kRowBlock];
    LoadRow(a.at, a.stride, count, x);
    LoadRow(b.at, b.stride, count, y);
    CombineRow(instr.op, kFinite, x, y, count);
    LoadRow(c.at, c.stride, count, y);
    float* const first = instr.reversed ? y : x;
    CombineRow(instr.then, clamp, first, instr.reversed ? x : y, count);
    StoreFloats(first, instr.convert_dst, state, dst, count);
  });
}

void VectorUnit::Run(const isa::VUnary& instr, const VectorState& state, Memory& memory) {
  const IntegerClamp clamp = ClampOf(state, instr.dtype);
  const FloatClamp float_clamp = FloatClampOf(state);
  const float alpha = std::bit_cast<float>(state.QuantOf(View::kB).mult);
  const Side sides[] = {{View::kDst, instr.dst, instr.dtype}, {View::kA, instr.a, instr.dtype}};
  ForEachPiece(state, memory, sides, [&](const std::array<Piece, 2>& pieces, int64_t count) {
    const auto& [dst, a] = pieces;
    if (instr.dtype == Dtype::kF32) {
      float x[kRowBlock];
      LoadRow(a.at, a.stride, count, x);
      for (int64_t i = 0; i < count; ++i)
        x[i] = float_clamp.Apply(EvaluateUnary(instr.op, x[i], alpha));
      StoreRow(x, count, dst.at, dst.stride);
      return;
    }
    int32_t x[kRowBlock];
    LoadRow(a.at, a.stride, instr.dtype, count, x);
    for (int64_t i = 0; i < count; ++i)
      x[i] = clamp.Apply(IntegerUnary(instr.op, instr.dtype, x[i], state));
    StoreRow(x, instr.dtype, count, dst.at, dst.stride);
  });
}

void VectorUnit::Run(const isa::VLut& instr, const VectorState& state, Memory& memory) {
  const uint8_t* table = memory.Scratchpad(state.params.addr);
  const int64_t out_bytes = SizeBytes(instr.out);
  const int32_t lowest = instr.dtype == Dtype::kI8 ? -128 : 0;
  const Side sides[] = {{View::kDst, instr.dst, instr.out}, {View::kA, instr.a, instr.dtype}};
  ForEachPiece(state, memory, sides, [&](const std::array<Piece, 2>& pieces, int64_t count) {
    const auto& [dst, a] = pieces;
    if (instr.kind == LutKind::kDirect) {
      for (int64_t i = 0; i < count; ++i) {
        const int64_t index = LoadInteger(a.at + i * a.stride, instr.dtype) - lowest;
        std::memcpy(dst.at + i * dst.stride, table + index * out_bytes, out_bytes);
      }
      return;
    }
    for (int64_t i = 0; i < count; ++i) {
      const int32_t x = LoadAs<int16_t>(a.at + i * a.stride);
      const uint8_t* entry = table + (256 + (x >> 7)) * 2;
      const int32_t base = LoadAs<int16_t>(entry);
      const int32_t slope = static_cast<int16_t>(LoadAs<int16_t>(entry + 2) - base);
      StoreAs(dst.at + i * dst.stride,
              static_cast<int16_t>(base + ((slope * (x & 127) + 64) >> 7)));
    }
  });
}

void VectorUnit::Run(const isa::VConvert& instr, const VectorState& state, Memory& memory) {
  const isa::VQuant& qa = state.QuantOf(View::kA);
  const isa::VQuant& qd = state.QuantOf(View::kDst);
  const IntegerClamp clamp = ClampOf(state, instr.out);
  const FloatClamp float_clamp = FloatClampOf(state);
  auto convert = [&](const uint8_t* a, uint8_t* dst) {
    if (instr.out == Dtype::kF32) {
      const float value = instr.op == ConvertOp::kDequantize
                              ? Dequantise(LoadInteger(a, instr.dtype), qa)
                              : LoadReal(a, instr.dtype);
      StoreAs(dst, float_clamp.Apply(value));
      return;
    }
    int32_t value = 0;
    switch (instr.op) {
      case ConvertOp::kRequantize:
        value = clamp.Apply(
            WrapAdd(Scale(LoadInteger(a, instr.dtype) - qa.zp, qd, qd.rounding), qd.zp));
        break;
      case ConvertOp::kQuantize:
        value = clamp.Apply(Quantise(LoadAs<float>(a), qd));
        break;
      default:  // kCast
        value = instr.dtype == Dtype::kF32 ? clamp.Apply(Truncate(LoadAs<float>(a)))
                                           : static_cast<int32_t>(LoadInteger(a, instr.dtype));
    }
    StoreRow(&value, instr.out, 1, dst, 0);
  };
  const Side sides[] = {{View::kDst, instr.dst, instr.out}, {View::kA, instr.a, instr.dtype}};
  ForEachPiece(state, memory, sides, [&](const std::array<Piece, 2>& pieces, int64_t count) {
    const auto& [dst, a] = pieces;
    for (int64_t i = 0; i < count; ++i) convert(a.at + i * a.stride, dst.at + i * dst.stride);
  });
}

}  // namespace acme
