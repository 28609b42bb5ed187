// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Running error analysis: a float64 value with a bound on how far a correct float32 computation may
// lie from it.
//
// u = 2^-24 is the relative error of one rounding to float32. Every operation takes the worst case
// over its operands' intervals and adds its own rounding. Subnormal results and operands may be
// flushed to zero. Library functions are allowed the error that OpenCL C 3.0 (section 7.4, full
// profile) grants them, which every float32 library in use meets.

#ifndef NPUKIT_SDK_HOST_KERNELS_ORACLE_BOUNDED_H_
#define NPUKIT_SDK_HOST_KERNELS_ORACLE_BOUNDED_H_

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace npukit::kernels {

inline constexpr double kRoundingUnit = 0x1p-24;
inline constexpr double kSmallestNormal = 0x1p-126;
inline constexpr double kLargestFloat = 0x1.fffffep127;

// Errors granted to functions, in units in the last place (2u relative).
struct FunctionUlps {
  static constexpr double kRounded = 0.5;  // + - * and conversions
  static constexpr double kDivide = 2.5;
  static constexpr double kSqrt = 3;
  static constexpr double kRsqrt = 2;
  static constexpr double kExp = 3;
  static constexpr double kExpm1 = 3;
  static constexpr double kLog = 3;
  static constexpr double kLog1p = 2;
  static constexpr double kSinCos = 4;
  static constexpr double kTanh = 5;
  static constexpr double kErf = 16;
  static constexpr double kPow = 16;
  static constexpr double kAtan2 = 6;
};

// An infinite bound says that nothing is known: the computed number may be any, an infinity, or a NaN, for
// what may overflow may have met another infinity on its way. Nothing that follows takes that back.
struct Bounded {
  double value = 0;
  double bound = 0;

  double low() const { return value - bound; }
  double high() const { return value + bound; }
  // Largest magnitude in the interval.
  double reach() const { return std::fabs(value) + bound; }
};

// A float32 operand as an operation sees it: a subnormal may have been flushed.
inline Bounded Operand32(double value, double bound) {
  if (value != 0 && std::fabs(value) < kSmallestNormal) bound = std::max(bound, std::fabs(value));
  return {value, bound};
}

// The result of an operation with exact value `value`, error `inherited` from its operands, and an
// own error of `ulps`.
inline Bounded Round32(double value, double inherited, double ulps = FunctionUlps::kRounded) {
  if (std::isnan(value))
    return {value, inherited == 0 ? 0 : std::numeric_limits<double>::infinity()};
  if (std::isinf(value))
    return {value, inherited == 0 ? 0 : std::numeric_limits<double>::infinity()};
  // The rounding is of the number that was computed, which may be as large as this.
  const double reach = std::fabs(value) + inherited;
  double bound = inherited + 2 * ulps * kRoundingUnit * reach;
  // It may have been subnormal, and flushed.
  if (reach > 0 && std::fabs(value) - inherited < kSmallestNormal)
    bound += std::min(kSmallestNormal, reach);
  if (!(reach + bound <= kLargestFloat)) {
    // Beyond the largest float: an infinity for certain, or perhaps.
    const double certain = std::fabs(value) - bound;
    if (certain > kLargestFloat)
      return {std::copysign(std::numeric_limits<double>::infinity(), value), 0};
    return {value, std::numeric_limits<double>::infinity()};
  }
  return {value, bound};
}

// A NaN for certain: it came in, and no overflow on the way made it. So is all that is computed of it.
inline bool IsCertainNan(Bounded x) { return std::isnan(x.value) && x.bound == 0; }
inline Bounded CertainNan() { return {std::numeric_limits<double>::quiet_NaN(), 0}; }

inline Bounded Add(Bounded a, Bounded b) {
  if (IsCertainNan(a) || IsCertainNan(b)) return CertainNan();
  return Round32(a.value + b.value, a.bound + b.bound);
}
inline Bounded Sub(Bounded a, Bounded b) { return Add(a, {-b.value, b.bound}); }

// The product before rounding.
inline Bounded ExactProduct(Bounded a, Bounded b) {
  if (a.bound == 0 && b.bound == 0) return {a.value * b.value, 0};  // most are
  // a b - a' b', where no error is no product: 0 times an infinity is NaN.
  const double inherited = (a.bound == 0 ? 0 : a.bound * std::fabs(b.value)) +
                           (b.bound == 0 ? 0 : b.bound * std::fabs(a.value)) +
                           (a.bound == 0 || b.bound == 0 ? 0 : a.bound * b.bound);
  if (!std::isnan(inherited)) return {a.value * b.value, inherited};
  // A certain NaN stays one; what may be an infinity is NaN times 0.
  const bool nan = IsCertainNan(a) || IsCertainNan(b);
  return {a.value * b.value, nan ? 0 : std::numeric_limits<double>::infinity()};
}

inline Bounded Mul(Bounded a, Bounded b) {
  const Bounded product = ExactProduct(a, b);
  return Round32(product.value, product.bound);
}

inline Bounded Div(Bounded a, Bounded b) {
  if (IsCertainNan(a) || IsCertainNan(b)) return CertainNan();
  const double value = a.value / b.value;
  if (b.bound > 0 && b.bound >= std::fabs(b.value))
    return {value, std::numeric_limits<double>::infinity()};
  double inherited = 0;
  if (a.bound > 0 || b.bound > 0) {
    // a/b - a'/b'| = |(a - a') - a/b (b - b')| / |b'|, and b' is as near to 0 as its bound lets it.
    inherited = (a.bound + std::fabs(value) * b.bound) / (std::fabs(b.value) - b.bound);
  }
  return Round32(value, inherited, FunctionUlps::kDivide);
}

// A function that rises or falls over the operand's interval.
template <typename Function>
Bounded Monotone(Function function, Bounded x, double ulps) {
  const double value = function(x.value);
  double inherited = 0;
  if (std::isinf(x.bound)) {
    inherited = x.bound;
  } else if (x.bound > 0) {
    inherited =
        std::max(std::fabs(function(x.high()) - value), std::fabs(function(x.low()) - value));
    if (std::isnan(inherited)) inherited = std::numeric_limits<double>::infinity();
    // An infinity for certain is large; this may be any number.
    const double least = std::min(std::fabs(function(x.low())), std::fabs(function(x.high())));
    if (std::fabs(value) > kLargestFloat && least < kLargestFloat / 2)
      return {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()};
  }
  return Round32(value, inherited, ulps);
}

// A function whose slope never exceeds `slope` in magnitude.
template <typename Function>
Bounded Lipschitz(Function function, double slope, Bounded x, double ulps) {
  return Round32(function(x.value), slope * x.bound, ulps);
}

// Selections round nothing.
inline Bounded Max(Bounded a, Bounded b) {
  return {std::max(a.value, b.value), std::max(a.bound, b.bound)};
}
inline Bounded Min(Bounded a, Bounded b) {
  return {std::min(a.value, b.value), std::max(a.bound, b.bound)};
}
inline Bounded Clamp(Bounded x, double low, double high) {
  const double value = std::clamp(x.value, low, high);
  if (x.bound == 0 || std::isnan(x.value) || std::isinf(x.bound)) return {value, x.bound};
  const double below = value - std::clamp(x.low(), low, high);
  const double above = std::clamp(x.high(), low, high) - value;
  return {value, std::max(above, below)};
}

// A float32 result rounded once more to a 16-bit type of `digits` significant bits whose smallest step is
// `step` and whose largest number is `largest`. What lies half a step and more beyond that is an infinity.
struct NarrowFloat {
  int digits;
  double step;
  double largest;
};
inline constexpr NarrowFloat kHalfFloat = {.digits = 11, .step = 0x1p-24, .largest = 65504};
inline constexpr NarrowFloat kBrainFloat = {.digits = 8, .step = 0x1p-133, .largest = 0x1.fep127};

inline Bounded RoundTo(const NarrowFloat& type, Bounded x) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const double limit = type.largest + std::ldexp(1.0, std::ilogb(type.largest) - type.digits);
  if (std::isnan(x.value) || std::isinf(x.value)) return x;
  if (std::fabs(x.value) - x.bound >= limit) return {std::copysign(kInfinity, x.value), 0};
  const double rounding =
      std::max(std::ldexp(std::fabs(x.value) + x.bound, -type.digits), type.step / 2);
  if (std::fabs(x.value) + x.bound + rounding >= limit) return {x.value, kInfinity};
  return {x.value, x.bound + rounding};
}

// Sums in any order, of terms that have been rounded `roundings` times each on their way (1 for
// products). For n terms the error is at most g(n - 1 + roundings) times the sum of magnitudes,
// g(k) = k u / (1 - k u).
class BoundedSum {
 public:
  void Add(Bounded exact_term) {
    sum_ += exact_term.value;
    (exact_term.value < 0 ? down_ : up_) += std::fabs(exact_term.value);
    inherited_ += exact_term.bound;
    is_nan_ = is_nan_ || IsCertainNan(exact_term);
    ++terms_;
  }
  int64_t terms() const { return terms_; }
  Bounded Result(int roundings) const {
    if (terms_ == 0) return {};
    if (is_nan_) return CertainNan();
    // Higham, Accuracy and Stability of Numerical Algorithms, chapters 3 and 4: a term goes through
    // at most n - 1 additions, whatever their order.
    const double steps = static_cast<double>(terms_ - 1 + roundings);
    // Terms, or partial sums, of either sign may overflow, and meet: an infinity, a NaN or what the
    // terms say. A number that only its bound lets overflow stays the best that is known.
    if (!std::isnan(sum_) && up_ + inherited_ > kLargestFloat &&
        down_ + inherited_ > kLargestFloat &&
        (std::isfinite(inherited_) || std::fabs(sum_) > kLargestFloat))
      return {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()};
    if (!std::isfinite(sum_) || !std::isfinite(inherited_)) return Round32(sum_, inherited_);
    const double magnitude = up_ + down_;
    const double reach = magnitude + inherited_;
    double bound = inherited_ + steps * kRoundingUnit / (1 - steps * kRoundingUnit) * reach;
    bound += 0x1p-52 * static_cast<double>(terms_) * magnitude;  // of the float64 sum itself
    if (reach > 0) bound += steps * std::min(kSmallestNormal, reach);
    if (magnitude + bound > kLargestFloat) bound = std::numeric_limits<double>::infinity();
    return {sum_, bound};
  }

 private:
  double sum_ = 0;
  double up_ = 0;    // of the positive terms
  double down_ = 0;  // of the negative ones' magnitudes
  double inherited_ = 0;
  int64_t terms_ = 0;
  bool is_nan_ = false;  // for certain
};

}  // namespace npukit::kernels

#endif  // NPUKIT_SDK_HOST_KERNELS_ORACLE_BOUNDED_H_
