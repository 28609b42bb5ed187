// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// A function of an executable that is loaded apart from any invocation, by the graph interface: what
// can be asked of it, and attached to it, before there is one. That is its scratchpad: the memory that
// it works in, which the caller brings.

#ifndef NPUKIT_SDK_HOST_RUNTIME_DISPATCH_CLIENT_LOADED_FUNCTION_H_
#define NPUKIT_SDK_HOST_RUNTIME_DISPATCH_CLIENT_LOADED_FUNCTION_H_

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "litert/cc/litert_expected.h"
#include "litert/vendors/c/litert_dispatch.h"
#include "sdk/host/runtime/dispatch/client/buffer_registration.h"
#include "sdk/host/runtime/dispatch/client/dispatch_device.h"
#include "sdk/host/runtime/dispatch/client/dispatch_invocation.h"
#include "sdk/host/runtime/dispatch/client/port_requirements.h"

namespace npukit {

// The table has all functions for one. (Whether a library says that it has scratchpads is for
// DispatchLibrary to tell.)
bool CanLoadFunctions(const DispatchTables& tables);

// In this order: Create, ScratchpadRequirements, AttachScratchpad, MakeInvocation. The invocation is
// closed first, then the scratchpad's registration, then this.
class LoadedFunction {
 public:
  // The device must outlive it, and what the executable lends.
  static litert::Expected<std::unique_ptr<LoadedFunction>> Create(
      const DispatchDevice& device, const DispatchExecutable& executable,
      const std::string& entry_point);
  ~LoadedFunction() { (void)Close(); }
  LoadedFunction(const LoadedFunction&) = delete;
  LoadedFunction& operator=(const LoadedFunction&) = delete;
  litert::Expected<void> Close();

  // 0 bytes: it needs none.
  litert::Expected<PortRequirements> ScratchpadRequirements() const;
  litert::Expected<void> AttachScratchpad(const BufferRegistration& buffer) const;
  // By a graph of the function alone. Once.
  litert::Expected<std::unique_ptr<DispatchInvocation>> MakeInvocation(size_t num_inputs,
                                                                       size_t num_outputs);

  const DispatchDevice& device() const { return device_; }
  LiteRtDispatchExecutableHandle executable() const { return executable_; }

 private:
  LoadedFunction(const DispatchDevice& device, std::string entry_point)
      : device_(device), entry_point_(std::move(entry_point)) {}
  const DispatchClient& client() const { return device_.client(); }
  // "attach_scratchpad_buffer(handle 3) of 'main_0'".
  std::string OfThis(std::string_view call) const;
  template <typename Function, typename... Args>
  litert::Expected<void> Call(std::string_view name, Function function, Args... args) const;
  litert::Expected<void> MakeGraph(size_t num_inputs, size_t num_outputs);

  const DispatchDevice& device_;
  std::string entry_point_;
  LiteRtDispatchExecutableHandle executable_ = 0;
  bool is_loaded_ = false;
  LiteRtDispatchGraph graph_ = nullptr;
};

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_RUNTIME_DISPATCH_CLIENT_LOADED_FUNCTION_H_
