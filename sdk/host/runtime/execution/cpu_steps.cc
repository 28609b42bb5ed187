// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/runtime/execution/cpu_steps.h"

namespace npukit {

CpuSteps::CpuSteps(const ExecutionPlan& plan, const MemoryPlan& layout, const ValueMemory& memory,
                   kernels::ThreadPool* pool)
    : steps_(plan.steps.size()) {
  for (size_t s = 0; s < plan.steps.size(); ++s) {
    const PlanStep& planned = plan.steps[s];
    if (planned.kernel == nullptr) continue;
    CpuStep& step = steps_[s];
    step.kernel = planned.kernel.get();
    for (int value : planned.inputs) {
      const bool is_given = value != kNoValue;
      const bool is_variable =
          is_given && plan.values[static_cast<size_t>(value)].kind == PlanValue::Kind::kVariable;
      step.inputs.push_back(is_given ? memory.bytes(value) : std::span<const uint8_t>());
      step.variables.push_back(is_variable ? memory.memory(value) : std::span<uint8_t>());
    }
    for (int value : planned.outputs) {
      step.outputs.push_back(
          memory.memory(value).first(plan.values[static_cast<size_t>(value)].size_bytes));
    }
    const size_t scratch_bytes = step.kernel->scratch_bytes();
    step.context = {
        .inputs = step.inputs,
        .outputs = step.outputs,
        .variables = step.variables,
        .scratch = scratch_bytes == 0
                       ? std::span<uint8_t>()
                       : memory.arena().subspan(layout.scratch_offset_bytes[s], scratch_bytes),
        .pool = pool};
  }
}

}  // namespace npukit
