// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_INTERNAL_DISPATCH_WITH_INVOCATION_H_
#define NPUKIT_INTERNAL_DISPATCH_WITH_INVOCATION_H_

// How a function of a dispatch library comes to the invocation behind a handle.

#include <mutex>

#include "litert/c/litert_common.h"
#include "litert/cc/litert_expected.h"
#include "litert/vendors/c/litert_dispatch.h"
#include "npukit/internal/boundary.h"
#include "npukit/internal/dispatch/dispatch_context.h"
#include "npukit/internal/dispatch/values.h"
#include "npukit/internal/dispatch_state.h"
#include "npukit/internal/namespace.h"

NPUKIT_NAMESPACE_BEGIN
namespace internal {

// Runs `body` on the invocation behind a handle, alone.
template <class Body>
LiteRtStatus WithInvocation(DispatchState& state, const char* function,
                            LiteRtDispatchInvocationContext handle, Body body) {
  return Guard(function, [&]() -> ::litert::Expected<void> {
    const auto context = state.invocations.Find(handle);
    if (context == nullptr) return BadHandle("an invocation context");
    const std::lock_guard<std::mutex> lock(context->mutex());
    return body(*context);
  });
}

// The same once the queued runs are over.
template <class Body>
LiteRtStatus WithIdleInvocation(DispatchState& state, const char* function,
                                LiteRtDispatchInvocationContext handle, Body body) {
  if (const auto context = state.invocations.Find(handle); context != nullptr) {
    context->WaitUntilIdle();
  }
  return WithInvocation(state, function, handle, body);
}

}  // namespace internal
NPUKIT_NAMESPACE_END

#endif  // NPUKIT_INTERNAL_DISPATCH_WITH_INVOCATION_H_
