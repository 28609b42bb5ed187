// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_INTERNAL_DISPATCH_DISPATCH_CONTEXT_H_
#define NPUKIT_INTERNAL_DISPATCH_DISPATCH_CONTEXT_H_

// What stands behind the handles of a dispatch library: a device with its
// registered buffers, an invocation with its attached buffers, and metrics.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "litert/c/litert_common.h"
#include "litert/c/litert_model_types.h"
#include "litert/c/litert_tensor_buffer.h"
#include "litert/cc/internal/litert_text.h"
#include "litert/cc/litert_common.h"
#include "litert/cc/litert_expected.h"
#include "litert/cc/litert_macros.h"
#include "litert/cc/litert_ranked_tensor_type.h"
#include "litert/vendors/c/litert_dispatch.h"
#include "npukit/device.h"
#include "npukit/dispatch_types.h"
#include "npukit/internal/dispatch/attached_buffers.h"
#include "npukit/internal/dispatch/dispatch_queue.h"
#include "npukit/internal/dispatch/edge_buffers.h"
#include "npukit/internal/dispatch/graph_invocation.h"
#include "npukit/internal/dispatch/input_event.h"
#include "npukit/internal/dispatch/loaded_executable.h"
#include "npukit/internal/dispatch/run_event.h"
#include "npukit/internal/dispatch/run_memory.h"
#include "npukit/internal/handle_table.h"
#include "npukit/internal/namespace.h"

NPUKIT_NAMESPACE_BEGIN
namespace internal {

struct DeviceContext {
  std::unique_ptr<Device> device;
  HandleTable<RegisteredBuffer> buffers;
  HandleTable<LoadedExecutable> executables;
  // Asked once: a host without them may log an error each time.
  std::atomic<bool> host_lacks_custom_events{false};
  DispatchQueue queue;  // ends before what its runs use
};

class InvocationContext {
 public:
  InvocationContext(std::shared_ptr<DeviceContext> device, std::unique_ptr<Invocation> invocation,
                    size_t num_inputs, size_t num_outputs)
      : device_(std::move(device)),
        invocation_(std::move(invocation)),
        inputs_("input", num_inputs),
        outputs_("output", num_outputs) {}
  // Queued runs end, but for those that an event holds up: they never begin.
  ~InvocationContext() {
    device_->queue.WaitForRunsOf(this);
    device_->queue.Drain(this, /*cancel=*/true);
  }
  InvocationContext(const InvocationContext&) = delete;
  InvocationContext& operator=(const InvocationContext&) = delete;

  // One thread at a time may use what follows.
  std::mutex& mutex() { return mutex_; }
  DeviceContext& device() { return *device_; }
  Invocation& invocation() { return *invocation_; }
  Bindings& inputs() { return inputs_; }
  Bindings& outputs() { return outputs_; }

  // What it was made from; null for bytecode.
  LiteRtDispatchGraph graph() const { return graph_; }
  // `invocation` is the one that it has.
  void SetGraph(LiteRtDispatchGraph graph, GraphInvocation& invocation) {
    graph_ = graph;
    graph_invocation_ = &invocation;
    edges_ = EdgeBuffers(invocation.BytesOfInnerEdges());
    scratchpads_ = Bindings("scratchpad", invocation.Scratchpads());
  }
  // No edge where it was made from bytecode.
  EdgeBuffers& edges() { return edges_; }

  // The next run waits for the event, which is the caller's, before it reads the input.
  ::litert::Expected<void> AttachEvent(int index, LiteRtEvent event) {
    LITERT_RETURN_IF_ERROR(inputs_.CheckIndex(index));
    LITERT_ASSIGN_OR_RETURN(InputEvent kept, InputEvent::Keep(event));
    input_events_.push_back(std::move(kept));
    return {};
  }

  ::litert::Expected<void> Invoke() {
    for (const InputEvent& event : std::exchange(input_events_, {})) {
      LITERT_RETURN_IF_ERROR(event.Wait(/*timeout_ms=*/-1));
    }
    return Noted(LockAndRun());
  }

  // Queues a run on the memory of what is attached now; `events` get one event each, or the error is
  // returned and nothing was queued. What is detached or unregistered meanwhile is still what the
  // run uses: LiteRT does so when the next run has other buffers. With the mutex held.
  ::litert::Expected<void> InvokeAsync(::litert::internal::Span<LiteRtEvent> events) {
    if (device_->host_lacks_custom_events) return InvokeWithFences(events);
    std::vector<InputEvent> wait_for = std::exchange(input_events_, {});
    // Before events are made, which can't be destroyed here.
    const RunBindings attached = AllAttached();
    LITERT_ASSIGN_OR_RETURN(auto memory, attached.Memory(device_->buffers, *device_->device));
    DispatchQueue::Job job;
    job.event = RunEvent::Create();
    std::vector<LiteRtEvent> made;
    for (size_t i = 0; i < events.size(); ++i) {
      auto event = job.event->MakeEvent();
      if (!event && event.Error().Status() == kLiteRtStatusErrorUnsupported && i == 0) {
        input_events_ = std::move(wait_for);
        device_->host_lacks_custom_events = true;
        return InvokeWithFences(events);
      }
      if (!event) return event.Error();
      made.push_back(*event);
    }
    if (!memory) {
      // Only a lock gives the memory, and as long as it is held: the run ends before the call.
      input_events_ = std::move(wait_for);
      job.event->Signal(Outcome(Invoke()));
      for (size_t i = 0; i < events.size(); ++i) events[i] = made[i];
      return {};
    }
    job.owner = this;
    job.wait_for = std::move(wait_for);
    attached.AddTo(job.uses, device_->buffers);
    job.run = [this, edges = edges_.ByEdge(memory->edges),
               memory = std::move(*memory)]() -> RunOutcome {
      const std::lock_guard<std::mutex> lock(mutex_);
      const auto alone = HoldAll(memory.InUse());
      return Outcome(Noted(RunOn(memory, edges)));
    };
    device_->queue.Submit(std::move(job));
    for (size_t i = 0; i < events.size(); ++i) events[i] = made[i];
    return {};
  }

  // For hosts without custom events, by which alone a library can tell of a run later: it ends before
  // the call.
  ::litert::Expected<void> InvokeWithFences(::litert::internal::Span<LiteRtEvent> events) {
    std::vector<LiteRtEvent> made;
    for (size_t i = 0; i < events.size(); ++i) {
      LITERT_ASSIGN_OR_RETURN(LiteRtEvent event, MakeSignalledFence());
      made.push_back(event);
    }
    LITERT_RETURN_IF_ERROR(Invoke());
    for (size_t i = 0; i < events.size(); ++i) events[i] = made[i];
    return {};
  }

  // Without the mutex: whether the next run's memory is known under locks of its buffers only.
  bool NeedsLocks() {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto memory = AllAttached().Memory(device_->buffers, *device_->device);
    return memory && !*memory;
  }

  // Without the mutex: waits until none of the queued runs is left.
  void WaitUntilIdle() { device_->queue.Drain(this, /*cancel=*/false); }
  // Without the mutex: waits until no queued run of the device uses the buffer, or an event holds one
  // up that may be the caller's.
  void WaitForUsersOf(uint64_t buffer) {
    if (const auto registered = device_->buffers.Find(buffer))
      device_->queue.WaitForUsersOf(registered.get());
  }

 private:
  // What LastError() then gives.
  ::litert::Expected<void> Noted(::litert::Expected<void> result) {
    invocation_->SetLastError(result ? InvocationError{}
                                     : InvocationError{0, result.Error().Message()});
    return result;
  }
  RunOutcome Outcome(const ::litert::Expected<void>& result) {
    if (result) return {};
    InvocationError error = invocation_->LastError();
    if (error.message.empty()) error.message = result.Error().Message();
    return {result.Error().Status(), std::move(error)};
  }

  RunBindings AllAttached() const { return {inputs_, outputs_, edges_.bindings(), scratchpads_}; }

  // Locks in one order: this invocation's mutex, which the caller has, buffers' locks, scratchpads'
  // mutexes, scratchpads' locks. A queued run takes no lock of a buffer, so that it cannot wait for
  // one that waits for its own event.
  ::litert::Expected<void> LockAndRun() {
    const RunBindings attached = AllAttached();
    std::vector<LockedBuffer> locks;
    LITERT_ASSIGN_OR_RETURN(RunMemory memory, attached.Lock(device_->buffers, locks));
    const auto alone = HoldAll(attached.InUse(device_->buffers));
    std::vector<LockedBuffer> scratchpads;
    LITERT_RETURN_IF_ERROR(
        attached.LockScratchpads(device_->buffers, scratchpads, memory.scratchpads));
    LITERT_RETURN_IF_ERROR(RunOn(memory, edges_.ByEdge(memory.edges)));
    for (auto* all : {&scratchpads, &locks}) {
      for (LockedBuffer& locked : *all) LITERT_RETURN_IF_ERROR(locked.Unlock());
    }
    return {};
  }

  ::litert::Expected<void> RunOn(const RunMemory& memory, const EdgeMemory& edges) {
    if (graph_invocation_ != nullptr) graph_invocation_->UseMemory(edges, memory.ScratchpadViews());
    const auto inputs = RunMemory::Views<InputView>(memory.inputs);
    const auto outputs = RunMemory::Views<OutputView>(memory.outputs);
    return invocation_->Run(InputViews(inputs), OutputViews(outputs));
  }

  // The device goes last.
  std::shared_ptr<DeviceContext> device_;
  std::unique_ptr<Invocation> invocation_;
  Bindings inputs_;
  Bindings outputs_;
  std::vector<InputEvent> input_events_;  // of the next run
  LiteRtDispatchGraph graph_ = nullptr;
  GraphInvocation* graph_invocation_ = nullptr;  // invocation_, if it is one
  EdgeBuffers edges_;
  Bindings scratchpads_{"scratchpad", size_t{0}};  // those of a graph's nodes
  std::mutex mutex_;
};

struct MetricsContext {
  std::vector<Metric> metrics;
};

struct GraphContext {
  std::shared_ptr<DeviceContext> device;
  std::mutex mutex;
  DispatchGraph graph;
};

}  // namespace internal
NPUKIT_NAMESPACE_END

#endif  // NPUKIT_INTERNAL_DISPATCH_DISPATCH_CONTEXT_H_
