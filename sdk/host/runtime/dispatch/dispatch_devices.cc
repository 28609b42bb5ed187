// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/runtime/dispatch/dispatch_devices.h"

#include <algorithm>
#include <utility>

#include "litert/cc/litert_macros.h"
#include "npukit/compile_spec.h"
#include "sdk/host/library/dispatch_search.h"

namespace npukit {

litert::Expected<DispatchDevice*> DispatchDevices::Open(const std::string& path) {
  if (const auto open = devices_.find(path); open != devices_.end()) return open->second.get();
  LITERT_ASSIGN_OR_RETURN(auto library, DispatchLibrary::Load(path));
  LITERT_ASSIGN_OR_RETURN(auto device, DispatchDevice::Create(std::move(library)));
  return devices_.emplace(path, std::move(device)).first->second.get();
}

std::vector<CompileSpec> DispatchDevices::SpecsFor(const DelegateRecord* delegate) const {
  std::vector<CompileSpec> specs;
  const auto set = [&](const CompileSpec& spec) {
    const auto old = std::find_if(specs.begin(), specs.end(),
                                  [&](const auto& other) { return other.key == spec.key; });
    if (old == specs.end()) return void(specs.push_back(spec));
    *old = spec;
  };
  std::string soc = soc_model_;
  if (delegate != nullptr && !delegate->soc_model.empty()) soc = delegate->soc_model;
  if (!soc.empty()) set({.key = NPUKIT_SPEC_SOC_MODEL, .bytes = {soc.begin(), soc.end()}});
  if (delegate != nullptr) {
    for (const CompileSpec& spec : delegate->specs) set(spec);
  }
  for (const CompileSpecRequest& request : specs_) {
    // Those of one partition were the compiler's, and came with the delegate.
    if (request.partition) continue;
    if (request.plugin.empty() ||
        (delegate != nullptr && VendorLikeness(delegate->plugin, request.plugin) > 0))
      set(request.spec);
  }
  return specs;
}

litert::Expected<std::unique_ptr<DispatchInvocation>> DispatchDevices::Load(
    BufferStore::Id module, const std::string& entry_point, std::span<const uint8_t> bytecode,
    size_t num_inputs, size_t num_outputs, const DelegateRecord* delegate) {
  const std::vector<CompileSpec> specs = SpecsFor(delegate);
  const auto found = executables_.find(module);
  const LiteRtJitExecutable executable =
      delegate != nullptr && found != executables_.end() ? found->second : nullptr;
  const auto load =
      [&](DispatchDevice& device) -> litert::Expected<std::unique_ptr<DispatchInvocation>> {
    LITERT_RETURN_IF_ERROR(device.SetCompileSpecs(specs));
    const DispatchLibrary& library = device.library();
    if (executable != nullptr && library.takes_executables() &&
        VendorLikeness(library.vendor_id(), delegate->plugin) > 0) {
      auto made = DispatchInvocation::Create(device, entry_point, bytecode, num_inputs, num_outputs,
                                             executable);
      if (made) ++executables_in_use_;
      // One that knows no executables takes the bytecode.
      if (made || made.Error().Status() != kLiteRtStatusErrorUnsupported) return made;
    }
    return DispatchInvocation::Create(device, entry_point, bytecode, num_inputs, num_outputs);
  };
  if (const auto known = device_of_module_.find(module); known != device_of_module_.end()) {
    return load(*known->second);
  }
  std::vector<std::string> paths = paths_;
  if (delegate != nullptr) {
    std::stable_sort(paths.begin(), paths.end(), [&](const std::string& a, const std::string& b) {
      return VendorLikeness(VendorOfDispatchFile(a), delegate->plugin) >
             VendorLikeness(VendorOfDispatchFile(b), delegate->plugin);
    });
  }
  ErrorCollector errors;
  for (const std::string& path : paths) {
    const bool was_open = devices_.contains(path);
    litert::Expected<DispatchDevice*> device = Open(path);
    if (!device) {
      errors.Add(device.Error());
      continue;
    }
    auto invocation = load(**device);
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
