// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "simulator/units/arithmetic/float_functions.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace acme {
namespace {

constexpr double kLn2High = 6.93147180369123816490e-01;  // upper 33 bits of ln 2
constexpr double kLn2Low = 1.90821492927058770002e-10;   // the rest
constexpr double kLog2E = 1.44269504088896338700;
constexpr double kSqrtHalf = 0.70710678118654752440;
constexpr double kInf = std::numeric_limits<double>::infinity();

// 2^exponent for -1022 .. 1023.
double PowerOfTwo(int64_t exponent) {
  return std::bit_cast<double>(static_cast<uint64_t>(exponent + 1023) << 52);
}

// Natural logarithm of a positive normal number: mantissa in [sqrt(1/2), sqrt(2)), then 2
// artanh((m-1)/(m+1)).
double LogDouble(double x) {
  const uint64_t bits = std::bit_cast<uint64_t>(x);
  int64_t exponent = static_cast<int64_t>(bits >> 52) - 1023;
  double mantissa = std::bit_cast<double>((bits & 0x000FFFFFFFFFFFFFu) | 0x3FF0000000000000u);
  if (mantissa > 2 * kSqrtHalf) {
    mantissa *= 0.5;
    ++exponent;
  }
  // |s| < 0.172, so that what the series leaves out behind s^21 / 21 is below 2^-60 of it.
  const double s = (mantissa - 1.0) / (mantissa + 1.0);
  const double square = s * s;
  double sum = 0.0;
  for (int term = 21; term >= 1; term -= 2) sum = sum * square + 1.0 / term;
  return static_cast<double>(exponent) * kLn2High +
         (static_cast<double>(exponent) * kLn2Low + 2.0 * s * sum);
}

// Near 0 the quotient would lose its leading bits; above 20 it rounds to 1 even in binary64.
double TanhDouble(double x) {
  const double magnitude = std::fabs(x);
  if (magnitude < 1e-4) return x - x * x * x / 3.0;
  if (magnitude > 20.0) return x > 0 ? 1.0 : -1.0;
  const double e = ExpDouble(2.0 * x);
  return (e - 1.0) / (e + 1.0);
}

// Standard normal distribution function: the series of erf near 0, a continued fraction of erfc
// beyond.
double NormalCdf(double x) {
  const double z = std::fabs(x) * kSqrtHalf;
  constexpr double kTwoOverSqrtPi = 1.12837916709551257390;
  // The series' terms grow to 18 at 2.5, where erfc is 4e-4: 36 of 53 bits are left, and a float
  // needs 24. Further out more and more would cancel, and the fraction converges faster.
  if (z < 2.5) {
    double term = z;
    double sum = z;
    for (int n = 1; n < 60; ++n) {
      term = -term * z * z / n;
      sum = sum + term / (2 * n + 1);
    }
    const double erf = kTwoOverSqrtPi * sum;
    return x >= 0 ? 0.5 + 0.5 * erf : 0.5 - 0.5 * erf;
  }
  double fraction = z;
  for (int n = 60; n >= 1; --n) fraction = z + (0.5 * n) / fraction;
  const double erfc = ExpDouble(-z * z) * (kTwoOverSqrtPi * 0.5) / fraction;
  return x >= 0 ? 1.0 - 0.5 * erfc : 0.5 * erfc;
}

// x = k pi/2 + rest, |rest| <= pi/4; k modulo 4.
struct Reduced {
  int64_t quadrant = 0;
  double rest = 0;
};

// |x| < 2^16: pi/2 in three parts, so that k times the first two is exact.
Reduced ReduceSmall(double x) {
  constexpr double kTwoOverPi = 0.63661977236758134308;
  constexpr double kPart1 = 1.57079632673412561417e+00;  // 33 bits each
  constexpr double kPart2 = 6.07710050630396597660e-11;
  constexpr double kPart3 = 2.02226624879595063154e-21;
  // k has at most 16 bits.
  const double k = std::floor(x * kTwoOverPi + 0.5);
  return {static_cast<int64_t>(k), ((x - k * kPart1) - k * kPart2) - k * kPart3};
}

// Any other float (Payne and Hanek, 1983): of its product with 2/pi, multiples of 4 are left out, so
// that 96 bits of 2/pi are enough, from that place on where they count.
Reduced ReduceLarge(double x) {
  // 2/pi's bits behind the point.
  constexpr uint32_t kTwoOverPi[] = {0xA2F9836E, 0x4E441529, 0xFC2757D1, 0xF534DDC0,
                                     0xDB629599, 0x3C439041, 0xFE5163AB};
  constexpr int kBits = 96;
  using Wide = unsigned __int128;
  int exponent = 0;
  const auto mantissa = static_cast<uint64_t>(std::ldexp(std::frexp(std::fabs(x), &exponent), 24));
  exponent -= 24;
  const int skipped =
      std::max(0, exponent - 2);  // leading bits, of weights that give multiples of 4
  // With a mantissa of 24 bits the product has 120.
  Wide bits = 0;
  for (int i = skipped; i < skipped + kBits; ++i)
    bits = bits << 1 | (kTwoOverPi[i / 32] >> (31 - i % 32) & 1);
  const Wide product = bits * mantissa;
  const int fraction_bits = skipped + kBits - exponent;
  const Wide one = Wide{1} << fraction_bits;
  auto quadrant = static_cast<int64_t>(product >> fraction_bits & 3);
  auto fraction = static_cast<__int128>(product & (one - 1));
  if (fraction >= static_cast<__int128>(one / 2)) {
    fraction -= static_cast<__int128>(one);
    ++quadrant;
  }
  constexpr double kHalfPi = 1.57079632679489661923;
  const double rest = std::ldexp(static_cast<double>(fraction), -fraction_bits) * kHalfPi;
  return x < 0 ? Reduced{-quadrant, -rest} : Reduced{quadrant, rest};
}

// sine (quadrant 0) or cosine (quadrant 1) of a float: Taylor series on |rest| <= pi/4.
double SinDouble(double x, int64_t quadrant) {
  constexpr double kSmall = 65536;
  if (!std::isfinite(x)) return std::numeric_limits<double>::quiet_NaN();
  const Reduced reduced = std::fabs(x) < kSmall ? ReduceSmall(x) : ReduceLarge(x);
  const double r = reduced.rest;
  quadrant = (quadrant + reduced.quadrant) & 3;
  const double square = r * r;
  double sum = 1.0;
  const int first = quadrant % 2 == 0 ? 19 : 18;
  for (int n = first; n >= 2; n -= 2) sum = 1.0 - square / (n * (n - 1)) * sum;
  const double value = quadrant % 2 == 0 ? r * sum : sum;
  return quadrant >= 2 ? -value : value;
}

// Every float above 0, subnormal ones too, is a normal number in binary64, as LogDouble wants it.
float LogFloat(float x) {
  if (x < 0) return std::numeric_limits<float>::quiet_NaN();
  if (x == 0) return -std::numeric_limits<float>::infinity();
  if (x == std::numeric_limits<float>::infinity()) return x;
  return static_cast<float>(LogDouble(x));
}

float GeluTanh(double x) {
  constexpr double kSqrtTwoOverPi = 0.79788456080286535588;
  return static_cast<float>(0.5 * x *
                            (1.0 + TanhDouble(kSqrtTwoOverPi * (x + 0.044715 * x * x * x))));
}

float Gelu(double x) {
  // The limit; -infinity * 0 would be a NaN.
  if (x == -kInf) return -0.0f;
  return static_cast<float>(x * NormalCdf(x));
}

// Nearest integer, ties to even, without the rounding mode.
float RoundEven(float x) {
  // From 2^23 on all floats are integers.
  if (!(std::fabs(x) < 8388608.0f)) return x;
  const float low = std::floor(x);
  const float fraction = x - low;
  float result = low;
  if (fraction > 0.5f || (fraction == 0.5f && static_cast<int32_t>(low) % 2 != 0))
    result = low + 1.0f;
  return std::copysign(result, x);
}

}  // namespace

double ExpDouble(double x) {
  if (x < -745.0) return 0.0;
  if (x > 709.0) return kInf;
  // k has at most 11 bits, so that its product with kLn2High is exact, and what the difference
  // cancels is no rounding error. |r| <= ln 2 / 2: behind r^13 / 13! less than 2^-57 is left.
  const double k = std::floor(x * kLog2E + 0.5);
  const double r = (x - k * kLn2High) - k * kLn2Low;
  double sum = 1.0;
  for (int n = 13; n >= 1; --n) sum = 1.0 + r / n * sum;
  // In two steps, so that results below 2^-1022 come out.
  const int64_t exponent = static_cast<int64_t>(k);
  return sum * PowerOfTwo(exponent / 2) * PowerOfTwo(exponent - exponent / 2);
}

float EvaluateUnary(UnaryOp op, float x, float alpha) {
  if (std::isnan(x)) return x;
  switch (op) {
    case UnaryOp::kCopy:
      return x;
    case UnaryOp::kAbs:
      return std::fabs(x);
    case UnaryOp::kNeg:
      return -x;
    case UnaryOp::kExp:
      return static_cast<float>(ExpDouble(x));
    case UnaryOp::kLog:
      return LogFloat(x);
    case UnaryOp::kSqrt:
      return std::sqrt(x);
    case UnaryOp::kRsqrt:
      return static_cast<float>(1.0 / std::sqrt(static_cast<double>(x)));
    case UnaryOp::kReciprocal:
      return 1.0f / x;
    case UnaryOp::kTanh:
      return static_cast<float>(TanhDouble(x));
    case UnaryOp::kLogistic:
      return static_cast<float>(1.0 / (1.0 + ExpDouble(-static_cast<double>(x))));
    case UnaryOp::kGelu:
      return Gelu(x);
    case UnaryOp::kGeluTanh:
      return x == -std::numeric_limits<float>::infinity() ? -0.0f : GeluTanh(x);
    case UnaryOp::kHardSwish: {
      const float shifted = x + 3.0f;
      const float low = shifted > 0.0f ? shifted : 0.0f;
      return x * (low < 6.0f ? low : 6.0f) / 6.0f;
    }
    case UnaryOp::kLeakyRelu:
      return x > 0.0f ? x : x * alpha;
    case UnaryOp::kElu:
      // e^x - 1 loses its leading bits near 0; there the series is short.
      if (x >= 0.0f) return x;
      if (x > -1e-4f) return static_cast<float>(x + 0.5 * x * static_cast<double>(x));
      return static_cast<float>(ExpDouble(x) - 1.0);
    case UnaryOp::kSquare:
      return x * x;
    case UnaryOp::kFloor:
      return std::floor(x);
    case UnaryOp::kCeil:
      return std::ceil(x);
    case UnaryOp::kRound:
      return RoundEven(x);
    case UnaryOp::kSin:
      return static_cast<float>(SinDouble(x, 0));
    case UnaryOp::kCos:
      return static_cast<float>(SinDouble(x, 1));
  }
  return x;
}

}  // namespace acme
