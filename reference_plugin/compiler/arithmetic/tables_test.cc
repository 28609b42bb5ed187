// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/arithmetic/tables.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

namespace acme::compiler {
namespace {

TEST(ByteTable, IsIndexedFromTheLowestValueAndClamped) {
  const std::vector<uint8_t> table =
      ByteTable(Dtype::kI8, Dtype::kI8, [](int32_t x) { return 2 * x; });
  ASSERT_EQ(table.size(), 256u);
  EXPECT_EQ(static_cast<int8_t>(table[0]), -128);   // of -128
  EXPECT_EQ(static_cast<int8_t>(table[128]), 0);    // of 0
  EXPECT_EQ(static_cast<int8_t>(table[131]), 6);    // of 3
  EXPECT_EQ(static_cast<int8_t>(table[255]), 127);  // of 127
}

TEST(ByteTable, HoldsWiderResults) {
  const std::vector<uint8_t> table =
      ByteTable(Dtype::kU8, Dtype::kI16, [](int32_t x) { return 300 * x - 1000; });
  ASSERT_EQ(table.size(), 512u);
  int16_t entry = 0;
  std::memcpy(&entry, &table[2 * 7], sizeof(entry));
  EXPECT_EQ(entry, 1100);
}

TEST(RealByteTable, RoundsHalfAwayFromZero) {
  const std::vector<uint8_t> table =
      RealByteTable(Dtype::kI8, {0.5f, 0}, {1.0f, 0}, [](float x) { return x; });
  EXPECT_EQ(static_cast<int8_t>(table[128 + 3]), 2);   // 1.5
  EXPECT_EQ(static_cast<int8_t>(table[128 - 3]), -2);  // -1.5
}

TEST(InterpolatedTable, HasSamplesAtTheEnds) {
  const std::vector<uint8_t> table =
      InterpolatedTable<float>(1.0f, 0, 1.0f, 0, [](float x) { return x; });
  ASSERT_EQ(table.size(), 2u * 513u);
  const auto entry = [&](size_t i) {
    int16_t value = 0;
    std::memcpy(&value, &table[2 * i], sizeof(value));
    return value;
  };
  EXPECT_EQ(entry(0), -32768);
  EXPECT_EQ(entry(512), 32767);
}

TEST(FixedPoint, RoundsAsTflite) {
  EXPECT_EQ(RoundingShiftRight(5, 1), 3);
  EXPECT_EQ(RoundingShiftRight(-5, 1), -3);
  EXPECT_EQ(
      RoundingHighMul(std::numeric_limits<int32_t>::min(), std::numeric_limits<int32_t>::min()),
      std::numeric_limits<int32_t>::max());
  EXPECT_EQ(MultiplyByFixedPoint(1000, QuantizeMultiplier(0.25)), 250);
  EXPECT_EQ(MultiplyByFixedPoint(-1000, QuantizeMultiplier(3.0)), -3000);
}

TEST(CutToInt32, MakesWhatDoesNotFitTheLowest) {
  EXPECT_EQ(CutToInt32(-1.9), -1);
  EXPECT_EQ(CutToInt32(3e9), std::numeric_limits<int32_t>::min());
  EXPECT_EQ(CutToInt32(std::nan("")), std::numeric_limits<int32_t>::min());
}

TEST(InverseSqrt, IsNearTheTrueValue) {
  for (int32_t x : {2, 3, 100, 255, 65535, 1 << 30}) {
    const FixedPoint root = InverseSqrt(x);
    const double value = std::ldexp(root.mult, root.shift - 31);
    EXPECT_NEAR(value * std::sqrt(x), 1.0, 1e-5) << x;
  }
}

}  // namespace
}  // namespace acme::compiler
