// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/runtime/plan/async_schedule.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace npukit {
namespace {

using ::testing::ElementsAreArray;

struct Step {
  bool can_run_async;
  std::vector<int> inputs;
  std::vector<int> outputs;
  std::vector<int> staged = {};
};

struct Case {
  std::string name;
  std::vector<Step> steps;
  std::vector<size_t> join_before;
};

class AsyncScheduleTest : public ::testing::TestWithParam<Case> {};

TEST_P(AsyncScheduleTest, Plans) {
  ExecutionPlan plan;
  std::vector<AsyncAbility> abilities;
  for (const Step& step : GetParam().steps) {
    PlanStep planned;
    planned.inputs = step.inputs;
    planned.outputs = step.outputs;
    plan.steps.push_back(std::move(planned));
    abilities.push_back({step.can_run_async, step.staged});
  }
  EXPECT_THAT(PlanAsync(plan, abilities).join_before, ElementsAreArray(GetParam().join_before));
}

constexpr bool kAsync = true;
constexpr bool kSync = false;

INSTANTIATE_TEST_SUITE_P(
    All, AsyncScheduleTest,
    ::testing::Values(
        Case{"Empty", {}, {}},
        Case{"NothingBeside", {{kAsync, {0}, {1}}, {kSync, {1}, {2}}}, {1, 2}},
        Case{"Alone", {{kAsync, {0}, {1}}}, {1}},
        Case{"BesideACpuOp",
             {{kAsync, {0}, {1}}, {kSync, {0}, {2}}, {kSync, {1, 2}, {3}}},
             {2, 2, 3}},
        Case{"ToTheEnd", {{kAsync, {0}, {1}}, {kSync, {0}, {2}}, {kSync, {2}, {3}}}, {3, 2, 3}},
        Case{"TheFirstReaderCounts",
             {{kAsync, {0}, {1}}, {kSync, {0}, {2}}, {kSync, {1}, {3}}, {kSync, {1}, {4}}},
             {2, 2, 3, 4}},
        // 1 waits for 0 on the device; both end before 3.
        Case{"AChain",
             {{kAsync, {0}, {1}}, {kAsync, {1}, {2}}, {kSync, {0}, {3}}, {kSync, {2, 3}, {4}}},
             {3, 3, 3, 4}},
        // The reader runs while the host waits, so the first must have ended.
        Case{"AChainIntoASynchronousStep",
             {{kAsync, {0}, {1}}, {kSync, {0}, {2}}, {kAsync, {1}, {3}}, {kSync, {3}, {4}}},
             {2, 2, 3, 4}},
        Case{"ACopiedValueEndsAChain",
             {{kAsync, {0}, {1}, {1}}, {kAsync, {1}, {2}}, {kSync, {0}, {3}}, {kSync, {2}, {4}}},
             {1, 3, 3, 4}},
        Case{"ACopiedInputEndsAChain",
             {{kAsync, {0}, {1}}, {kAsync, {1}, {2}, {1}}, {kSync, {0}, {3}}, {kSync, {2}, {4}}},
             {1, 3, 3, 4}}),
    [](const auto& info) { return info.param.name; });

TEST(AsyncSchedule, NothingIsAsynchronousWithoutAbilities) {
  ExecutionPlan plan;
  plan.steps.resize(3);
  const AsyncSchedule schedule = PlanAsync(plan, {});
  for (size_t i = 0; i < 3; ++i) EXPECT_FALSE(schedule.IsAsync(i));
}

}  // namespace
}  // namespace npukit
