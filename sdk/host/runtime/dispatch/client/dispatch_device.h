// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// A device context of a dispatch library.

#ifndef NPUKIT_SDK_HOST_RUNTIME_DISPATCH_CLIENT_DISPATCH_DEVICE_H_
#define NPUKIT_SDK_HOST_RUNTIME_DISPATCH_CLIENT_DISPATCH_DEVICE_H_

#include <memory>
#include <set>
#include <span>
#include <string>

#include "litert/cc/litert_expected.h"
#include "litert/vendors/c/litert_dispatch.h"
#include "sdk/host/model/metadata/delegate_metadata.h"
#include "sdk/host/runtime/dispatch/client/dispatch_client.h"

namespace npukit {

class DispatchDevice {
 public:
  // The client must outlive the device, and the options its creation.
  static litert::Expected<std::unique_ptr<DispatchDevice>> Create(const DispatchClient& client,
                                                                  LiteRtOptions options);
  ~DispatchDevice() { (void)Close(); }
  DispatchDevice(const DispatchDevice&) = delete;
  DispatchDevice& operator=(const DispatchDevice&) = delete;
  litert::Expected<void> Close();

  // npukit/compile_spec.h, for what is loaded next; in place of those set before. Keys that the
  // library does not know, and all of them if it takes none, are left out.
  litert::Expected<void> SetCompileSpecs(std::span<const CompileSpec> specs);

  // Keys of those that it has taken so far.
  const std::set<std::string>& known_specs() const { return known_specs_; }

  // Tells the library of the life of a model, if it asked for that (get_hooks). One thread at a time.
  void CallHook(LiteRtHookType type) const;

  const DispatchClient& client() const { return client_; }
  LiteRtDispatchDeviceContext context() const { return context_; }

 private:
  explicit DispatchDevice(const DispatchClient& client) : client_(client) {}
  void ReadHook();

  const DispatchClient& client_;
  LiteRtDispatchDeviceContext context_ = nullptr;
  std::set<std::string> known_specs_;
  LiteRtHook hook_ = nullptr;
  void* hook_data_ = nullptr;
};

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_RUNTIME_DISPATCH_CLIENT_DISPATCH_DEVICE_H_
