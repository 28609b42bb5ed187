// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/lower/products/fold_plan.h"

#include <gtest/gtest.h>

#include <set>
#include <tuple>

namespace acme::compiler {
namespace {

TEST(FoldPlanTest, CoversEveryWeightOnceAndFitsTheArray) {
  for (int32_t array_rows : {4, 16, 32}) {
    for (int32_t kernel_h : {1, 2, 3, 5, 20}) {
      for (int32_t kernel_w : {1, 3, 4, 7}) {
        for (int32_t channels : {1, 3, 8, 16, 31, 32, 33, 80}) {
          std::set<std::tuple<int32_t, int32_t, int32_t>> seen;
          int32_t last_channel = 0;
          for (const Fold& fold : PlanFolds(kernel_h, kernel_w, channels, array_rows)) {
            EXPECT_LE(fold.depth(), array_rows);
            EXPECT_GE(fold.c0, last_channel);
            last_channel = fold.c0;
            for (int32_t y = fold.ky; y < fold.ky + fold.taps_h; ++y) {
              for (int32_t x = fold.kx; x < fold.kx + fold.taps_w; ++x) {
                for (int32_t c = fold.c0; c < fold.c0 + fold.channels; ++c)
                  EXPECT_TRUE(seen.insert({y, x, c}).second);
              }
            }
          }
          EXPECT_EQ(seen.size(), static_cast<size_t>(kernel_h * kernel_w * channels));
        }
      }
    }
  }
}

TEST(FoldPlanTest, SharesPlanesBetweenKernelPositions) {
  EXPECT_EQ(PlanFolds(3, 3, 3, 32).size(), 1u);
  EXPECT_EQ(PlanFolds(3, 3, 16, 32).size(), 5u);
  EXPECT_EQ(PlanFolds(3, 4, 16, 32).size(), 6u);
  EXPECT_EQ(PlanFolds(3, 3, 48, 32).size(), 9u + 5u);
  EXPECT_EQ(PlanFolds(1, 1, 64, 32).size(), 2u);
  EXPECT_EQ(PlanFolds(10, 4, 1, 32).size(), 2u);
}

}  // namespace
}  // namespace acme::compiler
