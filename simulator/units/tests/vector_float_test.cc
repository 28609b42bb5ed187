// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What is said of roundings of binary32 and of their order, to the last bit.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include "simulator/isa/footprint.h"
#include "simulator/units/testing/unit_rig.h"
#include "simulator/units/vector_row.h"

namespace acme {
namespace {

TEST(VectorFloatTest, FloatSumHasItsOrder) {
  UnitRig rig(11);
  rig.FillFloats(0, 100);
  rig.Do(isa::VShape{100, 1, 1, 1});
  rig.Do(isa::VView{View::kA, 4, 0, 0, 0});
  rig.Do(isa::VView{View::kDst, 4, 0, 0, 0});
  rig.Do(isa::VReduce{.op = ReduceOp::kMean,
                      .dims = 1,
                      .dtype = Dtype::kF32,
                      .out = Dtype::kF32,
                      .dst = 1000,
                      .a = 0});
  volatile float partial[16] = {};
  for (int i = 0; i < 100; ++i) partial[i % 16] = partial[i % 16] + LoadAs<float>(rig.At(4 * i));
  for (int half : {8, 4, 2, 1}) {
    for (int p = 0; p < half; ++p) partial[p] = partial[p] + partial[p + half];
  }
  EXPECT_EQ(LoadAs<float>(rig.At(1000)), partial[0] / 100.0f);
}

TEST(VectorFloatTest, LargestMagnitude) {
  UnitRig rig(12);
  rig.Do(isa::VShape{3, 5, 1, 1});
  for (int i = 0; i < 15; ++i) StoreAs(rig.At(4 * i), (i % 2 == 0 ? -1.5f : 1.0f) * float(i));
  rig.Do(isa::VView{View::kA, 4, 12, 0, 0});
  rig.Do(isa::VView{View::kDst, 4, 0, 0, 0});
  const auto reduce = [](ReduceOp op) {
    return isa::VReduce{
        .op = op, .dims = 2, .dtype = Dtype::kF32, .out = Dtype::kF32, .dst = 1000, .a = 0};
  };
  rig.Do(reduce(ReduceOp::kMaxMagnitude));
  // Columns of 0, 3, 6, 9, 12; 1, 4 ...; 2, 5 ...: of each the last even number.
  constexpr float kLargest[] = {12, 10, 14};
  for (int c = 0; c < 3; ++c) EXPECT_EQ(LoadAs<float>(rig.At(1000 + 4 * c)), 1.5f * kLargest[c]);
}

// The first of equals; a NaN loses, except where it came first.
TEST(VectorFloatTest, PlacesOfExtremes) {
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  struct Case {
    std::array<float, 4> row;
    int32_t largest, smallest;
  };
  const Case cases[] = {{{1, 3, 3, -2}, 1, 3},
                        {{5, 5, 5, 5}, 0, 0},
                        {{1, kNan, 2, kNan}, 2, 0},
                        {{kNan, 9, 2, -9}, 0, 0},
                        {{-0.0f, 0.0f, -1, -1}, 0, 2}};
  for (const Case& c : cases) {
    UnitRig rig(15);
    for (int i = 0; i < 4; ++i) StoreAs(rig.At(4 * i), c.row[i]);
    rig.Do(isa::VShape{4, 1, 1, 1});
    rig.Do(isa::VView{View::kA, 4, 0, 0, 0});
    for (const ReduceOp op : {ReduceOp::kMax, ReduceOp::kMin}) {
      rig.Do(isa::VReduce{.op = op,
                          .dims = 1,
                          .dtype = Dtype::kF32,
                          .out = Dtype::kI32,
                          .dst = 1000,
                          .place = true});
      EXPECT_EQ(LoadAs<int32_t>(rig.At(1000)), op == ReduceOp::kMax ? c.largest : c.smallest)
          << c.row[0] << " " << c.row[1];
    }
  }
}

// Of each column of 3 rows and 2 planes, over rows and planes: places count on from plane to plane.
TEST(VectorFloatTest, PlacesOfBytesOverTwoDimensions) {
  UnitRig rig(16);
  const uint8_t elems[2][3][2] = {{{1, 200}, {7, 3}, {7, 4}}, {{6, 5}, {8, 200}, {0, 3}}};
  for (int i = 0; i < 12; ++i) StoreAs(rig.At(i), (&elems[0][0][0])[i]);
  rig.Do(isa::VShape{2, 3, 2, 1});
  rig.Do(isa::VView{View::kA, 1, 2, 6, 0});
  rig.Do(isa::VView{View::kDst, 4, 0, 0, 0});
  isa::VReduce reduce{.op = ReduceOp::kMax,
                      .dims = 6,
                      .dtype = Dtype::kU8,
                      .out = Dtype::kI32,
                      .dst = 1000,
                      .place = true};
  rig.Do(reduce);
  EXPECT_EQ(LoadAs<int32_t>(rig.At(1000)), 4);
  EXPECT_EQ(LoadAs<int32_t>(rig.At(1004)), 0);
  reduce.op = ReduceOp::kMin;
  rig.Do(reduce);
  EXPECT_EQ(LoadAs<int32_t>(rig.At(1000)), 5);
  EXPECT_EQ(LoadAs<int32_t>(rig.At(1004)), 1);
}

// Each square is rounded before it is added: 1 + 2^-12 squared ends in 2^-24, which binary32 drops.
TEST(VectorFloatTest, SquaresAreRoundedByThemselves) {
  UnitRig rig(14);
  rig.Do(isa::VShape{32, 1, 1, 1});
  for (int i = 0; i < 32; ++i) StoreAs(rig.At(4 * i), i == 0 ? 1.0f + 0x1p-12f : 0.0f);
  rig.Do(isa::VView{View::kA, 4, 0, 0, 0});
  rig.Do(isa::VView{View::kDst, 4, 0, 0, 0});
  for (const ReduceOp op : {ReduceOp::kSumSquares, ReduceOp::kMeanSquares}) {
    rig.Do(isa::VReduce{
        .op = op, .dims = 1, .dtype = Dtype::kF32, .out = Dtype::kF32, .dst = 1000, .a = 0});
    const float count = op == ReduceOp::kMeanSquares ? 32.0f : 1.0f;
    EXPECT_EQ(LoadAs<float>(rig.At(1000)), (1.0f + 0x1p-11f) / count);
  }
}

TEST(VectorFloatTest, RoundedProductsAreBytes) {
  constexpr float kInf = std::numeric_limits<float>::infinity();
  struct Case {
    float a, b;
    int8_t rounded;
  };
  // Halves go away from zero; 0.49999997 * 1.0000001 is 0.5 in binary32.
  const Case cases[] = {{5, 0.5f, 3},     {-5, 0.5f, -3},        {0.49999997f, 1.0000001f, 1},
                        {1.5f, 100, 120}, {-3, 100, -127},       {3e38f, 10, 120},
                        {kInf, -1, -127}, {std::nanf(""), 1, 0}, {0.25f, 1, 0}};
  UnitRig rig(15);
  rig.Do(isa::VShape{std::size(cases), 1, 1, 1});
  for (size_t i = 0; i < std::size(cases); ++i) {
    StoreAs(rig.At(static_cast<int64_t>(4 * i)), cases[i].a);
    StoreAs(rig.At(static_cast<int64_t>(500 + 4 * i)), cases[i].b);
  }
  rig.Do(isa::VView{View::kA, 4, 0, 0, 0});
  rig.Do(isa::VView{View::kB, 4, 0, 0, 0});
  rig.Do(isa::VView{View::kDst, 1, 0, 0, 0});
  rig.Do(isa::VClamp{-127, 120});
  rig.Do(
      isa::VBinary{.op = BinaryOp::kMulRound, .dtype = Dtype::kF32, .dst = 1000, .a = 0, .b = 500});
  for (size_t i = 0; i < std::size(cases); ++i) {
    EXPECT_EQ(LoadAs<int8_t>(rig.At(static_cast<int64_t>(1000 + i))), cases[i].rounded)
        << cases[i].a << " * " << cases[i].b;
  }
}

// Each row by its factor, then the bias; rounded at each step. Where records have offsets, less these.
void ExpectScaledRows(int32_t factor_stride, bool offsets) {
  UnitRig rig(6);
  const int64_t n0 = 29, n1 = 5;
  for (int64_t r = 0; r < n1; ++r) {
    for (int64_t i = 0; i < n0; ++i)
      rig.units.memory().AccumulatorRow(8 + r)[i] = rig.Pick(-2000000, 2000000);
  }
  const int64_t record = offsets ? kOffsetRecordBytes : kScaledRecordBytes;
  rig.FillFloats(40000, n0 * record / 4);
  rig.FillFloats(50000, n1);
  // The first two differences are beyond 32 bits.
  rig.units.memory().AccumulatorRow(8)[0] = INT32_MIN;
  rig.units.memory().AccumulatorRow(8)[1] = INT32_MAX;
  for (int64_t i = 0; offsets && i < n0; ++i)
    StoreAs(rig.At(40008 + i * record), i < 2 ? (i == 0 ? 5 : -5) : rig.Pick(-2000000, 2000000));
  rig.Do(isa::VShape{n0, n1, 1, 1});
  rig.Do(isa::VView{View::kDst, 4, 160, 0, 0});
  rig.Do(isa::VView{View::kB, 0, factor_stride, 0, 0});
  rig.Do(isa::VParams{
      .addr = 50000, .record_stride = static_cast<int32_t>(record), .offsets = offsets});
  rig.Do(isa::VClamp{std::bit_cast<int32_t>(-1e8f), std::bit_cast<int32_t>(1e6f)});
  rig.Do(isa::VDrain{
      .acc = 8, .dst = 64, .params = 40000, .acc_type = Dtype::kI32, .out = Dtype::kF32});
  for (int64_t r = 0; r < n1; ++r) {
    const auto factor = LoadAs<float>(rig.At(50000 + r * factor_stride));
    for (int64_t i = 0; i < n0; ++i) {
      const uint8_t* at = rig.At(40000 + record * i);
      const int64_t offset = offsets ? LoadAs<int32_t>(at + 8) : 0;
      // Modulo 2^32.
      const auto sum = static_cast<int32_t>(rig.units.memory().AccumulatorRow(8 + r)[i] - offset);
      const float scaled = static_cast<float>(sum) * LoadAs<float>(at);
      const float value = scaled * factor + LoadAs<float>(at + 4);
      EXPECT_EQ(LoadAs<float>(rig.At(64 + r * 160 + i * 4)), std::clamp(value, -1e8f, 1e6f))
          << "row " << r << " column " << i;
    }
  }
}

TEST(VectorFloatTest, DrainScalesRows) {
  for (const int32_t factor_stride : {0, 4}) {
    for (const bool offsets : {false, true}) ExpectScaledRows(factor_stride, offsets);
  }
}

// Each of two rows' sums of squares, and what v.reduce gives of the same results.
TEST(VectorFloatTest, EpiloguesReduceResultsAsTheyCome) {
  constexpr int kRows = 2;
  constexpr int kCols = 40;
  for (const ReduceOp op : {ReduceOp::kSum, ReduceOp::kMax, ReduceOp::kMin, ReduceOp::kSumSquares,
                            ReduceOp::kMean, ReduceOp::kMaxMagnitude, ReduceOp::kMeanSquares}) {
    UnitRig rig(17);
    for (int i = 0; i < kRows * kCols; ++i) {
      StoreAs(rig.At(4 * i), static_cast<float>(i * i % 17) - 8.1f);
      StoreAs(rig.At(1000 + 4 * i), static_cast<float>(i % 5) - 2.0f);
    }
    rig.Do(isa::VShape{kCols, kRows, 1, 1});
    // Rows stand apart.
    rig.Do(isa::VView{View::kDst, 4, 4 * kCols + 12, 0, 0});
    rig.Do(isa::VView{View::kA, 4, 4 * kCols, 0, 0});
    rig.Do(isa::VView{View::kB, 4, 4 * kCols, 0, 0});
    rig.Do(isa::VView{View::kC, 0, 0, 0, 0});
    rig.Do(isa::VParams{.addr = 1004});
    rig.Do(isa::VEpilogue{.op = op, .dims = 1, .dst = 3000});
    rig.Do(isa::VBinary{.op = BinaryOp::kMul,
                        .dtype = Dtype::kF32,
                        .dst = 2000,
                        .a = 0,
                        .b = 1000,
                        .epilogue = true});
    rig.Do(isa::VView{View::kA, 4, 4 * kCols + 12, 0, 0});
    rig.Do(isa::VView{View::kDst, 0, 4, 0, 0});
    rig.Do(isa::VReduce{
        .op = op, .dims = 1, .dtype = Dtype::kF32, .out = Dtype::kF32, .dst = 3100, .a = 2000});
    for (int r = 0; r < kRows; ++r) {
      EXPECT_EQ(LoadAs<float>(rig.At(3000 + 4 * r)), LoadAs<float>(rig.At(3100 + 4 * r)))
          << NameOf(op) << " " << r;
    }
    EXPECT_NE(LoadAs<float>(rig.At(3000)), LoadAs<float>(rig.At(3004))) << NameOf(op);
    // Of a chain, over both dimensions.
    rig.Do(isa::VView{View::kA, 4, 4 * kCols, 0, 0});
    rig.Do(isa::VView{View::kDst, 4, 4 * kCols, 0, 0});
    rig.Do(isa::VEpilogue{.op = op, .dims = 3, .dst = 3200});
    rig.Do(isa::VChain{.op = BinaryOp::kMul,
                       .then = BinaryOp::kAdd,
                       .dst = 4000,
                       .a = 0,
                       .b = 1000,
                       .epilogue = true});
    rig.Do(isa::VView{View::kDst, 0, 0, 0, 0});
    rig.Do(isa::VReduce{
        .op = op, .dims = 3, .dtype = Dtype::kF32, .out = Dtype::kF32, .dst = 3300, .a = 4000});
    EXPECT_EQ(LoadAs<float>(rig.At(3200)), LoadAs<float>(rig.At(3300))) << NameOf(op);
  }
}

// (x * one a row) - one a column, and the other way round; the product is rounded before.
TEST(VectorFloatTest, ChainsTakeTwoOperationsOfThreeOperands) {
  for (const bool reversed : {false, true}) {
    UnitRig rig(13);
    constexpr int kRows = 2;
    constexpr int kCols = 3;
    const float x[kRows * kCols] = {1, 2, 3, -4, 5, 1.0f + 0x1p-23f};
    constexpr float kMost = std::numeric_limits<float>::max();
    const float by_row[kRows] = {3, kMost};  // -4 and 5 of which are no numbers
    const float by_col[kCols] = {0.5f, -1, 1};
    for (int i = 0; i < kRows * kCols; ++i) StoreAs(rig.At(4 * i), x[i]);
    for (int i = 0; i < kRows; ++i) StoreAs(rig.At(100 + 4 * i), by_row[i]);
    for (int i = 0; i < kCols; ++i) StoreAs(rig.At(200 + 4 * i), by_col[i]);
    rig.Do(isa::VShape{kCols, kRows, 1, 1});
    rig.Do(isa::VView{View::kDst, 4, 4 * kCols, 0, 0});
    rig.Do(isa::VView{View::kA, 4, 4 * kCols, 0, 0});
    rig.Do(isa::VView{View::kB, 0, 4, 0, 0});
    rig.Do(isa::VView{View::kC, 4, 0, 0, 0});
    rig.Do(isa::VParams{.addr = 200});
    rig.Do(isa::VClamp{.lo = std::bit_cast<int32_t>(-8.0f), .hi = std::bit_cast<int32_t>(8.0f)});
    rig.Do(isa::VChain{.op = BinaryOp::kMul,
                       .then = BinaryOp::kSub,
                       .reversed = reversed,
                       .dst = 300,
                       .a = 0,
                       .b = 100});
    for (int r = 0; r < kRows; ++r) {
      for (int c = 0; c < kCols; ++c) {
        const float product = std::clamp(x[r * kCols + c] * by_row[r], -kMost, kMost);
        const float result = reversed ? by_col[c] - product : product - by_col[c];
        EXPECT_EQ(LoadAs<float>(rig.At(300 + 4 * (r * kCols + c))), std::clamp(result, -8.0f, 8.0f))
            << r << " " << c;
      }
    }
  }
}

}  // namespace
}  // namespace acme
