// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The dispatch ops of one plan on their devices: loaded, their requirements known, then given
// memory. A value's buffer is registered once on a device, whatever number of invocations have it,
// and stays attached from run to run.

#ifndef NPUKIT_SDK_HOST_RUNTIME_DISPATCH_DISPATCH_STEPS_H_
#define NPUKIT_SDK_HOST_RUNTIME_DISPATCH_DISPATCH_STEPS_H_

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "litert/cc/litert_expected.h"
#include "sdk/host/model/metadata/delegate_metadata.h"
#include "sdk/host/runtime/dispatch/client/buffer_registration.h"
#include "sdk/host/runtime/dispatch/client/dispatch_invocation.h"
#include "sdk/host/runtime/dispatch/client/output_events.h"
#include "sdk/host/runtime/dispatch/client/port_requirements.h"
#include "sdk/host/runtime/dispatch/dispatch_devices.h"
#include "sdk/host/runtime/dispatch/scratchpads.h"
#include "sdk/host/runtime/dispatch/strided_copy.h"
#include "sdk/host/runtime/memory/memory_plan.h"
#include "sdk/host/runtime/plan/aligned_memory.h"
#include "sdk/host/runtime/plan/async_schedule.h"
#include "sdk/host/runtime/plan/execution_plan.h"

namespace npukit {

class DispatchSteps {
 public:
  DispatchSteps() = default;
  DispatchSteps(const DispatchSteps&) = delete;
  DispatchSteps& operator=(const DispatchSteps&) = delete;
  ~DispatchSteps() { (void)Close(); }

  // Loads every dispatch op of the plan, with the memory to work in where its library lets the host
  // bring it: at most as many bytes as here. With `async`, ops may run beside others. `devices` may be
  // null if there is none. Both must outlive this.
  struct Settings {
    bool async = true;
    uint64_t max_bytes = uint64_t{8} << 30;
  };
  litert::Expected<void> Load(const Model& model, const ExecutionPlan& plan,
                              DispatchDevices* devices, const Settings& settings);
  // One entry per value of the plan, of all ports that it meets.
  const std::vector<ValueRequirements>& requirements() const { return requirements_; }

  // `memory_of_value` has one entry per value: where it lies, as long and aligned as is required.
  // Constants that an invocation reads are copied, as are values for which it wants strides.
  litert::Expected<void> Attach(std::span<const std::span<uint8_t>> memory_of_value);

  // Runs the dispatch op of that step: copies strided inputs in, invokes, copies strided outputs
  // out.
  litert::Expected<void> Invoke(size_t step);
  // What the devices can do with each step asynchronously; nothing for CPU steps.
  std::vector<AsyncAbility> AsyncAbilities() const;
  // Every dispatch op's library runs asynchronously, and there is one.
  bool IsAsync() const;
  // Invoke in two parts, while the host goes on. A step whose inputs come from steps that are
  // under way waits for them on the device.
  litert::Expected<void> Start(size_t step);
  litert::Expected<void> Finish(size_t step);
  // Once all steps have ended: a step may wait for the events of one that ended before it.
  void ReleaseEvents();

  // The type of the library's own that the dispatch op which reads or computes a value asks for; host
  // memory for all others.
  LiteRtTensorBufferType BufferType(int value) const;

  // Null for a CPU step.
  const DispatchInvocation* invocation(size_t step) const;
  // What is known of a dispatch op's origin; null if nothing is.
  const DelegateRecord* delegate(size_t step) const;

  // Detaches all, unregisters all, destroys all, in that order and to the end; gives every error.
  litert::Expected<void> Close();

  // Of the memory beside that of values; known once loaded.
  uint64_t staging_bytes() const { return staging_bytes_; }

 private:
  // An input or output of a dispatch op.
  struct Port {
    DispatchPort port;
    PortRequirements requirements;
    int value = kNoValue;
    // With strides, in memory of the library's own, or a constant: the device has a buffer by itself,
    // into or out of which the host copies.
    bool is_staged = false;
    AlignedMemory staging;  // none where the buffer brings its memory
    // The staged value's dense bytes in the arena; empty for constants.
    std::span<uint8_t> dense;
    const BufferRegistration* buffer = nullptr;  // once attached
  };
  struct DispatchStep {
    const DispatchLibrary* library = nullptr;
    std::unique_ptr<DispatchInvocation> invocation;
    std::vector<Port> ports;  // inputs, then outputs
    OutputEvents events;      // of the last run that was started
  };
  struct ValueBuffer {
    int value = kNoValue;  // none: a staged port's
    const DispatchDevice* device = nullptr;
    std::unique_ptr<BufferRegistration> buffer;
  };

  litert::Expected<void> LoadStep(const Model& model, size_t index);
  litert::Expected<void> AddPorts(size_t index);
  litert::Expected<void> AddPort(const PlanStep& step, DispatchStep& loaded, size_t index,
                                 bool is_input);
  litert::Expected<void> AttachStep(DispatchStep& step,
                                    std::span<const std::span<uint8_t>> memory_of_value);
  litert::Expected<const BufferRegistration*> BufferFor(
      const DispatchStep& step, Port& port, std::span<const std::span<uint8_t>> memory_of_value);
  litert::Expected<std::unique_ptr<BufferRegistration>> Stage(const DispatchDevice& device,
                                                              LiteRtEnvironment environment,
                                                              Port& port);
  static litert::Expected<void> CopyInputs(const DispatchStep& step);
  static litert::Expected<void> CopyOutputs(const DispatchStep& step);
  // Between a staged port's buffer and the dense bytes.
  static litert::Expected<void> CopyPort(const Port& port, StridedDirection direction,
                                         std::span<uint8_t> dense);
  litert::Unexpected Failed(size_t step, const litert::Error& error) const;

  const ExecutionPlan* plan_ = nullptr;
  DispatchDevices* devices_ = nullptr;
  std::vector<DelegateRecord> delegates_;
  std::vector<ValueRequirements> requirements_;
  Scratchpads scratchpads_;                           // closed once the steps are
  std::vector<std::unique_ptr<DispatchStep>> steps_;  // per step of the plan; null for CPU steps
  std::vector<ValueBuffer> buffers_;
  uint64_t staging_bytes_ = 0;
  // Of those that a step under way computes; else null.
  std::vector<LiteRtEvent> event_of_value_;
};

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_RUNTIME_DISPATCH_DISPATCH_STEPS_H_
