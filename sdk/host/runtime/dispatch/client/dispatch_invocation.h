// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// An invocation context of a dispatch library: an entry point, loaded, with the buffers that are
// attached to its ports.

#ifndef NPUKIT_SDK_HOST_RUNTIME_DISPATCH_CLIENT_DISPATCH_INVOCATION_H_
#define NPUKIT_SDK_HOST_RUNTIME_DISPATCH_CLIENT_DISPATCH_INVOCATION_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "litert/c/internal/litert_jit_executable.h"
#include "litert/c/internal/litert_scheduling_info.h"
#include "litert/c/litert_event.h"
#include "litert/cc/litert_expected.h"
#include "litert/vendors/c/litert_dispatch.h"
#include "sdk/host/runtime/dispatch/client/buffer_registration.h"
#include "sdk/host/runtime/dispatch/client/dispatch_device.h"
#include "sdk/host/runtime/dispatch/client/dispatch_metrics.h"
#include "sdk/host/runtime/dispatch/client/output_events.h"
#include "sdk/host/runtime/dispatch/client/port_requirements.h"

namespace npukit {

// What an invocation is loaded from. Lent, and unchanged for as long as the invocation lives.
struct DispatchExecutable {
  LiteRtDispatchExecutableType type = kLiteRtDispatchExecutableTypeMlModel;
  LiteRtMemBuffer memory = {};

  static DispatchExecutable OfBytecode(std::span<const uint8_t> bytecode);
  // What a compiler plugin of the same vendor made in this process (abi 2.2).
  static DispatchExecutable OfJit(LiteRtJitExecutable executable);
};

class DispatchInvocation {
 public:
  // The device must outlive it. A null entry point, and numbers of ports that are wrong, go to the
  // library as they are.
  static litert::Expected<std::unique_ptr<DispatchInvocation>> Create(
      const DispatchDevice& device, const DispatchExecutable& executable, const char* entry_point,
      size_t num_inputs, size_t num_outputs);
  // Takes over a context that was made otherwise, of a graph; `name` stands in errors.
  static std::unique_ptr<DispatchInvocation> Adopt(const DispatchDevice& device,
                                                   LiteRtDispatchInvocationContext context,
                                                   std::string name);
  ~DispatchInvocation() { (void)Close(); }
  DispatchInvocation(const DispatchInvocation&) = delete;
  DispatchInvocation& operator=(const DispatchInvocation&) = delete;
  // Detaches first.
  litert::Expected<void> Close();

  // Requirements that host memory can't meet, or that contradict the tensor, are errors.
  litert::Expected<PortRequirements> Requirements(const DispatchPort& port) const;
  // The registration must last until it is detached, by DetachAll or Close: the last one first.
  litert::Expected<void> Attach(const DispatchPort& port, const BufferRegistration& buffer);
  litert::Expected<void> DetachAll();

  litert::Expected<void> Invoke() const;

  // Asynchronously, for libraries that have it (DispatchLibrary::has_async).
  //
  // The run that begins next waits for the event, which must last until that run has ended.
  litert::Expected<void> AttachInputEvent(int input, LiteRtEvent event) const;
  // Begins a run. Each event is signalled when its output is complete; on an error there are none.
  litert::Expected<void> InvokeAsync(size_t num_outputs, OutputEvents& events) const;
  // Waits for the run, and says how it ended, as far as the library tells (npukit/extensions/event_status.h).
  litert::Expected<void> WaitFor(const OutputEvents& events) const;

  // For the runs that follow; null resets. Hints: a library that has no such function, or does not
  // support them, runs without.
  litert::Expected<void> SetSchedulingInfo(const LiteRtSchedulingInfo* info) const;
  litert::Expected<void> SetOptions(LiteRtOptions options) const;

  // Unsupported if the library has no metrics.
  litert::Expected<void> StartMetrics(int detail_level) const;
  litert::Expected<DispatchMetrics> StopMetrics() const;

  const std::string& entry_point() const { return entry_point_; }
  LiteRtDispatchInvocationContext context() const { return context_; }
  const DispatchDevice& device() const { return device_; }
  const DispatchClient& client() const { return device_.client(); }

 private:
  struct Attachment {
    bool is_input;
    int index;
    LiteRtTensorBufferHandle handle;
  };

  DispatchInvocation(const DispatchDevice& device, std::string entry_point)
      : device_(device), entry_point_(std::move(entry_point)) {}
  litert::Expected<void> StatusOf(LiteRtEvent event) const;
  litert::Expected<DispatchMetrics> ReadMetrics(LiteRtDispatchMetrics metrics) const;
  // "attach_input(1, handle 3) of 'main_0'".
  std::string OfThis(std::string_view call) const;
  litert::Error Failed(LiteRtStatus status, std::string_view call) const;

  const DispatchDevice& device_;
  std::string entry_point_;
  LiteRtDispatchInvocationContext context_ = nullptr;
  std::vector<Attachment> attachments_;
};

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_RUNTIME_DISPATCH_CLIENT_DISPATCH_INVOCATION_H_
