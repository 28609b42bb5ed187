// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/runtime/dispatch/dispatch_devices.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "litert/cc/litert_macros.h"
#include "npukit/compile_spec.h"
#include "sdk/host/library/dispatch_search.h"
#include "sdk/host/library/linked_plugins.h"
#include "sdk/host/runtime/dispatch/client/error_collector.h"

namespace npukit {

litert::Expected<DispatchDevices::OpenDevice*> DispatchDevices::Open(const std::string& path) {
  if (const auto open = devices_.find(path); open != devices_.end()) return &open->second;
  LITERT_ASSIGN_OR_RETURN(auto library, DispatchLibrary::Load(path));
  LITERT_ASSIGN_OR_RETURN(auto device,
                          DispatchDevice::Create(library->client(), library->options()));
  device->CallHook(kLiteRtHookTypeCompilerStart);
  OpenDevice open{.library = std::move(library), .device = std::move(device)};
  return &devices_.emplace(path, std::move(open)).first->second;
}

std::vector<CompileSpec> DispatchDevices::SpecsFor(const DispatchLibrary& library,
                                                   const DelegateRecord* delegate) const {
  std::vector<CompileSpec> specs;
  // From the weakest to the strongest: what is set later replaces what is there under the key.
  const auto set = [&](const CompileSpec& spec) { SetSpec(spec, specs); };
  std::string soc = soc_model_;
  if (delegate != nullptr && !delegate->soc_model.empty()) soc = delegate->soc_model;
  if (!soc.empty()) set({.key = NPUKIT_SPEC_SOC_MODEL, .bytes = {soc.begin(), soc.end()}});
  if (delegate != nullptr) {
    for (const CompileSpec& spec : delegate->specs) set(spec);
  }
  const std::string& vendor = delegate != nullptr ? delegate->plugin : library.vendor_id();
  for (const CompileSpecRequest& request : specs_) {
    // Those of one partition were the compiler's, and came with the delegate.
    if (request.partition) continue;
    if (request.plugin.empty() || VendorLikeness(vendor, request.plugin) > 0) set(request.spec);
  }
  return specs;
}

const CompileSpecRequest* DispatchDevices::UnknownSpec() const {
  for (const CompileSpecRequest& request : specs_) {
    if (request.is_optional) continue;
    const bool is_known =
        !request.partition && std::any_of(devices_.begin(), devices_.end(), [&](const auto& named) {
          const OpenDevice& open = named.second;
          const bool is_meant = request.plugin.empty() ||
                                VendorLikeness(open.library->vendor_id(), request.plugin) > 0;
          return is_meant && open.device->known_specs().contains(request.spec.key);
        });
    if (!is_known) return &request;
  }
  return nullptr;
}

std::vector<std::string> DispatchDevices::PathsFor(const DelegateRecord* delegate) const {
  std::vector<std::string> paths = paths_;
  if (delegate == nullptr) return paths;
  std::stable_sort(paths.begin(), paths.end(), [&](const std::string& a, const std::string& b) {
    return VendorLikeness(VendorOfDispatchFile(a), delegate->plugin) >
           VendorLikeness(VendorOfDispatchFile(b), delegate->plugin);
  });
  return paths;
}

litert::Expected<LoadedInvocation> DispatchDevices::Make(const OpenDevice& open,
                                                         const DispatchExecutable& executable,
                                                         const InvocationRequest& request) {
  LoadedInvocation made{open.library.get(), nullptr, nullptr, {}};
  if (made.library->has_scratchpads()) {
    LITERT_ASSIGN_OR_RETURN(made.function,
                            LoadedFunction::Create(*open.device, executable, request.entry_point));
    LITERT_ASSIGN_OR_RETURN(made.scratchpad, made.function->ScratchpadRequirements());
    if (made.scratchpad.size_bytes > 0) return made;
    LITERT_RETURN_IF_ERROR(made.function->Close());
    made.function.reset();
  }
  LITERT_ASSIGN_OR_RETURN(
      made.invocation,
      DispatchInvocation::Create(*open.device, executable, request.entry_point.c_str(),
                                 request.num_inputs, request.num_outputs));
  return made;
}

litert::Expected<LoadedInvocation> DispatchDevices::LoadOn(OpenDevice& open,
                                                           const InvocationRequest& request) {
  const DispatchLibrary& library = *open.library;
  // A device keeps what it was told last, and the op before may have been another partition's.
  LITERT_RETURN_IF_ERROR(open.device->SetCompileSpecs(SpecsFor(library, request.delegate)));
  const auto executable = executables_.find(request.module);
  if (executable != executables_.end() && request.delegate != nullptr &&
      library.takes_executables() &&
      VendorLikeness(library.vendor_id(), request.delegate->plugin) > 0) {
    auto made = Make(open, DispatchExecutable::OfJit(executable->second), request);
    if (made) {
      ++executables_in_use_;
      return made;
    }
    // One that knows no executables takes the bytecode.
    if (made.Error().Status() != kLiteRtStatusErrorUnsupported)
      return litert::Unexpected(made.Error());
  }
  if (request.bytecode.empty()) {
    return litert::Unexpected(
        kLiteRtStatusErrorUnsupported,
        library.path() +
            ": does not take the compiler's executable, and there is no bytecode in its place");
  }
  return Make(open, DispatchExecutable::OfBytecode(request.bytecode), request);
}

litert::Expected<LoadedInvocation> DispatchDevices::Load(const InvocationRequest& request) {
  // All entry points of a module go where its first one went.
  if (const auto known = device_of_module_.find(request.module); known != device_of_module_.end())
    return LoadOn(*known->second, request);
  ErrorCollector errors;
  for (const std::string& path : PathsFor(request.delegate)) {
    // One that other ops run on stays open, though it does not take this one.
    const bool was_open = devices_.contains(path);
    litert::Expected<OpenDevice*> open = Open(path);
    if (!open) {
      errors.Add(open.Error());
      continue;
    }
    auto loaded = LoadOn(**open, request);
    if (loaded) {
      device_of_module_[request.module] = *open;
      return loaded;
    }
    errors.Add(loaded.Error());
    if (was_open) continue;
    errors.Add(CloseDevice(**open));  // of no use
    devices_.erase(path);
  }
  litert::Expected<void> result = errors.Result();
  if (!result) return litert::Unexpected(result.Error());
  return litert::Unexpected(kLiteRtStatusErrorNotFound, "there is no dispatch library to ask");
}

litert::Expected<void> DispatchDevices::RegisterBufferHandlers(
    LiteRtEnvironment environment) const {
  for (const auto& [path, open] : devices_)
    LITERT_RETURN_IF_ERROR(open.library->RegisterBufferHandlers(environment));
  return {};
}

void DispatchDevices::EndLoading(OpenDevice& open) {
  if (std::exchange(open.is_loading, false)) open.device->CallHook(kLiteRtHookTypeCompilerStop);
}

void DispatchDevices::EndLoading() {
  for (auto& [path, open] : devices_) EndLoading(open);
}

void DispatchDevices::CallHooks(LiteRtHookType type) {
  for (auto& [path, open] : devices_) open.device->CallHook(type);
}

std::string DispatchDevices::Describe() const {
  std::string text;
  for (const auto& [path, open] : devices_) {
    const DispatchLibrary& library = *open.library;
    text += fmt::format("{}{} ({}, {})", text.empty() ? "" : "; ",
                        PlaceOf(kNpukitStaticPluginDispatch, library.path()), library.vendor_id(),
                        library.build_id());
  }
  return text;
}

litert::Expected<void> DispatchDevices::CloseDevice(OpenDevice& open) {
  EndLoading(open);
  open.device->CallHook(kLiteRtHookTypeStopAndProcess);
  return open.device->Close();
}

litert::Expected<void> DispatchDevices::Close() {
  ErrorCollector errors;
  for (auto& [path, open] : devices_) errors.Add(CloseDevice(open));
  devices_.clear();
  device_of_module_.clear();
  return errors.Result();
}

}  // namespace npukit
