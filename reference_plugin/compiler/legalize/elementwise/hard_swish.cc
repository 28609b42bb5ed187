// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/legalize/elementwise/hard_swish.h"

#include <algorithm>
#include <limits>

#include "reference_plugin/compiler/legalize/operands.h"

namespace acme::compiler {
namespace {

int16_t Saturate(int64_t x) { return static_cast<int16_t>(std::clamp<int64_t>(x, -32768, 32767)); }

// The upper half of 2ab in 16 bits, rounded.
int16_t RoundedHighMul16(int16_t a, int16_t b) {
  if (a == b && a == -32768) return 32767;
  const int32_t product = int32_t{a} * b;
  const int32_t nudge = product >= 0 ? 1 << 14 : 1 - (1 << 14);
  return static_cast<int16_t>((product + nudge) / (1 << 15));
}

// The same, cut towards zero.
// Cutting the last product makes up for what rounding the two before it added.
int16_t CutHighMul16(int16_t a, int16_t b) {
  if (a == b && a == -32768) return 32767;
  return static_cast<int16_t>(int32_t{a} * b / (1 << 15));
}

// A multiplier's upper 16 bits, rounded.
int16_t Narrow(int32_t mult) {
  constexpr int32_t kHalf = 1 << 15;
  if (mult >= std::numeric_limits<int32_t>::max() - kHalf) return 32767;
  return static_cast<int16_t>((mult + kHalf) >> 16);
}

int16_t ShiftRight16(int16_t x, int bits) {
  return static_cast<int16_t>(RoundingShiftRight(x, std::min(bits, 31)));
}

}  // namespace

int32_t ByteHardSwish::operator()(int32_t stored) const {
  const auto x = static_cast<int16_t>((stored - zero_in) * 128);
  const int16_t scaled = RoundedHighMul16(x, Narrow(out.mult));
  int16_t g = x;
  // One bit of the shift waits until after the multiplication, which may halve g: so nothing is
  // saturated early that would have come back into the range.
  if (gate.shift > 0) g = Saturate(int64_t{g} << (gate.shift - 1));
  g = RoundedHighMul16(g, Narrow(gate.mult));
  if (gate.shift > 0) g = Saturate(int64_t{g} * 2);
  if (gate.shift < 0) g = ShiftRight16(g, -gate.shift);
  g = static_cast<int16_t>((g + (1 << 15)) >> 1);  // from [-1, 1] to [0, 1]
  return ShiftRight16(CutHighMul16(g, scaled), -out.shift) + zero_out;
}

Expected<ByteHardSwish> HardSwishOf(const Affine& in, const Affine& out) {
  const float fine_scale = (1.0f / 128.0f) * in.scale;
  ByteHardSwish function{in.zero_point, out.zero_point, {}, {}};
  ACME_ASSIGN_OR_RETURN(function.out, CheckedMultiplier(fine_scale / out.scale));
  ACME_ASSIGN_OR_RETURN(function.gate, CheckedMultiplier(fine_scale / (3.0f / 32768.0f)));
  if (function.out.shift > 0)
    return Unsupported("the result's scale is too small for the operand's");
  return function;
}

}  // namespace acme::compiler
