// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_INTERNAL_DISPATCH_CALLS_H_
#define NPUKIT_INTERNAL_DISPATCH_CALLS_H_

// The functions of a dispatch library's table that are the same for every
// vendor, but for the handles that they know. All checks of arguments are here.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>

#include "litert/c/litert_common.h"
#include "litert/c/litert_metrics.h"
#include "litert/cc/internal/litert_text.h"
#include "litert/cc/litert_common.h"
#include "litert/cc/litert_expected.h"
#include "litert/cc/litert_macros.h"
#include "litert/vendors/c/litert_dispatch.h"
#include "npukit/internal/boundary.h"
#include "npukit/internal/dispatch_context.h"
#include "npukit/internal/dispatch_state.h"
#include "npukit/internal/invocation_calls.h"
#include "npukit/internal/namespace.h"

NPUKIT_NAMESPACE_BEGIN
namespace internal {

// `D` is the vendor's class.
template <class D>
struct DispatchCalls : InvocationCalls<D> {
  template <class T>
  using Expected = ::litert::Expected<T>;

  static LiteRtStatus Initialize(LiteRtEnvironment environment, LiteRtOptions) {
    const std::lock_guard<std::mutex> lock(dispatch_state<D>.mutex);
    dispatch_state<D>.environment = environment;
    return kLiteRtStatusOk;
  }

  static LiteRtStatus DestroyDevice(LiteRtDispatchDeviceContext handle) {
    return Guard("device_context_destroy", [&]() -> Expected<void> {
      if (dispatch_state<D>.devices.Remove(handle) == nullptr) {
        return BadHandle("a device context");
      }
      return {};
    });
  }

  // The library's own hook, which finds the device by its handle: it may be called when the device is
  // gone.
  static void CallHook(LiteRtHookType type, const void*, size_t, void* user_data) {
    Guard("hook", [&]() -> Expected<void> {
      const auto context =
          dispatch_state<D>.devices.Find(static_cast<LiteRtDispatchDeviceContext>(user_data));
      if (context != nullptr) context->device->OnHook(type);
      return {};
    });
  }

  static LiteRtStatus GetHooks(LiteRtDispatchDeviceContext handle, LiteRtHook* hook,
                               void** user_data) {
    return Guard("get_hooks", [&]() -> Expected<void> {
      NPUKIT_INTERNAL_REQUIRE(hook, user_data);
      *hook = nullptr;
      *user_data = nullptr;
      const auto context = dispatch_state<D>.devices.Find(handle);
      if (context == nullptr) return BadHandle("a device context");
      if (!context->device->WantsHooks()) return {};
      *hook = CallHook;
      *user_data = handle;
      return {};
    });
  }

  static constexpr LiteRtDispatchGetHooksFn GetHooksIfAny() {
    if constexpr (D::kHasHooks) return GetHooks;
    return nullptr;
  }

  static LiteRtStatus RegisterBuffer(LiteRtDispatchDeviceContext handle,
                                     LiteRtTensorBuffer tensor_buffer,
                                     LiteRtTensorBufferHandle* buffer_handle) {
    return Guard("register_tensor_buffer", [&]() -> Expected<void> {
      NPUKIT_INTERNAL_REQUIRE(tensor_buffer, buffer_handle);
      const auto context = dispatch_state<D>.devices.Find(handle);
      if (context == nullptr) return BadHandle("a device context");
      LITERT_ASSIGN_OR_RETURN(const uint64_t registration,
                              context->device->Register(tensor_buffer));
      *buffer_handle = context->buffers.Add(new RegisteredBuffer{tensor_buffer, registration});
      return {};
    });
  }

  static LiteRtStatus UnregisterBuffer(LiteRtDispatchDeviceContext handle,
                                       LiteRtTensorBufferHandle buffer_handle) {
    return Guard("unregister_tensor_buffer", [&]() -> Expected<void> {
      const auto context = dispatch_state<D>.devices.Find(handle);
      if (context == nullptr) return BadHandle("a device context");
      auto buffer = context->buffers.Remove(buffer_handle);
      if (buffer == nullptr) return BadHandle("a tensor buffer");
      // The caller may free the memory then.
      context->queue.WaitForUsersOf(buffer.get());
      if (buffer.use_count() == 1) return context->device->Unregister(buffer->registration);
      buffer->told_late = context->device.get();
      return {};
    });
  }

  static LiteRtStatus GetNumMetrics(LiteRtDispatchMetrics handle, int* num) {
    return Guard("get_num_metrics", [&]() -> Expected<void> {
      NPUKIT_INTERNAL_REQUIRE(num);
      const auto context = dispatch_state<D>.metrics.Find(handle);
      if (context == nullptr) return BadHandle("metrics");
      *num = static_cast<int>(context->metrics.size());
      return {};
    });
  }

  static LiteRtStatus GetMetric(LiteRtDispatchMetrics handle, int index, LiteRtMetric* metric) {
    return Guard("get_metric", [&]() -> Expected<void> {
      NPUKIT_INTERNAL_REQUIRE(metric);
      const auto context = dispatch_state<D>.metrics.Find(handle);
      if (context == nullptr) return BadHandle("metrics");
      const size_t size = context->metrics.size();
      if (index < 0 || static_cast<size_t>(index) >= size) {
        return OutOfBounds("metric", static_cast<size_t>(index), size);
      }
      *metric = ToMetric(context->metrics[static_cast<size_t>(index)]);
      return {};
    });
  }

  static LiteRtStatus DestroyMetrics(LiteRtDispatchMetrics handle) {
    return Guard("destroy_metrics", [&]() -> Expected<void> {
      if (dispatch_state<D>.metrics.Remove(handle) == nullptr) {
        return BadHandle("metrics");
      }
      return {};
    });
  }

  static LiteRtStatus CheckCompatibility(LiteRtApiVersion version, LiteRtEnvironmentOptions,
                                         LiteRtOptions) {
    return Guard("check_runtime_compatibility", [&]() -> Expected<void> {
      if (IsSameApiVersion(version)) return {};
      return ::litert::Unexpected(
          ::litert::Status::kErrorUnsupportedRuntimeVersion,
          ::litert::internal::Text({"the host has API version ", ToString(version),
                                    ", the library ", ToString(ApiVersion())}));
    });
  }
};

}  // namespace internal
NPUKIT_NAMESPACE_END

#endif  // NPUKIT_INTERNAL_DISPATCH_CALLS_H_
