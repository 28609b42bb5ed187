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
          for (const Fold& fold :
               PlanFolds(kernel_h, kernel_w, channels,
                         {.array_rows = array_rows, .row_groups = array_rows / 8 + 1})) {
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
  EXPECT_EQ(PlanFolds(3, 3, 3, {.array_rows = 32}).size(), 1u);
  EXPECT_EQ(PlanFolds(3, 3, 16, {.array_rows = 32}).size(), 5u);
  EXPECT_EQ(PlanFolds(3, 4, 16, {.array_rows = 32}).size(), 6u);
  EXPECT_EQ(PlanFolds(3, 3, 48, {.array_rows = 32}).size(), 9u + 5u);
  EXPECT_EQ(PlanFolds(1, 1, 64, {.array_rows = 32}).size(), 2u);
  EXPECT_EQ(PlanFolds(10, 4, 1, {.array_rows = 32}).size(), 2u);
}

// An array of 64 rows, words of 64 bytes of which two come in a cycle: as acme_a2.
ArrayFeed A2Feed(int32_t stride_w, bool padded) {
  return {.array_rows = 64,
          .stride_w = stride_w,
          .word_bytes = 64,
          .port_words = 2,
          .dense = true,
          .padded = padded};
}

// Eight pixels of a kernel of 9 x 9 x 3 are 9 x 16 positions, of which seven planes would hold 21 in
// three rows; but windows are eight positions apart, so that each would bring 21 runs of words.
TEST(FoldPlanTest, NeedNoMoreWordsThanComeInACycle) {
  const ArrayFeed feed = A2Feed(8, false);
  const std::vector<Fold> folds = PlanFolds(9, 16, 3, feed);
  EXPECT_EQ(folds.size(), 9u);
  for (const Fold& fold : folds) {
    EXPECT_EQ(fold.taps_h, 1);
    EXPECT_EQ(fold.taps_w, 16);
    EXPECT_EQ(FeedCycles(fold, 3, feed), kFeedCycle);
  }
}

// Positions in a row are one run if no window reaches beyond the image.
TEST(FoldPlanTest, JoinsPositionsThatAreNeverBeyondTheEdge) {
  const std::vector<Fold> folds = PlanFolds(1, 12, 16, A2Feed(12, false));
  ASSERT_EQ(folds.size(), 3u);
  for (const Fold& fold : folds) {
    EXPECT_TRUE(fold.joined);
    EXPECT_EQ(fold.depth(), 64);
    EXPECT_EQ(FeedCycles(fold, 16, A2Feed(12, false)), kFeedCycle);
  }
  // Else each is a word of its own, and two come in a cycle.
  int64_t cycles = 0;
  for (const Fold& fold : PlanFolds(1, 12, 16, A2Feed(12, true))) {
    EXPECT_FALSE(fold.joined);
    cycles += FeedCycles(fold, 16, A2Feed(12, true));
  }
  EXPECT_EQ(cycles, 6 * kFeedCycle);
  for (const Fold& fold : PlanFolds(1, 12, 16, A2Feed(2, false))) EXPECT_FALSE(fold.joined);
}

// Two rows of 16 channels fill 32 rows of an array; they are runs of their own, but as windows are a
// word apart, none stands in two words.
TEST(FoldPlanTest, RunsAWordApartStandInOneEach) {
  const ArrayFeed feed{.array_rows = 32,
                       .stride_w = 2,
                       .word_bytes = 32,
                       .port_words = 2,
                       .dense = true,
                       .padded = true};
  EXPECT_EQ(PlanFolds(6, 7, 16, feed).size(), 21u);
  EXPECT_EQ(FeedCycles({.taps_h = 2, .taps_w = 1, .channels = 16}, 16, feed), kFeedCycle);
}

// Blocks of 16 of 64 rows: 144 channels are two and a quarter of the array, 48 three quarters.
TEST(FoldPlanTest, CutsSoThatBlocksAreFull) {
  ArrayFeed feed{.array_rows = 64, .row_groups = 4};
  const auto depths = [&](int32_t kernel, int32_t channels) {
    std::vector<int32_t> all;
    for (const Fold& fold : PlanFolds(kernel, kernel, channels, feed)) all.push_back(fold.depth());
    return all;
  };
  using Depths = std::vector<int32_t>;
  EXPECT_EQ(depths(1, 144), (Depths{64, 64, 16}));
  EXPECT_EQ(depths(1, 48), (Depths{32, 16}));
  EXPECT_EQ(depths(1, 56), Depths{56}) << "cut, it would be no faster";
  EXPECT_EQ(FoldsCycles(PlanFolds(3, 3, 48, feed), 48, feed), kFeedCycle * 9 * 3 / 4);
  // Weights that come no faster make every fold as long.
  feed.load_cycles = kFeedCycle;
  EXPECT_EQ(depths(1, 48), Depths{48});
  EXPECT_EQ(depths(1, 144), (Depths{64, 64, 16}));
}

TEST(FoldPlanTest, AWindowAloneReadsAllOfItsWords) {
  const Fold fold{.taps_h = 3, .taps_w = 4, .channels = 4};
  EXPECT_EQ(FeedCycles(fold, 4, A2Feed(1, true)), kFeedCycle);
  // Three runs of 16 bytes, each in up to two words.
  EXPECT_EQ(FeedCyclesAlone(fold, 4, A2Feed(1, true)), 3 * kFeedCycle);
}

}  // namespace
}  // namespace acme::compiler
