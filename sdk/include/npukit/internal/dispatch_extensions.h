// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_INTERNAL_DISPATCH_EXTENSIONS_H_
#define NPUKIT_INTERNAL_DISPATCH_EXTENSIONS_H_

// npukit's optional exports of a dispatch library (delegate_debug.h,
// compile_spec.h), the same for every vendor.

#include <cstddef>
#include <cstdint>
#include <string>

#include "litert/c/litert_common.h"
#include "litert/cc/internal/litert_text.h"
#include "litert/cc/litert_common.h"
#include "litert/cc/litert_expected.h"
#include "litert/cc/litert_macros.h"
#include "npukit/compile_spec.h"
#include "npukit/delegate_debug.h"
#include "npukit/event_status.h"
#include "npukit/internal/boundary.h"
#include "npukit/internal/dispatch_calls.h"
#include "npukit/internal/dispatch_state.h"
#include "npukit/internal/namespace.h"
#include "npukit/internal/run_event.h"

NPUKIT_NAMESPACE_BEGIN
namespace internal {

// `D` is the vendor's class.
template <class D>
struct DispatchExtensions {
  template <class T>
  using Expected = ::litert::Expected<T>;

  static LiteRtStatus SetSpecs(LiteRtDispatchDeviceContext handle, const NpukitCompileSpec* specs,
                               size_t num_specs) {
    return Guard("NpukitDispatchSetCompileSpecs", [&]() -> Expected<void> {
      const auto context = dispatch_state<D>.devices.Find(handle);
      if (context == nullptr) return BadHandle("a device context");
      if (specs == nullptr && num_specs > 0) return NullAmong("(specs)");
      context->device->ClearSpecs();
      for (size_t i = 0; i < num_specs; ++i) {
        const NpukitCompileSpec& spec = specs[i];
        if (spec.key == nullptr || (spec.data == nullptr && spec.size_bytes > 0)) {
          return NullAmong("(specs[i].key, specs[i].data)");
        }
        LITERT_RETURN_IF_ERROR(context->device->SetSpec(
            spec.key, {static_cast<const uint8_t*>(spec.data), spec.size_bytes}));
      }
      return {};
    });
  }

  static LiteRtStatus SetRecording(LiteRtDispatchInvocationContext handle, uint32_t record) {
    return DispatchCalls<D>::WithIdleInvocation(
        "NpukitDispatchSetRecording", handle,
        [&](InvocationContext& context) { return context.invocation().SetRecording(record); });
  }

  static LiteRtStatus GetNumEvents(LiteRtDispatchInvocationContext handle, size_t* num) {
    return DispatchCalls<D>::WithIdleInvocation("NpukitDispatchGetNumProfileEvents", handle,
                                                [&](InvocationContext& context) -> Expected<void> {
                                                  NPUKIT_INTERNAL_REQUIRE(num);
                                                  *num = context.invocation().Profile().size();
                                                  return {};
                                                });
  }

  static LiteRtStatus GetEvent(LiteRtDispatchInvocationContext handle, size_t position,
                               NpukitProfileEvent* out) {
    return DispatchCalls<D>::WithIdleInvocation(
        "NpukitDispatchGetProfileEvent", handle, [&](InvocationContext& context) -> Expected<void> {
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

  static LiteRtStatus GetLastError(LiteRtDispatchInvocationContext handle,
                                   NpukitDebugHandle* debug_handle, char* buffer, size_t size) {
    return DispatchCalls<D>::WithIdleInvocation(
        "NpukitDispatchGetLastError", handle, [&](InvocationContext& context) -> Expected<void> {
          NPUKIT_INTERNAL_REQUIRE(debug_handle);
          const InvocationError error = context.invocation().LastError();
          *debug_handle = error.handle;
          if (buffer != nullptr && size > 0) {
            CopyText(error.message, buffer, size);
          }
          return {};
        });
  }

  static LiteRtStatus GetEventStatus(LiteRtEvent event, LiteRtStatus* status,
                                     NpukitDebugHandle* debug_handle, char* buffer, size_t size) {
    bool is_signalled = false;
    const LiteRtStatus found = Guard("NpukitDispatchGetEventStatus", [&]() -> Expected<void> {
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

  static LiteRtStatus GetIntermediate(LiteRtDispatchInvocationContext handle,
                                      NpukitDebugHandle debug_handle, int output_index,
                                      LiteRtRankedTensorType* type, const void** data,
                                      size_t* size_bytes) {
    return DispatchCalls<D>::WithIdleInvocation(
        "NpukitDispatchGetIntermediate", handle, [&](InvocationContext& context) -> Expected<void> {
          NPUKIT_INTERNAL_REQUIRE(type, data, size_bytes);
          if (output_index < 0) {
            return ::litert::Unexpected(::litert::Status::kErrorInvalidArgument,
                                        ::litert::internal::Text({"no output ", output_index}));
          }
          LITERT_ASSIGN_OR_RETURN(const Intermediate values,
                                  context.invocation().GetIntermediate(
                                      debug_handle, static_cast<size_t>(output_index)));
          *type = static_cast<LiteRtRankedTensorType>(values.type);
          *data = values.data;
          *size_bytes = values.size_bytes;
          return {};
        });
  }
};

}  // namespace internal
NPUKIT_NAMESPACE_END

#endif  // NPUKIT_INTERNAL_DISPATCH_EXTENSIONS_H_
