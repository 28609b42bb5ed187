// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The devices of a session: one for each dispatch library that one of the model's modules needed. A
// model may hold modules of several vendors; which library a module belongs to is found by asking.

#ifndef NPUKIT_SDK_HOST_RUNTIME_DISPATCH_DISPATCH_DEVICES_H_
#define NPUKIT_SDK_HOST_RUNTIME_DISPATCH_DISPATCH_DEVICES_H_

#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "litert/cc/litert_expected.h"
#include "sdk/host/model/graph/buffer_store.h"
#include "sdk/host/model/metadata/compile_spec.h"
#include "sdk/host/model/metadata/delegate_metadata.h"
#include "sdk/host/runtime/dispatch/client/dispatch_device.h"
#include "sdk/host/runtime/dispatch/client/dispatch_invocation.h"
#include "sdk/host/runtime/dispatch/client/loaded_function.h"
#include "sdk/host/runtime/dispatch/dispatch_library.h"

namespace npukit {

// What a dispatch op wants to be loaded.
struct InvocationRequest {
  BufferStore::Id module = 0;
  std::span<const uint8_t> bytecode;  // of the module
  std::string entry_point;
  size_t num_inputs = 0;
  size_t num_outputs = 0;
  const DelegateRecord* delegate = nullptr;  // null: not known
};

struct LoadedInvocation {
  const DispatchLibrary* library = nullptr;
  // Null where the caller brings a scratchpad first: `function` makes it then.
  std::unique_ptr<DispatchInvocation> invocation;
  std::unique_ptr<LoadedFunction> function;
  PortRequirements scratchpad;  // of the function
};

// For one thread at a time.
class DispatchDevices {
 public:
  // Libraries to ask, in this order. Each is opened when it is first asked. The SoC model (empty:
  // the library's choice) and those of the specs whose plugin is the library's go to it before
  // anything is loaded.
  explicit DispatchDevices(std::vector<std::string> library_paths, std::string soc_model = {},
                           std::vector<CompileSpecRequest> specs = {})
      : paths_(std::move(library_paths)),
        soc_model_(std::move(soc_model)),
        specs_(std::move(specs)) {}
  ~DispatchDevices() { (void)Close(); }
  DispatchDevices(const DispatchDevices&) = delete;
  DispatchDevices& operator=(const DispatchDevices&) = delete;

  // Loads an entry point of a module on the library that took the module before, or on the first
  // that takes it now; libraries of the delegate's vendor are asked first. An error says why each
  // of them did not. The invocation must be closed before Close.
  litert::Expected<LoadedInvocation> Load(const InvocationRequest& request);

  // What compiler plugins made of modules in this process. A library of the same vendor gets it in
  // place of the bytecode, if it takes it. They must outlive the invocations.
  void SetExecutables(std::map<BufferStore::Id, LiteRtJitExecutable> executables) {
    executables_ = std::move(executables);
  }
  bool HasExecutable(BufferStore::Id module) const { return executables_.contains(module); }
  // Invocations that were loaded from them.
  size_t executables_in_use() const { return executables_in_use_; }

  // What the libraries in use bring for buffers in memory of their own, for an environment of the
  // caller's.
  litert::Expected<void> RegisterBufferHandlers(LiteRtEnvironment environment) const;

  // What follows is told to the devices' hooks. Loading begins by itself when
  // a device is opened, and the model goes with Close.
  void EndLoading();
  void CallHooks(LiteRtHookType type);

  // The first of the specs that none of the libraries in use has taken; null if there is none. An
  // optional one may stay unknown.
  const CompileSpecRequest* UnknownSpec() const;

  // The libraries in use, "path (vendor, build id)"; several with "; " between.
  std::string Describe() const;

  // Closes every device, to the end even if one fails.
  litert::Expected<void> Close();

 private:
  struct OpenDevice {
    std::shared_ptr<const DispatchLibrary> library;
    std::unique_ptr<DispatchDevice> device;
    bool is_loading = true;  // as far as its hook knows
  };

  litert::Expected<OpenDevice*> Open(const std::string& path);
  litert::Expected<LoadedInvocation> LoadOn(OpenDevice& open, const InvocationRequest& request);
  static litert::Expected<LoadedInvocation> Make(const OpenDevice& open,
                                                 const DispatchExecutable& executable,
                                                 const InvocationRequest& request);
  // In the order in which libraries are asked for a module of that delegate.
  std::vector<std::string> PathsFor(const DelegateRecord* delegate) const;
  // Of a module of that delegate, for that library.
  std::vector<CompileSpec> SpecsFor(const DispatchLibrary& library,
                                    const DelegateRecord* delegate) const;
  void EndLoading(OpenDevice& open);
  // Tells its hook that the model goes.
  litert::Expected<void> CloseDevice(OpenDevice& open);

  std::vector<std::string> paths_;
  std::string soc_model_;
  std::vector<CompileSpecRequest> specs_;
  std::map<std::string, OpenDevice> devices_;  // by path; those in use only
  std::map<BufferStore::Id, OpenDevice*> device_of_module_;
  std::map<BufferStore::Id, LiteRtJitExecutable> executables_;
  size_t executables_in_use_ = 0;
};

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_RUNTIME_DISPATCH_DISPATCH_DEVICES_H_
