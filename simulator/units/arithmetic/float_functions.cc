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
  const double s = (mantissa - 1.0) / (mantissa + 1.0);
  const double square = s * s;
  double sum = 0.0;
  for (int term = 21; term >= 1; term -= 2) sum = sum * square + 1.0 / term;
  return static_cast<double>(exponent) * kLn2High +
         (static_cast<double>(exponent) * kLn2Low + 2.0 * s * sum);
}

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

// sine (quadrant 0) or cosine (quadrant 1): reduction by pi/2 in three parts, then Taylor series on
// |r| <= pi/4.
double SinDouble(double x, int64_t quadrant) {
  constexpr double kTwoOverPi = 0.63661977236758134308;
  constexpr double kPart1 = 1.57079632673412561417e+00;  // 33 bits each
  constexpr double kPart2 = 6.07710050630396597660e-11;
  constexpr double kPart3 = 2.02226624879595063154e-21;
  if (!(std::fabs(x) < 1e15)) return std::numeric_limits<double>::quiet_NaN();
  const double k = std::floor(x * kTwoOverPi + 0.5);
  const double r = ((x - k * kPart1) - k * kPart2) - k * kPart3;
  quadrant = (quadrant + static_cast<int64_t>(k)) & 3;
  const double square = r * r;
  double sum = 1.0;
  const int first = quadrant % 2 == 0 ? 19 : 18;
  for (int n = first; n >= 2; n -= 2) sum = 1.0 - square / (n * (n - 1)) * sum;
  const double value = quadrant % 2 == 0 ? r * sum : sum;
  return quadrant >= 2 ? -value : value;
}

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
  if (x == -kInf) return -0.0f;
  return static_cast<float>(x * NormalCdf(x));
}

// Nearest integer, ties to even, without the rounding mode.
float RoundEven(float x) {
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
