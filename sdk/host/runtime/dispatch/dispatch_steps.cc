// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/runtime/dispatch/dispatch_steps.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include "litert/cc/litert_macros.h"
#include "sdk/host/runtime/dispatch/client/error_collector.h"
#include "sdk/host/runtime/dispatch/dispatch_debug.h"

namespace npukit {
namespace {

constexpr uint64_t kHostAlignmentBytes = 64;  // LiteRT's, for host memory
// A tensor without elements has an address all the same, aligned as the device requires.
constexpr uint64_t kLeastBytes = 1;

// "dispatch op 3 ('main_0', output 'conv1/out')", for errors.
std::string StepName(const PlanStep& step) {
  const std::string output =
      step.op->outputs.empty() ? "" : fmt::format(", output '{}'", step.op->outputs.front()->name);
  return fmt::format("dispatch op {} ('{}'{})", step.op->index, step.op->dispatch->entry_point,
                     output);
}

litert::Unexpected In(const PlanStep& step, const litert::Error& error) {
  return litert::Unexpected(error.Status(), fmt::format("{}: {}", StepName(step), error.Message()));
}

// Whether the value's memory may be what a port requires: the arena's as a matter of course.
bool MayHold(const PlanValue& value, const PortRequirements& requirements) {
  if (value.kind != PlanValue::Kind::kGiven) return value.kind == PlanValue::Kind::kComputed;
  const std::span<uint8_t> memory = value.run_time->imported;
  const uint64_t alignment = std::max<uint64_t>(kHostAlignmentBytes, requirements.alignment_bytes);
  return memory.size() >= requirements.size_bytes &&
         reinterpret_cast<uintptr_t>(memory.data()) % alignment == 0;
}

litert::Expected<LiteRtRankedTensorType> RankedType(const kernels::Operand& operand) {
  LITERT_ASSIGN_OR_RETURN(const LiteRtLayout layout,
                          LayoutOf(kernels::OperandName(&operand), operand.shape));
  return LiteRtRankedTensorType{.element_type = operand.type(), .layout = layout};
}

}  // namespace

litert::Expected<void> DispatchSteps::Load(const Model& model, const ExecutionPlan& plan,
                                           DispatchDevices* devices, const Settings& settings) {
  plan_ = &plan;
  devices_ = devices;
  requirements_.assign(plan.values.size(), {});
  steps_.resize(plan.steps.size());
  LITERT_ASSIGN_OR_RETURN(delegates_, ReadDelegates(model));
  for (size_t s = 0; s < plan.steps.size(); ++s) {
    const PlanStep& step = plan.steps[s];
    if (step.kernel != nullptr) continue;
    if (devices == nullptr) {
      return litert::Unexpected(kLiteRtStatusErrorNotFound,
                                StepName(step) + ": no dispatch library is loaded");
    }
    steps_[s] = std::make_unique<DispatchStep>();
    if (auto loaded = LoadStep(model, s); !loaded) return In(step, loaded.Error());
  }
  // Between loading functions and making invocations of them, as the interface has it
  // (docs/runtime.md, Scratchpads); all are loaded first, so that those which never run together
  // share one.
  LITERT_RETURN_IF_ERROR(scratchpads_.Attach(plan, settings.async, settings.max_bytes));
  staging_bytes_ += scratchpads_.size_bytes();
  for (size_t s = 0; s < plan.steps.size(); ++s) {
    if (steps_[s] == nullptr) continue;
    if (auto added = AddPorts(s); !added) return In(plan.steps[s], added.Error());
  }
  if (devices != nullptr) devices->EndLoading();
  return {};
}

litert::Expected<void> DispatchSteps::LoadStep(const Model& model, size_t index) {
  const PlanStep& step = plan_->steps[index];
  const std::span<const uint8_t> bytecode = model.buffers().Get(step.op->dispatch->bytecode).bytes;
  if (bytecode.empty() && !devices_->HasExecutable(step.op->dispatch->bytecode)) {
    return litert::Unexpected(
        kLiteRtStatusErrorInvalidArgument,
        "has no bytecode (LiteRT writes such models where a compiler plugin gives a handle ahead "
        "of time: LiteRtGetCompiledResultHandle)");
  }
  LITERT_ASSIGN_OR_RETURN(auto found,
                          devices_->Load({.module = step.op->dispatch->bytecode,
                                          .bytecode = bytecode,
                                          .entry_point = step.op->dispatch->entry_point,
                                          .num_inputs = step.inputs.size(),
                                          .num_outputs = step.outputs.size(),
                                          .delegate = FindDelegate(delegates_, *step.op)}));
  steps_[index]->library = found.library;
  steps_[index]->invocation = std::move(found.invocation);
  if (found.function != nullptr) scratchpads_.Add(index, std::move(found));
  return {};
}

litert::Expected<void> DispatchSteps::AddPorts(size_t index) {
  const PlanStep& step = plan_->steps[index];
  DispatchStep& loaded = *steps_[index];
  if (LoadedFunction* const function = scratchpads_.FunctionOf(index); function != nullptr) {
    LITERT_ASSIGN_OR_RETURN(loaded.invocation,
                            function->MakeInvocation(step.inputs.size(), step.outputs.size()));
  }
  for (size_t i = 0; i < step.inputs.size(); ++i)
    LITERT_RETURN_IF_ERROR(AddPort(step, loaded, i, /*is_input=*/true));
  for (size_t i = 0; i < step.outputs.size(); ++i)
    LITERT_RETURN_IF_ERROR(AddPort(step, loaded, i, /*is_input=*/false));
  return {};
}

litert::Expected<void> DispatchSteps::AddPort(const PlanStep& step, DispatchStep& loaded,
                                              size_t index, bool is_input) {
  Port port;
  port.value = is_input ? step.inputs[index] : step.outputs[index];
  const PlanValue& value = plan_->values[static_cast<size_t>(port.value)];
  port.port.is_input = is_input;
  port.port.index = static_cast<int>(index);
  port.port.tensor = value.operand.tensor->name;
  port.port.dense_bytes = value.size_bytes;
  LITERT_ASSIGN_OR_RETURN(port.port.type, RankedType(value.operand));
  LITERT_ASSIGN_OR_RETURN(port.requirements, loaded.invocation->Requirements(port.port));
  // Else the arena itself is what the device reads and writes, and nothing is copied. What lies
  // elsewhere (constants, states, an earlier stage's values) was laid out without regard to what
  // the device requires.
  port.is_staged = port.requirements.buffer_type != kLiteRtTensorBufferTypeHostMemory ||
                   !port.requirements.strides_elems.empty() || !MayHold(value, port.requirements);
  if (port.is_staged) {
    staging_bytes_ += port.requirements.size_bytes;
  } else {
    ValueRequirements& all = requirements_[static_cast<size_t>(port.value)];
    all.size_bytes =
        std::max({all.size_bytes, uint64_t{port.requirements.size_bytes}, kLeastBytes});
    all.alignment_bytes = std::max(
        {all.alignment_bytes, kHostAlignmentBytes, uint64_t{port.requirements.alignment_bytes}});
    all.is_shared_with_device = true;
  }
  loaded.ports.push_back(std::move(port));
  return {};
}

litert::Expected<void> DispatchSteps::Attach(std::span<const std::span<uint8_t>> memory_of_value) {
  for (size_t s = 0; s < steps_.size(); ++s) {
    if (steps_[s] == nullptr) continue;
    if (auto attached = AttachStep(*steps_[s], memory_of_value); !attached)
      return In(plan_->steps[s], attached.Error());
  }
  return {};
}

litert::Expected<void> DispatchSteps::AttachStep(
    DispatchStep& step, std::span<const std::span<uint8_t>> memory_of_value) {
  for (Port& port : step.ports) {
    LITERT_ASSIGN_OR_RETURN(port.buffer, BufferFor(step, port, memory_of_value));
    const PlanValue& value = plan_->values[static_cast<size_t>(port.value)];
    if (port.is_staged && value.kind == PlanValue::Kind::kConstant) {
      // Once: the device has it from now on. (Port::dense stays empty, so runs copy nothing.)
      std::vector<uint8_t> bytes(value.operand.constant.begin(), value.operand.constant.end());
      LITERT_RETURN_IF_ERROR(CopyPort(port, StridedDirection::kFromDense, bytes));
    }
    LITERT_RETURN_IF_ERROR(step.invocation->Attach(port.port, *port.buffer));
  }
  return {};
}

litert::Expected<const BufferRegistration*> DispatchSteps::BufferFor(
    const DispatchStep& step, Port& port, std::span<const std::span<uint8_t>> memory_of_value) {
  const DispatchDevice& device = step.invocation->device();
  const auto value = static_cast<size_t>(port.value);
  if (port.is_staged) {
    if (plan_->values[value].kind != PlanValue::Kind::kConstant) {
      port.dense = memory_of_value[value].first(port.port.dense_bytes);
    }
    LITERT_ASSIGN_OR_RETURN(auto staged, Stage(device, step.library->environment(), port));
    buffers_.push_back({kNoValue, &device, std::move(staged)});
    return buffers_.back().buffer.get();
  }
  // One registration for a value on a device, whichever of its ops have it.
  for (const ValueBuffer& known : buffers_) {
    if (known.value == port.value && known.device == &device) return known.buffer.get();
  }
  LITERT_ASSIGN_OR_RETURN(
      auto buffer, BufferRegistration::Create(device, memory_of_value[value], port.port.type));
  buffers_.push_back({port.value, &device, std::move(buffer)});
  return buffers_.back().buffer.get();
}

litert::Expected<std::unique_ptr<BufferRegistration>> DispatchSteps::Stage(
    const DispatchDevice& device, LiteRtEnvironment environment, Port& port) {
  const PortRequirements& requirements = port.requirements;
  LiteRtRankedTensorType type = port.port.type;
  if (!requirements.strides_elems.empty()) {
    type.layout.has_strides = true;
    std::copy(requirements.strides_elems.begin(), requirements.strides_elems.end(),
              type.layout.strides);
  }
  if (requirements.buffer_type != kLiteRtTensorBufferTypeHostMemory) {
    return BufferRegistration::CreateOwn(device, environment, requirements.buffer_type,
                                         requirements.size_bytes, type);
  }
  LITERT_ASSIGN_OR_RETURN(
      port.staging,
      AlignedMemory::Allocate(std::max<size_t>(requirements.size_bytes, kLeastBytes),
                              std::max<size_t>(requirements.alignment_bytes, kHostAlignmentBytes)));
  return BufferRegistration::Create(device, port.staging.bytes(), type);
}

litert::Expected<void> DispatchSteps::CopyPort(const Port& port, StridedDirection direction,
                                               std::span<uint8_t> dense) {
  if (dense.empty()) return {};
  const LiteRtRankedTensorType& type = port.port.type;
  const auto copy = [&](std::span<uint8_t> staging) {
    if (!port.requirements.strides_elems.empty()) {
      CopyStrided(direction, std::span(type.layout.dimensions, type.layout.rank),
                  port.requirements.strides_elems,
                  static_cast<size_t>(ElementBits(type.element_type) / 8), dense, staging);
    } else if (direction == StridedDirection::kFromDense) {
      std::memcpy(staging.data(), dense.data(), dense.size());
    } else {
      std::memcpy(dense.data(), staging.data(), dense.size());
    }
  };
  if (port.requirements.buffer_type == kLiteRtTensorBufferTypeHostMemory) {
    copy(port.staging.bytes());
    return {};
  }
  return port.buffer->WhileMapped(direction == StridedDirection::kFromDense
                                      ? kLiteRtTensorBufferLockModeWrite
                                      : kLiteRtTensorBufferLockModeRead,
                                  copy);
}

litert::Expected<void> DispatchSteps::CopyInputs(const DispatchStep& step) {
  for (const Port& port : step.ports) {
    if (!port.is_staged || !port.port.is_input) continue;
    LITERT_RETURN_IF_ERROR(CopyPort(port, StridedDirection::kFromDense, port.dense));
  }
  return {};
}

litert::Expected<void> DispatchSteps::CopyOutputs(const DispatchStep& step) {
  for (const Port& port : step.ports) {
    if (!port.is_staged || port.port.is_input) continue;
    LITERT_RETURN_IF_ERROR(CopyPort(port, StridedDirection::kToDense, port.dense));
  }
  return {};
}

litert::Unexpected DispatchSteps::Failed(size_t step, const litert::Error& error) const {
  return In(plan_->steps[step], JoinLastError(*steps_[step]->invocation, delegate(step), error));
}

litert::Expected<void> DispatchSteps::Invoke(size_t step) {
  const DispatchStep& loaded = *steps_[step];
  if (auto copied = CopyInputs(loaded); !copied) return In(plan_->steps[step], copied.Error());
  if (auto invoked = loaded.invocation->Invoke(); !invoked) return Failed(step, invoked.Error());
  if (auto copied = CopyOutputs(loaded); !copied) return In(plan_->steps[step], copied.Error());
  return {};
}

std::vector<AsyncAbility> DispatchSteps::AsyncAbilities() const {
  std::vector<AsyncAbility> abilities(steps_.size());
  for (size_t s = 0; s < steps_.size(); ++s) {
    // Without outputs there would be no event to tell that the run has ended.
    if (steps_[s] == nullptr || plan_->steps[s].outputs.empty()) continue;
    abilities[s].can_run_async = steps_[s]->library->has_async();
    for (const Port& port : steps_[s]->ports) {
      if (port.is_staged) abilities[s].staged_values.push_back(port.value);
    }
  }
  return abilities;
}

bool DispatchSteps::IsAsync() const {
  bool any = false;
  for (const auto& step : steps_) {
    if (step == nullptr) continue;
    if (!step->library->has_async()) return false;
    any = true;
  }
  return any;
}

litert::Expected<void> DispatchSteps::Start(size_t step) {
  DispatchStep& loaded = *steps_[step];
  if (auto copied = CopyInputs(loaded); !copied) return In(plan_->steps[step], copied.Error());
  event_of_value_.resize(plan_->values.size());
  for (const Port& port : loaded.ports) {
    // A value of a step that has been joined has none: it is there.
    LiteRtEvent event = event_of_value_[static_cast<size_t>(port.value)];
    if (!port.port.is_input || event == nullptr) continue;
    if (auto attached = loaded.invocation->AttachInputEvent(port.port.index, event); !attached)
      return In(plan_->steps[step], attached.Error());
  }
  const std::vector<int>& outputs = plan_->steps[step].outputs;
  if (auto started = loaded.invocation->InvokeAsync(outputs.size(), loaded.events); !started)
    return Failed(step, started.Error());
  for (const Port& port : loaded.ports) {
    if (port.port.is_input) continue;
    const auto index = static_cast<size_t>(port.port.index);
    event_of_value_[static_cast<size_t>(port.value)] = loaded.events.all()[index];
    loaded.events.SetOn(index, port.buffer->buffer());
  }
  return {};
}

litert::Expected<void> DispatchSteps::Finish(size_t step) {
  const DispatchStep& loaded = *steps_[step];
  // First: after an error ReleaseEvents destroys the events, and the next run would find them here.
  for (int value : plan_->steps[step].outputs)
    event_of_value_[static_cast<size_t>(value)] = nullptr;
  if (auto ended = loaded.invocation->WaitFor(loaded.events); !ended)
    return Failed(step, ended.Error());
  if (auto copied = CopyOutputs(loaded); !copied) return In(plan_->steps[step], copied.Error());
  return {};
}

void DispatchSteps::ReleaseEvents() {
  for (const auto& step : steps_) {
    if (step != nullptr) step->events.Clear();
  }
}

LiteRtTensorBufferType DispatchSteps::BufferType(int value) const {
  for (const auto& step : steps_) {
    if (step == nullptr) continue;
    for (const Port& port : step->ports) {
      if (port.value == value) return port.requirements.buffer_type;
    }
  }
  return kLiteRtTensorBufferTypeHostMemory;
}

const DispatchInvocation* DispatchSteps::invocation(size_t step) const {
  return step < steps_.size() && steps_[step] != nullptr ? steps_[step]->invocation.get() : nullptr;
}

const DelegateRecord* DispatchSteps::delegate(size_t step) const {
  return plan_ == nullptr ? nullptr : FindDelegate(delegates_, *plan_->steps[step].op);
}

litert::Expected<void> DispatchSteps::Close() {
  ErrorCollector errors;
  // Takes events off the buffers that they are set on, so it comes before these go.
  ReleaseEvents();
  const auto for_each = [&](litert::Expected<void> (DispatchInvocation::*act)()) {
    for (const auto& step : steps_) {
      if (step != nullptr && step->invocation != nullptr)
        errors.Add((step->invocation.get()->*act)());
    }
  };
  for_each(&DispatchInvocation::DetachAll);
  for (ValueBuffer& known : buffers_) errors.Add(known.buffer->Close());
  buffers_.clear();
  for_each(&DispatchInvocation::Close);
  steps_.clear();
  errors.Add(scratchpads_.Close());
  return errors.Result();
}

}  // namespace npukit
