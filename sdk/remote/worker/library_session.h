// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The process that holds the vendor's dispatch library: it carries out calls. Several threads may call Run(), each
// for its own calls; what they share is locked, but never while the library is called.

#ifndef NPUKIT_SDK_REMOTE_WORKER_LIBRARY_SESSION_H_
#define NPUKIT_SDK_REMOTE_WORKER_LIBRARY_SESSION_H_

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "litert/cc/litert_expected.h"
#include "litert/vendors/c/litert_dispatch_api.h"
#include "sdk/host/runtime/dispatch/dispatch_library.h"
#include "sdk/remote/wire/dispatch_call.h"
#include "sdk/remote/wire/facts.h"
#include "sdk/remote/worker/device_buffer.h"
#include "sdk/remote/worker/file_cache.h"
#include "sdk/remote/worker/input_event.h"

namespace npukit::remote {

class LibrarySession {
 public:
  static litert::Expected<std::unique_ptr<LibrarySession>> Open(const std::string& path,
                                                                const FileCache& cache);

  // What nobody may have a use for any more. Its end may be the library's own function: for a thread of the library's, and
  // without the lock.
  struct Ended {
    std::vector<std::shared_ptr<DeviceBuffer>> buffers;
    std::vector<std::shared_ptr<KeptEvent>> events;
  };

  LibraryFacts Facts() const;
  // What a call brings for buffers; in the order in which calls arrive.
  litert::Expected<void> TakeNews(const DispatchCall& call, Ended& ended);
  // The calls of a message, with what they bring for buffers: an answer for each, up to the first that is not good.
  // Errors, here as there, are the desk's mistakes, or memory that is not there; what the library answers is in the
  // answers.
  litert::Expected<std::vector<DispatchAnswer>> Run(const std::vector<DispatchCall>& calls);
  // What a call that was alone in its message has to tell of buffers, in the order in which answers leave; several have
  // told it.
  void AddNews(const DispatchCall& call, DispatchAnswer& answer);

 private:
  using Buffers = std::vector<std::shared_ptr<DeviceBuffer>>;
  struct Invocation {
    LiteRtDispatchInvocationContext context = nullptr;
    uint64_t device = 0;
    // Bytecode stays as long as the invocation: libraries may go on reading it.
    std::vector<uint8_t> bytecode;
    std::map<std::pair<bool, int>, LiteRtTensorBufferHandle> attached;  // by is_input, index
    std::vector<uint64_t> input_events;  // of its last runs and the next one
    std::vector<std::shared_ptr<InputEvent>> next_input_events;
  };
  // An asynchronous run, and what it has until its output events are dropped.
  struct StartedRun {
    Buffers buffers;
    std::vector<std::shared_ptr<InputEvent>> input_events;
  };
  struct OutputEvent {
    std::shared_ptr<KeptEvent> kept;
    std::shared_ptr<const StartedRun> run;
  };
  // What has one handle: a library may give it again for bytecode that it has loaded already, and which of both it reads
  // then nobody knows.
  struct Executable {
    std::vector<std::vector<uint8_t>> bytes;  // libraries may go on reading them
    size_t num_unloaded = 0;
  };
  using BufferKey = std::pair<uint64_t, LiteRtTensorBufferHandle>;  // device, handle

  LibrarySession(std::shared_ptr<const DispatchLibrary> library, const FileCache& cache)
      : library_(std::move(library)), cache_(cache) {}

  const LiteRtDispatchInterface& api() const { return library_->functions(); }
  litert::Expected<DispatchAnswer> RunOne(const DispatchCall& call);
  // That of the desk must be larger than those before: no number is ever two objects'.
  litert::Expected<void> CheckNumber(const DispatchCall& call);
  // For what a call makes. Under the lock.
  uint64_t NumberFor(const DispatchCall& call) {
    return call.made != 0 ? call.made : ++last_object_;
  }
  // The library's, for one of the desk's numbers.
  LiteRtTensorBufferHandle HandleOf(uint64_t handle) const;
  litert::Expected<LiteRtDispatchDeviceContext> DeviceOf(uint64_t number) const;
  // Null for number 0. One that another thread destroys meanwhile stays for this one.
  litert::Expected<std::shared_ptr<Invocation>> InvocationOf(uint64_t number) const;
  // The library's, of such a one.
  static LiteRtDispatchInvocationContext ContextOf(const std::shared_ptr<Invocation>& invocation) {
    return invocation == nullptr ? nullptr : invocation->context;
  }
  litert::Expected<std::shared_ptr<OutputEvent>> EventOf(uint64_t number) const;
  // The library's answer to a call that makes an invocation; `made` is kept if it was made.
  DispatchAnswer Keep(const DispatchCall& call, LiteRtStatus status, Invocation made);

  litert::Expected<DispatchAnswer> CheckCompatibility(const DispatchCall& call) const;
  // Of devices and memory (library_devices.cc).
  litert::Expected<DispatchAnswer> CreateDevice(const DispatchCall& call);
  litert::Expected<DispatchAnswer> DestroyDevice(const DispatchCall& call);
  litert::Expected<DispatchAnswer> SetCompileSpecs(const DispatchCall& call) const;
  litert::Expected<DispatchAnswer> Register(const DispatchCall& call);
  litert::Expected<DispatchAnswer> Unregister(const DispatchCall& call);
  // Of invocations (library_invocations.cc).
  litert::Expected<DispatchAnswer> CreateInvocation(const DispatchCall& call);
  litert::Expected<DispatchAnswer> DestroyInvocation(const DispatchCall& call);
  litert::Expected<DispatchAnswer> GetRequirements(const DispatchCall& call, bool is_input);
  litert::Expected<DispatchAnswer> Attach(const DispatchCall& call, bool is_input);
  litert::Expected<DispatchAnswer> Detach(const DispatchCall& call, bool is_input);
  litert::Expected<DispatchAnswer> Invoke(const DispatchCall& call);
  litert::Expected<DispatchAnswer> StartMetrics(const DispatchCall& call);
  litert::Expected<DispatchAnswer> StopMetrics(const DispatchCall& call);
  litert::Expected<DispatchAnswer> SetRecording(const DispatchCall& call);
  litert::Expected<DispatchAnswer> ReadProfile(const DispatchCall& call);
  litert::Expected<DispatchAnswer> GetLastError(const DispatchCall& call);
  // Of asynchronous runs (library_runs.cc).
  litert::Expected<DispatchAnswer> RunAsynchronous(const DispatchCall& call);
  litert::Expected<DispatchAnswer> AttachInputEvent(const DispatchCall& call);
  litert::Expected<DispatchAnswer> SignalInputEvent(const DispatchCall& call);
  litert::Expected<DispatchAnswer> InvokeAsync(const DispatchCall& call);
  litert::Expected<DispatchAnswer> WaitEvent(const DispatchCall& call);
  litert::Expected<DispatchAnswer> GetEventStatus(const DispatchCall& call);
  void DropEvents(const std::vector<uint64_t>& events);
  void ForgetInputEvents(Invocation& invocation, size_t to_keep);
  // Of graphs (library_graphs.cc).
  litert::Expected<DispatchAnswer> RunOnGraphs(const DispatchCall& call);
  litert::Expected<DispatchAnswer> CreateGraph(const DispatchCall& call);
  DispatchAnswer DestroyGraph(const DispatchCall& call, LiteRtDispatchGraph graph);
  litert::Expected<DispatchAnswer> LoadExecutable(const DispatchCall& call);
  litert::Expected<DispatchAnswer> UnloadExecutable(const DispatchCall& call);
  litert::Expected<DispatchAnswer> CreateFromGraph(const DispatchCall& call);
  litert::Expected<DispatchAnswer> GetGraph(const DispatchCall& call);
  litert::Expected<LiteRtDispatchGraph> GraphOf(uint64_t number) const;
  // What the library is given for a call's bytecode; `memory` points into `bytes`.
  litert::Expected<void> TakeBytecode(const DispatchCall& call, std::vector<uint8_t>& bytes,
                                      LiteRtMemBuffer& memory) const;
  // Those attached to it, each once. Under the lock.
  Buffers BuffersOf(const Invocation& invocation) const;
  litert::Expected<std::shared_ptr<DeviceBuffer>> NumberedBuffer(uint64_t number) const;

  std::shared_ptr<const DispatchLibrary> library_;
  const FileCache& cache_;
  mutable std::mutex mutex_;  // of all that follows
  uint64_t last_object_ = 0;
  uint64_t last_of_desk_ = kFirstDeskNumber - 1;
  std::map<uint64_t, LiteRtDispatchDeviceContext> devices_;
  std::map<uint64_t, std::shared_ptr<Invocation>> invocations_;
  std::map<uint64_t, LiteRtDispatchGraph> graphs_;
  std::map<std::pair<uint64_t, uint64_t>, Executable> executables_;  // by device, handle
  std::map<BufferKey, std::shared_ptr<DeviceBuffer>> buffers_;
  std::map<uint64_t, LiteRtTensorBufferHandle> handles_;  // by the desk's number
  std::map<uint64_t, std::weak_ptr<DeviceBuffer>>
      numbered_buffers_;  // runs may outlast a registration
  std::map<uint64_t, std::shared_ptr<InputEvent>> input_events_;
  std::map<uint64_t, std::shared_ptr<OutputEvent>> output_events_;
};

}  // namespace npukit::remote

#endif  // NPUKIT_SDK_REMOTE_WORKER_LIBRARY_SESSION_H_
