// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/lower/reduction/reduce.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace acme::compiler {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr bool kReduced = true;

TEST(MergeReduceDimensions, JoinsNeighboursOfOneKind) {
  EXPECT_THAT(MergeReduceDimensions({2, 7, 7, 40}, {false, true, true, false}),
              ElementsAre(ReduceDimension{40}, ReduceDimension{49, kReduced}, ReduceDimension{2}));
  EXPECT_THAT(MergeReduceDimensions({2, 3, 4}, {true, true, true}),
              ElementsAre(ReduceDimension{24, kReduced}));
}

TEST(MergeReduceDimensions, SkipsExtentsOfOne) {
  EXPECT_THAT(MergeReduceDimensions({4, 1, 6}, {false, true, false}),
              ElementsAre(ReduceDimension{24}));
  EXPECT_THAT(MergeReduceDimensions({1, 1}, {true, false}), IsEmpty());
}

TEST(Reduce, CountsWhatGoesIntoAResult) {
  Reduce reduce;
  reduce.dims = {{40}, {49, kReduced}, {2}, {3, kReduced}};
  EXPECT_EQ(reduce.Count(), 147);
}

}  // namespace
}  // namespace acme::compiler
