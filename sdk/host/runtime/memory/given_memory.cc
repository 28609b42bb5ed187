// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/runtime/memory/given_memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "litert/cc/litert_macros.h"
#include "sdk/host/runtime/plan/plan_error.h"

namespace npukit {
namespace {

bool Reads(const PlanStep& step, int value) {
  return std::find(step.inputs.begin(), step.inputs.end(), value) != step.inputs.end();
}

bool Computes(const PlanStep& step, int value) {
  return std::find(step.outputs.begin(), step.outputs.end(), value) != step.outputs.end();
}

// A device's program, if its compiler says so.
bool DispatchesInPlace(const PlanStep& step, const std::vector<DelegateRecord>& delegates, int in,
                       int out) {
  const DelegateRecord* record = FindDelegate(delegates, *step.op);
  if (record == nullptr || std::count(step.inputs.begin(), step.inputs.end(), in) != 1)
    return false;
  return std::any_of(record->in_place.begin(), record->in_place.end(), [&](const auto& pair) {
    return pair.output < step.outputs.size() && pair.input < step.inputs.size() &&
           step.outputs[pair.output] == out && step.inputs[pair.input] == in;
  });
}

bool WorksInPlace(const PlanStep& step, const std::vector<DelegateRecord>& delegates, int in,
                  int out) {
  if (step.kernel == nullptr) return DispatchesInPlace(step, delegates, in, out);
  const int from = step.kernel->in_place_input();
  return from >= 0 && static_cast<size_t>(from) < step.inputs.size() &&
         step.inputs[static_cast<size_t>(from)] == in && step.outputs[0] == out &&
         std::count(step.inputs.begin(), step.inputs.end(), in) == 1;
}

}  // namespace

bool MayOverwrite(const ExecutionPlan& plan, const std::vector<DelegateRecord>& delegates, int in,
                  int out) {
  const auto& steps = plan.steps;
  const auto producer = std::find_if(steps.begin(), steps.end(),
                                     [&](const PlanStep& step) { return Computes(step, out); });
  // The input may be an output, too, as it was before.
  if (producer == steps.end() || std::count(plan.outputs.begin(), plan.outputs.end(), in) != 0)
    return false;
  for (auto step = steps.begin(); step != steps.end(); ++step) {
    if (!Reads(*step, in)) continue;
    // A device may still read when the next step begins.
    const bool has_ended = step < producer && step->kernel != nullptr;
    if (!has_ended && !(step == producer && WorksInPlace(*step, delegates, in, out))) return false;
  }
  return true;
}

litert::Expected<void> BindGivenMemory(const GivenMemory& given, const Model& model,
                                       ExecutionPlan& plan) {
  if (given.empty()) return {};
  LITERT_ASSIGN_OR_RETURN(const std::vector<DelegateRecord> delegates, ReadDelegates(model));
  const auto bind = [&](int index, bool is_output) -> litert::Expected<void> {
    PlanValue& value = plan.values[static_cast<size_t>(index)];
    const auto found = given.find(value.operand.tensor);
    if (found == given.end() || value.kind != PlanValue::Kind::kComputed) return {};
    const std::span<uint8_t> memory = found->second;
    if (memory.size() < value.size_bytes) {
      return TensorError(kLiteRtStatusErrorInvalidArgument, *value.operand.tensor,
                         fmt::format("needs {} bytes, the memory that is given has {}",
                                     value.size_bytes, memory.size()));
    }
    for (const int input : plan.inputs) {
      const PlanValue& other = plan.values[static_cast<size_t>(input)];
      const bool is_same = is_output && other.kind == PlanValue::Kind::kGiven &&
                           other.run_time->imported.data() == memory.data();
      if (is_same && !MayOverwrite(plan, delegates, input, index)) return {};
    }
    value.kind = PlanValue::Kind::kGiven;
    value.run_time = std::make_unique<PlanValue::RunTime>();
    value.run_time->imported = memory;
    return {};
  };
  for (const int input : plan.inputs) LITERT_RETURN_IF_ERROR(bind(input, false));
  for (const int output : plan.outputs) LITERT_RETURN_IF_ERROR(bind(output, true));
  return {};
}

}  // namespace npukit
