// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/runtime/plan/async_schedule.h"

#include <algorithm>

namespace npukit {
namespace {

bool IsStaged(const AsyncAbility& ability, int value) {
  return std::count(ability.staged_values.begin(), ability.staged_values.end(), value) != 0;
}

bool Has(const std::vector<int>& values, int value) {
  return std::count(values.begin(), values.end(), value) != 0;
}

}  // namespace

AsyncSchedule PlanAsync(const ExecutionPlan& plan, const std::vector<AsyncAbility>& abilities) {
  const size_t num_steps = plan.steps.size();
  AsyncSchedule schedule;
  schedule.join_before.resize(num_steps);
  // From the last to the first: what reads a step's values is known then.
  for (size_t s = num_steps; s-- > 0;) {
    size_t& join = schedule.join_before[s];
    join = s + 1;
    if (abilities.empty() || !abilities[s].can_run_async) continue;
    join = num_steps;
    for (int value : plan.steps[s].outputs) {
      for (size_t reader = s + 1; reader < join; ++reader) {
        if (!Has(plan.steps[reader].inputs, value)) continue;
        // The reader waits on its device, so the host need not do so before it begins. By the time
        // that the reader must have ended, this step has ended, too.
        const bool waits_on_device = schedule.IsAsync(reader) && !IsStaged(abilities[s], value) &&
                                     !IsStaged(abilities[reader], value);
        join = std::min(join, waits_on_device ? schedule.join_before[reader] : reader);
      }
    }
  }
  return schedule;
}

}  // namespace npukit
