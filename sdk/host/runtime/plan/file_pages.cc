// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/runtime/plan/file_pages.h"

#include "sdk/host/model/file/mapped_file.h"

namespace npukit {

void ReleaseFront(const kernels::Operand& constant, int64_t first_bytes) {
  const Weights& weights = constant.tensor->weights;
  if (weights.store == nullptr) return;
  const SharedBytes& bytes = weights.store->Get(weights.buffer_id);
  if (bytes.bytes.data() != constant.constant.data()) return;  // a copy
  ReleasePages(
      {.bytes = bytes.bytes.first(static_cast<size_t>(first_bytes)), .owner = bytes.owner});
}

void ReleasePackedConstants(const PlanStep& step) {
  for (const kernels::Operand* operand : step.node.inputs) {
    if (operand == nullptr || operand->constant.empty()) continue;
    const Weights& weights = operand->tensor->weights;
    // A kernel that holds less than the constant has not packed it, and reads it from the file in
    // each run.
    if (operand->constant.size() > step.kernel->packed_bytes() || weights.store == nullptr) {
      continue;
    }
    ReleaseFile(weights.store->Get(weights.buffer_id));
  }
}

void ReleaseFiles(const ExecutionPlan& plan) {
  const void* released = nullptr;
  for (const PlanValue& value : plan.values) {
    const Weights& weights = value.operand.tensor->weights;
    if (value.kind != PlanValue::Kind::kConstant || weights.store == nullptr) continue;
    const SharedBytes& bytes = weights.store->Get(weights.buffer_id);
    if (bytes.owner.get() != released) ReleaseFile(bytes);
    // Constants of one file follow each other, as a rule: one call for all of them.
    released = bytes.owner.get();
  }
}

}  // namespace npukit
