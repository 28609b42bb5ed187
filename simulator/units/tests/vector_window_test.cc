// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Pooling and resizing against their loop nests with scalar arithmetic.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "simulator/units/testing/unit_rig.h"
#include "simulator/units/vector_unit.h"

namespace acme {
namespace {

TEST(VectorUnitTest, PoolsInsideTheInput) {
  for (PoolOp op : {PoolOp::kMax, PoolOp::kAverage}) {
    UnitRig rig(12);
    rig.Do(isa::VShape{3, 4, 4, 1});
    rig.Do(isa::VWindow{3, 3, 2, 2, 1, 1, 1});
    rig.Do(isa::VInput{7, 7, 21, 3, -1, -1});
    rig.Do(isa::VView{View::kDst, 1, 3, 12, 0});
    rig.Do(isa::VPool{.op = op, .dtype = Dtype::kI8, .dst = 1000, .a = 0});
    for (int oy = 0; oy < 4; ++oy) {
      for (int ox = 0; ox < 4; ++ox) {
        for (int c = 0; c < 3; ++c) {
          int sum = 0, count = 0, best = -1000;
          for (int y = std::max(0, 2 * oy - 1); y <= std::min(6, 2 * oy + 1); ++y) {
            for (int x = std::max(0, 2 * ox - 1); x <= std::min(6, 2 * ox + 1); ++x) {
              const int value = LoadAs<int8_t>(rig.At(y * 21 + x * 3 + c));
              sum += value;
              best = std::max(best, value);
              ++count;
            }
          }
          const int average = static_cast<int>(std::round(static_cast<double>(sum) / count));
          EXPECT_EQ(LoadAs<int8_t>(rig.At(1000 + oy * 12 + ox * 3 + c)),
                    op == PoolOp::kMax ? best : average);
        }
      }
    }
  }
}

TEST(VectorUnitTest, ResizesByTables) {
  UnitRig rig(14);
  // Two rows and two columns blown up to three: indices 0, (0,1), 1 with a fraction of one half.
  const int32_t records[] = {0, 0, 0, 0, 1, 512, 1, 1, 0};
  for (int half = 0; half < 2; ++half) {
    for (int i = 0; i < 9; ++i) StoreAs(rig.At(5000 + half * 36 + 4 * i), records[i]);
  }
  const int8_t pixels[] = {10, 20, 31, -40};
  for (int i = 0; i < 4; ++i) StoreAs(rig.At(i), pixels[i]);
  rig.Do(isa::VShape{1, 3, 3, 1});
  rig.Do(isa::VInput{2, 2, 2, 1, 0, 0});
  rig.Do(isa::VView{View::kDst, 1, 1, 3, 0});
  rig.Do(isa::VResize{
      .op = ResizeOp::kBilinear, .dtype = Dtype::kI8, .dst = 1000, .a = 0, .table = 5000});
  const int expected[] = {10,  15, 20, 21, 5,
                          -10, 31, -5, -40};  // 20.5 and -4.5 round away from zero
  for (int i = 0; i < 9; ++i) EXPECT_EQ(LoadAs<int8_t>(rig.At(1000 + i)), expected[i]) << i;
}

// Between 10 and 21 in quarters: what lies above a half step is the next one, and a half is.
TEST(VectorUnitTest, BlendsBytesInReals) {
  UnitRig rig(15);
  const auto record = [&](int index, int32_t lo, int32_t hi, float fraction) {
    StoreAs(rig.At(5000 + 12 * index), lo);
    StoreAs(rig.At(5000 + 12 * index + 4), hi);
    StoreAs(rig.At(5000 + 12 * index + 8), fraction);
  };
  record(0, 0, 0, 0.0f);
  const float fractions[] = {0.0f, 0.25f, 0.5f, 0.75f, 1.0f, 1e30f, -1e30f};
  for (int i = 0; i < 7; ++i) record(1 + i, 0, 1, fractions[i]);
  StoreAs(rig.At(0), uint8_t{10});
  StoreAs(rig.At(1), uint8_t{21});
  rig.Do(isa::VShape{1, 7, 1, 1});
  rig.Do(isa::VInput{1, 2, 2, 1, 0, 0});
  rig.Do(isa::VView{View::kDst, 1, 1, 7, 0});
  rig.Do(isa::VResize{.op = ResizeOp::kBilinear,
                      .dtype = Dtype::kU8,
                      .dst = 1000,
                      .a = 0,
                      .table = 5000,
                      .real = true});
  const int expected[] = {10, 13, 16, 18, 21, 255, 0};  // 12.75, 15.5 and 18.25 between
  for (int i = 0; i < 7; ++i) EXPECT_EQ(LoadAs<uint8_t>(rig.At(1000 + i)), expected[i]) << i;
}

}  // namespace
}  // namespace acme
