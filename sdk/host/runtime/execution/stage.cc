// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/runtime/execution/stage.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "litert/cc/litert_macros.h"
#include "sdk/host/kernels/operator.h"

namespace npukit {

uint64_t SteadyNowNs() {
  return static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(
                                   std::chrono::steady_clock::now().time_since_epoch())
                                   .count());
}

litert::Expected<std::unique_ptr<Stage>> Stage::Create(const GraphContext& context,
                                                       ExecutionPlan plan,
                                                       bool keep_intermediates) {
  std::unique_ptr<Stage> stage(new Stage(std::move(plan)));
  const ExecutionPlan& planned = stage->plan_;
  // The order is that of what each needs: libraries say what memory they require once they have
  // loaded their ops; how long values live depends on what runs beside what; buffers are registered
  // where the arena lies; kernels get spans into it.
  stage->threads_ = context.threads;
  stage->hybrid_ = context.hybrid;
  LITERT_RETURN_IF_ERROR(
      stage->dispatch_.Load(*context.model, planned, context.devices,
                            {.async = context.async, .max_bytes = context.max_arena_bytes}));
  if (context.async) stage->schedule_ = PlanAsync(planned, stage->dispatch_.AsyncAbilities());
  stage->layout_ =
      PlanMemory(planned, stage->dispatch_.requirements(), keep_intermediates, stage->schedule_);
  // A dispatch library may ask for any size.
  const uint64_t needed_bytes = stage->layout_.arena_bytes + stage->dispatch_.staging_bytes();
  if (needed_bytes > context.max_arena_bytes) {
    return litert::Unexpected(
        kLiteRtStatusErrorMemoryAllocationFailure,
        fmt::format("needs {} bytes for its tensors, more than the limit of {}", needed_bytes,
                    context.max_arena_bytes));
  }
  LITERT_ASSIGN_OR_RETURN(stage->memory_,
                          ValueMemory::Allocate(planned, stage->layout_, *context.state));
  LITERT_RETURN_IF_ERROR(stage->dispatch_.Attach(stage->memory_.memory()));
  stage->cpu_ = CpuSteps(planned, stage->layout_, stage->memory_, context.pool);
  stage->under_way_.reserve(planned.steps.size());
  for (size_t i = 0; i < planned.values.size(); ++i) {
    if (planned.values[i].kind == PlanValue::Kind::kImported) stage->imported_.push_back(i);
  }
  if (!stage->imported_.empty()) stage->is_changed_.resize(planned.values.size());
  return stage;
}

litert::Expected<bool> Stage::Refresh(const EarlierValues& earlier) {
  bool any_changed = false;
  for (size_t i : imported_) {
    const PlanValue& value = plan_.values[i];
    // Steps hold spans: the same shape at another address is no longer this stage's value.
    const auto found = earlier.Find(value.flat_value);
    if (!found || !std::ranges::equal(found->shape, value.operand.shape) ||
        found->memory.data() != value.run_time->imported.data() ||
        found->memory.size() != value.run_time->imported.size()) {
      return false;
    }
    const auto& consulted = value.run_time->consulted;
    is_changed_[i] =
        consulted.has_value() && !std::ranges::equal(*consulted, value.run_time->imported);
    any_changed = any_changed || is_changed_[i];
  }
  if (!any_changed) return true;
  for (size_t s = 0; s < plan_.steps.size(); ++s) {
    const std::vector<int>& inputs = plan_.steps[s].inputs;
    const bool reads_changed = std::any_of(inputs.begin(), inputs.end(), [&](int value) {
      return value != kNoValue && is_changed_[static_cast<size_t>(value)];
    });
    if (!reads_changed || plan_.steps[s].kernel == nullptr) continue;
    // A kernel of the runtime's own (control/), which only planning makes.
    if (kernels::FindOperator(*plan_.steps[s].op) == nullptr) return false;
    LITERT_ASSIGN_OR_RETURN(const bool fits, RefreshStep(s));
    if (!fits) return false;
  }
  for (size_t i : imported_) {
    if (!is_changed_[i]) continue;
    PlanValue::RunTime& value = *plan_.values[i].run_time;
    std::ranges::copy(value.imported, value.consulted->begin());
  }
  return true;
}

litert::Expected<bool> Stage::RefreshStep(size_t s) {
  PlanStep& step = plan_.steps[s];
  LITERT_ASSIGN_OR_RETURN(const kernels::Inferred inferred, kernels::InferNode(step.node));
  if (inferred.needs_value_of.has_value()) return false;
  for (size_t i = 0; i < step.outputs.size(); ++i) {
    if (inferred.shapes[i] != step.node.outputs[i]->shape) return false;
  }
  LITERT_ASSIGN_OR_RETURN(
      auto kernel,
      kernels::PrepareNode(step.node, {.num_threads = threads_, .hybrid = hybrid_, .spent = {}}));
  // The memory is laid out: for so much scratch, and with the output in that input's place.
  if (kernel->scratch_bytes() > step.kernel->scratch_bytes() ||
      kernel->in_place_input() != step.kernel->in_place_input()) {
    return false;
  }
  step.kernel = std::move(kernel);
  cpu_.SetKernel(s, *step.kernel);
  return true;
}

litert::Expected<void> Stage::RunStep(size_t index) {
  if (plan_.steps[index].kernel == nullptr) return dispatch_.Invoke(index);
  return cpu_.Run(index);
}

litert::Expected<void> Stage::Run(const StepClock* clock) {
  litert::Expected<void> result;
  for (size_t i = 0; i < plan_.steps.size() && result; ++i) {
    result = Join(i, clock);
    if (!result) break;
    if (clock != nullptr) clock->times[i].begin_ns = SteadyNowNs() - clock->run_begin_ns;
    if (schedule_.IsAsync(i)) {
      result = dispatch_.Start(i);
      if (result) under_way_.push_back(i);
      continue;
    }
    result = RunStep(i);
    if (clock != nullptr) clock->times[i].end_ns = SteadyNowNs() - clock->run_begin_ns;
  }
  // Also after an error: what is under way works on the memory of this run.
  litert::Expected<void> rest = Join(plan_.steps.size(), clock);
  dispatch_.ReleaseEvents();
  return result ? std::move(rest) : std::move(result);
}

litert::Expected<void> Stage::Join(size_t step, const StepClock* clock) {
  litert::Expected<void> result;
  std::erase_if(under_way_, [&](size_t begun) {
    if (schedule_.join_before[begun] > step) return false;
    litert::Expected<void> ended = dispatch_.Finish(begun);
    if (clock != nullptr) clock->times[begun].end_ns = SteadyNowNs() - clock->run_begin_ns;
    if (result) result = std::move(ended);
    return true;
  });
  return result;
}

}  // namespace npukit
