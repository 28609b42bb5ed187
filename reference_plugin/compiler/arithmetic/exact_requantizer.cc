// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/arithmetic/exact_requantizer.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace acme::compiler {
namespace {

// Whether the reference, std::round(sum * real), is `step` or more: halves are rounded away from zero.
bool IsReached(int64_t sum, double real, double step) {
  const double scaled = static_cast<double>(sum) * real;
  return step > 0 ? scaled >= step - 0.5 : scaled > step - 0.5;
}

// Rounding::kSingle: one product, one rounding, half up.
// Nothing overflows: |sum| and mult are below 2^31, and `total` is 1 to 62 since
// FindExactRequantizer takes no shift above 30 and QuantizeMultiplier gives none below -31.
int64_t Fixed(int64_t sum, const FixedPoint& scale) {
  const int total = 31 - scale.shift;
  return (sum * scale.mult + (int64_t{1} << (total - 1))) >> total;
}

// The smallest sum that the reference scales to `step` or more.
// The quotient is that edge but for its rounding; the loops then ask the reference itself, and take
// few turns.
int64_t StepEdge(double step, double real) {
  auto sum = static_cast<int64_t>((step - 0.5) / real);
  while (IsReached(sum, real, step)) --sum;
  while (!IsReached(sum, real, step)) ++sum;
  return sum;
}

// Both staircases rise with the sum, so they are the same if each step begins at the same sum: the
// edge reaches it in fixed point, too, and the sum before does not.
bool IsExact(const FixedPoint& scale, double real, int32_t zero_point, const ClampRange& clamp,
             int64_t max_sum) {
  for (int32_t result = clamp.lo + 1; result <= clamp.hi; ++result) {
    const int64_t step = int64_t{result} - zero_point;
    // Edges beyond every sum don't matter; a quotient too large for int64 is one of them.
    if (std::abs(static_cast<double>(step)) > static_cast<double>(max_sum) * real + 1) continue;
    const int64_t edge = StepEdge(static_cast<double>(step), real);
    if (edge <= max_sum && edge >= -max_sum && Fixed(edge, scale) < step) return false;
    if (edge - 1 <= max_sum && edge - 1 >= -max_sum && Fixed(edge - 1, scale) >= step) return false;
  }
  return true;
}

}  // namespace

std::optional<FixedPoint> FindExactRequantizer(double real, int32_t zero_point,
                                               const ClampRange& clamp, int64_t max_sum) {
  // Sums are int32 on both sides: a larger one wraps in the reference as in the accumulators.
  max_sum = std::min<int64_t>(max_sum, std::numeric_limits<int32_t>::max());
  // Beyond int32 the reference's conversion is the machine's.
  constexpr int32_t kLargest = std::numeric_limits<int32_t>::max() / 2;
  if (!(real > 0) || static_cast<double>(max_sum) * real > kLargest) return std::nullopt;
  const FixedPoint nearest = QuantizeMultiplier(real);
  if (nearest.mult == 0 || nearest.shift > 30) return std::nullopt;
  // Ties are rounded away from zero on one side and up on the other; a multiplier slightly off
  // settles them.
  for (int32_t offset : {0, 1, -1, 2, -2, 3, -3}) {
    FixedPoint scale = nearest;
    if (offset > 0 && scale.mult > std::numeric_limits<int32_t>::max() - offset) continue;
    scale.mult += offset;
    if (IsExact(scale, real, zero_point, clamp, max_sum)) return scale;
  }
  return std::nullopt;
}

}  // namespace acme::compiler
