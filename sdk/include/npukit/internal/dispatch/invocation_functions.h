// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_INTERNAL_DISPATCH_INVOCATION_FUNCTIONS_H_
#define NPUKIT_INTERNAL_DISPATCH_INVOCATION_FUNCTIONS_H_

// The functions of a dispatch library's table that are about one invocation.

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "litert/c/internal/litert_scheduling_info.h"
#include "litert/c/litert_common.h"
#include "litert/c/litert_model_types.h"
#include "litert/cc/internal/litert_text.h"
#include "litert/cc/litert_common.h"
#include "litert/cc/litert_expected.h"
#include "litert/cc/litert_macros.h"
#include "litert/cc/litert_ranked_tensor_type.h"
#include "litert/vendors/c/litert_dispatch.h"
#include "npukit/dispatch_types.h"
#include "npukit/internal/boundary.h"
#include "npukit/internal/dispatch/attached_buffers.h"
#include "npukit/internal/dispatch/dispatch_context.h"
#include "npukit/internal/dispatch/values.h"
#include "npukit/internal/dispatch/with_invocation.h"
#include "npukit/internal/dispatch_functions.h"
#include "npukit/internal/namespace.h"

NPUKIT_NAMESPACE_BEGIN
namespace internal {

NPUKIT_INTERNAL_INLINE LiteRtStatus DispatchFunctions::CreateInvocation(
    State& state, LiteRtDispatchDeviceContext handle, LiteRtDispatchExecutableType type,
    const LiteRtMemBuffer* bytecode, const char* function_name, int num_inputs, int num_outputs,
    LiteRtDispatchInvocationContext* out) {
  return Guard("invocation_context_create", [&]() -> ::litert::Expected<void> {
    NPUKIT_INTERNAL_REQUIRE(bytecode, out);
    *out = nullptr;
    const auto context = state.devices.Find(handle);
    if (context == nullptr) return BadHandle("a device context");
    if (num_inputs < 0 || num_outputs < 0) {
      return ::litert::Unexpected(::litert::Status::kErrorInvalidArgument,
                                  "a negative number of tensors");
    }
    std::vector<uint8_t> storage;
    LoadRequest request;
    request.type = type;
    if (static_cast<int>(type) == kJitHandleType) {
      request.executable = bytecode->base_addr;
    } else {
      LITERT_ASSIGN_OR_RETURN(request.bytecode, ReadBytecode(*bytecode, storage));
    }
    request.function_name = function_name != nullptr ? function_name : "";
    request.num_inputs = static_cast<size_t>(num_inputs);
    request.num_outputs = static_cast<size_t>(num_outputs);
    LITERT_ASSIGN_OR_RETURN(auto invocation, context->device->Load(request));
    *out = state.invocations.Add(new InvocationContext(context, std::move(invocation),
                                                       request.num_inputs, request.num_outputs));
    return {};
  });
}

NPUKIT_INTERNAL_INLINE LiteRtStatus
DispatchFunctions::DestroyInvocation(State& state, LiteRtDispatchInvocationContext handle) {
  return Guard("invocation_context_destroy", [&]() -> ::litert::Expected<void> {
    if (state.invocations.Remove(handle) == nullptr) {
      return BadHandle("an invocation context");
    }
    return {};
  });
}

NPUKIT_INTERNAL_INLINE LiteRtStatus DispatchFunctions::GetInputRequirements(
    State& state, LiteRtDispatchInvocationContext handle, int index,
    const LiteRtRankedTensorType* type, LiteRtTensorBufferRequirements* out) {
  return WithInvocation(state, "get_input_requirements", handle,
                        [&](InvocationContext& context) -> ::litert::Expected<void> {
                          NPUKIT_INTERNAL_REQUIRE(type, out);
                          LITERT_RETURN_IF_ERROR(context.inputs().CheckIndex(index));
                          LITERT_ASSIGN_OR_RETURN(
                              const auto requirements,
                              context.invocation().InputRequirements(
                                  static_cast<size_t>(index), ::litert::RankedTensorType(*type)));
                          LITERT_ASSIGN_OR_RETURN(*out, MakeRequirements(requirements));
                          return {};
                        });
}

NPUKIT_INTERNAL_INLINE LiteRtStatus DispatchFunctions::GetOutputRequirements(
    State& state, LiteRtDispatchInvocationContext handle, int index,
    const LiteRtRankedTensorType* type, LiteRtTensorBufferRequirements* out) {
  return WithInvocation(state, "get_output_requirements", handle,
                        [&](InvocationContext& context) -> ::litert::Expected<void> {
                          NPUKIT_INTERNAL_REQUIRE(type, out);
                          LITERT_RETURN_IF_ERROR(context.outputs().CheckIndex(index));
                          LITERT_ASSIGN_OR_RETURN(
                              const auto requirements,
                              context.invocation().OutputRequirements(
                                  static_cast<size_t>(index), ::litert::RankedTensorType(*type)));
                          LITERT_ASSIGN_OR_RETURN(*out, MakeRequirements(requirements));
                          return {};
                        });
}

// Attaches or detaches a buffer of one side of an invocation.
using ChangeOfBindings = ::litert::Expected<void> (Bindings::*)(int, uint64_t);
inline LiteRtStatus Bind(DispatchState& state, LiteRtDispatchInvocationContext handle,
                         Bindings& (InvocationContext::*side_of)(), ChangeOfBindings change,
                         int index, LiteRtTensorBufferHandle buffer) {
  const bool is_detaching = change == static_cast<ChangeOfBindings>(&Bindings::Detach);
  const auto context = state.invocations.Find(handle);
  // LiteRT 2.1.4 frees the memory before it unregisters the buffer. Without the mutex, which runs take.
  if (is_detaching && context != nullptr) context->WaitForUsersOf(buffer);
  return WithInvocation(state, "attach or detach", handle,
                        [&](InvocationContext& c) -> ::litert::Expected<void> {
                          Bindings& side = (c.*side_of)();
                          LITERT_RETURN_IF_ERROR(side.CheckIndex(index));
                          // What is attached may be unregistered before it is detached.
                          const bool is_attached = is_detaching && side.IsAttached(index, buffer);
                          if (!is_attached && c.device().buffers.Find(buffer) == nullptr)
                            return BadHandle("a tensor buffer");
                          return (side.*change)(index, buffer);
                        });
}

NPUKIT_INTERNAL_INLINE LiteRtStatus DispatchFunctions::AttachInput(State& state,
                                                                   InvocationHandle invocation,
                                                                   int index, BufferHandle buffer) {
  return Bind(state, invocation, &InvocationContext::inputs, &Bindings::Attach, index, buffer);
}

NPUKIT_INTERNAL_INLINE LiteRtStatus DispatchFunctions::AttachOutput(State& state,
                                                                    InvocationHandle invocation,
                                                                    int index,
                                                                    BufferHandle buffer) {
  return Bind(state, invocation, &InvocationContext::outputs, &Bindings::Attach, index, buffer);
}

NPUKIT_INTERNAL_INLINE LiteRtStatus DispatchFunctions::DetachInput(State& state,
                                                                   InvocationHandle invocation,
                                                                   int index, BufferHandle buffer) {
  return Bind(state, invocation, &InvocationContext::inputs, &Bindings::Detach, index, buffer);
}

NPUKIT_INTERNAL_INLINE LiteRtStatus DispatchFunctions::DetachOutput(State& state,
                                                                    InvocationHandle invocation,
                                                                    int index,
                                                                    BufferHandle buffer) {
  return Bind(state, invocation, &InvocationContext::outputs, &Bindings::Detach, index, buffer);
}

NPUKIT_INTERNAL_INLINE LiteRtStatus
DispatchFunctions::Invoke(State& state, LiteRtDispatchInvocationContext handle) {
  return WithIdleInvocation(state, "invoke", handle,
                            [](InvocationContext& context) { return context.Invoke(); });
}

NPUKIT_INTERNAL_INLINE LiteRtStatus DispatchFunctions::SetScheduling(
    State& state, LiteRtDispatchInvocationContext handle, const LiteRtSchedulingInfo* info) {
  return WithIdleInvocation(state, "set_scheduling_info", handle, [&](InvocationContext& context) {
    return context.invocation().SetScheduling(info);
  });
}

NPUKIT_INTERNAL_INLINE LiteRtStatus DispatchFunctions::SetOptions(
    State& state, LiteRtDispatchInvocationContext handle, LiteRtOptions options) {
  return WithIdleInvocation(state, "set_options", handle, [&](InvocationContext& context) {
    return context.invocation().SetOptions(options);
  });
}

NPUKIT_INTERNAL_INLINE LiteRtStatus DispatchFunctions::StartMetrics(
    State& state, LiteRtDispatchInvocationContext handle, int detail_level) {
  return WithIdleInvocation(state, "start_metrics_collection", handle,
                            [&](InvocationContext& context) -> ::litert::Expected<void> {
                              if (detail_level < 0) {
                                return ::litert::Unexpected(::litert::Status::kErrorInvalidArgument,
                                                            "a negative level of detail");
                              }
                              return context.invocation().StartMetrics(detail_level);
                            });
}

NPUKIT_INTERNAL_INLINE LiteRtStatus DispatchFunctions::StopMetrics(
    State& state, LiteRtDispatchInvocationContext handle, LiteRtDispatchMetrics* out) {
  return WithIdleInvocation(state, "stop_metrics_collection", handle,
                            [&](InvocationContext& context) -> ::litert::Expected<void> {
                              NPUKIT_INTERNAL_REQUIRE(out);
                              LITERT_ASSIGN_OR_RETURN(auto metrics,
                                                      context.invocation().StopMetrics());
                              *out = state.metrics.Add(new MetricsContext{std::move(metrics)});
                              return {};
                            });
}

}  // namespace internal
NPUKIT_NAMESPACE_END

#endif  // NPUKIT_INTERNAL_DISPATCH_INVOCATION_FUNCTIONS_H_
