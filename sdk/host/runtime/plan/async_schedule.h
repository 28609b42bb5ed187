// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Which dispatch ops of a plan run while the host goes on, and when the host must wait for them.
// Pure.

#ifndef NPUKIT_SDK_HOST_RUNTIME_PLAN_ASYNC_SCHEDULE_H_
#define NPUKIT_SDK_HOST_RUNTIME_PLAN_ASYNC_SCHEDULE_H_

#include <cstddef>
#include <vector>

#include "sdk/host/runtime/plan/execution_plan.h"

namespace npukit {

// What a device can do with one step.
struct AsyncAbility {
  bool can_run_async = false;
  // Values that do not lie where the device reads or writes them: the host copies them, before the
  // step begins or after it has ended.
  std::vector<int> staged_values;
};

struct AsyncSchedule {
  // Per step s: it ends before step `join_before[s]` begins (the number of steps: before the run
  // ends). s + 1 and less: it runs while the host waits.
  std::vector<size_t> join_before;

  bool IsAsync(size_t step) const {
    return step < join_before.size() && join_before[step] > step + 1;
  }
};

// A step's values are awaited by the first step that reads them on the host; a dispatch op that
// runs asynchronously itself waits on the device, by events. A step with nothing to run beside it
// is left synchronous. `abilities` has one entry per step, or is empty: nothing is asynchronous.
AsyncSchedule PlanAsync(const ExecutionPlan& plan, const std::vector<AsyncAbility>& abilities);

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_RUNTIME_PLAN_ASYNC_SCHEDULE_H_
