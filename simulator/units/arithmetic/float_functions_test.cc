// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The largest error of each function against long double, in units in the last place of the result.

#include "simulator/units/arithmetic/float_functions.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

namespace acme {
namespace {

double UlpsApart(float got, long double exact) {
  if (std::isinf(got) || std::isinf(static_cast<float>(exact)))
    return got == static_cast<float>(exact) ? 0 : 1e30;
  const float rounded = std::fabs(static_cast<float>(exact));
  const float next = std::nextafter(rounded, std::numeric_limits<float>::infinity());
  return static_cast<double>(std::fabs(static_cast<long double>(got) - exact) /
                             (static_cast<long double>(next) - rounded));
}

struct FunctionCase {
  UnaryOp op;
  float low, high;
  long double (*exact)(long double);
  double bound_ulps;
};

long double Phi(long double x) {
  return 0.5L * std::erfc(-x * 0.70710678118654752440084436210485L);
}

const FunctionCase kCases[] = {
    {UnaryOp::kExp, -103.0f, 88.7f, [](long double x) { return std::exp(x); }, 0.501},
    {UnaryOp::kLog, 1e-37f, 3e38f, [](long double x) { return std::log(x); }, 0.501},
    {UnaryOp::kLog, 0.9f, 1.1f, [](long double x) { return std::log(x); }, 0.501},
    {UnaryOp::kSqrt, 0.0f, 1e30f, [](long double x) { return std::sqrt(x); }, 0.5},
    {UnaryOp::kRsqrt, 1e-30f, 1e30f, [](long double x) { return 1.0L / std::sqrt(x); }, 0.501},
    {UnaryOp::kReciprocal, -1e20f, 1e20f, [](long double x) { return 1.0L / x; }, 0.5},
    {UnaryOp::kTanh, -12.0f, 12.0f, [](long double x) { return std::tanh(x); }, 0.501},
    {UnaryOp::kTanh, -1e-3f, 1e-3f, [](long double x) { return std::tanh(x); }, 0.501},
    {UnaryOp::kLogistic, -80.0f, 40.0f, [](long double x) { return 1.0L / (1.0L + std::exp(-x)); },
     0.501},
    {UnaryOp::kGelu, -12.0f, 12.0f, [](long double x) { return x * Phi(x); }, 0.51},
    {UnaryOp::kElu, -20.0f, 0.0f, [](long double x) { return std::expm1(x); }, 0.51},
    {UnaryOp::kElu, -2e-4f, 0.0f, [](long double x) { return std::expm1(x); }, 0.6},
    {UnaryOp::kSin, -1e5f, 1e5f, [](long double x) { return std::sin(x); }, 0.51},
    {UnaryOp::kCos, -1e5f, 1e5f, [](long double x) { return std::cos(x); }, 0.51},
    {UnaryOp::kSin, -65600.0f, -65400.0f, [](long double x) { return std::sin(x); }, 0.51},
    {UnaryOp::kCos, 65400.0f, 65600.0f, [](long double x) { return std::cos(x); }, 0.51},
    {UnaryOp::kSin, -1e9f, 3e9f, [](long double x) { return std::sin(x); }, 0.51},
    {UnaryOp::kSin, 0.0f, 3.4e38f, [](long double x) { return std::sin(x); }, 0.51},
    {UnaryOp::kCos, -3.4e38f, 0.0f, [](long double x) { return std::cos(x); }, 0.51},
    {UnaryOp::kFloor, -1e9f, 1e9f, [](long double x) { return std::floor(x); }, 0},
    {UnaryOp::kCeil, -1e3f, 1e3f, [](long double x) { return std::ceil(x); }, 0},
    {UnaryOp::kRound, -1e3f, 1e3f, [](long double x) { return std::nearbyint(x); }, 0},
};

TEST(FloatFunctionsTest, ErrorsStayBelowTheirBounds) {
  for (const FunctionCase& c : kCases) {
    double worst = 0;
    float worst_x = 0;
    constexpr int kSteps = 200000;
    for (int i = 0; i <= kSteps; ++i) {
      const float x = c.low + (c.high - c.low) * (static_cast<float>(i) / kSteps);
      const double ulps = UlpsApart(EvaluateUnary(c.op, x, 0), c.exact(x));
      if (ulps > worst) {
        worst = ulps;
        worst_x = x;
      }
    }
    EXPECT_LE(worst, c.bound_ulps) << NameOf(c.op) << " at " << worst_x;
  }
}

TEST(FloatFunctionsTest, SpecialValues) {
  constexpr float kInf = std::numeric_limits<float>::infinity();
  struct Special {
    UnaryOp op;
    float x, y;
  };
  for (const Special& s :
       {Special{UnaryOp::kExp, -kInf, 0.0f}, Special{UnaryOp::kExp, kInf, kInf},
        Special{UnaryOp::kExp, 0.0f, 1.0f}, Special{UnaryOp::kLog, 0.0f, -kInf},
        Special{UnaryOp::kLog, kInf, kInf}, Special{UnaryOp::kTanh, kInf, 1.0f},
        Special{UnaryOp::kTanh, -kInf, -1.0f}, Special{UnaryOp::kLogistic, -kInf, 0.0f},
        Special{UnaryOp::kLogistic, kInf, 1.0f}, Special{UnaryOp::kRsqrt, 0.0f, kInf},
        Special{UnaryOp::kGelu, kInf, kInf}, Special{UnaryOp::kGelu, -kInf, 0.0f},
        Special{UnaryOp::kElu, -kInf, -1.0f}, Special{UnaryOp::kHardSwish, -4.0f, 0.0f},
        Special{UnaryOp::kHardSwish, 3.0f, 3.0f}, Special{UnaryOp::kRound, 2.5f, 2.0f},
        Special{UnaryOp::kRound, -3.5f, -4.0f}, Special{UnaryOp::kReciprocal, 0.0f, kInf}}) {
    EXPECT_EQ(EvaluateUnary(s.op, s.x, 0), s.y) << NameOf(s.op) << " of " << s.x;
  }
  for (const EnumValueInfo& op : EnumInfoOf<UnaryOp>().values) {
    EXPECT_TRUE(std::isnan(
        EvaluateUnary(static_cast<UnaryOp>(op.value), std::numeric_limits<float>::quiet_NaN(), 0)))
        << op.text;
  }
  EXPECT_TRUE(std::isnan(EvaluateUnary(UnaryOp::kLog, -1.0f, 0)));
  EXPECT_TRUE(std::isnan(EvaluateUnary(UnaryOp::kSin, kInf, 0)));
}

// Pinned bits: what the functions give may never change between machines or compilers.
TEST(FloatFunctionsTest, BitsArePinned) {
  uint64_t hash = 0xcbf29ce484222325u;
  for (const EnumValueInfo& op : EnumInfoOf<UnaryOp>().values) {
    for (int i = -2000; i <= 2000; ++i) {
      const float y =
          EvaluateUnary(static_cast<UnaryOp>(op.value), static_cast<float>(i) * 0.01f, 0.1f);
      hash = (hash ^ (std::isnan(y) ? 0x7FC00000u : std::bit_cast<uint32_t>(y))) * 0x100000001b3u;
    }
  }
  EXPECT_EQ(hash, 3622122221503164989u);
}

}  // namespace
}  // namespace acme
