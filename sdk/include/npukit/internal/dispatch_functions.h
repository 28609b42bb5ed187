// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_INTERNAL_DISPATCH_FUNCTIONS_H_
#define NPUKIT_INTERNAL_DISPATCH_FUNCTIONS_H_

// The functions of a dispatch library, the same for every vendor's class but for what the library has
// given out. All checks of arguments are in them. Where npukit is installed they are compiled already
// (see npukit/internal/namespace.h).

#include <cstddef>
#include <cstdint>
#include <memory>

#include "litert/c/internal/litert_scheduling_info.h"
#include "litert/c/litert_common.h"
#include "litert/c/litert_metrics.h"
#include "litert/cc/litert_expected.h"
#include "litert/vendors/c/litert_dispatch.h"
#include "npukit/compile_spec.h"
#include "npukit/delegate_debug.h"
#include "npukit/device.h"
#include "npukit/dispatch_types.h"
#include "npukit/extensions/event_status.h"
#include "npukit/internal/dispatch_state.h"
#include "npukit/internal/namespace.h"

NPUKIT_NAMESPACE_BEGIN
namespace internal {
inline namespace NPUKIT_INTERNAL_ABI {

struct DispatchFunctions {
  using State = DispatchState;
  using DeviceHandle = LiteRtDispatchDeviceContext;
  using InvocationHandle = LiteRtDispatchInvocationContext;
  using BufferHandle = LiteRtTensorBufferHandle;
  using Executable = LiteRtDispatchExecutableHandle;
  using Graph = LiteRtDispatchGraph;
  using Node = LiteRtDispatchNodeId;
  using Edge = LiteRtDispatchEdgeId;

  // Of the library, dispatch/device_functions.h.
  static LiteRtStatus GiveText(const char* function, const char* text, const char** out);
  static LiteRtStatus GiveCapabilities(int capabilities, int* out);
  // For a null argument.
  static LiteRtStatus Refuse(const char* function);
  static LiteRtStatus CheckCompatibility(LiteRtApiVersion version, LiteRtEnvironmentOptions,
                                         LiteRtOptions);
  static LiteRtStatus Initialize(State& state, LiteRtEnvironment environment, LiteRtOptions);

  // Of a device.
  using Open = ::litert::Expected<std::unique_ptr<Device>> (*)(const DeviceConfig& config);
  static LiteRtStatus CreateDevice(State& state, Open open, LiteRtOptions options,
                                   DeviceHandle* out);
  static LiteRtStatus DestroyDevice(State& state, DeviceHandle device);
  // `call` is what calls CallHook with the state.
  static LiteRtStatus GetHooks(State& state, LiteRtHook call, DeviceHandle device, LiteRtHook* hook,
                               void** user_data);
  static void CallHook(State& state, LiteRtHookType type, void* user_data);
  static LiteRtStatus RegisterBuffer(State& state, DeviceHandle device, LiteRtTensorBuffer buffer,
                                     BufferHandle* out);
  static LiteRtStatus UnregisterBuffer(State& state, DeviceHandle device, BufferHandle buffer);
  static LiteRtStatus SetSpecs(State& state, DeviceHandle device, const NpukitCompileSpec* specs,
                               size_t num_specs);

  // Of metrics.
  static LiteRtStatus GetNumMetrics(State& state, LiteRtDispatchMetrics metrics, int* num);
  static LiteRtStatus GetMetric(State& state, LiteRtDispatchMetrics metrics, int index,
                                LiteRtMetric* metric);
  static LiteRtStatus DestroyMetrics(State& state, LiteRtDispatchMetrics metrics);

  // Of an invocation, dispatch/invocation_functions.h.
  static LiteRtStatus CreateInvocation(State& state, DeviceHandle device,
                                       LiteRtDispatchExecutableType type,
                                       const LiteRtMemBuffer* bytecode, const char* function_name,
                                       int num_inputs, int num_outputs, InvocationHandle* out);
  static LiteRtStatus DestroyInvocation(State& state, InvocationHandle invocation);
  static LiteRtStatus GetInputRequirements(State& state, InvocationHandle invocation, int index,
                                           const LiteRtRankedTensorType* type,
                                           LiteRtTensorBufferRequirements* out);
  static LiteRtStatus GetOutputRequirements(State& state, InvocationHandle invocation, int index,
                                            const LiteRtRankedTensorType* type,
                                            LiteRtTensorBufferRequirements* out);
  static LiteRtStatus AttachInput(State& state, InvocationHandle invocation, int index,
                                  BufferHandle buffer);
  static LiteRtStatus AttachOutput(State& state, InvocationHandle invocation, int index,
                                   BufferHandle buffer);
  static LiteRtStatus DetachInput(State& state, InvocationHandle invocation, int index,
                                  BufferHandle buffer);
  static LiteRtStatus DetachOutput(State& state, InvocationHandle invocation, int index,
                                   BufferHandle buffer);
  static LiteRtStatus Invoke(State& state, InvocationHandle invocation);
  static LiteRtStatus SetScheduling(State& state, InvocationHandle invocation,
                                    const LiteRtSchedulingInfo* info);
  static LiteRtStatus SetOptions(State& state, InvocationHandle invocation, LiteRtOptions options);
  static LiteRtStatus StartMetrics(State& state, InvocationHandle invocation, int detail_level);
  static LiteRtStatus StopMetrics(State& state, InvocationHandle invocation,
                                  LiteRtDispatchMetrics* out);

  // The same, asynchronously: dispatch/async_functions.h.
  static LiteRtStatus AttachInputEvent(State& state, InvocationHandle invocation, int index,
                                       LiteRtEvent event);
  static LiteRtStatus InvokeAsync(State& state, InvocationHandle invocation, int num_output_events,
                                  LiteRtEvent* output_events);

  // Of an invocation, npukit's own: dispatch/debug_functions.h.
  static LiteRtStatus SetRecording(State& state, InvocationHandle invocation, uint32_t record);
  static LiteRtStatus GetNumEvents(State& state, InvocationHandle invocation, size_t* num);
  static LiteRtStatus GetEvent(State& state, InvocationHandle invocation, size_t position,
                               NpukitProfileEvent* out);
  static LiteRtStatus GetLastError(State& state, InvocationHandle invocation,
                                   NpukitDebugHandle* debug_handle, char* buffer, size_t size);
  static LiteRtStatus GetEventStatus(LiteRtEvent event, LiteRtStatus* status,
                                     NpukitDebugHandle* debug_handle, char* buffer, size_t size);
  static LiteRtStatus GetIntermediate(State& state, InvocationHandle invocation,
                                      NpukitDebugHandle debug_handle, int output_index,
                                      LiteRtRankedTensorType* type, const void** data,
                                      size_t* size_bytes);

  // Of a graph, dispatch/graph_functions.h.
  static LiteRtStatus CreateGraph(State& state, DeviceHandle device, Graph* out);
  static LiteRtStatus DestroyGraph(State& state, Graph graph);
  static LiteRtStatus AddNode(State& state, Graph graph, Node node, LiteRtDispatchNodeType type);
  static LiteRtStatus AddEdge(State& state, Graph graph, Edge edge);
  static LiteRtStatus ConnectNodeInput(State& state, Graph graph, Node node, int index, Edge edge);
  static LiteRtStatus ConnectNodeOutput(State& state, Graph graph, Node node, int index, Edge edge);
  static LiteRtStatus ConnectGraphInput(State& state, Graph graph, int index, Edge edge);
  static LiteRtStatus ConnectGraphOutput(State& state, Graph graph, int index, Edge edge);
  static LiteRtStatus AssignNode(State& state, Graph graph, Node node, Executable executable,
                                 const char* function);
  static LiteRtStatus AnnotateGraph(State& state, Graph graph, const char* key, const char* value);
  static LiteRtStatus AnnotateNode(State& state, Graph graph, Node node, const char* key,
                                   const char* value);
  static LiteRtStatus AnnotateEdge(State& state, Graph graph, Edge edge, const char* key,
                                   const char* value);
  static LiteRtStatus CreateInvocationOf(State& state, DeviceHandle device, Graph graph,
                                         InvocationHandle* out);
  static LiteRtStatus GetGraph(State& state, InvocationHandle invocation, Graph* graph);
  static LiteRtStatus AttachEdge(State& state, InvocationHandle invocation, Edge edge,
                                 BufferHandle buffer);
  static LiteRtStatus DetachEdge(State& state, InvocationHandle invocation, Edge edge,
                                 BufferHandle buffer);

  // Of an executable, dispatch/executable_functions.h.
  static LiteRtStatus LoadExecutable(State& state, DeviceHandle device,
                                     LiteRtDispatchExecutableType type,
                                     const LiteRtMemBuffer* bytecode, Executable* out);
  static LiteRtStatus UnloadExecutable(State& state, DeviceHandle device, Executable executable);

  // Of its scratchpads, dispatch/scratchpad_functions.h.
  static LiteRtStatus GetScratchpadRequirements(State& state, DeviceHandle device,
                                                Executable executable, const char* function,
                                                LiteRtTensorBufferRequirements* out);
  static LiteRtStatus AttachScratchpad(State& state, DeviceHandle device, Executable executable,
                                       const char* function, BufferHandle buffer);
};

}  // namespace NPUKIT_INTERNAL_ABI

// One of them as a C function of the library of a vendor's class `D`.
template <class D, auto kFunction>
struct DispatchCall;
template <class D, class... Args, LiteRtStatus (*kFunction)(DispatchState&, Args...)>
struct DispatchCall<D, kFunction> {
  static LiteRtStatus Call(Args... args) { return kFunction(dispatch_state<D>, args...); }
};
template <class D, auto kFunction>
inline constexpr auto kDispatchCall = &DispatchCall<D, kFunction>::Call;

}  // namespace internal
NPUKIT_NAMESPACE_END

#if !defined(NPUKIT_INTERNAL_FITS_ARCHIVE)
#include "npukit/internal/dispatch/async_functions.h"       // IWYU pragma: keep
#include "npukit/internal/dispatch/debug_functions.h"       // IWYU pragma: keep
#include "npukit/internal/dispatch/device_functions.h"      // IWYU pragma: keep
#include "npukit/internal/dispatch/executable_functions.h"  // IWYU pragma: keep
#include "npukit/internal/dispatch/graph_functions.h"       // IWYU pragma: keep
#include "npukit/internal/dispatch/invocation_functions.h"  // IWYU pragma: keep
#include "npukit/internal/dispatch/scratchpad_functions.h"  // IWYU pragma: keep
#endif

#endif  // NPUKIT_INTERNAL_DISPATCH_FUNCTIONS_H_
