// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_INTERNAL_DISPATCH_DEVICE_FUNCTIONS_H_
#define NPUKIT_INTERNAL_DISPATCH_DEVICE_FUNCTIONS_H_

// The functions of a dispatch library about itself, its devices and metrics.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>

#include "litert/c/litert_common.h"
#include "litert/c/litert_metrics.h"
#include "litert/cc/internal/litert_text.h"
#include "litert/cc/litert_common.h"
#include "litert/cc/litert_expected.h"
#include "litert/cc/litert_macros.h"
#include "litert/vendors/c/litert_dispatch.h"
#include "npukit/compile_spec.h"
#include "npukit/dispatch_types.h"
#include "npukit/internal/boundary.h"
#include "npukit/internal/compile_specs.h"
#include "npukit/internal/dispatch/dispatch_context.h"
#include "npukit/internal/dispatch/values.h"
#include "npukit/internal/dispatch_functions.h"
#include "npukit/internal/dispatch_state.h"
#include "npukit/internal/namespace.h"

NPUKIT_NAMESPACE_BEGIN
namespace internal {

NPUKIT_INTERNAL_INLINE DispatchState::~DispatchState() = default;

NPUKIT_INTERNAL_INLINE LiteRtStatus DispatchFunctions::GiveText(const char* function,
                                                                const char* text,
                                                                const char** out) {
  return Guard(function, [&]() -> ::litert::Expected<void> {
    NPUKIT_INTERNAL_REQUIRE(out);
    *out = text;
    return {};
  });
}

NPUKIT_INTERNAL_INLINE LiteRtStatus DispatchFunctions::GiveCapabilities(int capabilities,
                                                                        int* out) {
  return Guard("get_capabilities", [&]() -> ::litert::Expected<void> {
    NPUKIT_INTERNAL_REQUIRE(out);
    *out = capabilities;
    return {};
  });
}

NPUKIT_INTERNAL_INLINE LiteRtStatus DispatchFunctions::Refuse(const char* function) {
  return Guard(function, []() -> ::litert::Expected<void> {
    return ::litert::Unexpected(::litert::Status::kErrorInvalidArgument, "null argument");
  });
}

NPUKIT_INTERNAL_INLINE LiteRtStatus DispatchFunctions::CheckCompatibility(LiteRtApiVersion version,
                                                                          LiteRtEnvironmentOptions,
                                                                          LiteRtOptions) {
  return Guard("check_runtime_compatibility", [&]() -> ::litert::Expected<void> {
    if (IsSameApiVersion(version)) return {};
    return ::litert::Unexpected(
        ::litert::Status::kErrorUnsupportedRuntimeVersion,
        ::litert::internal::Text({"the host has API version ", ToString(version), ", the library ",
                                  ToString(ApiVersion())}));
  });
}

NPUKIT_INTERNAL_INLINE LiteRtStatus DispatchFunctions::Initialize(State& state,
                                                                  LiteRtEnvironment environment,
                                                                  LiteRtOptions) {
  const std::lock_guard<std::mutex> lock(state.mutex);
  state.environment = environment;
  return kLiteRtStatusOk;
}

NPUKIT_INTERNAL_INLINE LiteRtStatus DispatchFunctions::CreateDevice(State& state, Open open,
                                                                    LiteRtOptions options,
                                                                    DeviceHandle* out) {
  return Guard("device_context_create", [&]() -> ::litert::Expected<void> {
    NPUKIT_INTERNAL_REQUIRE(out);
    *out = nullptr;
    DeviceConfig config;
    config.options = options;
    {
      const std::lock_guard<std::mutex> lock(state.mutex);
      config.environment = state.environment;
    }
    LITERT_ASSIGN_OR_RETURN(auto device, open(config));
    auto context = std::make_unique<DeviceContext>();
    context->device = std::move(device);
    *out = state.devices.Add(context.release());
    return {};
  });
}

NPUKIT_INTERNAL_INLINE LiteRtStatus
DispatchFunctions::DestroyDevice(State& state, LiteRtDispatchDeviceContext handle) {
  return Guard("device_context_destroy", [&]() -> ::litert::Expected<void> {
    if (state.devices.Remove(handle) == nullptr) {
      return BadHandle("a device context");
    }
    return {};
  });
}

// The library's own hook, which finds the device by its handle: it may be called when the device is
// gone.
NPUKIT_INTERNAL_INLINE void DispatchFunctions::CallHook(State& state, LiteRtHookType type,
                                                        void* user_data) {
  // A later host's type may be none of the enumeration's, which a sanitizer minds where it is loaded.
  const int number = type;
  Guard("hook", [&]() -> ::litert::Expected<void> {
    const auto context = state.devices.Find(static_cast<LiteRtDispatchDeviceContext>(user_data));
    if (context != nullptr) context->device->OnHook(static_cast<LiteRtHookType>(number));
    return {};
  });
}

NPUKIT_INTERNAL_INLINE LiteRtStatus DispatchFunctions::GetHooks(State& state, LiteRtHook call,
                                                                LiteRtDispatchDeviceContext handle,
                                                                LiteRtHook* hook,
                                                                void** user_data) {
  return Guard("get_hooks", [&]() -> ::litert::Expected<void> {
    NPUKIT_INTERNAL_REQUIRE(hook, user_data);
    *hook = nullptr;
    *user_data = nullptr;
    const auto context = state.devices.Find(handle);
    if (context == nullptr) return BadHandle("a device context");
    if (!context->device->WantsHooks()) return {};
    *hook = call;
    *user_data = handle;
    return {};
  });
}

NPUKIT_INTERNAL_INLINE LiteRtStatus DispatchFunctions::RegisterBuffer(
    State& state, LiteRtDispatchDeviceContext handle, LiteRtTensorBuffer tensor_buffer,
    LiteRtTensorBufferHandle* buffer_handle) {
  return Guard("register_tensor_buffer", [&]() -> ::litert::Expected<void> {
    NPUKIT_INTERNAL_REQUIRE(tensor_buffer, buffer_handle);
    const auto context = state.devices.Find(handle);
    if (context == nullptr) return BadHandle("a device context");
    LITERT_ASSIGN_OR_RETURN(const uint64_t registration, context->device->Register(tensor_buffer));
    *buffer_handle = context->buffers.Add(new RegisteredBuffer{tensor_buffer, registration});
    return {};
  });
}

NPUKIT_INTERNAL_INLINE LiteRtStatus DispatchFunctions::UnregisterBuffer(
    State& state, LiteRtDispatchDeviceContext handle, LiteRtTensorBufferHandle buffer_handle) {
  return Guard("unregister_tensor_buffer", [&]() -> ::litert::Expected<void> {
    const auto context = state.devices.Find(handle);
    if (context == nullptr) return BadHandle("a device context");
    auto buffer = context->buffers.Remove(buffer_handle);
    if (buffer == nullptr) return BadHandle("a tensor buffer");
    // The caller may free the memory then.
    context->queue.WaitForUsersOf(buffer.get());
    // Out of the table nobody finds it any more: the count only falls, and this reference keeps it
    // until `told_late` is set.
    if (buffer.use_count() == 1) return context->device->Unregister(buffer->registration);
    buffer->told_late = context->device.get();
    return {};
  });
}

NPUKIT_INTERNAL_INLINE LiteRtStatus DispatchFunctions::SetSpecs(State& state,
                                                                LiteRtDispatchDeviceContext handle,
                                                                const NpukitCompileSpec* specs,
                                                                size_t num_specs) {
  bool is_unknown =
      false;  // which is an answer, and no error: hosts give every device the model's specs
  const LiteRtStatus status =
      Guard("NpukitDispatchSetCompileSpecs", [&]() -> ::litert::Expected<void> {
        const auto context = state.devices.Find(handle);
        if (context == nullptr) return BadHandle("a device context");
        LITERT_RETURN_IF_ERROR(CheckSpecs(specs, num_specs));
        context->device->ClearSpecs();
        for (size_t i = 0; i < num_specs; ++i) {
          const NpukitCompileSpec& spec = specs[i];
          auto set = context->device->SetSpec(
              spec.key, {static_cast<const uint8_t*>(spec.data), spec.size_bytes});
          is_unknown = !set && set.Error().Status() == kLiteRtStatusErrorUnsupported;
          if (is_unknown) return {};
          if (!set) return set;
        }
        return {};
      });
  return is_unknown ? kLiteRtStatusErrorUnsupported : status;
}

NPUKIT_INTERNAL_INLINE LiteRtStatus DispatchFunctions::GetNumMetrics(State& state,
                                                                     LiteRtDispatchMetrics handle,
                                                                     int* num) {
  return Guard("get_num_metrics", [&]() -> ::litert::Expected<void> {
    NPUKIT_INTERNAL_REQUIRE(num);
    const auto context = state.metrics.Find(handle);
    if (context == nullptr) return BadHandle("metrics");
    *num = static_cast<int>(context->metrics.size());
    return {};
  });
}

NPUKIT_INTERNAL_INLINE LiteRtStatus DispatchFunctions::GetMetric(State& state,
                                                                 LiteRtDispatchMetrics handle,
                                                                 int index, LiteRtMetric* metric) {
  return Guard("get_metric", [&]() -> ::litert::Expected<void> {
    NPUKIT_INTERNAL_REQUIRE(metric);
    const auto context = state.metrics.Find(handle);
    if (context == nullptr) return BadHandle("metrics");
    const size_t size = context->metrics.size();
    if (index < 0 || static_cast<size_t>(index) >= size) {
      return OutOfBounds("metric", static_cast<size_t>(index), size);
    }
    *metric = ToMetric(context->metrics[static_cast<size_t>(index)]);
    if (metric->value.type == kLiteRtAnyTypeString) {
      const std::lock_guard<std::mutex> lock(state.mutex);
      metric->value.str_value = state.texts.emplace(metric->value.str_value).first->c_str();
    }
    return {};
  });
}

NPUKIT_INTERNAL_INLINE LiteRtStatus
DispatchFunctions::DestroyMetrics(State& state, LiteRtDispatchMetrics handle) {
  return Guard("destroy_metrics", [&]() -> ::litert::Expected<void> {
    if (state.metrics.Remove(handle) == nullptr) {
      return BadHandle("metrics");
    }
    return {};
  });
}

}  // namespace internal
NPUKIT_NAMESPACE_END

#endif  // NPUKIT_INTERNAL_DISPATCH_DEVICE_FUNCTIONS_H_
