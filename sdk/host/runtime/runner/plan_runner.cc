// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/runtime/runner/plan_runner.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "litert/cc/litert_macros.h"
#include "sdk/host/runtime/dispatch/client/error_collector.h"
#include "sdk/host/runtime/plan/mac_count.h"

namespace npukit {
namespace {

constexpr uint64_t kVariableAlignmentBytes = 64;

uint64_t NowNs() {
  return static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(
                                   std::chrono::steady_clock::now().time_since_epoch())
                                   .count());
}

}  // namespace

litert::Expected<void> SignatureRunner::SetInput(size_t index, std::span<const uint8_t> bytes) {
  if (index >= inputs().size()) {
    return litert::Unexpected(kLiteRtStatusErrorIndexOOB,
                              "there is no input " + std::to_string(index) + ", the model has " +
                                  std::to_string(inputs().size()));
  }
  std::span<uint8_t> memory = input(index);
  if (bytes.size() != memory.size()) {
    const PortInfo& info = inputs()[index];
    return litert::Unexpected(
        kLiteRtStatusErrorInvalidArgument,
        "input " + std::to_string(index) + " '" + info.name + "' (" +
            ElementTypeName(info.element_type) + kernels::ShapeText(info.shape) + ") takes " +
            std::to_string(memory.size()) + " bytes, got " + std::to_string(bytes.size()));
  }
  if (!bytes.empty()) std::memcpy(memory.data(), bytes.data(), bytes.size());
  return {};
}

litert::Expected<std::unique_ptr<PlanRunner>> PlanRunner::Create(const Model& model,
                                                                 const Subgraph& subgraph,
                                                                 const PortNames& names,
                                                                 const Options& options) {
  std::unique_ptr<PlanRunner> runner(new PlanRunner);
  runner->keep_intermediates_ = options.keep_intermediates;
  LITERT_ASSIGN_OR_RETURN(runner->plan_, BuildPlan(model, subgraph, options.plan));
  LITERT_RETURN_IF_ERROR(runner->dispatch_.Load(model, runner->plan_, options.devices));
  if (options.async) {
    runner->schedule_ = PlanAsync(runner->plan_, runner->dispatch_.AsyncAbilities());
  }
  runner->under_way_.reserve(runner->plan_.steps.size());
  runner->memory_ = PlanMemory(runner->plan_, runner->dispatch_.requirements(),
                               options.keep_intermediates, runner->schedule_);
  if (runner->memory_.arena_bytes > options.plan.max_bytes) {
    return litert::Unexpected(kLiteRtStatusErrorMemoryAllocationFailure,
                              "needs " + std::to_string(runner->memory_.arena_bytes) +
                                  " bytes for its tensors, more than the limit of " +
                                  std::to_string(options.plan.max_bytes));
  }
  LITERT_RETURN_IF_ERROR(runner->AllocateMemory());
  LITERT_RETURN_IF_ERROR(runner->dispatch_.Bind(runner->memory_of_value_));
  runner->BindSteps(options.pool);
  runner->names_ = names;
  for (int value : runner->plan_.inputs) runner->inputs_.push_back(runner->DescribePort(value));
  for (int value : runner->plan_.outputs) runner->outputs_.push_back(runner->DescribePort(value));
  runner->ResetVariables();
  return runner;
}

litert::Expected<void> PlanRunner::AllocateMemory() {
  LITERT_ASSIGN_OR_RETURN(arena_,
                          AlignedMemory::Allocate(memory_.arena_bytes, memory_.alignment_bytes));
  auto aligned = [](uint64_t bytes) {
    return (bytes + kVariableAlignmentBytes - 1) / kVariableAlignmentBytes *
           kVariableAlignmentBytes;
  };
  uint64_t variable_bytes = 0;
  for (const PlanValue& value : plan_.values) {
    if (value.kind == PlanValue::Kind::kVariable) variable_bytes += aligned(value.size_bytes);
  }
  LITERT_ASSIGN_OR_RETURN(variables_,
                          AlignedMemory::Allocate(variable_bytes, kVariableAlignmentBytes));

  uint64_t variable_offset = 0;
  for (size_t i = 0; i < plan_.values.size(); ++i) {
    const PlanValue& value = plan_.values[i];
    std::span<uint8_t> memory;
    if (value.kind == PlanValue::Kind::kVariable) {
      memory = variables_.bytes().subspan(variable_offset, value.size_bytes);
      variable_offset += aligned(value.size_bytes);
    } else if (memory_.value_offset_bytes[i] != MemoryPlan::kNoOffset &&
               memory_.value_size_bytes[i] != 0) {
      memory = arena_.bytes().subspan(memory_.value_offset_bytes[i], memory_.value_size_bytes[i]);
    }
    memory_of_value_.push_back(memory);
    bytes_of_value_.push_back(value.kind == PlanValue::Kind::kConstant
                                  ? value.operand.constant
                                  : std::span<const uint8_t>(memory).first(value.size_bytes));
  }
  return {};
}

void PlanRunner::BindSteps(kernels::ThreadPool* pool) {
  bound_.resize(plan_.steps.size());
  for (size_t s = 0; s < plan_.steps.size(); ++s) {
    const PlanStep& step = plan_.steps[s];
    if (step.kernel == nullptr) continue;
    Bound& bound = bound_[s];
    for (int index : step.inputs) {
      bound.inputs.push_back(index == kNoValue ? std::span<const uint8_t>()
                                               : bytes_of_value_[static_cast<size_t>(index)]);
      const bool is_variable =
          index != kNoValue && ValueAt(index).kind == PlanValue::Kind::kVariable;
      bound.variables.push_back(is_variable ? memory_of_value_[static_cast<size_t>(index)]
                                            : std::span<uint8_t>());
    }
    for (int index : step.outputs) {
      bound.outputs.push_back(
          memory_of_value_[static_cast<size_t>(index)].first(ValueAt(index).size_bytes));
    }
    const size_t scratch_bytes = step.kernel->scratch_bytes();
    bound.context = {
        .inputs = bound.inputs,
        .outputs = bound.outputs,
        .variables = bound.variables,
        .scratch = scratch_bytes == 0
                       ? std::span<uint8_t>()
                       : arena_.bytes().subspan(memory_.scratch_offset_bytes[s], scratch_bytes),
        .pool = pool};
  }
  step_times_.resize(plan_.steps.size());
}

PortInfo PlanRunner::DescribePort(int value) const {
  const PlanValue& plan_value = plan_.values[static_cast<size_t>(value)];
  const Tensor* tensor = plan_value.operand.tensor;
  const auto name = names_.find(tensor);
  return {.name = name == names_.end() ? tensor->name : name->second,
          .tensor = tensor,
          .element_type = tensor->element_type,
          .shape = plan_value.operand.shape,
          .size_bytes = plan_value.size_bytes};
}

StepInfo PlanRunner::DescribeStep(size_t index) const {
  const PlanStep& step = plan_.steps[index];
  StepInfo info;
  info.delegate = dispatch_.delegate(index);
  const bool is_dispatch = step.kernel == nullptr;
  info.target = is_dispatch ? Target::kNpu : Target::kCpu;
  info.op = OpName(*step.op);
  info.source = step.op;
  for (int value : step.inputs) {
    if (value != kNoValue) info.inputs.push_back(DescribePort(value));
  }
  for (int value : step.outputs) info.outputs.push_back(DescribePort(value));
  if (is_dispatch) {
    info.name = step.op->dispatch->entry_point;
  } else {
    info.node = &step.node;
    info.macs = CountMacs(step.node);
    if (!info.outputs.empty()) info.name = info.outputs.front().tensor->name;
  }
  return info;
}

std::span<const StepInfo> PlanRunner::steps() const {
  if (step_infos_.empty()) {
    for (size_t s = 0; s < plan_.steps.size(); ++s) step_infos_.push_back(DescribeStep(s));
  }
  return step_infos_;
}

std::span<uint8_t> PlanRunner::input(size_t index) {
  const int value = plan_.inputs[index];
  return memory_of_value_[static_cast<size_t>(value)].first(ValueAt(value).size_bytes);
}

std::span<const uint8_t> PlanRunner::output(size_t index) const {
  return bytes_of_value_[static_cast<size_t>(plan_.outputs[index])];
}

litert::Expected<void> PlanRunner::RunStep(size_t index) {
  if (plan_.steps[index].kernel == nullptr) return dispatch_.Invoke(index);
  return plan_.steps[index].kernel->Run(bound_[index].context);
}

litert::Expected<void> PlanRunner::Run() {
  run_begin_ns_ = times_enabled_ ? NowNs() : 0;
  litert::Expected<void> result;
  for (size_t i = 0; i < plan_.steps.size() && result; ++i) {
    result = Join(i);
    if (!result) break;
    if (times_enabled_) step_times_[i].begin_ns = NowNs() - run_begin_ns_;
    if (schedule_.IsAsync(i)) {
      result = dispatch_.Start(i);
      if (result) under_way_.push_back(i);
      continue;
    }
    result = RunStep(i);
    if (times_enabled_) step_times_[i].end_ns = NowNs() - run_begin_ns_;
  }
  // Also after an error: what is under way works on the memory of this run.
  litert::Expected<void> rest = Join(plan_.steps.size());
  dispatch_.ReleaseEvents();
  return result ? std::move(rest) : std::move(result);
}

litert::Expected<void> PlanRunner::Join(size_t step) {
  litert::Expected<void> result;
  std::erase_if(under_way_, [&](size_t begun) {
    if (schedule_.join_before[begun] > step) return false;
    litert::Expected<void> ended = dispatch_.Finish(begun);
    if (times_enabled_) step_times_[begun].end_ns = NowNs() - run_begin_ns_;
    if (result) result = std::move(ended);
    return true;
  });
  return result;
}

// As TFLite does: zero, and for int8 the zero point.
void PlanRunner::ResetVariables() {
  for (size_t i = 0; i < plan_.values.size(); ++i) {
    const PlanValue& value = plan_.values[i];
    if (value.kind != PlanValue::Kind::kVariable || memory_of_value_[i].empty()) continue;
    int fill = 0;
    if (value.operand.type() == kLiteRtElementTypeInt8)
      fill = static_cast<int>(value.operand.quantization().ZeroPointOf(0));
    std::memset(memory_of_value_[i].data(), fill, memory_of_value_[i].size());
  }
}

std::span<const uint8_t> PlanRunner::TensorBytes(const Tensor& tensor) const {
  const auto known = plan_.value_of.find(&tensor);
  if (known == plan_.value_of.end()) return {};
  const auto index = static_cast<size_t>(known->second);
  const bool lasts = keep_intermediates_ ||
                     plan_.values[index].kind != PlanValue::Kind::kComputed ||
                     std::count(plan_.inputs.begin(), plan_.inputs.end(), known->second) != 0 ||
                     std::count(plan_.outputs.begin(), plan_.outputs.end(), known->second) != 0;
  return lasts ? bytes_of_value_[index] : std::span<const uint8_t>();
}

std::span<uint8_t> PlanRunner::MutableTensorBytes(const Tensor& tensor) {
  const auto known = plan_.value_of.find(&tensor);
  if (known == plan_.value_of.end() || TensorBytes(tensor).empty()) return {};
  const auto index = static_cast<size_t>(known->second);
  if (plan_.values[index].kind == PlanValue::Kind::kConstant) return {};
  return memory_of_value_[index].first(plan_.values[index].size_bytes);
}

std::optional<std::vector<int32_t>> PlanRunner::TensorShape(const Tensor& tensor) const {
  const auto known = plan_.value_of.find(&tensor);
  if (known == plan_.value_of.end()) return std::nullopt;
  return plan_.values[static_cast<size_t>(known->second)].operand.shape;
}

litert::Expected<void> PlanRunner::SetSchedulingInfo(const LiteRtSchedulingInfo* info) {
  for (size_t i = 0; i < plan_.steps.size(); ++i) {
    if (const DispatchInvocation* invocation = dispatch_.invocation(i); invocation != nullptr) {
      LITERT_RETURN_IF_ERROR(invocation->SetSchedulingInfo(info));
    }
  }
  return {};
}

litert::Expected<void> PlanRunner::SetRunOptions(LiteRtOptions options) {
  for (size_t i = 0; i < plan_.steps.size(); ++i) {
    if (const DispatchInvocation* invocation = dispatch_.invocation(i); invocation != nullptr) {
      LITERT_RETURN_IF_ERROR(invocation->SetOptions(options));
    }
  }
  return {};
}

litert::Expected<void> PlanRunner::StartMetrics(int detail_level) {
  for (size_t i = 0; i < plan_.steps.size(); ++i) {
    if (const DispatchInvocation* invocation = dispatch_.invocation(i); invocation != nullptr) {
      LITERT_RETURN_IF_ERROR(invocation->StartMetrics(detail_level));
    }
  }
  return {};
}

litert::Expected<std::vector<DispatchMetrics>> PlanRunner::StopMetrics() {
  std::vector<DispatchMetrics> metrics(plan_.steps.size());
  ErrorCollector errors;
  for (size_t i = 0; i < plan_.steps.size(); ++i) {
    const DispatchInvocation* invocation = dispatch_.invocation(i);
    if (invocation == nullptr) continue;
    litert::Expected<DispatchMetrics> read = invocation->StopMetrics();
    if (read) {
      metrics[i] = std::move(*read);
    } else {
      errors.Add(read.Error());
    }
  }
  if (litert::Expected<void> result = errors.Result(); !result)
    return litert::Unexpected(result.Error());
  return metrics;
}

litert::Expected<void> PlanRunner::SetRecording(uint32_t record) {
  bool any = false;
  litert::Expected<void> refused =
      litert::Unexpected(kLiteRtStatusErrorUnsupported, "there is no dispatch op");
  for (size_t i = 0; i < plan_.steps.size(); ++i) {
    const DispatchInvocation* invocation = dispatch_.invocation(i);
    if (invocation == nullptr) continue;
    litert::Expected<void> set = npukit::SetRecording(*invocation, record);
    if (set) {
      any = true;
    } else if (set.Error().Status() != kLiteRtStatusErrorUnsupported) {
      return set;
    } else {
      refused = std::move(set);
    }
  }
  return any ? litert::Expected<void>() : std::move(refused);
}

litert::Expected<std::vector<HandleEvent>> PlanRunner::StepProfile(size_t index) const {
  const DispatchInvocation* invocation = dispatch_.invocation(index);
  if (invocation == nullptr)
    return litert::Unexpected(kLiteRtStatusErrorInvalidArgument, "not a dispatch op");
  return ReadProfile(*invocation);
}

litert::Expected<HandleValue> PlanRunner::StepIntermediate(size_t index, uint32_t handle,
                                                           int output) const {
  const DispatchInvocation* invocation = dispatch_.invocation(index);
  if (invocation == nullptr)
    return litert::Unexpected(kLiteRtStatusErrorInvalidArgument, "not a dispatch op");
  return ReadIntermediate(*invocation, handle, output);
}

MemoryReport PlanRunner::memory() const {
  uint64_t folded_bytes = 0;
  uint64_t packed_bytes = 0;
  for (const PlanValue& value : plan_.values) folded_bytes += value.folded.size();
  for (const PlanStep& step : plan_.steps)
    packed_bytes += step.kernel == nullptr ? 0 : step.kernel->packed_bytes();
  return {.arena_bytes = memory_.arena_bytes,
          .ideal_arena_bytes = memory_.ideal_arena_bytes,
          .staging_bytes = dispatch_.staging_bytes(),
          .folded_bytes = folded_bytes,
          .packed_bytes = packed_bytes};
}

}  // namespace npukit
