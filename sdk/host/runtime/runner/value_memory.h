// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The memory of a plan's values: one arena for what a run computes, and apart from it the state
// tensors, which keep their values from run to run.

#ifndef NPUKIT_SDK_HOST_RUNTIME_RUNNER_VALUE_MEMORY_H_
#define NPUKIT_SDK_HOST_RUNTIME_RUNNER_VALUE_MEMORY_H_

#include <cstdint>
#include <span>
#include <vector>

#include "litert/cc/litert_expected.h"
#include "sdk/host/runtime/plan/aligned_memory.h"
#include "sdk/host/runtime/plan/execution_plan.h"
#include "sdk/host/runtime/plan/memory_plan.h"

namespace npukit {

class ValueMemory {
 public:
  static litert::Expected<ValueMemory> Allocate(const ExecutionPlan& plan,
                                                const MemoryPlan& layout);

  // To write to, with what a device requires beyond the dense bytes; empty for constants.
  std::span<uint8_t> memory(int value) const { return memory_[static_cast<size_t>(value)]; }
  std::span<const std::span<uint8_t>> memory() const { return memory_; }
  // Dense; of constants, too.
  std::span<const uint8_t> bytes(int value) const { return bytes_[static_cast<size_t>(value)]; }
  std::span<uint8_t> arena() const { return arena_.bytes(); }

  // Sets state tensors as TFLite does before the first run: to zero, int8 to the zero point.
  void ResetVariables(const ExecutionPlan& plan) const;

 private:
  AlignedMemory arena_;
  AlignedMemory variables_;
  std::vector<std::span<uint8_t>> memory_;
  std::vector<std::span<const uint8_t>> bytes_;
};

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_RUNTIME_RUNNER_VALUE_MEMORY_H_
