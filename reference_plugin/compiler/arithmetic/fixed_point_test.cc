// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/arithmetic/fixed_point.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>

namespace acme::compiler {
namespace {

TEST(QuantizeMultiplierTest, NormalisesToHalfOpenUnitInterval) {
  EXPECT_EQ(QuantizeMultiplier(1.0), (FixedPoint{1 << 30, 1}));
  EXPECT_EQ(QuantizeMultiplier(0.5), (FixedPoint{1 << 30, 0}));
  EXPECT_EQ(QuantizeMultiplier(0.75), (FixedPoint{3 << 29, 0}));
  EXPECT_EQ(QuantizeMultiplier(0.0), (FixedPoint{0, 0}));
}

TEST(QuantizeMultiplierTest, RoundingUpToOneMovesTheShift) {
  EXPECT_EQ(QuantizeMultiplier(1.0 - std::ldexp(1.0, -40)), (FixedPoint{1 << 30, 1}));
}

TEST(QuantizeMultiplierTest, TooSmallIsZero) {
  EXPECT_EQ(QuantizeMultiplier(std::ldexp(1.0, -32)), (FixedPoint{1 << 30, -31}));
  EXPECT_EQ(QuantizeMultiplier(std::ldexp(1.0, -33)), (FixedPoint{0, 0}));
}

TEST(ActivationRangeTest, StaysInsideTheType) {
  EXPECT_EQ(ActivationRange(Activation::kNone, Dtype::kI8, 0.1f, 3), (ClampRange{-128, 127}));
  EXPECT_EQ(ActivationRange(Activation::kRelu, Dtype::kI8, 0.1f, 3), (ClampRange{3, 127}));
  EXPECT_EQ(ActivationRange(Activation::kRelu6, Dtype::kI8, 0.1f, -100), (ClampRange{-100, -40}));
  EXPECT_EQ(ActivationRange(Activation::kReluN1To1, Dtype::kI8, 0.1f, 0), (ClampRange{-10, 10}));
  // Tiny scales push the limits out of the type.
  EXPECT_EQ(ActivationRange(Activation::kRelu6, Dtype::kI8, 1e-9f, 0), (ClampRange{0, 127}));
}

TEST(FloatActivationRangeTest, GivesBits) {
  EXPECT_EQ(FloatActivationRange(Activation::kRelu6),
            (ClampRange{0, std::bit_cast<int32_t>(6.0f)}));
  EXPECT_EQ(std::bit_cast<float>(FloatActivationRange(Activation::kNone).lo), -INFINITY);
}

}  // namespace
}  // namespace acme::compiler
