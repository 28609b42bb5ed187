// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Lays the values and the scratch memory of a plan out in one arena. Pure.

#ifndef NPUKIT_SDK_HOST_RUNTIME_MEMORY_MEMORY_PLAN_H_
#define NPUKIT_SDK_HOST_RUNTIME_MEMORY_MEMORY_PLAN_H_

#include <cstdint>
#include <vector>

#include "sdk/host/runtime/plan/async_schedule.h"
#include "sdk/host/runtime/plan/execution_plan.h"

namespace npukit {

// What a value's memory must be like beyond its dense bytes, because a dispatch library said so.
struct ValueRequirements {
  uint64_t size_bytes = 0;
  uint64_t alignment_bytes = 1;
  // Keeps its own memory, never takes over that of a step's input.
  bool is_shared_with_device = false;
};

struct MemoryPlan {
  static constexpr uint64_t kNoOffset = UINT64_MAX;

  std::vector<uint64_t> value_offset_bytes;    // per value; kNoOffset for those outside the arena
  std::vector<uint64_t> value_size_bytes;      // at least dense
  std::vector<uint64_t> scratch_offset_bytes;  // per step
  uint64_t arena_bytes = 0;
  uint64_t alignment_bytes = 64;
  // Largest sum of what lives at one step, each value with memory of its own, sizes rounded up to
  // the alignment.
  uint64_t ideal_arena_bytes = 0;
};

// `requirements` has one entry per value. Inputs live through the whole run, so that running again
// needs no setting again; outputs from their step to the end; others from their step to their last
// reader. With `keep_all`, everything lives always. A kernel's output takes over the memory of an
// input where the kernel allows it and the input dies there. What an asynchronous step reads and
// writes lives until the step has ended.
MemoryPlan PlanMemory(const ExecutionPlan& plan, const std::vector<ValueRequirements>& requirements,
                      bool keep_all, const AsyncSchedule& schedule = {});

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_RUNTIME_MEMORY_MEMORY_PLAN_H_
