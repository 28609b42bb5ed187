// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The memory of a stage's values: one arena for what it computes, and apart from it the state
// tensors, which keep their values from run to run, what earlier stages hold and what the caller gave.

#ifndef NPUKIT_SDK_HOST_RUNTIME_EXECUTION_VALUE_MEMORY_H_
#define NPUKIT_SDK_HOST_RUNTIME_EXECUTION_VALUE_MEMORY_H_

#include <cstdint>
#include <span>
#include <vector>

#include "litert/cc/litert_expected.h"
#include "sdk/host/runtime/memory/memory_plan.h"
#include "sdk/host/runtime/plan/aligned_memory.h"
#include "sdk/host/runtime/plan/execution_plan.h"
#include "sdk/host/runtime/state/model_state.h"

namespace npukit {

class ValueMemory {
 public:
  static litert::Expected<ValueMemory> Allocate(const ExecutionPlan& plan, const MemoryPlan& layout,
                                                ModelState& state);

  // To write to, with what a device requires beyond the dense bytes; empty for constants and for
  // what has no shape before its step has run.
  std::span<uint8_t> memory(int value) const { return memory_[static_cast<size_t>(value)]; }
  std::span<const std::span<uint8_t>> memory() const { return memory_; }
  // Dense; of constants, too.
  std::span<const uint8_t> bytes(int value) const { return bytes_[static_cast<size_t>(value)]; }
  std::span<uint8_t> arena() const { return arena_.bytes(); }

 private:
  AlignedMemory arena_;
  std::vector<std::span<uint8_t>> memory_;
  std::vector<std::span<const uint8_t>> bytes_;
};

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_RUNTIME_EXECUTION_VALUE_MEMORY_H_
