// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/runtime/dispatch/dispatch_bindings.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include "litert/cc/litert_macros.h"
#include "sdk/host/runtime/dispatch/dispatch_debug.h"

namespace npukit {
namespace {

constexpr uint64_t kHostAlignmentBytes = 64;  // LiteRT's, for host memory

// "partition 'main_0' (op 3, 'conv1/out')", for errors.
std::string StepName(const PlanStep& step) {
  std::string name = "dispatch op " + std::to_string(step.op->index) + " ('" +
                     step.op->dispatch->entry_point + "'";
  if (!step.op->outputs.empty()) name += ", output '" + step.op->outputs.front()->name + "'";
  return name + ")";
}

litert::Unexpected In(const PlanStep& step, const litert::Error& error) {
  return litert::Unexpected(error.Status(), StepName(step) + ": " + error.Message());
}

litert::Expected<LiteRtRankedTensorType> RankedType(const kernels::Operand& operand) {
  if (operand.shape.size() > LITERT_TENSOR_MAX_RANK) {
    return litert::Unexpected(kLiteRtStatusErrorUnsupported,
                              kernels::OperandName(&operand) + " has more than " +
                                  std::to_string(LITERT_TENSOR_MAX_RANK) + " dimensions");
  }
  LiteRtRankedTensorType type = {};
  type.element_type = operand.type();
  type.layout.rank = static_cast<unsigned>(operand.shape.size());
  type.layout.has_strides = false;
  std::copy(operand.shape.begin(), operand.shape.end(), type.layout.dimensions);
  return type;
}

}  // namespace

litert::Expected<void> DispatchBindings::Load(const Model& model, const ExecutionPlan& plan,
                                              DispatchDevices* devices) {
  plan_ = &plan;
  devices_ = devices;
  demands_.assign(plan.values.size(), {});
  programs_.resize(plan.steps.size());
  LITERT_ASSIGN_OR_RETURN(delegates_, ReadDelegates(model));
  for (size_t s = 0; s < plan.steps.size(); ++s) {
    const PlanStep& step = plan.steps[s];
    if (step.kernel != nullptr) continue;
    if (devices == nullptr) {
      return litert::Unexpected(kLiteRtStatusErrorNotFound,
                                StepName(step) + ": no dispatch library is loaded");
    }
    programs_[s] = std::make_unique<Program>();
    if (litert::Expected<void> loaded = LoadStep(model, step, *programs_[s]); !loaded) {
      return In(step, loaded.Error());
    }
  }
  return {};
}

litert::Expected<void> DispatchBindings::LoadStep(const Model& model, const PlanStep& step,
                                                  Program& program) {
  const std::span<const uint8_t> bytecode = model.buffers().Get(step.op->dispatch->bytecode).bytes;
  if (bytecode.empty())
    return litert::Unexpected(kLiteRtStatusErrorInvalidArgument, "has no bytecode");
  LITERT_ASSIGN_OR_RETURN(
      program.invocation,
      devices_->Load(step.op->dispatch->bytecode, step.op->dispatch->entry_point, bytecode,
                     step.inputs.size(), step.outputs.size(), FindDelegate(delegates_, *step.op)));
  for (size_t i = 0; i < step.inputs.size(); ++i)
    LITERT_RETURN_IF_ERROR(AddPort(step, program, i, true));
  for (size_t i = 0; i < step.outputs.size(); ++i)
    LITERT_RETURN_IF_ERROR(AddPort(step, program, i, false));
  return {};
}

litert::Expected<void> DispatchBindings::AddPort(const PlanStep& step, Program& program,
                                                 size_t index, bool is_input) {
  Port port;
  port.index = index;
  port.is_input = is_input;
  port.value = is_input ? step.inputs[index] : step.outputs[index];
  const PlanValue& value = plan_->values[static_cast<size_t>(port.value)];
  port.port.tensor = value.operand.tensor->name;
  port.port.dense_bytes = value.size_bytes;
  LITERT_ASSIGN_OR_RETURN(port.port.type, RankedType(value.operand));
  LITERT_ASSIGN_OR_RETURN(port.requirements,
                          is_input ? program.invocation->InputRequirements(index, port.port)
                                   : program.invocation->OutputRequirements(index, port.port));
  port.is_staged =
      !port.requirements.strides_elems.empty() || value.kind != PlanValue::Kind::kComputed;
  if (!port.is_staged) {
    MemoryDemand& demand = demands_[static_cast<size_t>(port.value)];
    demand.size_bytes = std::max<uint64_t>(demand.size_bytes, port.requirements.size_bytes);
    demand.alignment_bytes = std::max(
        {demand.alignment_bytes, kHostAlignmentBytes, uint64_t{port.requirements.alignment_bytes}});
    demand.is_shared_with_device = true;
  }
  program.ports.push_back(std::move(port));
  return {};
}

litert::Expected<void> DispatchBindings::Bind(std::span<const std::span<uint8_t>> memory_of_value) {
  for (size_t s = 0; s < programs_.size(); ++s) {
    if (programs_[s] == nullptr) continue;
    for (Port& port : programs_[s]->ports) {
      DispatchInvocation& invocation = *programs_[s]->invocation;
      litert::Expected<const RegisteredBuffer*> buffer =
          BufferFor(invocation.device(), port, memory_of_value);
      if (!buffer) return In(plan_->steps[s], buffer.Error());
      litert::Expected<void> attached = port.is_input
                                            ? invocation.AttachInput(port.index, **buffer)
                                            : invocation.AttachOutput(port.index, **buffer);
      if (!attached) return In(plan_->steps[s], attached.Error());
    }
  }
  return {};
}

litert::Expected<const RegisteredBuffer*> DispatchBindings::BufferFor(
    DispatchDevice& device, Port& port, std::span<const std::span<uint8_t>> memory_of_value) {
  const auto value = static_cast<size_t>(port.value);
  if (port.is_staged) {
    if (plan_->values[value].kind != PlanValue::Kind::kConstant) {
      port.dense = memory_of_value[value].first(port.port.dense_bytes);
    }
    LITERT_ASSIGN_OR_RETURN(auto staged, Stage(device, port));
    buffers_.push_back({kNoValue, &device, std::move(staged)});
    return buffers_.back().buffer.get();
  }
  for (const ValueBuffer& known : buffers_) {
    if (known.value == port.value && known.device == &device) return known.buffer.get();
  }
  LITERT_ASSIGN_OR_RETURN(auto buffer,
                          RegisteredBuffer::Create(device, memory_of_value[value], port.port.type));
  buffers_.push_back({port.value, &device, std::move(buffer)});
  return buffers_.back().buffer.get();
}

litert::Expected<std::unique_ptr<RegisteredBuffer>> DispatchBindings::Stage(DispatchDevice& device,
                                                                            Port& port) {
  const BufferRequirements& requirements = port.requirements;
  LITERT_ASSIGN_OR_RETURN(
      port.staging,
      AlignedMemory::Allocate(requirements.size_bytes,
                              std::max<size_t>(requirements.alignment_bytes, kHostAlignmentBytes)));
  staging_bytes_ += requirements.size_bytes;
  LiteRtRankedTensorType type = port.port.type;
  if (!requirements.strides_elems.empty()) {
    type.layout.has_strides = true;
    std::copy(requirements.strides_elems.begin(), requirements.strides_elems.end(),
              type.layout.strides);
  }
  const PlanValue& value = plan_->values[static_cast<size_t>(port.value)];
  if (value.kind == PlanValue::Kind::kConstant) {
    std::vector<uint8_t> bytes(value.operand.constant.begin(), value.operand.constant.end());
    CopyPort(port, StridedDirection::kFromDense, bytes);
  }
  return RegisteredBuffer::Create(device, port.staging.bytes(), type);
}

void DispatchBindings::CopyPort(const Port& port, StridedDirection direction,
                                std::span<uint8_t> dense) {
  const LiteRtRankedTensorType& type = port.port.type;
  const std::span<uint8_t> staging = port.staging.bytes();
  if (dense.empty()) return;
  if (!port.requirements.strides_elems.empty()) {
    CopyStrided(direction, std::span(type.layout.dimensions, type.layout.rank),
                port.requirements.strides_elems,
                static_cast<size_t>(ElementBits(type.element_type) / 8), dense, staging);
  } else if (direction == StridedDirection::kFromDense) {
    std::memcpy(staging.data(), dense.data(), dense.size());
  } else {
    std::memcpy(dense.data(), staging.data(), dense.size());
  }
}

void DispatchBindings::CopyInputs(const Program& program) const {
  for (const Port& port : program.ports) {
    if (port.is_staged && port.is_input) CopyPort(port, StridedDirection::kFromDense, port.dense);
  }
}

void DispatchBindings::CopyOutputs(const Program& program) const {
  for (const Port& port : program.ports) {
    if (port.is_staged && !port.is_input) CopyPort(port, StridedDirection::kToDense, port.dense);
  }
}

litert::Unexpected DispatchBindings::Failed(size_t step, const litert::Error& error) const {
  return In(plan_->steps[step], JoinLastError(*programs_[step]->invocation, delegate(step), error));
}

litert::Expected<void> DispatchBindings::Invoke(size_t step) {
  const Program& program = *programs_[step];
  CopyInputs(program);
  if (auto invoked = program.invocation->Invoke(); !invoked) return Failed(step, invoked.Error());
  CopyOutputs(program);
  return {};
}

std::vector<AsyncAbility> DispatchBindings::AsyncAbilities() const {
  std::vector<AsyncAbility> abilities(programs_.size());
  for (size_t s = 0; s < programs_.size(); ++s) {
    const Program* program = programs_[s].get();
    // Without outputs there would be no event to tell that the run has ended.
    if (program == nullptr || plan_->steps[s].outputs.empty()) continue;
    abilities[s].can_run_async = program->invocation->device().library().has_async();
    for (const Port& port : program->ports) {
      if (port.is_staged) abilities[s].staged_values.push_back(port.value);
    }
  }
  return abilities;
}

litert::Expected<void> DispatchBindings::Start(size_t step) {
  const Program& program = *programs_[step];
  CopyInputs(program);
  event_of_value_.resize(plan_->values.size());
  for (const Port& port : program.ports) {
    LiteRtEvent event = event_of_value_[static_cast<size_t>(port.value)];
    if (!port.is_input || event == nullptr) continue;
    if (auto attached = program.invocation->AttachInputEvent(port.index, event); !attached)
      return In(plan_->steps[step], attached.Error());
  }
  const std::vector<int>& outputs = plan_->steps[step].outputs;
  if (auto started = program.invocation->Start(outputs.size()); !started)
    return Failed(step, started.Error());
  for (size_t i = 0; i < outputs.size(); ++i) {
    event_of_value_[static_cast<size_t>(outputs[i])] = program.invocation->output_event(i);
  }
  return {};
}

litert::Expected<void> DispatchBindings::Finish(size_t step) {
  const Program& program = *programs_[step];
  for (int value : plan_->steps[step].outputs)
    event_of_value_[static_cast<size_t>(value)] = nullptr;
  if (auto ended = program.invocation->Finish(); !ended) return Failed(step, ended.Error());
  CopyOutputs(program);
  return {};
}

void DispatchBindings::ReleaseEvents() {
  for (const auto& program : programs_) {
    if (program != nullptr && program->invocation != nullptr) program->invocation->ReleaseEvents();
  }
}

DispatchInvocation* DispatchBindings::invocation(size_t step) const {
  return step < programs_.size() && programs_[step] != nullptr ? programs_[step]->invocation.get()
                                                               : nullptr;
}

const DelegateRecord* DispatchBindings::delegate(size_t step) const {
  return plan_ == nullptr ? nullptr : FindDelegate(delegates_, *plan_->steps[step].op);
}

litert::Expected<void> DispatchBindings::Close() {
  ErrorCollector errors;
  for (auto& program : programs_) {
    if (program != nullptr && program->invocation != nullptr)
      errors.Add(program->invocation->DetachAll());
  }
  for (ValueBuffer& known : buffers_) errors.Add(known.buffer->Close());
  buffers_.clear();
  for (auto& program : programs_) {
    if (program != nullptr && program->invocation != nullptr)
      errors.Add(program->invocation->Close());
  }
  programs_.clear();
  return errors.Result();
}

}  // namespace npukit
