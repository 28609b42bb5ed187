// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The process that holds the vendor's dispatch library: it carries out calls, one after the other.

#ifndef NPUKIT_SDK_REMOTE_WORKER_LIBRARY_SESSION_H_
#define NPUKIT_SDK_REMOTE_WORKER_LIBRARY_SESSION_H_

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "litert/cc/litert_expected.h"
#include "litert/vendors/c/litert_dispatch_api.h"
#include "sdk/host/runtime/dispatch/dispatch_library.h"
#include "sdk/remote/wire/dispatch_call.h"
#include "sdk/remote/wire/facts.h"
#include "sdk/remote/worker/device_buffer.h"
#include "sdk/remote/worker/file_cache.h"

namespace npukit::remote {

class LibrarySession {
 public:
  static litert::Expected<std::unique_ptr<LibrarySession>> Open(const std::string& path,
                                                                const FileCache& cache);

  LibraryFacts Facts() const;
  // Errors are the desk's mistakes, or memory that is not there; what the library answers is in the
  // answer.
  litert::Expected<DispatchAnswer> Run(const DispatchCall& call);

 private:
  struct Invocation {
    LiteRtDispatchInvocationContext context = nullptr;
    uint64_t device = 0;
    // Bytecode stays as long as the invocation: libraries may go on reading it.
    std::vector<uint8_t> bytecode;
    std::map<std::pair<bool, int>, LiteRtTensorBufferHandle> attached;  // by is_input, index
  };
  using BufferKey = std::pair<uint64_t, LiteRtTensorBufferHandle>;  // device, handle

  LibrarySession(std::shared_ptr<const DispatchLibrary> library, const FileCache& cache)
      : library_(std::move(library)), cache_(cache) {}

  const LiteRtDispatchInterface& api() const { return library_->functions(); }
  litert::Expected<LiteRtDispatchDeviceContext> DeviceOf(uint64_t number) const;
  // Null for number 0.
  litert::Expected<Invocation*> InvocationOf(uint64_t number);

  litert::Expected<DispatchAnswer> CheckCompatibility(const DispatchCall& call) const;
  litert::Expected<DispatchAnswer> CreateDevice(const DispatchCall& call);
  litert::Expected<DispatchAnswer> DestroyDevice(const DispatchCall& call);
  litert::Expected<DispatchAnswer> SetCompileSpecs(const DispatchCall& call) const;
  litert::Expected<DispatchAnswer> CreateInvocation(const DispatchCall& call);
  litert::Expected<DispatchAnswer> DestroyInvocation(const DispatchCall& call);
  litert::Expected<DispatchAnswer> GetRequirements(const DispatchCall& call, bool is_input);
  litert::Expected<DispatchAnswer> Register(const DispatchCall& call);
  litert::Expected<DispatchAnswer> Unregister(const DispatchCall& call);
  litert::Expected<DispatchAnswer> Attach(const DispatchCall& call, bool is_input);
  litert::Expected<DispatchAnswer> Detach(const DispatchCall& call, bool is_input);
  litert::Expected<DispatchAnswer> Invoke(const DispatchCall& call);
  litert::Expected<DispatchAnswer> StartMetrics(const DispatchCall& call);
  litert::Expected<DispatchAnswer> StopMetrics(const DispatchCall& call);
  litert::Expected<DispatchAnswer> SetRecording(const DispatchCall& call);
  litert::Expected<DispatchAnswer> ReadProfile(const DispatchCall& call);
  litert::Expected<DispatchAnswer> GetLastError(const DispatchCall& call);
  // Of graphs (library_graphs.cc).
  litert::Expected<DispatchAnswer> RunOnGraphs(const DispatchCall& call);
  litert::Expected<DispatchAnswer> CreateGraph(const DispatchCall& call);
  litert::Expected<DispatchAnswer> LoadExecutable(const DispatchCall& call);
  litert::Expected<DispatchAnswer> CreateFromGraph(const DispatchCall& call);
  litert::Expected<DispatchAnswer> GetGraph(const DispatchCall& call);
  litert::Expected<LiteRtDispatchGraph> GraphOf(uint64_t number) const;
  // What the library is given for a call's bytecode; `memory` points into `bytes`.
  litert::Expected<void> TakeBytecode(const DispatchCall& call, std::vector<uint8_t>& bytes,
                                      LiteRtMemBuffer& memory) const;
  // Those attached to it, each once.
  std::map<LiteRtTensorBufferHandle, DeviceBuffer*> BuffersOf(const Invocation& invocation);

  std::shared_ptr<const DispatchLibrary> library_;
  const FileCache& cache_;
  uint64_t last_object_ = 0;
  std::map<uint64_t, LiteRtDispatchDeviceContext> devices_;
  std::map<uint64_t, Invocation> invocations_;
  std::map<uint64_t, LiteRtDispatchGraph> graphs_;
  std::vector<std::vector<uint8_t>> executables_;  // libraries may go on reading them
  std::map<BufferKey, std::unique_ptr<DeviceBuffer>> buffers_;
};

}  // namespace npukit::remote

#endif  // NPUKIT_SDK_REMOTE_WORKER_LIBRARY_SESSION_H_
