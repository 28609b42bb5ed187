// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_INTERNAL_INVOCATION_CALLS_H_
#define NPUKIT_INTERNAL_INVOCATION_CALLS_H_

// The functions of a dispatch library's table that are about one invocation. All checks of their
// arguments are here.

#include <cstddef>
#include <cstdint>
#include <mutex>
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
#include "npukit/internal/boundary.h"
#include "npukit/internal/dispatch_context.h"
#include "npukit/internal/dispatch_state.h"
#include "npukit/internal/namespace.h"

NPUKIT_NAMESPACE_BEGIN
namespace internal {

// `D` is the vendor's class.
template <class D>
struct InvocationCalls {
  template <class T>
  using Expected = ::litert::Expected<T>;

  // Runs `body` on the invocation behind a handle, alone.
  template <class Body>
  static LiteRtStatus WithInvocation(const char* function, LiteRtDispatchInvocationContext handle,
                                     Body body) {
    return Guard(function, [&]() -> Expected<void> {
      const auto context = dispatch_state<D>.invocations.Find(handle);
      if (context == nullptr) return BadHandle("an invocation context");
      const std::lock_guard<std::mutex> lock(context->mutex());
      return body(*context);
    });
  }

  // The same once the queued runs are over.
  template <class Body>
  static LiteRtStatus WithIdleInvocation(const char* function,
                                         LiteRtDispatchInvocationContext handle, Body body) {
    if (const auto context = dispatch_state<D>.invocations.Find(handle); context != nullptr) {
      context->WaitUntilIdle();
    }
    return WithInvocation(function, handle, body);
  }

  static LiteRtStatus CreateInvocation(LiteRtDispatchDeviceContext handle,
                                       LiteRtDispatchExecutableType type,
                                       const LiteRtMemBuffer* bytecode, const char* function_name,
                                       int num_inputs, int num_outputs,
                                       LiteRtDispatchInvocationContext* out) {
    return Guard("invocation_context_create", [&]() -> Expected<void> {
      NPUKIT_INTERNAL_REQUIRE(bytecode, out);
      *out = nullptr;
      const auto context = dispatch_state<D>.devices.Find(handle);
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
      *out = dispatch_state<D>.invocations.Add(new InvocationContext(
          context, std::move(invocation), request.num_inputs, request.num_outputs));
      return {};
    });
  }

  static LiteRtStatus DestroyInvocation(LiteRtDispatchInvocationContext handle) {
    return Guard("invocation_context_destroy", [&]() -> Expected<void> {
      if (dispatch_state<D>.invocations.Remove(handle) == nullptr) {
        return BadHandle("an invocation context");
      }
      return {};
    });
  }

  static LiteRtStatus GetInputRequirements(LiteRtDispatchInvocationContext handle, int index,
                                           const LiteRtRankedTensorType* type,
                                           LiteRtTensorBufferRequirements* out) {
    return WithInvocation(
        "get_input_requirements", handle, [&](InvocationContext& context) -> Expected<void> {
          NPUKIT_INTERNAL_REQUIRE(type, out);
          LITERT_RETURN_IF_ERROR(context.inputs().CheckIndex(index));
          LITERT_ASSIGN_OR_RETURN(const auto requirements, context.invocation().InputRequirements(
                                                               static_cast<size_t>(index),
                                                               ::litert::RankedTensorType(*type)));
          LITERT_ASSIGN_OR_RETURN(*out, MakeRequirements(requirements));
          return {};
        });
  }

  static LiteRtStatus GetOutputRequirements(LiteRtDispatchInvocationContext handle, int index,
                                            const LiteRtRankedTensorType* type,
                                            LiteRtTensorBufferRequirements* out) {
    return WithInvocation(
        "get_output_requirements", handle, [&](InvocationContext& context) -> Expected<void> {
          NPUKIT_INTERNAL_REQUIRE(type, out);
          LITERT_RETURN_IF_ERROR(context.outputs().CheckIndex(index));
          LITERT_ASSIGN_OR_RETURN(const auto requirements, context.invocation().OutputRequirements(
                                                               static_cast<size_t>(index),
                                                               ::litert::RankedTensorType(*type)));
          LITERT_ASSIGN_OR_RETURN(*out, MakeRequirements(requirements));
          return {};
        });
  }

  // Attaches or detaches a buffer of one side of an invocation.
  using Change = Expected<void> (Bindings::*)(int, uint64_t);
  template <Bindings& (InvocationContext::*kSide)(), Change kChange>
  static LiteRtStatus Bind(LiteRtDispatchInvocationContext handle, int index,
                           LiteRtTensorBufferHandle buffer) {
    return WithInvocation(
        "attach or detach", handle, [&](InvocationContext& context) -> Expected<void> {
          Bindings& side = (context.*kSide)();
          LITERT_RETURN_IF_ERROR(side.CheckIndex(index));
          // What is attached may be unregistered before it is detached.
          const bool is_attached =
              kChange == static_cast<Change>(&Bindings::Detach) && side.IsAttached(index, buffer);
          if (!is_attached && context.device().buffers.Find(buffer) == nullptr)
            return BadHandle("a tensor buffer");
          return (side.*kChange)(index, buffer);
        });
  }

  static LiteRtStatus Invoke(LiteRtDispatchInvocationContext handle) {
    return WithIdleInvocation("invoke", handle,
                              [](InvocationContext& context) { return context.Invoke(); });
  }

  static LiteRtStatus AttachInputEvent(LiteRtDispatchInvocationContext handle, int index,
                                       LiteRtEvent event) {
    return WithInvocation("attach_input_event", handle,
                          [&](InvocationContext& context) -> Expected<void> {
                            NPUKIT_INTERNAL_REQUIRE(event);
                            return context.AttachEvent(index, event);
                          });
  }

  static LiteRtStatus InvokeAsync(LiteRtDispatchInvocationContext handle, int num_output_events,
                                  LiteRtEvent* output_events) {
    return WithInvocation(
        "invoke_async", handle, [&](InvocationContext& context) -> Expected<void> {
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

  static LiteRtStatus SetScheduling(LiteRtDispatchInvocationContext handle,
                                    const LiteRtSchedulingInfo* info) {
    return WithIdleInvocation("set_scheduling_info", handle, [&](InvocationContext& context) {
      return context.invocation().SetScheduling(info);
    });
  }

  static LiteRtStatus SetOptions(LiteRtDispatchInvocationContext handle, LiteRtOptions options) {
    return WithIdleInvocation("set_options", handle, [&](InvocationContext& context) {
      return context.invocation().SetOptions(options);
    });
  }

  static LiteRtStatus StartMetrics(LiteRtDispatchInvocationContext handle, int detail_level) {
    return WithIdleInvocation(
        "start_metrics_collection", handle, [&](InvocationContext& context) -> Expected<void> {
          if (detail_level < 0) {
            return ::litert::Unexpected(::litert::Status::kErrorInvalidArgument,
                                        "a negative level of detail");
          }
          return context.invocation().StartMetrics(detail_level);
        });
  }

  static LiteRtStatus StopMetrics(LiteRtDispatchInvocationContext handle,
                                  LiteRtDispatchMetrics* out) {
    return WithIdleInvocation(
        "stop_metrics_collection", handle, [&](InvocationContext& context) -> Expected<void> {
          NPUKIT_INTERNAL_REQUIRE(out);
          LITERT_ASSIGN_OR_RETURN(auto metrics, context.invocation().StopMetrics());
          *out = dispatch_state<D>.metrics.Add(new MetricsContext{std::move(metrics)});
          return {};
        });
  }
};

}  // namespace internal
NPUKIT_NAMESPACE_END

#endif  // NPUKIT_INTERNAL_INVOCATION_CALLS_H_
