// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_INTERNAL_DISPATCH_CONTEXT_H_
#define NPUKIT_INTERNAL_DISPATCH_CONTEXT_H_

// What stands behind the handles of a dispatch library: a device with its
// registered buffers, an invocation with its attached buffers, and metrics.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
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
#include "npukit/internal/dispatch_queue.h"
#include "npukit/internal/graph_invocation.h"
#include "npukit/internal/handle_table.h"
#include "npukit/internal/namespace.h"
#include "npukit/internal/run_event.h"

NPUKIT_NAMESPACE_BEGIN
namespace internal {

struct RegisteredBuffer {
  LiteRtTensorBuffer buffer = nullptr;
  uint64_t registration = 0;
};

struct DeviceContext {
  std::unique_ptr<Device> device;
  HandleTable<RegisteredBuffer> buffers;
  HandleTable<LoadedExecutable> executables;
  DispatchQueue queue;  // ends before what its runs use
};

// A tensor buffer locked for as long as it lives.
class LockedBuffer {
 public:
  static ::litert::Expected<LockedBuffer> Lock(const RegisteredBuffer& registered,
                                               LiteRtTensorBufferLockMode mode) {
    LockedBuffer locked;
    LITERT_RETURN_IF_ERROR(LiteRtGetTensorBufferTensorType(registered.buffer, &locked.type_));
    LITERT_RETURN_IF_ERROR(LiteRtGetTensorBufferPackedSize(registered.buffer, &locked.size_bytes_));
    LITERT_RETURN_IF_ERROR(LiteRtLockTensorBuffer(registered.buffer, &locked.data_, mode));
    locked.buffer_ = registered.buffer;
    locked.registration_ = registered.registration;
    return locked;
  }

  LockedBuffer(LockedBuffer&& other) noexcept { *this = std::move(other); }
  LockedBuffer& operator=(LockedBuffer&& other) noexcept {
    std::swap(buffer_, other.buffer_);
    std::swap(data_, other.data_);
    std::swap(size_bytes_, other.size_bytes_);
    std::swap(type_, other.type_);
    std::swap(registration_, other.registration_);
    return *this;
  }
  ~LockedBuffer() { (void)Unlock(); }

  // For outputs this is where the data gets to where it belongs.
  LiteRtStatus Unlock() {
    if (buffer_ == nullptr) return kLiteRtStatusOk;
    return LiteRtUnlockTensorBuffer(std::exchange(buffer_, nullptr));
  }

  template <class View>
  View As() const {
    return View{static_cast<decltype(View::data)>(data_), size_bytes_,
                ::litert::RankedTensorType(type_), registration_};
  }

 private:
  LockedBuffer() = default;

  LiteRtTensorBuffer buffer_ = nullptr;
  void* data_ = nullptr;
  size_t size_bytes_ = 0;
  LiteRtRankedTensorType type_{};
  uint64_t registration_ = 0;
};

// The buffers attached to one side of an invocation; 0 where there is none.
class Bindings {
 public:
  Bindings(const char* side, size_t size) : side_(side), handles_(size) {}

  ::litert::Expected<void> Attach(int index, uint64_t handle) {
    LITERT_RETURN_IF_ERROR(CheckIndex(index));
    handles_[static_cast<size_t>(index)] = handle;
    return {};
  }
  // `handle` must be what is attached.
  ::litert::Expected<void> Detach(int index, uint64_t handle) {
    LITERT_RETURN_IF_ERROR(CheckIndex(index));
    uint64_t& attached = handles_[static_cast<size_t>(index)];
    if (attached != handle || handle == 0) {
      return Bad({side_, " ", index, " is not attached to buffer ", handle});
    }
    attached = 0;
    return {};
  }

  size_t size() const { return handles_.size(); }

  ::litert::Expected<void> CheckIndex(int index) const {
    if (index >= 0 && static_cast<size_t>(index) < handles_.size()) return {};
    return ::litert::Unexpected(
        ::litert::Status::kErrorIndexOOB,
        ::litert::internal::Text({"no ", side_, " ", index, ", there are ", handles_.size()}));
  }

  ::litert::Expected<std::vector<LockedBuffer>> LockAll(
      const HandleTable<RegisteredBuffer>& buffers, LiteRtTensorBufferLockMode mode) const {
    std::vector<LockedBuffer> locked;
    locked.reserve(handles_.size());
    for (size_t i = 0; i < handles_.size(); ++i) {
      if (handles_[i] == 0) return Bad({side_, " ", i, " is not attached"});
      const auto registered = buffers.Find(handles_[i]);
      if (registered == nullptr) {
        return Bad({side_, " ", i, ": its buffer ", handles_[i], " was unregistered"});
      }
      auto one = LockedBuffer::Lock(*registered, mode);
      if (!one) {
        return ::litert::Unexpected(one.Error().Status(),
                                    ::litert::internal::Text({"cannot lock ", side_, " ", i, ": ",
                                                              one.Error().ToString()}));
      }
      locked.push_back(std::move(*one));
    }
    return locked;
  }

 private:
  static ::litert::Unexpected Bad(std::initializer_list<::litert::internal::TextPiece> what) {
    return ::litert::Unexpected(::litert::Status::kErrorInvalidArgument,
                                ::litert::internal::Text(what));
  }

  const char* side_;
  std::vector<uint64_t> handles_;
};

class InvocationContext {
 public:
  InvocationContext(std::shared_ptr<DeviceContext> device, std::unique_ptr<Invocation> invocation,
                    size_t num_inputs, size_t num_outputs)
      : device_(std::move(device)),
        invocation_(std::move(invocation)),
        inputs_("input", num_inputs),
        outputs_("output", num_outputs) {}
  // Queued runs that have not begun never do.
  ~InvocationContext() { device_->queue.Drain(this, /*cancel=*/true); }
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
  void set_graph(LiteRtDispatchGraph graph) { graph_ = graph; }

  // The next run waits for the event, which is the caller's, before it reads the input.
  ::litert::Expected<void> AttachEvent(int index, LiteRtEvent event) {
    LITERT_RETURN_IF_ERROR(inputs_.CheckIndex(index));
    input_events_.push_back(event);
    return {};
  }

  ::litert::Expected<void> Invoke() {
    for (LiteRtEvent event : std::exchange(input_events_, {})) {
      LITERT_RETURN_IF_ERROR(LiteRtWaitEvent(event, /*timeout_in_ms=*/-1));
    }
    return Run(inputs_, outputs_);
  }

  // Queues a run with what is attached now; `events` get one event each, or the error is returned
  // and nothing was queued. With the mutex held.
  ::litert::Expected<void> InvokeAsync(::litert::internal::Span<LiteRtEvent> events) {
    DispatchQueue::Job job;
    job.event = RunEvent::Create();
    std::vector<LiteRtEvent> made;
    for (size_t i = 0; i < events.size(); ++i) {
      LITERT_ASSIGN_OR_RETURN(LiteRtEvent event, job.event->MakeEvent());
      made.push_back(event);
    }
    job.owner = this;
    job.wait_for = input_events_;
    job.run = [this, inputs = inputs_, outputs = outputs_]() -> RunOutcome {
      const std::lock_guard<std::mutex> lock(mutex_);
      const auto result = Run(inputs, outputs);
      if (result) return {};
      InvocationError error = invocation_->LastError();
      if (error.message.empty()) error.message = result.Error().Message();
      return {result.Error().Status(), std::move(error)};
    };
    device_->queue.Submit(std::move(job));
    input_events_.clear();
    for (size_t i = 0; i < events.size(); ++i) events[i] = made[i];
    return {};
  }

  // Without the mutex: waits until none of the queued runs is left.
  void WaitUntilIdle() { device_->queue.Drain(this, /*cancel=*/false); }

 private:
  ::litert::Expected<void> Run(const Bindings& inputs, const Bindings& outputs) {
    auto result = LockAndRun(inputs, outputs);
    invocation_->SetLastError(result ? InvocationError{}
                                     : InvocationError{0, result.Error().Message()});
    return result;
  }

  ::litert::Expected<void> LockAndRun(const Bindings& input_bindings,
                                      const Bindings& output_bindings) {
    LITERT_ASSIGN_OR_RETURN(
        auto inputs, input_bindings.LockAll(device_->buffers, kLiteRtTensorBufferLockModeRead));
    LITERT_ASSIGN_OR_RETURN(
        auto outputs, output_bindings.LockAll(device_->buffers, kLiteRtTensorBufferLockModeWrite));
    std::vector<InputView> input_views;
    for (const auto& locked : inputs) {
      input_views.push_back(locked.template As<InputView>());
    }
    std::vector<OutputView> output_views;
    for (const auto& locked : outputs) {
      output_views.push_back(locked.template As<OutputView>());
    }
    LITERT_RETURN_IF_ERROR(invocation_->Run(InputViews(input_views), OutputViews(output_views)));
    for (auto& locked : outputs) LITERT_RETURN_IF_ERROR(locked.Unlock());
    return {};
  }

  // The device goes last.
  std::shared_ptr<DeviceContext> device_;
  std::unique_ptr<Invocation> invocation_;
  Bindings inputs_;
  Bindings outputs_;
  std::vector<LiteRtEvent> input_events_;  // of the next run
  LiteRtDispatchGraph graph_ = nullptr;
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

#endif  // NPUKIT_INTERNAL_DISPATCH_CONTEXT_H_
