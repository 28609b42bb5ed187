// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/runner/vendor/vendor_invocation.h"

#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

#include "conformance/observation/evidence.h"
#include "conformance/runner/vendor/vendor_call.h"
#include "litert/cc/litert_macros.h"
#include "sdk/host/runtime/dispatch/dispatch_debug.h"

namespace npukit::conformance {
namespace {

// Of types of buffers, whether host memory is one of them.
struct ObservedRequirements {
  PortRequirements requirements;
  static auto Fields(auto& self) {
    auto& observed = self.requirements;
    return std::tie(observed.accepts_host_memory, observed.size_bytes, observed.alignment_bytes,
                    observed.strides_elems);
  }
};

struct ObservedError {
  bool is_told = false;
  HandleError error;
  static auto Fields(auto& self) {
    return std::tie(self.is_told, self.error.handle, self.error.message);
  }
};

}  // namespace

litert::Expected<std::unique_ptr<VendorInvocation>> VendorInvocation::Create(
    VendorDevice& device, const LiteRtMemBuffer& bytecode, const char* entry_point,
    size_t num_inputs, size_t num_outputs) {
  std::unique_ptr<VendorInvocation> made(new VendorInvocation(device));
  made->executable_.memory = bytecode;
  LITERT_RETURN_IF_ERROR(
      Witness::Get().ObserveStatus("invocation_context_create", [&]() -> litert::Expected<void> {
        LITERT_ASSIGN_OR_RETURN(made->invocation_,
                                DispatchInvocation::Create(device.device(), made->executable_,
                                                           entry_point, num_inputs, num_outputs));
        return {};
      }));
  return made;
}

litert::Expected<void> VendorInvocation::Close() {
  return Witness::Get().ObserveStatus("invocation_context_destroy",
                                      [&] { return invocation_->Close(); });
}

litert::Expected<PortRequirements> VendorInvocation::Requirements(const DispatchPort& port) const {
  LITERT_ASSIGN_OR_RETURN(const ObservedRequirements observed,
                          Witness::Get().Observe<ObservedRequirements>(
                              "requirements", [&]() -> litert::Expected<ObservedRequirements> {
                                LITERT_ASSIGN_OR_RETURN(PortRequirements requirements,
                                                        invocation_->Requirements(port));
                                return ObservedRequirements{std::move(requirements)};
                              }));
  return observed.requirements;
}

litert::Expected<std::optional<HandleError>> VendorInvocation::LastError() const {
  LITERT_ASSIGN_OR_RETURN(ObservedError observed,
                          Witness::Get().Observe<ObservedError>(
                              "the last error", [&]() -> litert::Expected<ObservedError> {
                                auto told = ReadLastError(*invocation_);
                                if (told) return ObservedError{true, std::move(*told)};
                                if (told.Error().Status() == kLiteRtStatusErrorUnsupported)
                                  return ObservedError{};
                                return told.Error();
                              }));
  if (!observed.is_told) return std::optional<HandleError>();
  return std::optional(std::move(observed.error));
}

std::unique_ptr<VendorInvocation> VendorInvocation::Adopt(VendorDevice& device,
                                                          LiteRtDispatchInvocationContext context) {
  return Adopt(device, DispatchInvocation::Adopt(device.device(), context, "a graph"));
}

std::unique_ptr<VendorInvocation> VendorInvocation::Adopt(
    VendorDevice& device, std::unique_ptr<DispatchInvocation> invocation) {
  std::unique_ptr<VendorInvocation> made(new VendorInvocation(device));
  made->invocation_ = std::move(invocation);
  return made;
}

LiteRtStatus VendorInvocation::TryAttach(const DispatchPort& port,
                                         LiteRtTensorBufferHandle handle) const {
  return port.is_input
             ? VendorCall("attach_input", functions().attach_input, context(), port.index, handle)
             : VendorCall("attach_output", functions().attach_output, context(), port.index,
                          handle);
}

LiteRtStatus VendorInvocation::TryDetach(const DispatchPort& port,
                                         LiteRtTensorBufferHandle handle) const {
  return port.is_input
             ? VendorCall("detach_input", functions().detach_input, context(), port.index, handle)
             : VendorCall("detach_output", functions().detach_output, context(), port.index,
                          handle);
}

LiteRtStatus VendorInvocation::TryInvoke() const {
  return VendorCall("invoke", functions().invoke, context());
}

}  // namespace npukit::conformance
