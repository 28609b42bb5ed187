// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_INTERNAL_DISPATCH_ASYNC_FUNCTIONS_H_
#define NPUKIT_INTERNAL_DISPATCH_ASYNC_FUNCTIONS_H_

// The asynchronous runs of a dispatch library.

#include <cstddef>
#include <cstdint>

#include "litert/c/litert_common.h"
#include "litert/c/litert_model_types.h"
#include "litert/cc/internal/litert_text.h"
#include "litert/cc/litert_common.h"
#include "litert/cc/litert_expected.h"
#include "litert/cc/litert_macros.h"
#include "litert/vendors/c/litert_dispatch.h"
#include "npukit/internal/boundary.h"
#include "npukit/internal/dispatch/dispatch_context.h"
#include "npukit/internal/dispatch/values.h"
#include "npukit/internal/dispatch/with_invocation.h"
#include "npukit/internal/dispatch_functions.h"
#include "npukit/internal/namespace.h"

NPUKIT_NAMESPACE_BEGIN
namespace internal {

NPUKIT_INTERNAL_INLINE LiteRtStatus DispatchFunctions::AttachInputEvent(
    State& state, LiteRtDispatchInvocationContext handle, int index, LiteRtEvent event) {
  return WithInvocation(state, "attach_input_event", handle,
                        [&](InvocationContext& context) -> ::litert::Expected<void> {
                          NPUKIT_INTERNAL_REQUIRE(event);
                          return context.AttachEvent(index, event);
                        });
}

NPUKIT_INTERNAL_INLINE LiteRtStatus
DispatchFunctions::InvokeAsync(State& state, LiteRtDispatchInvocationContext handle,
                               int num_output_events, LiteRtEvent* output_events) {
  // Where only a lock gives the memory the run ends before the call, and the lock may wait for the
  // event of a run before, which needs the invocation to itself.
  if (const auto context = state.invocations.Find(handle);
      context != nullptr && context->NeedsLocks()) {
    context->WaitUntilIdle();
  }
  return WithInvocation(
      state, "invoke_async", handle, [&](InvocationContext& context) -> ::litert::Expected<void> {
        const size_t num_outputs = context.outputs().size();
        if (num_output_events < 0 || static_cast<size_t>(num_output_events) != num_outputs) {
          return ::litert::Unexpected(
              ::litert::Status::kErrorInvalidArgument,
              ::litert::internal::Text(
                  {num_output_events, " output events, there are ", num_outputs, " outputs"}));
        }
        if (num_outputs > 0) NPUKIT_INTERNAL_REQUIRE(output_events);
        return context.InvokeAsync({output_events, num_outputs});
      });
}

}  // namespace internal
NPUKIT_NAMESPACE_END

#endif  // NPUKIT_INTERNAL_DISPATCH_ASYNC_FUNCTIONS_H_
