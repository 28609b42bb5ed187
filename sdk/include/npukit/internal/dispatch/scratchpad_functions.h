// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_INTERNAL_DISPATCH_SCRATCHPAD_FUNCTIONS_H_
#define NPUKIT_INTERNAL_DISPATCH_SCRATCHPAD_FUNCTIONS_H_

// Scratchpads of executables. The host loads an executable, asks what an entry point needs, registers
// and attaches a buffer, and then makes invocations.

#include <cstddef>
#include <cstdint>
#include <string>

#include "litert/c/litert_common.h"
#include "litert/c/litert_model_types.h"
#include "litert/c/litert_tensor_buffer_requirements.h"
#include "litert/cc/internal/litert_text.h"
#include "litert/cc/litert_common.h"
#include "litert/cc/litert_expected.h"
#include "litert/cc/litert_macros.h"
#include "litert/vendors/c/litert_dispatch.h"
#include "npukit/internal/boundary.h"
#include "npukit/internal/dispatch/dispatch_context.h"
#include "npukit/internal/dispatch/loaded_executable.h"
#include "npukit/internal/dispatch/values.h"
#include "npukit/internal/dispatch/with_invocation.h"
#include "npukit/internal/dispatch_functions.h"
#include "npukit/internal/namespace.h"

NPUKIT_NAMESPACE_BEGIN
namespace internal {

inline std::string NameOf(const char* function) { return function != nullptr ? function : ""; }

NPUKIT_INTERNAL_INLINE LiteRtStatus DispatchFunctions::GetScratchpadRequirements(
    State& state, LiteRtDispatchDeviceContext device, LiteRtDispatchExecutableHandle handle,
    const char* function, LiteRtTensorBufferRequirements* out) {
  return Guard("get_scratchpad_requirements", [&]() -> ::litert::Expected<void> {
    NPUKIT_INTERNAL_REQUIRE(out);
    *out = nullptr;
    const auto context = state.devices.Find(device);
    if (context == nullptr) return BadHandle("a device context");
    const auto executable = context->executables.Find(handle);
    if (executable == nullptr) return BadHandle("an executable");
    LITERT_ASSIGN_OR_RETURN(const auto needed,
                            executable->ScratchpadRequirements(*context->device, NameOf(function)));
    LITERT_ASSIGN_OR_RETURN(*out, MakeRequirements(needed));
    return {};
  });
}

NPUKIT_INTERNAL_INLINE LiteRtStatus DispatchFunctions::AttachScratchpad(
    State& state, LiteRtDispatchDeviceContext device, LiteRtDispatchExecutableHandle handle,
    const char* function, LiteRtTensorBufferHandle buffer) {
  return Guard("attach_scratchpad_buffer", [&]() -> ::litert::Expected<void> {
    const auto context = state.devices.Find(device);
    if (context == nullptr) return BadHandle("a device context");
    const auto executable = context->executables.Find(handle);
    if (executable == nullptr) return BadHandle("an executable");
    const auto registered = context->buffers.Find(buffer);
    if (registered == nullptr) return BadHandle("a tensor buffer");
    LITERT_ASSIGN_OR_RETURN(const auto needed,
                            executable->ScratchpadRequirements(*context->device, NameOf(function)));
    LITERT_RETURN_IF_ERROR(CheckScratchpad(needed, registered->buffer));
    executable->AttachScratchpad(NameOf(function), buffer);
    return {};
  });
}

}  // namespace internal
NPUKIT_NAMESPACE_END

#endif  // NPUKIT_INTERNAL_DISPATCH_SCRATCHPAD_FUNCTIONS_H_
