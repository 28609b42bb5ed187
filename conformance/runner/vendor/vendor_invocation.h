// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// An invocation of the library under test: the host's (dispatch_invocation.h), and the bare calls that
// no correct host would make.

#ifndef NPUKIT_CONFORMANCE_RUNNER_VENDOR_VENDOR_INVOCATION_H_
#define NPUKIT_CONFORMANCE_RUNNER_VENDOR_VENDOR_INVOCATION_H_

#include <cstddef>
#include <memory>
#include <optional>
#include <utility>

#include "conformance/runner/vendor/vendor_buffer.h"
#include "conformance/runner/vendor/vendor_device.h"
#include "litert/cc/litert_expected.h"
#include "litert/vendors/c/litert_dispatch_api.h"
#include "sdk/host/runtime/dispatch/client/dispatch_invocation.h"
#include "sdk/host/runtime/dispatch/client/port_requirements.h"
#include "sdk/host/runtime/dispatch/handle_records.h"

namespace npukit::conformance {

// A loaded partition without buffers. Where observations are judged there is none behind it.
class VendorInvocation {
 public:
  // The numbers of ports may be wrong on purpose; a null entry point too.
  static litert::Expected<std::unique_ptr<VendorInvocation>> Create(VendorDevice& device,
                                                                    const LiteRtMemBuffer& bytecode,
                                                                    const char* entry_point,
                                                                    size_t num_inputs,
                                                                    size_t num_outputs);
  // Takes over a context that was made otherwise.
  static std::unique_ptr<VendorInvocation> Adopt(VendorDevice& device,
                                                 LiteRtDispatchInvocationContext context);
  static std::unique_ptr<VendorInvocation> Adopt(VendorDevice& device,
                                                 std::unique_ptr<DispatchInvocation> invocation);
  litert::Expected<void> Close();

  const LiteRtDispatchInterface& functions() const { return device_->functions(); }
  VendorDevice& device() const { return *device_; }
  LiteRtDispatchInvocationContext context() const {
    return invocation_ == nullptr ? nullptr : invocation_->context();
  }

  litert::Expected<PortRequirements> Requirements(const DispatchPort& port) const;
  litert::Expected<void> Attach(const DispatchPort& port, const VendorBuffer& buffer) {
    return invocation_->Attach(port, buffer.registration());
  }
  litert::Expected<void> DetachAll() { return invocation_->DetachAll(); }
  litert::Expected<void> StartMetrics(int detail_level) const {
    return invocation_->StartMetrics(detail_level);
  }
  litert::Expected<DispatchMetrics> StopMetrics() const { return invocation_->StopMetrics(); }

  // Nothing if the library does not tell.
  litert::Expected<std::optional<HandleError>> LastError() const;

  // Bare calls, whose answers are the caller's to judge. They do not touch the record of what is
  // attached: what one detaches another attaches again.
  LiteRtStatus TryAttach(const DispatchPort& port, LiteRtTensorBufferHandle handle) const;
  LiteRtStatus TryDetach(const DispatchPort& port, LiteRtTensorBufferHandle handle) const;
  LiteRtStatus TryInvoke() const;

 private:
  explicit VendorInvocation(VendorDevice& device) : device_(&device) {}
  VendorDevice* device_;
  DispatchExecutable executable_;
  std::unique_ptr<DispatchInvocation> invocation_;
};

}  // namespace npukit::conformance

#endif  // NPUKIT_CONFORMANCE_RUNNER_VENDOR_VENDOR_INVOCATION_H_
