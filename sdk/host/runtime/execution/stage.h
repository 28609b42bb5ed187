// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// A planned stage of a graph with its memory, which is laid out once, and every span that a step
// needs worked out beforehand. Running allocates nothing on the host's side.

#ifndef NPUKIT_SDK_HOST_RUNTIME_EXECUTION_STAGE_H_
#define NPUKIT_SDK_HOST_RUNTIME_EXECUTION_STAGE_H_

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "litert/cc/litert_expected.h"
#include "sdk/host/runtime/dispatch/dispatch_steps.h"
#include "sdk/host/runtime/execution/cpu_steps.h"
#include "sdk/host/runtime/execution/graph_context.h"
#include "sdk/host/runtime/execution/step_time.h"
#include "sdk/host/runtime/execution/value_memory.h"
#include "sdk/host/runtime/memory/memory_plan.h"
#include "sdk/host/runtime/plan/async_schedule.h"
#include "sdk/host/runtime/plan/execution_plan.h"

namespace npukit {

// Where a run writes when its steps ran.
struct StepClock {
  uint64_t run_begin_ns = 0;
  std::span<StepTime> times;  // one per step of the stage
};
uint64_t SteadyNowNs();

class Stage {
 public:
  // With `keep_intermediates` every value has memory of its own.
  static litert::Expected<std::unique_ptr<Stage>> Create(const GraphContext& context,
                                                         ExecutionPlan plan,
                                                         bool keep_intermediates);

  // Whether the plan fits what earlier stages hold now: the same shapes in the same places, and
  // values that lead to the same shapes here. Kernels made for other values are made anew. Allocates
  // nothing if all values that matter are as they were. Unless it gives true, the stage is of no use
  // any more: some kernels may be for the new values.
  litert::Expected<bool> Refresh(const EarlierValues& earlier);

  // `clock` may be null.
  litert::Expected<void> Run(const StepClock* clock);
  litert::Expected<void> RunStep(size_t index);
  litert::Expected<void> Close() { return dispatch_.Close(); }

  const ExecutionPlan& plan() const { return plan_; }
  const MemoryPlan& layout() const { return layout_; }
  const ValueMemory& memory() const { return memory_; }
  const DispatchSteps& dispatch() const { return dispatch_; }

 private:
  explicit Stage(ExecutionPlan plan) : plan_(std::move(plan)) {}
  // Waits for the steps under way that must have ended before `step`.
  litert::Expected<void> Join(size_t step, const StepClock* clock);
  litert::Expected<bool> RefreshStep(size_t step);

  ExecutionPlan plan_;
  MemoryPlan layout_;
  AsyncSchedule schedule_;
  ValueMemory memory_;
  DispatchSteps dispatch_;
  CpuSteps cpu_;
  int threads_ = 1;
  kernels::HybridMode hybrid_ = kernels::HybridMode::kAsTflite;
  std::vector<size_t> under_way_;  // steps, in the order in which they began
  std::vector<size_t> imported_;   // values
  std::vector<bool> is_changed_;   // per value: an imported one differs from what was consulted
};

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_RUNTIME_EXECUTION_STAGE_H_
