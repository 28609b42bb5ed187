// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_INTERNAL_DISPATCH_BOUNDARY_H_
#define NPUKIT_INTERNAL_DISPATCH_BOUNDARY_H_

// The table of functions of a dispatch library, for every class derived from
// npukit::Device.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <mutex>
#include <utility>

#include "litert/c/litert_common.h"
#include "litert/cc/litert_expected.h"
#include "litert/vendors/c/litert_dispatch.h"
#include "litert/vendors/c/litert_dispatch_api.h"
#include "npukit/abi.h"
#include "npukit/internal/boundary.h"
#include "npukit/internal/dispatch_calls.h"
#include "npukit/internal/dispatch_context.h"
#include "npukit/internal/dispatch_graph_calls.h"
#include "npukit/internal/dispatch_state.h"
#include "npukit/internal/namespace.h"

NPUKIT_NAMESPACE_BEGIN
namespace internal {

// `D` is the vendor's class.
template <class D>
struct DispatchBoundary : DispatchCalls<D> {
  using Calls = DispatchCalls<D>;
  template <class T>
  using Expected = ::litert::Expected<T>;

  static LiteRtStatus GetVendorId(const char** id) {
    return Guard("get_vendor_id", [&]() -> Expected<void> {
      NPUKIT_INTERNAL_REQUIRE(id);
      *id = D::kVendorId;
      return {};
    });
  }

  static LiteRtStatus GetBuildId(const char** id) {
    return Guard("get_build_id", [&]() -> Expected<void> {
      NPUKIT_INTERNAL_REQUIRE(id);
      *id = D::kBuildId;
      return {};
    });
  }

  static LiteRtStatus GetCapabilities(int* capabilities) {
    return Guard("get_capabilities", [&]() -> Expected<void> {
      NPUKIT_INTERNAL_REQUIRE(capabilities);
      *capabilities = kLiteRtDispatchCapabilitiesBasic |
                      (D::kRunsAsync ? kLiteRtDispatchCapabilitiesAsync : 0) |
                      (D::kRunsGraphs ? kLiteRtDispatchCapabilitiesGraph : 0);
      return {};
    });
  }

#if defined(NPUKIT_ABI_2_2)
  // What abi 2.2 puts before the arguments of abi 2.1.
  using Context = const LiteRtRuntimeContext*;
  static LiteRtStatus InitializeWith(Context context, LiteRtEnvironment environment,
                                     LiteRtOptions options) {
    const LiteRtStatus status = NpukitUseRuntimeContext(context);
    return status == kLiteRtStatusOk ? Calls::Initialize(environment, options) : status;
  }
  static LiteRtStatus CreateDeviceWith(Context context, LiteRtOptions options,
                                       LiteRtDispatchDeviceContext* out) {
    const LiteRtStatus status = NpukitUseRuntimeContext(context);
    return status == kLiteRtStatusOk ? CreateDevice(options, out) : status;
  }
  static LiteRtStatus CreateInvocationWith(Context context, LiteRtDispatchDeviceContext device,
                                           LiteRtDispatchExecutableType type,
                                           const LiteRtMemBuffer* bytecode,
                                           const char* function_name, int num_inputs,
                                           int num_outputs, LiteRtDispatchInvocationContext* out) {
    const LiteRtStatus status = NpukitUseRuntimeContext(context);
    if (status != kLiteRtStatusOk) return status;
    return Calls::CreateInvocation(device, type, bytecode, function_name, num_inputs, num_outputs,
                                   out);
  }
#endif

  static LiteRtStatus CreateDevice(LiteRtOptions options, LiteRtDispatchDeviceContext* out) {
    return Guard("device_context_create", [&]() -> Expected<void> {
      NPUKIT_INTERNAL_REQUIRE(out);
      *out = nullptr;
      DeviceConfig config;
      config.options = options;
      {
        const std::lock_guard<std::mutex> lock(dispatch_state<D>.mutex);
        config.environment = dispatch_state<D>.environment;
      }
      auto device = D::Open(config);
      if (!device) return device.Error();
      auto context = std::make_unique<DeviceContext>();
      context->device = std::move(*device);
      *out = dispatch_state<D>.devices.Add(context.release());
      return {};
    });
  }

#if defined(NPUKIT_ABI_2_2)
  // LiteRT's main of August 2026 reads what lies behind the 25 functions of 2.2.0, by no size: the
  // hooks, and two functions more where it was built so.
  struct LongerInterface {
    LiteRtDispatchInterface of_220;
    LiteRtDispatchGetHooksFn get_hooks;
    void* edge_buffers[2];
  };

  // Lives as long as the library.
  __attribute__((visibility("hidden"))) static LiteRtDispatchInterface* Interface() {
    static LongerInterface interface = {MakeInterface(), Calls::GetHooksIfAny(), {}};
    return &interface.of_220;
  }
#else
  // Lives as long as the library.
  __attribute__((visibility("hidden"))) static LiteRtDispatchInterface* Interface() {
    static LiteRtDispatchInterface interface = MakeInterface();
    return &interface;
  }
#endif

  __attribute__((visibility("hidden"))) static LiteRtDispatchAsyncInterface* AsyncInterface() {
    static LiteRtDispatchAsyncInterface interface = {Calls::AttachInputEvent, Calls::InvokeAsync};
    return &interface;
  }

  static LiteRtDispatchInterface MakeInterface() {
    LiteRtDispatchInterface t{};
#if defined(NPUKIT_ABI_2_2)
    t.initialize = InitializeWith;
    t.device_context_create = CreateDeviceWith;
    t.invocation_context_create = CreateInvocationWith;
#else
    t.initialize = Calls::Initialize;
    t.device_context_create = CreateDevice;
    t.invocation_context_create = Calls::CreateInvocation;
#endif
    t.get_vendor_id = GetVendorId;
    t.get_build_id = GetBuildId;
    t.get_capabilities = GetCapabilities;
    t.device_context_destroy = Calls::DestroyDevice;
    t.get_input_requirements = Calls::GetInputRequirements;
    t.get_output_requirements = Calls::GetOutputRequirements;
    t.register_tensor_buffer = Calls::RegisterBuffer;
    t.unregister_tensor_buffer = Calls::UnregisterBuffer;
    t.invocation_context_destroy = Calls::DestroyInvocation;
    if constexpr (D::kTakesScheduling) {
      t.invocation_context_set_scheduling_info = Calls::SetScheduling;
    }
    t.attach_input = Calls::template Bind<&InvocationContext::inputs, &Bindings::Attach>;
    t.attach_output = Calls::template Bind<&InvocationContext::outputs, &Bindings::Attach>;
    t.detach_input = Calls::template Bind<&InvocationContext::inputs, &Bindings::Detach>;
    t.detach_output = Calls::template Bind<&InvocationContext::outputs, &Bindings::Detach>;
    t.invoke = Calls::Invoke;
    t.start_metrics_collection = Calls::StartMetrics;
    t.stop_metrics_collection = Calls::StopMetrics;
    t.get_num_metrics = Calls::GetNumMetrics;
    t.get_metric = Calls::GetMetric;
    t.destroy_metrics = Calls::DestroyMetrics;
    t.check_runtime_compatibility = Calls::CheckCompatibility;
    if constexpr (D::kTakesOptions) t.invocation_context_set_options = Calls::SetOptions;
    return t;
  }

#if defined(NPUKIT_ABI_2_3)
  // LiteRT 2.1.5, 2.1.6 and its main to 3 August 2026 have no header in LiteRtDispatchApi, and zeros
  // in all of it; later hosts put their header there before they call.
  struct ApiWithoutHeader {
    LiteRtApiVersion version;
    LiteRtDispatchInterface* interface;
    LiteRtDispatchAsyncInterface* async_interface;
    LiteRtDispatchGraphInterface* graph_interface;
    LiteRtCustomTensorBufferHandlersDef* tensor_buffer_handlers_def;
  };
  static_assert(sizeof(ApiWithoutHeader) == 48);

  static bool IsWithoutHeader(const LiteRtDispatchApi& api) {
    const LiteRtAbiHeader& header = api.abi_header;
    return header.struct_size == 0 && header.major_version == 0 && header.minor_version == 0 &&
           header.reserved == 0;
  }
#endif

  static LiteRtStatus GetApi(LiteRtDispatchApi* api) {
    return Guard("LiteRtDispatchGetApi", [&]() -> Expected<void> {
      NPUKIT_INTERNAL_REQUIRE(api);
#if defined(NPUKIT_ABI_2_3)
      if (IsWithoutHeader(*api)) {
        ApiWithoutHeader answer = {ApiVersion(), Interface(), nullptr, nullptr, nullptr};
        if (D::kRunsAsync) answer.async_interface = AsyncInterface();
        if (D::kRunsGraphs) answer.graph_interface = DispatchGraphCalls<D>::Interface();
        std::memcpy(static_cast<void*>(api), &answer, sizeof(answer));
        return {};
      }
#endif
      *api = LiteRtDispatchApi{};
#if defined(NPUKIT_ABI_2_2)
      api->abi_header.struct_size = sizeof(LiteRtDispatchApi);
      api->abi_header.major_version = 1;
#endif
      api->version = ApiVersion();
      api->interface = Interface();
      if (D::kRunsAsync) api->async_interface = AsyncInterface();
      if (D::kRunsGraphs) api->graph_interface = DispatchGraphCalls<D>::Interface();
      return {};
    });
  }
};

}  // namespace internal
NPUKIT_NAMESPACE_END

#endif  // NPUKIT_INTERNAL_DISPATCH_BOUNDARY_H_
