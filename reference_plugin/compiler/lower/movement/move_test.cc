// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/lower/movement/move.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace acme::compiler {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(MergeMoveDimensions, JoinsWhatIsOneWalkOnBothSides) {
  // [2, 3, 4] of [2, 5, 4]: rows and columns join, the outermost does not.
  EXPECT_THAT(MergeMoveDimensions({{4, 1, 1}, {3, 4, 4}, {2, 20, 12}}),
              ElementsAre(MoveDimension{12, 1, 1}, MoveDimension{2, 20, 12}));
}

TEST(MergeMoveDimensions, DropsExtentsOfOne) {
  EXPECT_THAT(MergeMoveDimensions({{1, 7, 9}, {5, 1, 1}, {1, 5, 5}}),
              ElementsAre(MoveDimension{5, 1, 1}));
  EXPECT_THAT(MergeMoveDimensions({{1, 1, 1}}), IsEmpty());
}

TEST(MergeMoveDimensions, KeepsReversals) {
  EXPECT_THAT(MergeMoveDimensions({{4, -1, 1}, {3, 4, 4}}),
              ElementsAre(MoveDimension{4, -1, 1}, MoveDimension{3, 4, 4}));
}

TEST(ChooseMoveTile, TakesEverythingThatFits) {
  EXPECT_THAT(ChooseMoveTile({{8, 1, 1}, {4, 16, 8}}, 32), ElementsAre(8, 4));
}

TEST(ChooseMoveTile, CutsDimensionsThatAreContiguousNowhereFirst) {
  // A transposition of [5, 64, 32] to [5, 32, 64]: dimensions 0 and 1 are contiguous on a side.
  EXPECT_THAT(ChooseMoveTile({{64, 32, 1}, {32, 1, 64}, {5, 2048, 2048}}, 2048),
              ElementsAre(64, 32, 1));
  EXPECT_THAT(ChooseMoveTile({{64, 32, 1}, {32, 1, 64}, {5, 2048, 2048}}, 1024),
              ElementsAre(32, 32, 1));
}

TEST(ChooseMoveTile, GetsDownToOneElement) {
  EXPECT_THAT(ChooseMoveTile({{64, 2, 1}, {3, 200, 64}}, 1), ElementsAre(1, 1));
}

}  // namespace
}  // namespace acme::compiler
