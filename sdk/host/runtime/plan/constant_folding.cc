// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/runtime/plan/constant_folding.h"

#include <algorithm>
#include <span>
#include <vector>

#include "litert/cc/litert_macros.h"
#include "sdk/host/model/shapes/run_time_shapes.h"
#include "sdk/host/runtime/plan/aligned_memory.h"

namespace npukit {
namespace {

const PlanValue& At(const ExecutionPlan& plan, int index) {
  return plan.values[static_cast<size_t>(index)];
}

}  // namespace

bool CanFold(const ExecutionPlan& plan, const PlanStep& step) {
  if (step.kernel == nullptr) return false;
  if (ReadsOnlyShapes(step.op->code)) return true;
  return std::all_of(step.inputs.begin(), step.inputs.end(),
                     [&](int value) { return value == kNoValue || At(plan, value).is_known(); });
}

litert::Expected<void> Fold(ExecutionPlan& plan, const PlanStep& step) {
  std::vector<std::span<const uint8_t>> inputs;
  for (int index : step.inputs) {
    inputs.push_back(index == kNoValue ? std::span<const uint8_t>()
                                       : At(plan, index).operand.constant);
  }
  std::vector<std::span<uint8_t>> outputs;
  for (int index : step.outputs) {
    PlanValue& value = plan.values[static_cast<size_t>(index)];
    value.folded.resize(value.size_bytes);
    outputs.emplace_back(value.folded);
  }
  const std::vector<std::span<uint8_t>> no_variables(inputs.size());
  LITERT_ASSIGN_OR_RETURN(AlignedMemory scratch,
                          AlignedMemory::Allocate(step.kernel->scratch_bytes(), 64));
  LITERT_RETURN_IF_ERROR(step.kernel->Run({.inputs = inputs,
                                           .outputs = outputs,
                                           .variables = no_variables,
                                           .scratch = scratch.bytes(),
                                           .pool = nullptr}));
  for (int index : step.outputs) {
    PlanValue& value = plan.values[static_cast<size_t>(index)];
    value.kind = PlanValue::Kind::kConstant;
    value.operand.constant = value.folded;
  }
  return {};
}

}  // namespace npukit
