// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/lower/elementwise/map_value.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <limits>
#include <optional>

#include "reference_plugin/compiler/arithmetic/fixed_point.h"

namespace acme::compiler {
namespace {

Map Conversion(ConvertOp op, Dtype in, Dtype out, float scale, int32_t zero_point) {
  Map map;
  map.function = op;
  map.in = in;
  map.out = out;
  const ClampRange open = OpenRange(out);
  map.clamp = {.lo = open.lo, .hi = open.hi};
  isa::VQuant& quant = op == ConvertOp::kQuantize ? map.dst : map.a;
  quant.mult = std::bit_cast<uint32_t>(scale);
  quant.zp = zero_point;
  return map;
}
Map Dequantize(Dtype in, float scale, int32_t zero_point) {
  return Conversion(ConvertOp::kDequantize, in, Dtype::kF32, scale, zero_point);
}
Map Quantize(Dtype out, float scale, int32_t zero_point) {
  return Conversion(ConvertOp::kQuantize, Dtype::kF32, out, scale, zero_point);
}
uint32_t Bits(float value) { return std::bit_cast<uint32_t>(value); }

TEST(ValueOf, IsTheConversionsResult) {
  EXPECT_EQ(ValueOf(Dequantize(Dtype::kI8, 0.5f, -3), 0xff), Bits(1.0f));
  EXPECT_EQ(ValueOf(Dequantize(Dtype::kU8, 0.5f, 3), 0xff), Bits(126.0f));
  EXPECT_EQ(ValueOf(Dequantize(Dtype::kI16, 0.25f, 0), 0x8000), Bits(-8192.0f));
  // Halves away from zero; then the type's limits.
  EXPECT_EQ(ValueOf(Quantize(Dtype::kI8, 2.0f, 1), Bits(5.0f)), 4u);
  EXPECT_EQ(ValueOf(Quantize(Dtype::kI8, 2.0f, 1), Bits(-5.0f)), 0xfeu);
  EXPECT_EQ(ValueOf(Quantize(Dtype::kI8, 1.0f, 0), Bits(1000.0f)), 127u);
  EXPECT_EQ(ValueOf(Quantize(Dtype::kI16, 1.0f, 0), Bits(-2.0f)), 0xfffeu);
}

TEST(ValueOf, IsNothingWhereMachinesDiffer) {
  const Map quantize = Quantize(Dtype::kI8, 1.0f, 0);
  EXPECT_EQ(ValueOf(quantize, Bits(std::numeric_limits<float>::infinity())), std::nullopt);
  EXPECT_EQ(ValueOf(quantize, Bits(std::numeric_limits<float>::quiet_NaN())), std::nullopt);
  EXPECT_EQ(ValueOf(quantize, Bits(3e9f)), std::nullopt);
  Map root;
  root.in = root.out = Dtype::kF32;
  root.function = UnaryOp::kSqrt;
  EXPECT_EQ(ValueOf(root, Bits(4.0f)), std::nullopt);
}

TEST(OperandOf, IsTheElementThatBecomesTheResult) {
  const Map dequantize = Dequantize(Dtype::kI8, 0.1f, -3);
  EXPECT_EQ(OperandOf(dequantize, Bits(0.0f)), 0xfdu);
  EXPECT_EQ(OperandOf(dequantize, Bits(static_cast<float>(0.1f * 5.0))), 2u);
  EXPECT_EQ(OperandOf(dequantize, Bits(0.05f)), std::nullopt);
  EXPECT_EQ(OperandOf(dequantize, Bits(-0.0f)), std::nullopt) << "another zero";
  EXPECT_EQ(OperandOf(Quantize(Dtype::kI8, 1.0f, 0), 3), std::nullopt) << "too many to look at";
}

TEST(Joined, OverBytesIsATableOfWhatBothDo) {
  const Map first = Dequantize(Dtype::kI8, 0.3f, 5);
  const Map then = Quantize(Dtype::kU8, 0.7f, 9);
  const std::optional<Map> joined = Joined(first, then);
  ASSERT_TRUE(joined);
  EXPECT_EQ(joined->out, Dtype::kU8);
  for (uint32_t x = 0; x < 256; ++x)
    EXPECT_EQ(ValueOf(*joined, x), ValueOf(then, *ValueOf(first, x))) << x;
  EXPECT_FALSE(IsIdentity(*joined));
  const std::optional<Map> wide = Joined(first, Quantize(Dtype::kI16, 0.01f, 0));
  ASSERT_TRUE(wide);
  EXPECT_EQ(std::get<Map::Table>(wide->function).bytes.size(), 512u);
}

TEST(Joined, OfInversesLeavesElementsAsTheyAre) {
  for (Dtype dtype : {Dtype::kI8, Dtype::kU8, Dtype::kI16}) {
    const std::optional<Map> joined = Joined(Dequantize(dtype, 0.3f, 5), Quantize(dtype, 0.3f, 5));
    ASSERT_TRUE(joined);
    EXPECT_TRUE(IsIdentity(*joined));
  }
}

// What the identity of int16 rests on.
TEST(Joined, OfInversesOverInt16IsWhatTheConversionsDo) {
  for (float scale : {0.3f, 3.1e-5f, 7.7f, 1.0f / 3}) {
    for (int32_t zero_point : {0, 32767, -32768}) {
      const Map first = Dequantize(Dtype::kI16, scale, zero_point);
      const Map then = Quantize(Dtype::kI16, scale, zero_point);
      for (uint32_t x = 0; x <= 0xffff; ++x) ASSERT_EQ(ValueOf(then, *ValueOf(first, x)), x);
    }
  }
}

TEST(Joined, IsNothingOverMoreThanBytes) {
  const Map first = Dequantize(Dtype::kI16, 0.3f, 0);
  EXPECT_FALSE(Joined(first, Quantize(Dtype::kI16, 0.31f, 0)));
  EXPECT_FALSE(Joined(first, Quantize(Dtype::kI16, 0.3f, 1)));
  EXPECT_FALSE(Joined(first, Quantize(Dtype::kI8, 0.3f, 0)));
  Map limited = Quantize(Dtype::kI16, 0.3f, 0);
  limited.clamp.lo = 0;
  EXPECT_FALSE(Joined(first, limited));
}

TEST(HaveOneFunction, LooksAtScalesAndTypes) {
  const Map map = Dequantize(Dtype::kI8, 0.3f, 5);
  Map other = map;
  other.x = 7;
  EXPECT_TRUE(HaveOneFunction(map, other));
  EXPECT_FALSE(HaveOneFunction(map, Dequantize(Dtype::kI8, 0.3f, 4)));
  EXPECT_FALSE(HaveOneFunction(map, Dequantize(Dtype::kI8, 0.4f, 5)));
  EXPECT_FALSE(HaveOneFunction(map, Dequantize(Dtype::kU8, 0.3f, 5)));
  EXPECT_FALSE(HaveOneFunction(map, Quantize(Dtype::kI8, 0.3f, 5)));
}

}  // namespace
}  // namespace acme::compiler
