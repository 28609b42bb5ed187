// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Rows of two operands, combined as v.binary has it: what v.drain adds a residual by, too.

#ifndef NPUKIT_SIMULATOR_UNITS_BINARY_ROWS_H_
#define NPUKIT_SIMULATOR_UNITS_BINARY_ROWS_H_

#include <algorithm>
#include <cstdint>
#include <optional>

#include "simulator/isa/engine_state.h"
#include "simulator/units/arithmetic/fixed_point.h"
#include "simulator/units/microkernels/microkernels.h"
#include "simulator/units/vector_row.h"

namespace acme {

// A faster way to the same bits: quantised add and sub of bytes. Each operand has only 256 values,
// so its scaled form comes from a table, and the sum goes through the vectorised requantisation.
class ByteSums {
 public:
  // Whether the instruction is such a sum, and long enough to pay for the tables.
  static bool Applies(const isa::VBinary& instr, const VectorState& state) {
    return SizeBytes(instr.dtype) == 1 &&
           (instr.op == BinaryOp::kAdd || instr.op == BinaryOp::kSub) &&
           state.QuantOf(View::kDst).rounding == Rounding::kDouble && state.Elements() >= 1024;
  }

  ByteSums(const isa::VBinary& instr, const VectorState& state)
      : clamp_(ClampOf(state, instr.dtype)),
        zero_point_(state.QuantOf(View::kDst).zp),
        lowest_(instr.dtype == Dtype::kI8 ? -128 : 0) {
    const int left_shift = static_cast<int>(state.QuantOf(View::kA).left_shift);
    for (int32_t i = 0; i < 256; ++i) {
      a_[i] = Scaled(i + lowest_, left_shift, state.QuantOf(View::kA));
      b_[i] = Scaled(i + lowest_, left_shift, state.QuantOf(View::kB));
      if (instr.op == BinaryOp::kSub)
        b_[i] = static_cast<int32_t>(0u - static_cast<uint32_t>(b_[i]));
    }
    std::fill_n(multiplier_, kRowBlock, static_cast<int32_t>(state.QuantOf(View::kDst).mult));
    std::fill_n(shift_, kRowBlock, std::clamp(state.QuantOf(View::kDst).shift, -31, 30));
  }

  // One row of at most kRowBlock elements, in place of a.
  void Row(int32_t* a, const int32_t* b, int64_t count) const {
    int32_t scaled_b[kRowBlock];
    int32_t result[kRowBlock];
    for (int64_t i = 0; i < count; ++i) {
      a[i] = a_[a[i] - lowest_];
      scaled_b[i] = b_[b[i] - lowest_];
    }
    // The second operand takes the place of the bias.
    BestMicrokernels().requantize_double(a, scaled_b, multiplier_, shift_, result, count,
                                         zero_point_, clamp_.lo, clamp_.hi);
    std::copy(result, result + count, a);
  }

 private:
  static int32_t Scaled(int32_t value, int left_shift, const isa::VQuant& q) {
    return MultiplyByQuantizedMultiplier(ShiftLeftWrapped(value - q.zp, left_shift),
                                         static_cast<int32_t>(q.mult), q.shift, Rounding::kDouble);
  }

  IntegerClamp clamp_;
  int32_t zero_point_;
  int32_t lowest_;
  int32_t a_[256];
  int32_t b_[256];
  int32_t multiplier_[kRowBlock];
  int32_t shift_[kRowBlock];
};

// Elements of a row, or where they go.
struct Piece {
  uint8_t* at;
  int64_t stride;
};

// Goes by the state's quantisation and clamp, which must outlive it; not by its addresses, views and
// shape, except for how many elements there are.
class BinaryRows {
 public:
  BinaryRows(const isa::VBinary& instr, const VectorState& state);
  // At most kRowBlock elements; `dst` may be one of the operands.
  void Row(const Piece& dst, const Piece& a, const Piece& b, int64_t count) const;

 private:
  // Of f32 operations, with what is converted on the way.
  void RealRow(const Piece& dst, const Piece& a, const Piece& b, int64_t count) const;

  isa::VBinary instr_;
  const VectorState& state_;
  IntegerClamp clamp_;
  FloatClamp float_clamp_;
  std::optional<ByteSums> sums_;
};

}  // namespace acme

#endif  // NPUKIT_SIMULATOR_UNITS_BINARY_ROWS_H_
