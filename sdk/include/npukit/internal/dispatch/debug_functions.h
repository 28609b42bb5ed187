// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_INTERNAL_DISPATCH_DEBUG_FUNCTIONS_H_
#define NPUKIT_INTERNAL_DISPATCH_DEBUG_FUNCTIONS_H_

// What npukit/delegate_debug.h and npukit/extensions/event_status.h ask of a dispatch library.

#include <cstddef>
#include <cstdint>

#include "litert/c/litert_common.h"
#include "litert/c/litert_model_types.h"
#include "litert/cc/internal/litert_text.h"
#include "litert/cc/litert_common.h"
#include "litert/cc/litert_expected.h"
#include "litert/cc/litert_macros.h"
#include "litert/vendors/c/litert_dispatch.h"
#include "npukit/delegate_debug.h"
#include "npukit/dispatch_types.h"
#include "npukit/extensions/event_status.h"
#include "npukit/internal/boundary.h"
#include "npukit/internal/dispatch/dispatch_context.h"
#include "npukit/internal/dispatch/run_event.h"
#include "npukit/internal/dispatch/values.h"
#include "npukit/internal/dispatch/with_invocation.h"
#include "npukit/internal/dispatch_functions.h"
#include "npukit/internal/namespace.h"

NPUKIT_NAMESPACE_BEGIN
namespace internal {

NPUKIT_INTERNAL_INLINE LiteRtStatus DispatchFunctions::SetRecording(
    State& state, LiteRtDispatchInvocationContext handle, uint32_t record) {
  return WithIdleInvocation(
      state, "NpukitDispatchSetRecording", handle,
      [&](InvocationContext& context) { return context.invocation().SetRecording(record); });
}

NPUKIT_INTERNAL_INLINE LiteRtStatus
DispatchFunctions::GetNumEvents(State& state, LiteRtDispatchInvocationContext handle, size_t* num) {
  return WithIdleInvocation(state, "NpukitDispatchGetNumProfileEvents", handle,
                            [&](InvocationContext& context) -> ::litert::Expected<void> {
                              NPUKIT_INTERNAL_REQUIRE(num);
                              *num = context.invocation().Profile().size();
                              return {};
                            });
}

NPUKIT_INTERNAL_INLINE LiteRtStatus
DispatchFunctions::GetEvent(State& state, LiteRtDispatchInvocationContext handle, size_t position,
                            NpukitProfileEvent* out) {
  return WithIdleInvocation(state, "NpukitDispatchGetProfileEvent", handle,
                            [&](InvocationContext& context) -> ::litert::Expected<void> {
                              NPUKIT_INTERNAL_REQUIRE(out);
                              const auto events = context.invocation().Profile();
                              if (position >= events.size()) {
                                return OutOfBounds("profile event", position, events.size());
                              }
                              if (out->struct_size < sizeof(NpukitProfileEvent)) {
                                return ::litert::Unexpected(::litert::Status::kErrorWrongVersion,
                                                            "struct_size is too small");
                              }
                              const ProfileEvent& event = events[position];
                              out->handle = event.handle;
                              out->unit = event.unit.c_str();
                              out->start_cycle = event.start_cycle;
                              out->end_cycle = event.end_cycle;
                              return {};
                            });
}

NPUKIT_INTERNAL_INLINE LiteRtStatus
DispatchFunctions::GetLastError(State& state, LiteRtDispatchInvocationContext handle,
                                NpukitDebugHandle* debug_handle, char* buffer, size_t size) {
  return WithIdleInvocation(state, "NpukitDispatchGetLastError", handle,
                            [&](InvocationContext& context) -> ::litert::Expected<void> {
                              NPUKIT_INTERNAL_REQUIRE(debug_handle);
                              const InvocationError error = context.invocation().LastError();
                              *debug_handle = error.handle;
                              if (buffer != nullptr && size > 0) {
                                CopyText(error.message, buffer, size);
                              }
                              return {};
                            });
}

NPUKIT_INTERNAL_INLINE LiteRtStatus
DispatchFunctions::GetEventStatus(LiteRtEvent event, LiteRtStatus* status,
                                  NpukitDebugHandle* debug_handle, char* buffer, size_t size) {
  bool is_signalled = false;
  const LiteRtStatus found =
      Guard("NpukitDispatchGetEventStatus", [&]() -> ::litert::Expected<void> {
        NPUKIT_INTERNAL_REQUIRE(event, status, debug_handle);
        RunOutcome outcome;
        if (!RunEvent::Find(event, &is_signalled, &outcome)) {
          return BadHandle("an event of this library");
        }
        *status = outcome.status;
        *debug_handle = outcome.error.handle;
        if (buffer != nullptr && size > 0) CopyText(outcome.error.message, buffer, size);
        return {};
      });
  if (found != kLiteRtStatusOk || is_signalled) return found;
  return kLiteRtStatusErrorTimeoutExpired;
}

NPUKIT_INTERNAL_INLINE LiteRtStatus DispatchFunctions::GetIntermediate(
    State& state, LiteRtDispatchInvocationContext handle, NpukitDebugHandle debug_handle,
    int output_index, LiteRtRankedTensorType* type, const void** data, size_t* size_bytes) {
  // That a value was not recorded is an answer, and nothing for the log.
  bool is_recorded = true;
  const LiteRtStatus status = WithIdleInvocation(
      state, "NpukitDispatchGetIntermediate", handle,
      [&](InvocationContext& context) -> ::litert::Expected<void> {
        NPUKIT_INTERNAL_REQUIRE(type, data, size_bytes);
        if (output_index < 0) {
          return ::litert::Unexpected(::litert::Status::kErrorInvalidArgument,
                                      ::litert::internal::Text({"no output ", output_index}));
        }
        const ::litert::Expected<Intermediate> values =
            context.invocation().GetIntermediate(debug_handle, static_cast<size_t>(output_index));
        is_recorded = values || values.Error().Status() != kLiteRtStatusErrorNotFound;
        if (!is_recorded) return {};
        if (!values) return values.Error();
        *type = static_cast<LiteRtRankedTensorType>(values->type);
        *data = values->data;
        *size_bytes = values->size_bytes;
        return {};
      });
  return is_recorded ? status : kLiteRtStatusErrorNotFound;
}

}  // namespace internal
NPUKIT_NAMESPACE_END

#endif  // NPUKIT_INTERNAL_DISPATCH_DEBUG_FUNCTIONS_H_
