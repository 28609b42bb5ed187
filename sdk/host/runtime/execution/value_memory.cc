// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/runtime/execution/value_memory.h"

#include "litert/cc/litert_macros.h"

namespace npukit {

litert::Expected<ValueMemory> ValueMemory::Allocate(const ExecutionPlan& plan,
                                                    const MemoryPlan& layout, ModelState& state) {
  ValueMemory made;
  LITERT_ASSIGN_OR_RETURN(made.arena_,
                          AlignedMemory::Allocate(layout.arena_bytes, layout.alignment_bytes));
  for (size_t i = 0; i < plan.values.size(); ++i) {
    const PlanValue& value = plan.values[i];
    std::span<uint8_t> memory;
    if (value.kind == PlanValue::Kind::kVariable) {
      LITERT_ASSIGN_OR_RETURN(memory, state.TensorMemory(*value.operand.tensor, value.size_bytes));
    } else if (value.kind == PlanValue::Kind::kImported || value.kind == PlanValue::Kind::kGiven) {
      memory = value.run_time->imported;
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

}  // namespace npukit
