// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_INTERNAL_SCRATCHPAD_CALLS_H_
#define NPUKIT_INTERNAL_SCRATCHPAD_CALLS_H_

// The functions of a dispatch library's graph table about scratchpads, the same
// for every vendor. The host loads an executable, asks what an entry point
// needs, registers and attaches a buffer, and then makes invocations.

#include <string>

#include "litert/c/litert_common.h"
#include "litert/c/litert_tensor_buffer_requirements.h"
#include "litert/cc/litert_expected.h"
#include "litert/cc/litert_macros.h"
#include "litert/vendors/c/litert_dispatch.h"
#include "npukit/internal/boundary.h"
#include "npukit/internal/dispatch_context.h"
#include "npukit/internal/dispatch_state.h"
#include "npukit/internal/loaded_executable.h"
#include "npukit/internal/namespace.h"

NPUKIT_NAMESPACE_BEGIN
namespace internal {

// `D` is the vendor's class.
template <class D>
struct ScratchpadCalls {
  template <class T>
  using Expected = ::litert::Expected<T>;

  // LiteRtDispatchGetScratchpadRequirementsT and LiteRtDispatchAttachScratchpadBufferT, which only the
  // newest headers have.
  using GetFn = LiteRtStatus (*)(LiteRtDispatchDeviceContext, LiteRtDispatchExecutableHandle,
                                 const char*, LiteRtTensorBufferRequirements*);
  using AttachFn = LiteRtStatus (*)(LiteRtDispatchDeviceContext, LiteRtDispatchExecutableHandle,
                                    const char*, LiteRtTensorBufferHandle);

  static LiteRtStatus GetRequirements(LiteRtDispatchDeviceContext device,
                                      LiteRtDispatchExecutableHandle handle, const char* function,
                                      LiteRtTensorBufferRequirements* out) {
    return Guard("get_scratchpad_requirements", [&]() -> Expected<void> {
      NPUKIT_INTERNAL_REQUIRE(out);
      *out = nullptr;
      const auto context = dispatch_state<D>.devices.Find(device);
      if (context == nullptr) return BadHandle("a device context");
      const auto executable = context->executables.Find(handle);
      if (executable == nullptr) return BadHandle("an executable");
      LITERT_ASSIGN_OR_RETURN(const auto needed, executable->ScratchpadRequirements(
                                                     *context->device, ToName(function)));
      LITERT_ASSIGN_OR_RETURN(*out, MakeRequirements(needed));
      return {};
    });
  }

  static LiteRtStatus Attach(LiteRtDispatchDeviceContext device,
                             LiteRtDispatchExecutableHandle handle, const char* function,
                             LiteRtTensorBufferHandle buffer) {
    return Guard("attach_scratchpad_buffer", [&]() -> Expected<void> {
      const auto context = dispatch_state<D>.devices.Find(device);
      if (context == nullptr) return BadHandle("a device context");
      const auto executable = context->executables.Find(handle);
      if (executable == nullptr) return BadHandle("an executable");
      const auto registered = context->buffers.Find(buffer);
      if (registered == nullptr) return BadHandle("a tensor buffer");
      LITERT_ASSIGN_OR_RETURN(const auto needed, executable->ScratchpadRequirements(
                                                     *context->device, ToName(function)));
      LITERT_RETURN_IF_ERROR(CheckScratchpad(needed, registered->buffer));
      executable->AttachScratchpad(ToName(function), buffer);
      return {};
    });
  }

  static constexpr GetFn GetIfAny() { return D::kHasScratchpads ? GetRequirements : nullptr; }
  static constexpr AttachFn AttachIfAny() { return D::kHasScratchpads ? Attach : nullptr; }

 private:
  static std::string ToName(const char* function) { return function != nullptr ? function : ""; }
};

}  // namespace internal
NPUKIT_NAMESPACE_END

#endif  // NPUKIT_INTERNAL_SCRATCHPAD_CALLS_H_
