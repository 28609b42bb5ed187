// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/runtime/dispatch_devices.h"

#include <algorithm>
#include <utility>

#include "litert/cc/litert_macros.h"

namespace npukit {

litert::Expected<DispatchDevice*> DispatchDevices::Open(const std::string& path) {
  if (const auto open = devices_.find(path); open != devices_.end()) return open->second.get();
  LITERT_ASSIGN_OR_RETURN(auto library, DispatchLibrary::Load(path));
  LITERT_ASSIGN_OR_RETURN(auto device, DispatchDevice::Create(std::move(library)));
  return devices_.emplace(path, std::move(device)).first->second.get();
}

litert::Expected<std::unique_ptr<DispatchInvocation>> DispatchDevices::Load(
    BufferStore::Id module, const std::string& entry_point, std::span<const uint8_t> bytecode,
    size_t num_inputs, size_t num_outputs) {
  if (const auto known = device_of_module_.find(module); known != device_of_module_.end()) {
    return DispatchInvocation::Create(*known->second, entry_point, bytecode, num_inputs,
                                      num_outputs);
  }
  ErrorCollector errors;
  for (const std::string& path : paths_) {
    const bool was_open = devices_.contains(path);
    litert::Expected<DispatchDevice*> device = Open(path);
    if (!device) {
      errors.Add(device.Error());
      continue;
    }
    auto invocation =
        DispatchInvocation::Create(**device, entry_point, bytecode, num_inputs, num_outputs);
    if (invocation) {
      device_of_module_[module] = *device;
      return invocation;
    }
    errors.Add(invocation.Error());
    if (was_open) continue;
    errors.Add((*device)->Close());  // of no use
    devices_.erase(path);
  }
  litert::Expected<void> result = errors.Result();
  if (!result) return litert::Unexpected(result.Error());
  return litert::Unexpected(kLiteRtStatusErrorNotFound, "there is no dispatch library to ask");
}

std::string DispatchDevices::Describe() const {
  std::string text;
  for (const auto& [path, device] : devices_) {
    const DispatchLibrary& library = device->library();
    if (!text.empty()) text += "; ";
    text += library.path() + " (" + library.vendor_id() + ", " + library.build_id() + ")";
  }
  return text;
}

litert::Expected<void> DispatchDevices::Close() {
  ErrorCollector errors;
  for (auto& [path, device] : devices_) errors.Add(device->Close());
  devices_.clear();
  device_of_module_.clear();
  return errors.Result();
}

}  // namespace npukit
