// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/runner/plan/shared_workers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <deque>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

namespace npukit::conformance {
namespace {

using ::testing::ElementsAre;

constexpr CheckInfo kSelection{.id = "partition.selection"};
constexpr CheckInfo kLeaks{.id = "dispatch.cycles"};
constexpr CheckInfo kOracle{.id = "numerics.oracle"};

std::vector<PlannedCheck> PlanOf(
    const std::vector<std::pair<const CaseSpec*, const CheckInfo*>>& checks) {
  std::vector<PlannedCheck> plan;
  for (const auto& [spec, check] : checks) plan.push_back({.id = {.check = check}, .spec = spec});
  return plan;
}

// A case with a graph, whose content is all the same.
CaseSpec Case() {
  CaseSpec spec;
  spec.graph = std::make_shared<GraphSpec>();
  return spec;
}

TEST(SharedWorkers, ChecksOfGraphsAreMadeTogetherUpToOneThatIsMadeAlone) {
  const std::array<CaseSpec, 3> cases = {Case(), Case(), Case()};
  const SharedWorkers workers(PlanOf({{&cases[0], &kSelection},
                                      {&cases[0], &kOracle},
                                      {&cases[1], &kSelection},
                                      {&cases[1], &kLeaks},
                                      {&cases[1], &kOracle},
                                      {&cases[2], &kSelection},
                                      {&cases[2], &kLeaks},
                                      {&cases[2], &kLeaks}}));
  EXPECT_THAT(workers.Beginnings(), ElementsAre(0, 3, 4, 6, 7));
  EXPECT_EQ(workers.CountFrom(0), 3U);
  EXPECT_EQ(workers.CountFrom(3), 1U);
  EXPECT_EQ(workers.CountFrom(4), 2U);
}

TEST(SharedWorkers, AWorkerMakesNoMoreThanSoMany) {
  const CaseSpec spec = Case();
  constexpr size_t kMost = SharedWorkers::kMostShared;
  const SharedWorkers workers(PlanOf(
      std::vector<std::pair<const CaseSpec*, const CheckInfo*>>(kMost + 2, {&spec, &kOracle})));
  EXPECT_THAT(workers.Beginnings(), ElementsAre(0, kMost));
  EXPECT_EQ(workers.CountFrom(0), kMost);
  EXPECT_EQ(workers.CountFrom(kMost), 2U);
}

TEST(SharedWorkers, WholeModelsAreAskedAlone) {
  const CaseSpec model;  // no graph
  const SharedWorkers workers(PlanOf({{&model, &kSelection}, {&model, &kOracle}}));
  EXPECT_THAT(workers.Beginnings(), ElementsAre(0, 1));
}

TEST(SharedWorkers, ThoseThatArePartedComeNext) {
  const std::array<CaseSpec, 2> cases = {Case(), Case()};
  SharedWorkers workers(PlanOf({{&cases[0], &kSelection},
                                {&cases[0], &kOracle},
                                {&cases[0], &kLeaks},
                                {&cases[1], &kSelection},
                                {&cases[1], &kOracle}}));
  std::deque<size_t> queue = {2, 3};
  workers.Separate(0, queue);
  EXPECT_THAT(queue, ElementsAre(0, 1, 2, 3));
  EXPECT_EQ(workers.CountFrom(0), 1U);
  EXPECT_EQ(workers.CountFrom(1), 1U);
  EXPECT_EQ(workers.CountFrom(3), 2U);
}

TEST(SharedWorkers, APluginOfManyFailuresHasNone) {
  constexpr size_t kWorkers = SharedWorkers::kMostSeparated + 2;
  const CaseSpec spec = Case();
  std::vector<std::pair<const CaseSpec*, const CheckInfo*>> checks;
  for (size_t i = 0; i < kWorkers; ++i) {
    for (const CheckInfo* check : {&kSelection, &kOracle, &kLeaks})
      checks.emplace_back(&spec, check);
  }
  SharedWorkers workers(PlanOf(checks));
  const size_t last = 3 * (kWorkers - 1);
  std::deque<size_t> queue = {last};
  for (size_t i = 0; i + 1 < SharedWorkers::kMostSeparated; ++i) workers.Separate(3 * i, queue);
  EXPECT_EQ(queue.back(), last);
  // One of a worker that runs now is not queued, and may be parted later.
  workers.Separate(3 * (kWorkers - 3), queue);
  EXPECT_EQ(queue.back(), last + 1);
  EXPECT_EQ(workers.CountFrom(last), 1U);
  EXPECT_EQ(workers.CountFrom(3 * (kWorkers - 2)), 2U);
}

}  // namespace
}  // namespace npukit::conformance
