// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// A dispatch library's device context, the memory registered with it and the programs loaded on it.
// The objects are made from top to bottom and must be closed from bottom to top: invocations
// detach, buffers are unregistered, invocations are destroyed, then the device. Each Close does the
// whole of its work even when a call fails, and may be repeated.

#ifndef NPUKIT_SDK_HOST_RUNTIME_DISPATCH_DISPATCH_DEVICE_H_
#define NPUKIT_SDK_HOST_RUNTIME_DISPATCH_DISPATCH_DEVICE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "litert/c/internal/litert_jit_executable.h"
#include "litert/c/litert_event.h"
#include "litert/c/litert_model_types.h"
#include "litert/cc/litert_expected.h"
#include "litert/vendors/c/litert_dispatch.h"
#include "sdk/host/model/metadata/delegate_metadata.h"
#include "sdk/host/runtime/dispatch/dispatch_library.h"
#include "sdk/host/runtime/dispatch/dispatch_metrics.h"
#include "sdk/host/runtime/dispatch/dispatch_requirements.h"

namespace npukit {

// Collects the errors of calls that must all be made.
class ErrorCollector {
 public:
  void Add(const litert::Error& error);
  void Add(const litert::Expected<void>& result) {
    if (!result) Add(result.Error());
  }
  // The first status, and all messages.
  litert::Expected<void> Result() const;

 private:
  LiteRtStatus status_ = kLiteRtStatusOk;
  std::string messages_;
};

class DispatchDevice {
 public:
  static litert::Expected<std::unique_ptr<DispatchDevice>> Create(
      std::shared_ptr<const DispatchLibrary> library);
  ~DispatchDevice() { (void)Close(); }
  litert::Expected<void> Close();

  // npukit/compile_spec.h, for the programs that are loaded next; in place of those set before.
  // Keys that the library does not know, and all of them if it takes none, are left out.
  litert::Expected<void> SetCompileSpecs(std::span<const CompileSpec> specs);

  const DispatchLibrary& library() const { return *library_; }
  LiteRtDispatchDeviceContext context() const { return context_; }

 private:
  explicit DispatchDevice(std::shared_ptr<const DispatchLibrary> library)
      : library_(std::move(library)) {}

  std::shared_ptr<const DispatchLibrary> library_;
  LiteRtDispatchDeviceContext context_ = nullptr;
};

// Memory of the host that the device may read and write. Does not own it.
class RegisteredBuffer {
 public:
  // `memory` is aligned to 64 bytes and stays where it is until Close. The type may have strides.
  static litert::Expected<std::unique_ptr<RegisteredBuffer>> Create(
      DispatchDevice& device, std::span<uint8_t> memory, const LiteRtRankedTensorType& type);
  ~RegisteredBuffer() { (void)Close(); }
  litert::Expected<void> Close();

  LiteRtTensorBufferHandle handle() const { return handle_; }

 private:
  explicit RegisteredBuffer(DispatchDevice& device) : device_(&device) {}

  DispatchDevice* device_;
  LiteRtTensorBuffer buffer_ = nullptr;
  LiteRtTensorBufferHandle handle_ = 0;
  bool registered_ = false;
};

// One dispatch op, loaded.
class DispatchInvocation {
 public:
  // `bytecode` stays until Close. With `executable`, which stays too, it is that which runs; the
  // library must take it.
  static litert::Expected<std::unique_ptr<DispatchInvocation>> Create(
      DispatchDevice& device, std::string entry_point, std::span<const uint8_t> bytecode,
      size_t num_inputs, size_t num_outputs, LiteRtJitExecutable executable = nullptr);
  ~DispatchInvocation() { (void)Close(); }

  // Host memory only; requirements that can't be met or that contradict the tensor are errors.
  litert::Expected<BufferRequirements> InputRequirements(size_t index,
                                                         const DispatchPort& port) const;
  litert::Expected<BufferRequirements> OutputRequirements(size_t index,
                                                          const DispatchPort& port) const;

  litert::Expected<void> AttachInput(size_t index, const RegisteredBuffer& buffer);
  litert::Expected<void> AttachOutput(size_t index, const RegisteredBuffer& buffer);
  litert::Expected<void> Invoke();

  // The same while the caller goes on, if the library can (DispatchLibrary::has_async). At most one
  // run is under way: Start, then Finish.
  //
  // The run that Start begins waits for the event, which must last until it has ended.
  litert::Expected<void> AttachInputEvent(size_t index, LiteRtEvent event);
  litert::Expected<void> Start(size_t num_outputs);
  // While a run is under way: signalled when that output is complete. Lent.
  LiteRtEvent output_event(size_t index) const { return output_events_[index]; }
  // Waits for the run, and says how it ended.
  litert::Expected<void> Finish();
  // Its events last until here: other runs may wait for them beyond Finish.
  void ReleaseEvents();

  // For the runs that follow; null resets. Hints: a library that has no such function, or does not
  // support them, runs without.
  litert::Expected<void> SetSchedulingInfo(const LiteRtSchedulingInfo* info);
  litert::Expected<void> SetOptions(LiteRtOptions options);

  // Unsupported if the library has no metrics.
  litert::Expected<void> StartMetrics(int detail_level);
  litert::Expected<DispatchMetrics> StopMetrics();

  litert::Expected<void> DetachAll();
  // Detaches first.
  litert::Expected<void> Close();

  const std::string& entry_point() const { return entry_point_; }
  LiteRtDispatchInvocationContext context() const { return context_; }
  DispatchDevice& device() const { return *device_; }

 private:
  struct Attachment {
    bool is_input;
    int index;
    LiteRtTensorBufferHandle handle;
  };

  explicit DispatchInvocation(DispatchDevice& device, std::string entry_point)
      : device_(&device), entry_point_(std::move(entry_point)) {}
  litert::Expected<BufferRequirements> Requirements(bool is_input, size_t index,
                                                    const DispatchPort& port) const;
  litert::Expected<void> Attach(bool is_input, size_t index, const RegisteredBuffer& buffer);
  litert::Expected<void> StatusOf(LiteRtEvent event) const;
  litert::Expected<DispatchMetrics> ReadMetrics(LiteRtDispatchMetrics metrics) const;
  // "'main_0': attach_input(1)"
  std::string Call(const std::string& call) const { return call + " of '" + entry_point_ + "'"; }

  DispatchDevice* device_;
  std::string entry_point_;
  LiteRtDispatchInvocationContext context_ = nullptr;
  std::vector<Attachment> attachments_;
  std::vector<LiteRtEvent> output_events_;  // of the last run that was started
};

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_RUNTIME_DISPATCH_DISPATCH_DEVICE_H_
