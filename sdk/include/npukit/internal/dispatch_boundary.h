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

  // The tables are constants, which npukit doctor reads off the file. They live as long as the library;
  // the ABI's pointers to them are not to const, but no host writes them.
#if defined(NPUKIT_ABI_2_2)
  // LiteRT's main of August 2026 reads what lies behind the 25 functions of 2.2.0, by no size: the
  // hooks, and two functions more where it was built so.
  struct LongerInterface {
    LiteRtDispatchInterface of_220;
    LiteRtDispatchGetHooksFn get_hooks;
    void* edge_buffers[2];
  };
#else
  struct LongerInterface {
    LiteRtDispatchInterface of_220;
  };
#endif

  static constexpr LongerInterface MakeLonger() {
    LongerInterface longer{};
    longer.of_220 = MakeInterface();
#if defined(NPUKIT_ABI_2_2)
    longer.get_hooks = Calls::GetHooksIfAny();
#endif
    return longer;
  }

  static constexpr LiteRtDispatchAsyncInterface MakeAsync() {
    return {Calls::AttachInputEvent, Calls::InvokeAsync};
  }

  static constexpr LiteRtDispatchInterface MakeInterface() {
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

  // Hidden, so that no symbol of its constants keeps the library from being unloaded.
  __attribute__((visibility("hidden"))) static LiteRtStatus GetApi(LiteRtDispatchApi* api) {
    static constexpr LongerInterface basic = MakeLonger();
    static constexpr LiteRtDispatchAsyncInterface async = MakeAsync();
    static constexpr LiteRtDispatchGraphInterface graph = DispatchGraphCalls<D>::Make();
    static constexpr auto* async_or_null = D::kRunsAsync ? &async : nullptr;
    static constexpr auto* graph_or_null = D::kRunsGraphs ? &graph : nullptr;
    if (api == nullptr) return Refuse();
#if defined(NPUKIT_ABI_2_3)
    // LiteRT 2.1.5, 2.1.6 and its main to 3 August 2026 have no header in LiteRtDispatchApi, and
    // zeros in all of it; later hosts put their header there before they call. Those that came
    // before have their custom buffers' functions without a header, too: none is given.
    static constexpr Tables without_header = {ApiVersion(), &basic.of_220, async_or_null,
                                              graph_or_null, nullptr};
    static_assert(sizeof(without_header) == 48);
    if (IsWithoutHeader(*api)) {
      std::memcpy(static_cast<void*>(api), &without_header, sizeof(without_header));
      return kLiteRtStatusOk;
    }
#endif
#if defined(NPUKIT_ABI_2_2)
    static constexpr WithHeader answer = {{sizeof(LiteRtDispatchApi), 1, 0, 0},
                                          { ApiVersion(),
                                            &basic.of_220,
                                            async_or_null,
                                            graph_or_null,
                                            D::kBufferHandlers }};
#else
    static constexpr Tables answer = {ApiVersion(), &basic.of_220, async_or_null, graph_or_null};
#endif
    static_assert(sizeof(answer) == sizeof(LiteRtDispatchApi));
    std::memcpy(static_cast<void*>(api), &answer, sizeof(answer));
    return kLiteRtStatusOk;
  }

 private:
  // LiteRtDispatchApi without its header, whose pointers are to const.
  struct Tables {
    LiteRtApiVersion version;
    const LiteRtDispatchInterface* interface;
    const LiteRtDispatchAsyncInterface* async_interface;
    const LiteRtDispatchGraphInterface* graph_interface;
#if defined(NPUKIT_ABI_2_2)
    const LiteRtCustomTensorBufferHandlersDef* tensor_buffer_handlers_def;
#endif
  };
#if defined(NPUKIT_ABI_2_2)
  struct WithHeader {
    LiteRtAbiHeader header;
    Tables tables;
  };
#endif

  static LiteRtStatus Refuse() {
    return Guard("LiteRtDispatchGetApi", []() -> Expected<void> {
      return ::litert::Unexpected(::litert::Status::kErrorInvalidArgument, "null argument");
    });
  }

#if defined(NPUKIT_ABI_2_3)
  static bool IsWithoutHeader(const LiteRtDispatchApi& api) {
    const LiteRtAbiHeader& header = api.abi_header;
    return header.struct_size == 0 && header.major_version == 0 && header.minor_version == 0 &&
           header.reserved == 0;
  }
#endif
};

}  // namespace internal
NPUKIT_NAMESPACE_END

#endif  // NPUKIT_INTERNAL_DISPATCH_BOUNDARY_H_
