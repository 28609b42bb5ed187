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
#include <utility>

#include "litert/c/litert_common.h"
#include "litert/cc/litert_expected.h"
#include "litert/vendors/c/litert_dispatch.h"
#include "litert/vendors/c/litert_dispatch_api.h"
#include "npukit/abi.h"
#include "npukit/device.h"
#include "npukit/dispatch_types.h"
#include "npukit/internal/boundary.h"
#include "npukit/internal/dispatch_functions.h"
#include "npukit/internal/dispatch_graph_calls.h"
#include "npukit/internal/dispatch_state.h"
#include "npukit/internal/namespace.h"

NPUKIT_NAMESPACE_BEGIN
namespace internal {

// LiteRtDispatchGetHooksT, which only the newest headers have.
using LiteRtDispatchGetHooksFn = LiteRtStatus (*)(LiteRtDispatchDeviceContext, LiteRtHook*, void**);

// `D` is the vendor's class.
template <class D>
struct DispatchBoundary {
  using Functions = DispatchFunctions;
  template <auto kFunction>
  static constexpr auto kCall = kDispatchCall<D, kFunction>;

  static LiteRtStatus GetVendorId(const char** id) {
    return Functions::GiveText("get_vendor_id", D::kVendorId, id);
  }
  static LiteRtStatus GetBuildId(const char** id) {
    return Functions::GiveText("get_build_id", D::kBuildId, id);
  }
  static constexpr int kCapabilities = kLiteRtDispatchCapabilitiesBasic |
                                       (D::kRunsAsync ? kLiteRtDispatchCapabilitiesAsync : 0) |
                                       (D::kRunsGraphs ? kLiteRtDispatchCapabilitiesGraph : 0);
  static LiteRtStatus GetCapabilities(int* capabilities) {
    return Functions::GiveCapabilities(kCapabilities, capabilities);
  }

  static LiteRtStatus CreateDevice(LiteRtOptions options, LiteRtDispatchDeviceContext* out) {
    const auto open =
        [](const DeviceConfig& config) -> ::litert::Expected<std::unique_ptr<Device>> {
      auto device = D::Open(config);
      if (!device) return device.Error();
      return std::unique_ptr<Device>(std::move(*device));
    };
    return Functions::CreateDevice(dispatch_state<D>, open, options, out);
  }

  static void CallHook(LiteRtHookType type, const void*, size_t, void* user_data) {
    Functions::CallHook(dispatch_state<D>, type, user_data);
  }
  static LiteRtStatus GetHooks(LiteRtDispatchDeviceContext device, LiteRtHook* hook,
                               void** user_data) {
    return Functions::GetHooks(dispatch_state<D>, CallHook, device, hook, user_data);
  }
  static constexpr LiteRtDispatchGetHooksFn GetHooksIfAny() {
    if constexpr (D::kHasHooks) return GetHooks;
    return nullptr;
  }

#if defined(NPUKIT_ABI_2_2)
  // What abi 2.2 puts before the arguments of abi 2.1.
  using Context = const LiteRtRuntimeContext*;
  static LiteRtStatus InitializeWith(Context context, LiteRtEnvironment environment,
                                     LiteRtOptions options) {
    const LiteRtStatus status = NpukitUseRuntimeContext(context);
    return status == kLiteRtStatusOk ? kCall<&Functions::Initialize>(environment, options) : status;
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
    return kCall<&Functions::CreateInvocation>(device, type, bytecode, function_name, num_inputs,
                                               num_outputs, out);
  }
#endif

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
    longer.get_hooks = GetHooksIfAny();
#endif
    return longer;
  }

  static constexpr LiteRtDispatchAsyncInterface MakeAsync() {
    return {kCall<&Functions::AttachInputEvent>, kCall<&Functions::InvokeAsync>};
  }

  static constexpr LiteRtDispatchInterface MakeInterface() {
    LiteRtDispatchInterface t{};
#if defined(NPUKIT_ABI_2_2)
    t.initialize = InitializeWith;
    t.device_context_create = CreateDeviceWith;
    t.invocation_context_create = CreateInvocationWith;
#else
    t.initialize = kCall<&Functions::Initialize>;
    t.device_context_create = CreateDevice;
    t.invocation_context_create = kCall<&Functions::CreateInvocation>;
#endif
    t.get_vendor_id = GetVendorId;
    t.get_build_id = GetBuildId;
    t.get_capabilities = GetCapabilities;
    t.device_context_destroy = kCall<&Functions::DestroyDevice>;
    t.get_input_requirements = kCall<&Functions::GetInputRequirements>;
    t.get_output_requirements = kCall<&Functions::GetOutputRequirements>;
    t.register_tensor_buffer = kCall<&Functions::RegisterBuffer>;
    t.unregister_tensor_buffer = kCall<&Functions::UnregisterBuffer>;
    t.invocation_context_destroy = kCall<&Functions::DestroyInvocation>;
    if constexpr (D::kTakesScheduling) {
      t.invocation_context_set_scheduling_info = kCall<&Functions::SetScheduling>;
    }
    t.attach_input = kCall<&Functions::AttachInput>;
    t.attach_output = kCall<&Functions::AttachOutput>;
    t.detach_input = kCall<&Functions::DetachInput>;
    t.detach_output = kCall<&Functions::DetachOutput>;
    t.invoke = kCall<&Functions::Invoke>;
    t.start_metrics_collection = kCall<&Functions::StartMetrics>;
    t.stop_metrics_collection = kCall<&Functions::StopMetrics>;
    t.get_num_metrics = kCall<&Functions::GetNumMetrics>;
    t.get_metric = kCall<&Functions::GetMetric>;
    t.destroy_metrics = kCall<&Functions::DestroyMetrics>;
    t.check_runtime_compatibility = Functions::CheckCompatibility;
    if constexpr (D::kTakesOptions)
      t.invocation_context_set_options = kCall<&Functions::SetOptions>;
    return t;
  }

  // Hidden, so that no symbol of its constants keeps the library from being unloaded.
  __attribute__((visibility("hidden"))) static LiteRtStatus GetApi(LiteRtDispatchApi* api) {
    static constexpr LongerInterface basic = MakeLonger();
    static constexpr LiteRtDispatchAsyncInterface async = MakeAsync();
    static constexpr LiteRtDispatchGraphInterface graph = DispatchGraphCalls<D>::Make();
    static constexpr auto* async_or_null = D::kRunsAsync ? &async : nullptr;
    static constexpr auto* graph_or_null = D::kRunsGraphs ? &graph : nullptr;
    if (api == nullptr) return Functions::Refuse("LiteRtDispatchGetApi");
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
    static constexpr WithHeader answer = {
        {sizeof(LiteRtDispatchApi), 1, 0, 0},
        {ApiVersion(), &basic.of_220, async_or_null, graph_or_null, D::kBufferHandlers}};
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
