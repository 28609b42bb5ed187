// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/runtime/runner/signature_runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <utility>

#include "litert/cc/litert_macros.h"
#include "sdk/host/runtime/dispatch/client/error_collector.h"
#include "sdk/host/runtime/dispatch/dispatch_debug.h"
#include "sdk/host/runtime/dispatch/dispatch_steps.h"
#include "sdk/host/runtime/plan/async_schedule.h"
#include "sdk/host/runtime/plan/execution_plan.h"
#include "sdk/host/runtime/plan/mac_count.h"
#include "sdk/host/runtime/plan/memory_plan.h"
#include "sdk/host/runtime/runner/cpu_steps.h"
#include "sdk/host/runtime/runner/value_memory.h"

namespace npukit {
namespace {

uint64_t NowNs() {
  return static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(
                                   std::chrono::steady_clock::now().time_since_epoch())
                                   .count());
}

}  // namespace

struct SignatureRunner::State {
  ExecutionPlan plan;
  MemoryPlan layout;
  AsyncSchedule schedule;
  ValueMemory memory;
  DispatchSteps dispatch;
  CpuSteps cpu;
  bool keep_intermediates = false;
  std::unordered_map<const Tensor*, std::string> port_names;
  std::vector<PortInfo> inputs;
  std::vector<PortInfo> outputs;
  std::vector<StepInfo> step_infos;  // made when first asked for: few runs want them
  std::vector<StepTime> step_times;
  bool times_enabled = false;
  uint64_t run_begin_ns = 0;
  std::vector<size_t> under_way;  // steps, in the order in which they began

  const PlanValue& ValueAt(int index) const { return plan.values[static_cast<size_t>(index)]; }
};

SignatureRunner::SignatureRunner(std::unique_ptr<State> state) : state_(std::move(state)) {}

SignatureRunner::~SignatureRunner() { (void)Close(); }

litert::Expected<void> SignatureRunner::Close() { return state_->dispatch.Close(); }

litert::Expected<std::unique_ptr<SignatureRunner>> SignatureRunner::Create(
    const Model& model, const Subgraph& subgraph, Options options, kernels::ThreadPool* pool,
    DispatchDevices* devices) {
  auto made = std::make_unique<State>();
  State& state = *made;
  state.keep_intermediates = options.keep_intermediates;
  state.port_names = std::move(options.port_names);
  LITERT_ASSIGN_OR_RETURN(state.plan,
                          BuildPlan(model, subgraph,
                                    {.threads = options.threads,
                                     .resized_inputs = std::move(options.resized_inputs),
                                     .max_bytes = options.max_arena_bytes}));
  LITERT_RETURN_IF_ERROR(state.dispatch.Load(model, state.plan, devices));
  if (options.async) state.schedule = PlanAsync(state.plan, state.dispatch.AsyncAbilities());
  state.layout = PlanMemory(state.plan, state.dispatch.requirements(), options.keep_intermediates,
                            state.schedule);
  if (state.layout.arena_bytes > options.max_arena_bytes) {
    return litert::Unexpected(
        kLiteRtStatusErrorMemoryAllocationFailure,
        fmt::format("needs {} bytes for its tensors, more than the limit of {}",
                    state.layout.arena_bytes, options.max_arena_bytes));
  }
  LITERT_ASSIGN_OR_RETURN(state.memory, ValueMemory::Allocate(state.plan, state.layout));
  LITERT_RETURN_IF_ERROR(state.dispatch.Bind(state.memory.memory()));
  state.cpu = CpuSteps(state.plan, state.layout, state.memory, pool);
  state.memory.ResetVariables(state.plan);
  state.step_times.resize(state.plan.steps.size());
  state.under_way.reserve(state.plan.steps.size());
  std::unique_ptr<SignatureRunner> runner(new SignatureRunner(std::move(made)));
  for (int value : state.plan.inputs) state.inputs.push_back(runner->DescribePort(value));
  for (int value : state.plan.outputs) state.outputs.push_back(runner->DescribePort(value));
  return runner;
}

std::span<const PortInfo> SignatureRunner::inputs() const { return state_->inputs; }

std::span<const PortInfo> SignatureRunner::outputs() const { return state_->outputs; }

std::span<uint8_t> SignatureRunner::input(size_t index) {
  const int value = state_->plan.inputs[index];
  return state_->memory.memory(value).first(state_->ValueAt(value).size_bytes);
}

std::span<const uint8_t> SignatureRunner::output(size_t index) const {
  return state_->memory.bytes(state_->plan.outputs[index]);
}

litert::Expected<void> SignatureRunner::SetInput(size_t index, std::span<const uint8_t> bytes) {
  if (index >= inputs().size()) {
    return litert::Unexpected(
        kLiteRtStatusErrorIndexOOB,
        fmt::format("there is no input {}, the model has {}", index, inputs().size()));
  }
  std::span<uint8_t> memory = input(index);
  if (bytes.size() != memory.size()) {
    const PortInfo& info = inputs()[index];
    return litert::Unexpected(
        kLiteRtStatusErrorInvalidArgument,
        fmt::format("input {} '{}' ({}{}) takes {} bytes, got {}", index, info.name,
                    ElementTypeName(info.element_type), kernels::ShapeText(info.shape),
                    memory.size(), bytes.size()));
  }
  if (!bytes.empty()) std::memcpy(memory.data(), bytes.data(), bytes.size());
  return {};
}

litert::Expected<void> SignatureRunner::RunStep(size_t index) {
  if (state_->plan.steps[index].kernel == nullptr) return state_->dispatch.Invoke(index);
  return state_->cpu.Run(index);
}

litert::Expected<void> SignatureRunner::Run() {
  State& state = *state_;
  state.run_begin_ns = state.times_enabled ? NowNs() : 0;
  litert::Expected<void> result;
  for (size_t i = 0; i < state.plan.steps.size() && result; ++i) {
    result = Join(i);
    if (!result) break;
    if (state.times_enabled) state.step_times[i].begin_ns = NowNs() - state.run_begin_ns;
    if (state.schedule.IsAsync(i)) {
      result = state.dispatch.Start(i);
      if (result) state.under_way.push_back(i);
      continue;
    }
    result = RunStep(i);
    if (state.times_enabled) state.step_times[i].end_ns = NowNs() - state.run_begin_ns;
  }
  // Also after an error: what is under way works on the memory of this run.
  litert::Expected<void> rest = Join(state.plan.steps.size());
  state.dispatch.ReleaseEvents();
  return result ? std::move(rest) : std::move(result);
}

litert::Expected<void> SignatureRunner::Join(size_t step) {
  State& state = *state_;
  litert::Expected<void> result;
  std::erase_if(state.under_way, [&](size_t begun) {
    if (state.schedule.join_before[begun] > step) return false;
    litert::Expected<void> ended = state.dispatch.Finish(begun);
    if (state.times_enabled) state.step_times[begun].end_ns = NowNs() - state.run_begin_ns;
    if (result) result = std::move(ended);
    return true;
  });
  return result;
}

bool SignatureRunner::IsAsync() const { return state_->dispatch.IsAsync(); }

PortInfo SignatureRunner::DescribePort(int value) const {
  const PlanValue& plan_value = state_->ValueAt(value);
  const Tensor* tensor = plan_value.operand.tensor;
  const auto name = state_->port_names.find(tensor);
  return {.name = name == state_->port_names.end() ? tensor->name : name->second,
          .tensor = tensor,
          .element_type = tensor->element_type,
          .shape = plan_value.operand.shape,
          .size_bytes = plan_value.size_bytes};
}

StepInfo SignatureRunner::DescribeStep(size_t index) const {
  const PlanStep& step = state_->plan.steps[index];
  StepInfo info;
  info.delegate = state_->dispatch.delegate(index);
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

std::span<const StepInfo> SignatureRunner::steps() const {
  std::vector<StepInfo>& infos = state_->step_infos;
  if (infos.empty()) {
    for (size_t s = 0; s < state_->plan.steps.size(); ++s) infos.push_back(DescribeStep(s));
  }
  return infos;
}

void SignatureRunner::EnableStepTimes(bool enable) { state_->times_enabled = enable; }

std::span<const StepTime> SignatureRunner::step_times() const { return state_->step_times; }

std::span<const uint8_t> SignatureRunner::TensorBytes(const Tensor& tensor) const {
  const ExecutionPlan& plan = state_->plan;
  const auto known = plan.value_of.find(&tensor);
  if (known == plan.value_of.end()) return {};
  const int value = known->second;
  const bool lasts = state_->keep_intermediates ||
                     state_->ValueAt(value).kind != PlanValue::Kind::kComputed ||
                     std::count(plan.inputs.begin(), plan.inputs.end(), value) != 0 ||
                     std::count(plan.outputs.begin(), plan.outputs.end(), value) != 0;
  return lasts ? state_->memory.bytes(value) : std::span<const uint8_t>();
}

std::span<uint8_t> SignatureRunner::MutableTensorBytes(const Tensor& tensor) {
  const auto known = state_->plan.value_of.find(&tensor);
  if (known == state_->plan.value_of.end() || TensorBytes(tensor).empty()) return {};
  const PlanValue& value = state_->ValueAt(known->second);
  if (value.kind == PlanValue::Kind::kConstant) return {};
  return state_->memory.memory(known->second).first(value.size_bytes);
}

std::optional<std::vector<int32_t>> SignatureRunner::TensorShape(const Tensor& tensor) const {
  const auto known = state_->plan.value_of.find(&tensor);
  if (known == state_->plan.value_of.end()) return std::nullopt;
  return state_->ValueAt(known->second).operand.shape;
}

template <typename Act>
litert::Expected<void> SignatureRunner::ForEachInvocation(Act act) const {
  for (size_t i = 0; i < state_->plan.steps.size(); ++i) {
    if (const DispatchInvocation* invocation = state_->dispatch.invocation(i);
        invocation != nullptr) {
      LITERT_RETURN_IF_ERROR(act(*invocation));
    }
  }
  return {};
}

litert::Expected<void> SignatureRunner::SetSchedulingInfo(const LiteRtSchedulingInfo* info) {
  return ForEachInvocation(
      [&](const DispatchInvocation& invocation) { return invocation.SetSchedulingInfo(info); });
}

litert::Expected<void> SignatureRunner::SetRunOptions(LiteRtOptions options) {
  return ForEachInvocation(
      [&](const DispatchInvocation& invocation) { return invocation.SetOptions(options); });
}

litert::Expected<void> SignatureRunner::StartMetrics(int detail_level) {
  return ForEachInvocation(
      [&](const DispatchInvocation& invocation) { return invocation.StartMetrics(detail_level); });
}

litert::Expected<std::vector<DispatchMetrics>> SignatureRunner::StopMetrics() {
  std::vector<DispatchMetrics> metrics(state_->plan.steps.size());
  ErrorCollector errors;
  for (size_t i = 0; i < metrics.size(); ++i) {
    const DispatchInvocation* invocation = state_->dispatch.invocation(i);
    if (invocation == nullptr) continue;
    litert::Expected<DispatchMetrics> read = invocation->StopMetrics();
    if (read) {
      metrics[i] = std::move(*read);
    } else {
      errors.Add(read.Error());
    }
  }
  LITERT_RETURN_IF_ERROR(errors.Result());
  return metrics;
}

litert::Expected<void> SignatureRunner::SetRecording(uint32_t record) {
  bool any = false;
  litert::Expected<void> refused =
      litert::Unexpected(kLiteRtStatusErrorUnsupported, "there is no dispatch op");
  LITERT_RETURN_IF_ERROR(
      ForEachInvocation([&](const DispatchInvocation& invocation) -> litert::Expected<void> {
        litert::Expected<void> set = npukit::SetRecording(invocation, record);
        if (set) {
          any = true;
        } else if (set.Error().Status() != kLiteRtStatusErrorUnsupported) {
          return set;
        } else {
          refused = std::move(set);
        }
        return {};
      }));
  return any ? litert::Expected<void>() : std::move(refused);
}

litert::Expected<std::vector<HandleEvent>> SignatureRunner::StepProfile(size_t index) const {
  const DispatchInvocation* invocation = state_->dispatch.invocation(index);
  if (invocation == nullptr)
    return litert::Unexpected(kLiteRtStatusErrorInvalidArgument, "not a dispatch op");
  return ReadProfile(*invocation);
}

litert::Expected<HandleValue> SignatureRunner::StepIntermediate(size_t index, uint32_t handle,
                                                                int output) const {
  const DispatchInvocation* invocation = state_->dispatch.invocation(index);
  if (invocation == nullptr)
    return litert::Unexpected(kLiteRtStatusErrorInvalidArgument, "not a dispatch op");
  return ReadIntermediate(*invocation, handle, output);
}

MemoryReport SignatureRunner::memory() const {
  uint64_t folded_bytes = 0;
  uint64_t packed_bytes = 0;
  for (const PlanValue& value : state_->plan.values) folded_bytes += value.folded.size();
  for (const PlanStep& step : state_->plan.steps)
    packed_bytes += step.kernel == nullptr ? 0 : step.kernel->packed_bytes();
  return {.arena_bytes = state_->layout.arena_bytes,
          .ideal_arena_bytes = state_->layout.ideal_arena_bytes,
          .staging_bytes = state_->dispatch.staging_bytes(),
          .folded_bytes = folded_bytes,
          .packed_bytes = packed_bytes};
}

}  // namespace npukit
