// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/runner/vendor/vendor_device.h"

#include <string>

#include "conformance/runner/process/stage.h"
#include "litert/cc/litert_macros.h"

namespace npukit::conformance {

void StageObserver::Begin(std::string_view function) { SetStage(function); }

void StageObserver::End(std::string_view function) {
  SetStage(std::string("after ").append(function));
}

litert::Expected<std::unique_ptr<VendorDevice>> VendorDevice::Create(
    std::shared_ptr<const DispatchLibrary> library) {
  std::unique_ptr<VendorDevice> made(new VendorDevice(std::move(library)));
  LITERT_ASSIGN_OR_RETURN(made->device_,
                          DispatchDevice::Create(made->client_, made->library_->options()));
  return made;
}

}  // namespace npukit::conformance
