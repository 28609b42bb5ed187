// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The dispatch ops of one plan on their device: loaded, their demands on memory known, then bound
// to memory. Buffers are registered once, whatever number of programs read them, and stay attached
// from run to run.

#ifndef NPUKIT_SDK_HOST_RUNTIME_DISPATCH_DISPATCH_BINDINGS_H_
#define NPUKIT_SDK_HOST_RUNTIME_DISPATCH_DISPATCH_BINDINGS_H_

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "litert/cc/litert_expected.h"
#include "sdk/host/model/metadata/delegate_metadata.h"
#include "sdk/host/runtime/dispatch/dispatch_device.h"
#include "sdk/host/runtime/dispatch/dispatch_devices.h"
#include "sdk/host/runtime/dispatch/strided_copy.h"
#include "sdk/host/runtime/plan/aligned_memory.h"
#include "sdk/host/runtime/plan/async_schedule.h"
#include "sdk/host/runtime/plan/execution_plan.h"
#include "sdk/host/runtime/plan/memory_plan.h"

namespace npukit {

class DispatchBindings {
 public:
  ~DispatchBindings() { (void)Close(); }

  // Loads every dispatch op of the plan; `devices` may be null if there is none. Both must outlive
  // the bindings.
  litert::Expected<void> Load(const Model& model, const ExecutionPlan& plan,
                              DispatchDevices* devices);
  // One entry per value of the plan, from all programs that touch it.
  const std::vector<MemoryDemand>& demands() const { return demands_; }

  // `memory_of_value` has one entry per value: where it lies, as long and aligned as was demanded.
  // Constants that a program reads are copied, as are values for which it wants strides.
  litert::Expected<void> Bind(std::span<const std::span<uint8_t>> memory_of_value);

  // Runs the dispatch op of that step: copies strided inputs in, invokes, copies strided outputs
  // out.
  litert::Expected<void> Invoke(size_t step);
  // What the devices can do with each step asynchronously; nothing for CPU steps.
  std::vector<AsyncAbility> AsyncAbilities() const;
  // The same in two parts, while the host goes on. A step whose inputs come from steps that are
  // under way waits for them on the device.
  litert::Expected<void> Start(size_t step);
  litert::Expected<void> Finish(size_t step);
  // Once all steps have ended: a step may wait for the events of one that ended before it.
  void ReleaseEvents();
  // Null for a CPU step.
  DispatchInvocation* invocation(size_t step) const;
  // What is known of a dispatch op's origin; null if nothing is.
  const DelegateRecord* delegate(size_t step) const;

  // Detaches all, unregisters all, destroys all, in that order and to the end; gives every error.
  litert::Expected<void> Close();

  uint64_t staging_bytes() const { return staging_bytes_; }

 private:
  // One input or output of a program.
  struct Port {
    size_t index = 0;
    bool is_input = true;
    int value = kNoValue;
    DispatchPort port;
    BufferRequirements requirements;
    bool is_staged = false;
    AlignedMemory staging;
    std::span<uint8_t> dense;  // the staged value's dense bytes in the arena; empty for constants
  };
  struct Program {
    std::unique_ptr<DispatchInvocation> invocation;
    std::vector<Port> ports;  // inputs, then outputs
  };
  struct ValueBuffer {
    int value = kNoValue;
    const DispatchDevice* device = nullptr;
    std::unique_ptr<RegisteredBuffer> buffer;
  };

  litert::Expected<void> LoadStep(const Model& model, const PlanStep& step, Program& program);
  litert::Expected<void> AddPort(const PlanStep& step, Program& program, size_t index,
                                 bool is_input);
  litert::Expected<const RegisteredBuffer*> BufferFor(
      DispatchDevice& device, Port& port, std::span<const std::span<uint8_t>> memory_of_value);
  litert::Expected<std::unique_ptr<RegisteredBuffer>> Stage(DispatchDevice& device, Port& port);
  void CopyInputs(const Program& program) const;
  void CopyOutputs(const Program& program) const;
  litert::Unexpected Failed(size_t step, const litert::Error& error) const;
  static void CopyPort(const Port& port, StridedDirection direction, std::span<uint8_t> dense);

  const ExecutionPlan* plan_ = nullptr;
  DispatchDevices* devices_ = nullptr;
  std::vector<DelegateRecord> delegates_;
  std::vector<MemoryDemand> demands_;
  std::vector<std::unique_ptr<Program>> programs_;  // per step; null for CPU steps
  std::vector<ValueBuffer> buffers_;
  uint64_t staging_bytes_ = 0;
  std::vector<LiteRtEvent> event_of_value_;  // of those that a step under way computes; else null
};

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_RUNTIME_DISPATCH_DISPATCH_BINDINGS_H_
