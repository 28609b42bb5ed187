// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// A device of the library under test: the host's client of its table (dispatch_client.h), with the
// worker's stage set around each call. Objects close in the reverse order of their making, which is
// the order that the API asks for.

#ifndef NPUKIT_CONFORMANCE_RUNNER_VENDOR_VENDOR_DEVICE_H_
#define NPUKIT_CONFORMANCE_RUNNER_VENDOR_VENDOR_DEVICE_H_

#include <memory>
#include <span>
#include <string_view>
#include <utility>

#include "litert/cc/litert_expected.h"
#include "litert/vendors/c/litert_dispatch_api.h"
#include "sdk/host/model/metadata/compile_spec.h"
#include "sdk/host/runtime/dispatch/client/dispatch_client.h"
#include "sdk/host/runtime/dispatch/client/dispatch_device.h"
#include "sdk/host/runtime/dispatch/dispatch_library.h"

namespace npukit::conformance {

// The library's functions; all null where there is no library.
const LiteRtDispatchInterface& FunctionsOf(const DispatchLibrary* library);

// Tells the runner which of the library's functions is running.
class StageObserver : public DispatchCallObserver {
 public:
  void Begin(std::string_view function) override;
  void End(std::string_view function) override;
};

// Where observations are judged there is neither library nor device: functions and handles are null,
// and library() and device() may be asked within Witness::See only.
class VendorDevice {
 public:
  // A null library is that of such a place. Of the specs the library gets those that it knows.
  static litert::Expected<std::unique_ptr<VendorDevice>> Create(
      std::shared_ptr<const DispatchLibrary> library, std::span<const CompileSpec> specs = {});
  litert::Expected<void> Close();

  const LiteRtDispatchInterface& functions() const { return FunctionsOf(library_.get()); }
  const DispatchLibrary& library() const { return *library_; }
  const DispatchDevice& device() const { return *device_; }
  LiteRtDispatchDeviceContext context() const {
    return device_ == nullptr ? nullptr : device_->context();
  }

 private:
  explicit VendorDevice(std::shared_ptr<const DispatchLibrary> library);
  std::shared_ptr<const DispatchLibrary> library_;
  StageObserver observer_;
  DispatchClient client_;
  std::unique_ptr<DispatchDevice> device_;
};

}  // namespace npukit::conformance

#endif  // NPUKIT_CONFORMANCE_RUNNER_VENDOR_VENDOR_DEVICE_H_
