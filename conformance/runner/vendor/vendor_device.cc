// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/runner/vendor/vendor_device.h"

#include <string>
#include <utility>

#include "conformance/observation/evidence.h"
#include "conformance/runner/process/stage.h"
#include "litert/cc/litert_macros.h"

namespace npukit::conformance {

const LiteRtDispatchInterface& FunctionsOf(const DispatchLibrary* library) {
  static const LiteRtDispatchInterface kNone = {};
  return library == nullptr ? kNone : library->functions();
}

void StageObserver::Begin(std::string_view function) { SetStage(function); }

void StageObserver::End(std::string_view function) {
  SetStage(std::string("after ").append(function));
}

namespace {

// Without the library's path, which would stand in every message.
DispatchClient NamelessClient(const DispatchLibrary* library) {
  if (library == nullptr) return {};
  return DispatchClient("", library->tables(),
                        [library](const char* symbol) { return library->Find<void*>(symbol); });
}

}  // namespace

VendorDevice::VendorDevice(std::shared_ptr<const DispatchLibrary> library)
    : library_(std::move(library)), client_(NamelessClient(library_.get()).ObservedBy(observer_)) {}

litert::Expected<std::unique_ptr<VendorDevice>> VendorDevice::Create(
    std::shared_ptr<const DispatchLibrary> library, std::span<const CompileSpec> specs) {
  std::unique_ptr<VendorDevice> made(new VendorDevice(std::move(library)));
  LITERT_RETURN_IF_ERROR(
      Witness::Get().ObserveStatus("device_context_create", [&]() -> litert::Expected<void> {
        LITERT_ASSIGN_OR_RETURN(made->device_,
                                DispatchDevice::Create(made->client_, made->library_->options()));
        if (!specs.empty()) LITERT_RETURN_IF_ERROR(made->device_->SetCompileSpecs(specs));
        return {};
      }));
  return made;
}

litert::Expected<void> VendorDevice::Close() {
  return Witness::Get().ObserveStatus("device_context_destroy", [&] { return device_->Close(); });
}

}  // namespace npukit::conformance
