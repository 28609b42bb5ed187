// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/runtime/dispatch/client/dispatch_device.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "npukit/compile_spec.h"

namespace npukit {

litert::Expected<std::unique_ptr<DispatchDevice>> DispatchDevice::Create(
    const DispatchClient& client, LiteRtOptions options) {
  constexpr char kCall[] = "device_context_create";
  std::unique_ptr<DispatchDevice> device(new DispatchDevice(client));
  const LiteRtStatus status =
      client.Call(kCall, client.functions().device_context_create, options, &device->context_);
  if (status != kLiteRtStatusOk) {
    device->context_ = nullptr;  // nothing that may be destroyed
    return client.CallError(status, kCall);
  }
  if (device->context_ == nullptr) return client.Misbehaved(kCall, "gave a null device context");
  device->ReadHook();
  return device;
}

// A library whose hook can't be had goes without, as in LiteRT.
void DispatchDevice::ReadHook() {
  const auto get_hooks = client_.tables().extras.get_hooks;
  if (get_hooks == nullptr) return;
  const LiteRtStatus status = client_.Call("get_hooks", get_hooks, context_, &hook_, &hook_data_);
  if (status != kLiteRtStatusOk) hook_ = nullptr;
}

void DispatchDevice::CallHook(LiteRtHookType type) const {
  if (hook_ != nullptr) hook_(type, /*data=*/nullptr, /*size=*/0, hook_data_);
}

litert::Expected<void> DispatchDevice::Close() {
  if (context_ == nullptr) return {};
  constexpr char kCall[] = "device_context_destroy";
  const LiteRtStatus status = client_.Call(kCall, client_.functions().device_context_destroy,
                                           std::exchange(context_, nullptr));
  if (status != kLiteRtStatusOk) return client_.CallError(status, kCall);
  return {};
}

litert::Expected<void> DispatchDevice::SetCompileSpecs(std::span<const CompileSpec> specs) {
  constexpr char kCall[] = "NpukitDispatchSetCompileSpecs";
  const auto set = client_.Find<NpukitDispatchSetCompileSpecsT>(kCall);
  if (set == nullptr) return {};
  std::vector<NpukitCompileSpec> known;
  for (const NpukitCompileSpec& one : ViewsOf(specs)) {
    const LiteRtStatus status = client_.Call(kCall, set, context_, &one, size_t{1});
    if (status == kLiteRtStatusErrorUnsupported) continue;
    if (status != kLiteRtStatusOk)
      return client_.CallError(status, fmt::format("{}({})", kCall, one.key));
    known.push_back(one);
    known_specs_.insert(one.key);
  }
  const LiteRtStatus status =
      client_.Call(kCall, set, context_, known.empty() ? nullptr : known.data(), known.size());
  if (status == kLiteRtStatusOk) return {};
  return client_.CallError(status, kCall);
}

}  // namespace npukit
