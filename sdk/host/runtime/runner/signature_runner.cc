// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/runtime/runner/signature_runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "litert/cc/litert_macros.h"
#include "sdk/host/runtime/control/special_op_maker.h"
#include "sdk/host/runtime/dispatch/client/error_collector.h"
#include "sdk/host/runtime/dispatch/dispatch_debug.h"
#include "sdk/host/runtime/dispatch/dispatch_devices.h"
#include "sdk/host/runtime/execution/graph_runner.h"
#include "sdk/host/runtime/memory/given_memory.h"
#include "sdk/host/runtime/plan/mac_count.h"
#include "sdk/host/runtime/plan/value_size.h"
#include "sdk/host/runtime/runner/invocation_settings.h"

namespace npukit {

struct SignatureRunner::State {
  // Members are destroyed from the last to the first: the graph before what its kernels point into.
  std::unique_ptr<ModelState> own_model_state;  // null: the caller's
  ModelState* model_state = nullptr;
  std::unique_ptr<SpecialOpMaker> special_ops;
  std::unique_ptr<GraphRunner> graph;
  std::unordered_map<const Tensor*, std::string> port_names;
  std::vector<PortInfo> inputs;
  std::vector<PortInfo> outputs;
  std::vector<StepInfo> step_infos;  // made when first asked for: few runs want them
  uint64_t step_infos_generation = 0;
  bool times_enabled = false;
  InvocationSettings settings;
  GivenMemory given_memory;
  struct PortCopy {
    size_t port = 0;
    std::span<uint8_t> shared;  // as long as the port
  };
  std::vector<PortCopy> copies_in;     // before a run, of shared inputs that lie elsewhere
  std::vector<PortCopy> copies_out;    // and after it, of outputs
  DispatchDevices* devices = nullptr;  // null: no dispatch ops

  PortInfo DescribePort(const GraphRunner::Value& value) const;
  // Of the ports that the state has memory for.
  litert::Expected<void> FindGivenMemory(const Subgraph& subgraph,
                                         const std::set<std::string>& shared_ports);
  void FindCopies();
  // To the dispatch ops of a stage that has just been planned.
  litert::Expected<void> ApplySettings(const Stage& stage);
};

litert::Expected<void> SignatureRunner::State::ApplySettings(const Stage& stage) {
  for (size_t s = 0; s < stage.plan().steps.size(); ++s) {
    if (const DispatchInvocation* invocation = stage.dispatch().invocation(s))
      LITERT_RETURN_IF_ERROR(settings.Apply(*invocation));
  }
  return {};
}

litert::Expected<void> SignatureRunner::State::FindGivenMemory(
    const Subgraph& subgraph, const std::set<std::string>& shared_ports) {
  if (shared_ports.empty()) return {};
  for (const auto* tensors : {&subgraph.inputs, &subgraph.outputs}) {
    for (const Tensor* tensor : *tensors) {
      const auto name = port_names.find(tensor);
      const std::string& port = name == port_names.end() ? tensor->name : name->second;
      if (!shared_ports.contains(port)) continue;
      const auto size_bytes = DenseBytes(tensor->element_type, tensor->shape);
      if (!size_bytes || tensor->is_dynamic()) {
        return litert::Unexpected(
            kLiteRtStatusErrorUnsupported,
            fmt::format("'{}' can't be shared by signatures: its size is not fixed", port));
      }
      LITERT_ASSIGN_OR_RETURN(given_memory[tensor],
                              model_state->PortMemory(port, *tensor, *size_bytes));
    }
  }
  return {};
}

void SignatureRunner::State::FindCopies() {
  const auto add = [&](const GraphRunner::Value& value, size_t port, std::vector<PortCopy>& to) {
    const auto given = given_memory.find(value.tensor);
    if (given == given_memory.end() || value.bytes.data() == given->second.data()) return;
    // Memory that was given is padded to whole lines (ModelState::PortMemory), the value is not.
    to.push_back(
        {.port = port,
         .shared = given->second.first(std::min(given->second.size(), value.bytes.size()))});
  };
  for (size_t i = 0; i < graph->num_inputs(); ++i) add(graph->input(i), i, copies_in);
  for (size_t i = 0; i < graph->num_outputs(); ++i) add(graph->output(i), i, copies_out);
}

PortInfo SignatureRunner::State::DescribePort(const GraphRunner::Value& value) const {
  const Tensor* tensor = value.tensor;
  const auto name = port_names.find(tensor);
  PortInfo port{.name = name == port_names.end() ? tensor->name : name->second,
                .tensor = tensor,
                .element_type = tensor->element_type,
                .shape = {value.shape.begin(), value.shape.end()},
                .size_bytes = value.bytes.size(),
                .has_fixed_shape = true};
  if (const auto place = graph->Find(*tensor))
    port.buffer_type = place->stage->dispatch().BufferType(place->value);
  if (!value.is_known)
    port.shape = tensor->shape_signature.empty() ? tensor->shape : tensor->shape_signature;
  return port;
}

SignatureRunner::SignatureRunner(std::unique_ptr<State> state) : state_(std::move(state)) {}

SignatureRunner::~SignatureRunner() { (void)Close(); }

litert::Expected<void> SignatureRunner::Close() { return state_->graph->Close(); }

litert::Expected<std::unique_ptr<SignatureRunner>> SignatureRunner::Create(
    const Model& model, const Subgraph& subgraph, Options options, kernels::ThreadPool* pool,
    DispatchDevices* devices) {
  auto made = std::make_unique<State>();
  State& state = *made;
  state.devices = devices;
  state.port_names = std::move(options.port_names);
  state.model_state = options.state;
  if (options.state == nullptr) {
    state.own_model_state = std::make_unique<ModelState>(kDefaultMaxCallsPerRun);
    state.model_state = state.own_model_state.get();
  }
  state.special_ops =
      std::make_unique<SpecialOpMaker>(GraphContext{.model = &model,
                                                    .state = state.model_state,
                                                    .pool = pool,
                                                    .devices = devices,
                                                    .threads = options.threads,
                                                    .hybrid = options.hybrid,
                                                    .max_arena_bytes = options.max_arena_bytes,
                                                    .async = options.async});
  LITERT_RETURN_IF_ERROR(state.FindGivenMemory(subgraph, options.shared_ports));
  LITERT_ASSIGN_OR_RETURN(state.graph,
                          GraphRunner::Create(state.special_ops->context(), subgraph,
                                              {.resized_inputs = std::move(options.resized_inputs),
                                               .keep_intermediates = options.keep_intermediates,
                                               .given_memory = state.given_memory,
                                               .on_stage = [&state](const Stage& stage) {
                                                 return state.ApplySettings(stage);
                                               }}));
  // Only now: a runner closes its graph when it goes, so there must be one.
  std::unique_ptr<SignatureRunner> runner(new SignatureRunner(std::move(made)));
  for (size_t i = 0; i < state.graph->num_inputs(); ++i)
    state.inputs.push_back(state.DescribePort(state.graph->input(i)));
  runner->DescribeOutputs();
  state.FindCopies();
  return runner;
}

std::span<const PortInfo> SignatureRunner::inputs() const { return state_->inputs; }

std::span<const PortInfo> SignatureRunner::outputs() const { return state_->outputs; }

std::span<uint8_t> SignatureRunner::input(size_t index) {
  return state_->graph->input_memory(index);
}

std::span<const uint8_t> SignatureRunner::output(size_t index) const {
  return state_->graph->output(index).bytes;
}

litert::Expected<void> SignatureRunner::SetInput(size_t index, std::span<const uint8_t> bytes) {
  if (index >= inputs().size()) {
    return litert::Unexpected(
        kLiteRtStatusErrorIndexOOB,
        fmt::format("there is no input {}, the model has {}", index, inputs().size()));
  }
  litert::Expected<void> set = state_->graph->SetInput(index, bytes);
  if (set) return {};
  const PortInfo& info = inputs()[index];
  return litert::Unexpected(
      set.Error().Status(),
      fmt::format("input {} '{}' ({}{}) {}", index, info.name, ElementTypeName(info.element_type),
                  kernels::ShapeText(info.shape), set.Error().Message()));
}

litert::Expected<void> SignatureRunner::RunStep(size_t index) {
  return state_->graph->RunStep(index);
}

litert::Expected<void> SignatureRunner::Run() {
  State& state = *state_;
  state.model_state->BeginRun();
  for (const State::PortCopy& copy : state.copies_in)
    std::ranges::copy(copy.shared, state.graph->input_memory(copy.port).begin());
  if (state.devices != nullptr) state.devices->CallHooks(kLiteRtHookTypeRuntimeStart);
  litert::Expected<void> result = state.graph->Run(state.times_enabled);
  // Also after an error, so that starts and stops come in pairs.
  if (state.devices != nullptr) state.devices->CallHooks(kLiteRtHookTypeRuntimeStop);
  if (result && !state.graph->is_static()) DescribeOutputs();
  for (const State::PortCopy& copy : state.copies_out) {
    const std::span<const uint8_t> bytes = state.graph->output(copy.port).bytes;
    // What a failed run left in its outputs must not become the next run's state.
    if (result && bytes.size() == copy.shared.size()) std::ranges::copy(bytes, copy.shared.begin());
  }
  return result;
}

void SignatureRunner::ResetState() { state_->model_state->Reset(); }

void SignatureRunner::DescribeOutputs() {
  state_->outputs.resize(state_->graph->num_outputs());
  for (size_t i = 0; i < state_->outputs.size(); ++i) {
    const GraphRunner::Value output = state_->graph->output(i);
    PortInfo& port = state_->outputs[i];
    const bool is_as_before =
        port.tensor != nullptr && output.is_known && std::ranges::equal(port.shape, output.shape);
    if (!is_as_before) port = state_->DescribePort(output);
    port.size_bytes = output.bytes.size();
    port.has_fixed_shape = output.is_fixed;
  }
}

bool SignatureRunner::IsAsync() const {
  bool any = false;
  for (const auto& stage : state_->graph->stages()) {
    for (size_t s = 0; s < stage->plan().steps.size(); ++s) {
      if (stage->dispatch().invocation(s) == nullptr) continue;
      // One that blocks makes the whole run block.
      if (!stage->dispatch().IsAsync()) return false;
      any = true;
    }
  }
  return any;
}

StepInfo SignatureRunner::DescribeStep(size_t index) const {
  const GraphRunner::StepPlace place = state_->graph->step(index);
  const ExecutionPlan& plan = place.stage->plan();
  const PlanStep& step = plan.steps[place.index];
  const auto describe = [&](int value) {
    const PlanValue& planned = plan.values[static_cast<size_t>(value)];
    return state_->DescribePort({.tensor = planned.operand.tensor,
                                 .is_known = planned.kind != PlanValue::Kind::kOwnedByOp,
                                 .shape = planned.operand.shape,
                                 .bytes = place.stage->memory().bytes(value)});
  };
  StepInfo info;
  info.delegate = place.stage->dispatch().delegate(place.index);
  const bool is_dispatch = step.kernel == nullptr;
  info.target = is_dispatch ? Target::kNpu : Target::kCpu;
  info.op = OpName(*step.op);
  info.source = step.op;
  for (int value : step.inputs) {
    if (value != kNoValue) info.inputs.push_back(describe(value));
  }
  for (int value : step.outputs) info.outputs.push_back(describe(value));
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
  State& state = *state_;
  if (state.step_infos_generation != state.graph->generation()) {
    state.step_infos.clear();
    for (size_t s = 0; s < state.graph->num_steps(); ++s)
      state.step_infos.push_back(DescribeStep(s));
    state.step_infos_generation = state.graph->generation();
  }
  return state.step_infos;
}

bool SignatureRunner::is_static() const { return state_->graph->is_static(); }

void SignatureRunner::EnableStepTimes(bool enable) { state_->times_enabled = enable; }

std::span<const StepTime> SignatureRunner::step_times() const {
  return state_->graph->step_times();
}

std::span<const uint8_t> SignatureRunner::TensorBytes(const Tensor& tensor) const {
  const auto place = state_->graph->Find(tensor);
  return place && place->lasts ? place->stage->memory().bytes(place->value)
                               : std::span<const uint8_t>();
}

std::span<uint8_t> SignatureRunner::MutableTensorBytes(const Tensor& tensor) {
  const auto place = state_->graph->Find(tensor);
  if (!place || TensorBytes(tensor).empty()) return {};
  const PlanValue& value = place->stage->plan().values[static_cast<size_t>(place->value)];
  if (value.kind == PlanValue::Kind::kConstant) return {};
  return place->stage->memory().memory(place->value).first(value.size_bytes);
}

std::optional<std::vector<int32_t>> SignatureRunner::TensorShape(const Tensor& tensor) const {
  const auto place = state_->graph->Find(tensor);
  if (!place) return std::nullopt;
  return place->stage->plan().values[static_cast<size_t>(place->value)].operand.shape;
}

const DispatchInvocation* SignatureRunner::InvocationOf(size_t step) const {
  const GraphRunner::StepPlace place = state_->graph->step(step);
  return place.stage->dispatch().invocation(place.index);
}

std::vector<const DispatchInvocation*> SignatureRunner::Invocations() const {
  std::vector<const DispatchInvocation*> invocations;
  for (size_t i = 0; i < state_->graph->num_steps(); ++i) {
    if (const DispatchInvocation* invocation = InvocationOf(i); invocation != nullptr)
      invocations.push_back(invocation);
  }
  return invocations;
}

litert::Expected<void> SignatureRunner::SetSchedulingInfo(const LiteRtSchedulingInfo* info) {
  return state_->settings.SetSchedulingInfo(Invocations(), info);
}

litert::Expected<void> SignatureRunner::SetRunOptions(LiteRtOptions options) {
  return state_->settings.SetOptions(Invocations(), options);
}

litert::Expected<void> SignatureRunner::StartMetrics(int detail_level) {
  return state_->settings.StartMetrics(Invocations(), detail_level);
}

litert::Expected<std::vector<DispatchMetrics>> SignatureRunner::StopMetrics() {
  // To the end even if a call fails, so that no invocation goes on collecting.
  std::vector<DispatchMetrics> metrics(state_->graph->num_steps());
  ErrorCollector errors;
  for (size_t i = 0; i < metrics.size(); ++i) {
    const DispatchInvocation* invocation = InvocationOf(i);
    if (invocation == nullptr) continue;
    litert::Expected<DispatchMetrics> read = state_->settings.StopMetrics(*invocation);
    if (read) {
      metrics[i] = std::move(*read);
    } else {
      errors.Add(read.Error());
    }
  }
  errors.Add(state_->settings.EndMetrics());
  LITERT_RETURN_IF_ERROR(errors.Result());
  return metrics;
}

litert::Expected<void> SignatureRunner::SetRecording(uint32_t record) {
  const std::vector<const DispatchInvocation*> invocations = Invocations();
  if (invocations.empty() && is_static())
    return litert::Unexpected(kLiteRtStatusErrorUnsupported, "there is no dispatch op");
  return state_->settings.SetRecording(invocations, record);
}

litert::Expected<std::vector<HandleEvent>> SignatureRunner::StepProfile(size_t index) const {
  const DispatchInvocation* invocation = InvocationOf(index);
  if (invocation == nullptr)
    return litert::Unexpected(kLiteRtStatusErrorInvalidArgument, "not a dispatch op");
  return ReadProfile(*invocation);
}

litert::Expected<HandleValue> SignatureRunner::StepIntermediate(size_t index, uint32_t handle,
                                                                int output) const {
  const DispatchInvocation* invocation = InvocationOf(index);
  if (invocation == nullptr)
    return litert::Unexpected(kLiteRtStatusErrorInvalidArgument, "not a dispatch op");
  return ReadIntermediate(*invocation, handle, output);
}

uint64_t SignatureRunner::copied_port_bytes() const {
  uint64_t bytes = 0;
  for (const auto* copies : {&state_->copies_in, &state_->copies_out}) {
    for (const State::PortCopy& copy : *copies) bytes += copy.shared.size();
  }
  return bytes;
}

MemoryReport SignatureRunner::memory() const {
  MemoryReport report;
  for (const auto& stage : state_->graph->stages()) {
    report.arena_bytes += stage->layout().arena_bytes;
    report.ideal_arena_bytes += stage->layout().ideal_arena_bytes;
    report.staging_bytes += stage->dispatch().staging_bytes();
    for (const PlanValue& value : stage->plan().values) report.folded_bytes += value.folded.size();
    for (const PlanStep& step : stage->plan().steps)
      report.packed_bytes += step.kernel == nullptr ? 0 : step.kernel->packed_bytes();
  }
  return report;
}

}  // namespace npukit
