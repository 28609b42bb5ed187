// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The CPU ops of one stage, each with the spans of memory that its kernel runs on.

#ifndef NPUKIT_SDK_HOST_RUNTIME_EXECUTION_CPU_STEPS_H_
#define NPUKIT_SDK_HOST_RUNTIME_EXECUTION_CPU_STEPS_H_

#include <cstdint>
#include <span>
#include <vector>

#include "litert/cc/litert_expected.h"
#include "sdk/host/kernels/thread_pool.h"
#include "sdk/host/runtime/execution/value_memory.h"
#include "sdk/host/runtime/memory/memory_plan.h"
#include "sdk/host/runtime/plan/execution_plan.h"

namespace npukit {

class CpuSteps {
 public:
  CpuSteps() = default;
  // Plan, memory and pool (null for one thread) must outlive it.
  CpuSteps(const ExecutionPlan& plan, const MemoryPlan& layout, const ValueMemory& memory,
           kernels::ThreadPool* pool);

  // Of a step with a kernel.
  litert::Expected<void> Run(size_t step) const {
    return steps_[step].kernel->Run(steps_[step].context);
  }
  // In place of the kernel that the step has; it needs no more scratch memory than that.
  void SetKernel(size_t step, const kernels::Kernel& kernel) { steps_[step].kernel = &kernel; }

 private:
  // The context's spans point into the vectors.
  struct CpuStep {
    const kernels::Kernel* kernel = nullptr;  // null: a dispatch op
    std::vector<std::span<const uint8_t>> inputs;
    std::vector<std::span<uint8_t>> outputs;
    std::vector<std::span<uint8_t>> variables;
    kernels::RunContext context;
  };

  std::vector<CpuStep> steps_;
};

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_RUNTIME_EXECUTION_CPU_STEPS_H_
