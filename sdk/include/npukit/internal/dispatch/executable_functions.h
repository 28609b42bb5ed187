// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_INTERNAL_DISPATCH_EXECUTABLE_FUNCTIONS_H_
#define NPUKIT_INTERNAL_DISPATCH_EXECUTABLE_FUNCTIONS_H_

// The executables of which a dispatch library makes graphs.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "litert/c/litert_common.h"
#include "litert/c/litert_model_types.h"
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

NPUKIT_INTERNAL_INLINE LiteRtStatus DispatchFunctions::LoadExecutable(
    State& state, LiteRtDispatchDeviceContext device, LiteRtDispatchExecutableType type,
    const LiteRtMemBuffer* bytecode, LiteRtDispatchExecutableHandle* handle) {
  return Guard("load_executable", [&]() -> ::litert::Expected<void> {
    NPUKIT_INTERNAL_REQUIRE(bytecode, handle);
    const auto context = state.devices.Find(device);
    if (context == nullptr) return BadHandle("a device context");
    auto executable = std::make_unique<LoadedExecutable>();
    executable->type = type;
    if (static_cast<int>(type) == kJitHandleType) {
      executable->executable = bytecode->base_addr;
    } else {
      LITERT_ASSIGN_OR_RETURN(executable->bytes, ReadBytecode(*bytecode, executable->storage));
      LITERT_RETURN_IF_ERROR(context->device->CheckModule(type, executable->bytes));
    }
    *handle = context->executables.Add(executable.release());
    return {};
  });
}

NPUKIT_INTERNAL_INLINE LiteRtStatus DispatchFunctions::UnloadExecutable(
    State& state, LiteRtDispatchDeviceContext device, LiteRtDispatchExecutableHandle handle) {
  return Guard("unload_executable", [&]() -> ::litert::Expected<void> {
    const auto context = state.devices.Find(device);
    if (context == nullptr) return BadHandle("a device context");
    if (context->executables.Remove(handle) == nullptr) return BadHandle("an executable");
    return {};
  });
}

}  // namespace internal
NPUKIT_NAMESPACE_END

#endif  // NPUKIT_INTERNAL_DISPATCH_EXECUTABLE_FUNCTIONS_H_
