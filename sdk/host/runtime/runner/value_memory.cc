// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/runtime/runner/value_memory.h"

#include <cstring>

#include "litert/cc/litert_macros.h"

namespace npukit {
namespace {

constexpr uint64_t kVariableAlignmentBytes = 64;

uint64_t Aligned(uint64_t bytes) {
  return (bytes + kVariableAlignmentBytes - 1) / kVariableAlignmentBytes * kVariableAlignmentBytes;
}

}  // namespace

litert::Expected<ValueMemory> ValueMemory::Allocate(const ExecutionPlan& plan,
                                                    const MemoryPlan& layout) {
  ValueMemory made;
  LITERT_ASSIGN_OR_RETURN(made.arena_,
                          AlignedMemory::Allocate(layout.arena_bytes, layout.alignment_bytes));
  uint64_t variable_bytes = 0;
  for (const PlanValue& value : plan.values) {
    if (value.kind == PlanValue::Kind::kVariable) variable_bytes += Aligned(value.size_bytes);
  }
  LITERT_ASSIGN_OR_RETURN(made.variables_,
                          AlignedMemory::Allocate(variable_bytes, kVariableAlignmentBytes));

  uint64_t variable_offset = 0;
  for (size_t i = 0; i < plan.values.size(); ++i) {
    const PlanValue& value = plan.values[i];
    std::span<uint8_t> memory;
    if (value.kind == PlanValue::Kind::kVariable) {
      memory = made.variables_.bytes().subspan(variable_offset, value.size_bytes);
      variable_offset += Aligned(value.size_bytes);
    } else if (layout.value_offset_bytes[i] != MemoryPlan::kNoOffset &&
               layout.value_size_bytes[i] != 0) {
      memory =
          made.arena_.bytes().subspan(layout.value_offset_bytes[i], layout.value_size_bytes[i]);
    }
    made.memory_.push_back(memory);
    made.bytes_.push_back(value.kind == PlanValue::Kind::kConstant
                              ? value.operand.constant
                              : std::span<const uint8_t>(memory).first(value.size_bytes));
  }
  return made;
}

void ValueMemory::ResetVariables(const ExecutionPlan& plan) const {
  for (size_t i = 0; i < plan.values.size(); ++i) {
    const PlanValue& value = plan.values[i];
    if (value.kind != PlanValue::Kind::kVariable || memory_[i].empty()) continue;
    int fill = 0;
    if (value.operand.type() == kLiteRtElementTypeInt8)
      fill = static_cast<int>(value.operand.quantization().ZeroPointOf(0));
    std::memset(memory_[i].data(), fill, memory_[i].size());
  }
}

}  // namespace npukit
