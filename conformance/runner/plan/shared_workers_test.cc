// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/runner/plan/shared_workers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <string_view>
#include <vector>

namespace npukit::conformance {
namespace {

using ::testing::ElementsAre;

constexpr CheckInfo kSelection{.id = "partition.selection"};
constexpr CheckInfo kStable{.id = "partition.stable"};
constexpr CheckInfo kOracle{.id = "numerics.oracle"};

std::vector<PlannedCheck> PlanOf(
    const std::vector<std::pair<const CaseSpec*, const CheckInfo*>>& checks) {
  std::vector<PlannedCheck> plan;
  for (const auto& [spec, check] : checks) plan.push_back({.id = {.check = check}, .spec = spec});
  return plan;
}

TEST(SharedWorkers, ASelectionIsMadeWithTheValuesOfItsCase) {
  const std::array<CaseSpec, 3> cases;
  const SharedWorkers workers(PlanOf({{&cases[0], &kSelection},
                                      {&cases[0], &kOracle},
                                      {&cases[1], &kSelection},
                                      {&cases[2], &kOracle},
                                      {&cases[2], &kSelection},
                                      {&cases[2], &kStable},
                                      {&cases[2], &kOracle}}));
  EXPECT_THAT(workers.Beginnings(), ElementsAre(0, 2, 3, 4, 5, 6));
  EXPECT_EQ(workers.CountFrom(0), 2U);
  EXPECT_EQ(workers.CountFrom(2), 1U);
}

TEST(SharedWorkers, ThoseThatArePartedComeNext) {
  const std::array<CaseSpec, 2> cases;
  SharedWorkers workers(PlanOf({{&cases[0], &kSelection},
                                {&cases[0], &kOracle},
                                {&cases[1], &kSelection},
                                {&cases[1], &kOracle}}));
  std::deque<size_t> queue = {2};
  workers.Separate(0, queue);
  EXPECT_THAT(queue, ElementsAre(0, 1, 2));
  EXPECT_EQ(workers.CountFrom(0), 1U);
  EXPECT_EQ(workers.CountFrom(1), 1U);
  EXPECT_EQ(workers.CountFrom(2), 2U);
}

TEST(SharedWorkers, APluginOfManyFailuresHasNone) {
  constexpr size_t kCases = SharedWorkers::kMostSeparated + 2;
  const std::array<CaseSpec, kCases> cases;
  std::vector<std::pair<const CaseSpec*, const CheckInfo*>> checks;
  for (const CaseSpec& spec : cases) {
    checks.emplace_back(&spec, &kSelection);
    checks.emplace_back(&spec, &kOracle);
  }
  SharedWorkers workers(PlanOf(checks));
  std::deque<size_t> queue = {2 * kCases - 2};
  for (size_t i = 0; i + 1 < SharedWorkers::kMostSeparated; ++i) workers.Separate(2 * i, queue);
  EXPECT_EQ(queue.back(), 2 * kCases - 2);
  // One of a worker that runs now is not queued, and may be parted later.
  workers.Separate(2 * (kCases - 3), queue);
  EXPECT_EQ(queue.back(), 2 * kCases - 1);
  EXPECT_EQ(workers.CountFrom(2 * kCases - 2), 1U);
  EXPECT_EQ(workers.CountFrom(2 * (kCases - 2)), 2U);
}

}  // namespace
}  // namespace npukit::conformance
