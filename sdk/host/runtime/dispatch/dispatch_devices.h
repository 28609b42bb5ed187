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
#include "sdk/host/model/metadata/delegate_metadata.h"
#include "sdk/host/placement/op_placement.h"
#include "sdk/host/runtime/dispatch/dispatch_device.h"

namespace npukit {

class DispatchDevices {
 public:
  // Libraries to ask, in this order. Each is opened when it is first asked. The SoC model (empty:
  // the library's choice) and those of the specs whose plugin is the library's go to it before a
  // program is loaded.
  explicit DispatchDevices(std::vector<std::string> library_paths, std::string soc_model = {},
                           std::vector<CompileSpecRequest> specs = {})
      : paths_(std::move(library_paths)),
        soc_model_(std::move(soc_model)),
        specs_(std::move(specs)) {}
  ~DispatchDevices() { (void)Close(); }
  DispatchDevices(const DispatchDevices&) = delete;
  DispatchDevices& operator=(const DispatchDevices&) = delete;

  // Loads a program of a module on the library that took the module before, or on the first that
  // takes it now; libraries of the delegate's vendor are asked first. An error says why each of
  // them did not. `delegate` may be null. The program must be closed before Close.
  litert::Expected<std::unique_ptr<DispatchInvocation>> Load(BufferStore::Id module,
                                                             const std::string& entry_point,
                                                             std::span<const uint8_t> bytecode,
                                                             size_t num_inputs, size_t num_outputs,
                                                             const DelegateRecord* delegate);

  // What compiler plugins made of modules in this process. A library of the same vendor gets it in
  // place of the bytecode, if it takes it. They must outlive the programs.
  void SetExecutables(std::map<BufferStore::Id, LiteRtJitExecutable> executables) {
    executables_ = std::move(executables);
  }
  // Programs that were loaded from them.
  size_t executables_in_use() const { return executables_in_use_; }

  // The libraries in use, "path (vendor, build id)"; several with "; " between.
  std::string Describe() const;

  // Closes every device, to the end even if one fails.
  litert::Expected<void> Close();

 private:
  litert::Expected<DispatchDevice*> Open(const std::string& path);

  std::vector<CompileSpec> SpecsFor(const DelegateRecord* delegate) const;

  std::vector<std::string> paths_;
  std::string soc_model_;
  std::vector<CompileSpecRequest> specs_;
  std::map<std::string, std::unique_ptr<DispatchDevice>> devices_;  // by path; those in use only
  std::map<BufferStore::Id, DispatchDevice*> device_of_module_;
  std::map<BufferStore::Id, LiteRtJitExecutable> executables_;
  size_t executables_in_use_ = 0;
};

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_RUNTIME_DISPATCH_DISPATCH_DEVICES_H_
