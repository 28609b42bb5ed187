// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The dispatch API: how the host runs bytecode on an NPU. A vendor's library,
// libLiteRtDispatch*.so, exports LiteRtDispatchGetApi alone (see
// litert_dispatch_api.h) and hands out tables of functions with the signatures
// below. The functions of these names in the host library call through the
// tables of the one library that is loaded.
//
//   initialize -> device context -> invocation context per entry point
//   -> requirements -> register buffers -> attach -> invoke ... -> detach
//   -> unregister -> destroy, in reverse
//
// Errors: kLiteRtStatusErrorInvalidArgument for null handles, pointers and
// unknown ids; kLiteRtStatusErrorIndexOOB for an index past the end;
// kLiteRtStatusErrorUnsupported for what the library does not offer. The host
// uses one invocation context from one thread at a time.

#ifndef ODML_LITERT_LITERT_VENDORS_C_LITERT_DISPATCH_H_
#define ODML_LITERT_LITERT_VENDORS_C_LITERT_DISPATCH_H_

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "litert/c/internal/litert_scheduling_info.h"
#include "litert/c/litert_common.h"
#include "litert/c/litert_metrics.h"
#include "litert/c/litert_model_types.h"
#include "litert/c/litert_profiler_types.h"

#ifdef __cplusplus
extern "C" {
#endif

// A connection to the device; owns the registrations made through it.
LITERT_DEFINE_HANDLE(LiteRtDispatchDeviceContext);
// One entry point of one executable, ready to run.
LITERT_DEFINE_HANDLE(LiteRtDispatchInvocationContext);
// The outcome of one metrics collection.
LITERT_DEFINE_HANDLE(LiteRtDispatchMetrics);
// A graph of executables (graph API).
LITERT_DEFINE_HANDLE(LiteRtDispatchGraph);

// A registered tensor buffer, as the vendor numbers them.
typedef uint64_t LiteRtTensorBufferHandle;
// Numbers that the host picks, unique within a graph.
typedef uint64_t LiteRtDispatchNodeId;
typedef uint64_t LiteRtDispatchEdgeId;
// A loaded executable, as the vendor numbers them.
typedef uint64_t LiteRtDispatchExecutableHandle;

// Which of the tables a library fills; joined with |. Basic is mandatory.
typedef enum LiteRtDispatchCapabilities {
  kLiteRtDispatchCapabilitiesNone = 0,
  kLiteRtDispatchCapabilitiesBasic = 1,
  kLiteRtDispatchCapabilitiesAsync = 2,
  kLiteRtDispatchCapabilitiesGraph = 4,
#if defined(LITERT_ENABLE_FABRIC_INTEGRATION) || defined(NPUKIT_ABI_2_3)
  kLiteRtDispatchCapabilitiesEdgeBufferBinding = 8,
  kLiteRtDispatchCapabilitiesScratchpad = 16,
#endif
} LiteRtDispatchCapabilities;

typedef enum LiteRtDispatchExecutableType {
  kLiteRtDispatchExecutableTypeUnknown = 0,
  kLiteRtDispatchExecutableTypeDspLibrary = 1,
  // Bytecode as the vendor's compiler plugin wrote it.
  kLiteRtDispatchExecutableTypeMlModel = 2,
#if defined(NPUKIT_ABI_2_2)
  // `base_addr` of the LiteRtMemBuffer is a LiteRtJitExecutable, its size 0.
  kLiteRtDispatchExecutableTypeJitHandle = 3,
#endif
#if defined(NPUKIT_ABI_2_3)
  kLiteRtDispatchExecutableTypeTfliteModel = 4,
#endif
} LiteRtDispatchExecutableType;

typedef enum LiteRtDispatchNodeType {
  kLiteRtDispatchNodeTypeUnknown = 0,
  kLiteRtDispatchNodeTypeDsp = 1,  // Runs ML models and DSP libraries.
  kLiteRtDispatchNodeTypeNpu = 2,  // Runs ML models only.
#if defined(NPUKIT_ABI_2_3)
  kLiteRtDispatchNodeTypeCpu = 3,
#endif
} LiteRtDispatchNodeType;

// Bytes `base_addr + offset` to `base_addr + offset + size`.
typedef struct LiteRtMemBuffer {
  // A file that `base_addr` maps, -1 if there is none.
  int fd;
  const void* base_addr;
  size_t offset;  // In bytes.
  size_t size;    // In bytes.
#if defined(NPUKIT_ABI_2_2)
  // Where `base_addr` lies in the file.
  size_t alloc_base_file_offset;
#endif
} LiteRtMemBuffer;

#if defined(NPUKIT_ABI_2_2)
LITERT_ABI_ASSERT(sizeof(LiteRtMemBuffer) == 40);
#else
LITERT_ABI_ASSERT(sizeof(LiteRtMemBuffer) == 32);
#endif

// abi 2.2 gives the host's functions to those functions that make something;
// they are valid as long as the process.
#if defined(NPUKIT_ABI_2_2)
typedef struct LiteRtRuntimeContext LiteRtRuntimeContext;
#define LITERT_DISPATCH_CONTEXT_ const LiteRtRuntimeContext *runtime_context,
#else
#define LITERT_DISPATCH_CONTEXT_
#endif

// -- Basic: the library -------------------------------------------------------

// Called once before all else. Both arguments outlive the library's use.
LITERT_CAPI_EXPORT LiteRtStatus LiteRtDispatchInitialize(
    LITERT_DISPATCH_CONTEXT_ LiteRtEnvironment environment, LiteRtOptions options);

LITERT_CAPI_EXPORT LiteRtStatus LiteRtDispatchGetApiVersion(LiteRtApiVersion* api_version);

// Name of the vendor and identity of the build, for messages and caches.
// Static storage.
LITERT_CAPI_EXPORT LiteRtStatus LiteRtDispatchGetVendorId(const char** vendor_id);
LITERT_CAPI_EXPORT LiteRtStatus LiteRtDispatchGetBuildId(const char** build_id);

// LiteRtDispatchCapabilities joined with |.
LITERT_CAPI_EXPORT LiteRtStatus LiteRtDispatchGetCapabilities(int* capabilities);

// Whether the run-time behind the library works for a host of `api_version`:
// kLiteRtStatusOk or kLiteRtStatusErrorUnsupportedRuntimeVersion.
LITERT_CAPI_EXPORT LiteRtStatus LiteRtDispatchCheckRuntimeCompatibility(
    LiteRtApiVersion api_version, LiteRtEnvironmentOptions env, LiteRtOptions options);

// -- Basic: device context ----------------------------------------------------

LITERT_CAPI_EXPORT LiteRtStatus LiteRtDispatchDeviceContextCreate(
    LITERT_DISPATCH_CONTEXT_ LiteRtOptions options, LiteRtDispatchDeviceContext* device_context);

// Everything made from the context has been destroyed or unregistered before.
LITERT_CAPI_EXPORT LiteRtStatus
LiteRtDispatchDeviceContextDestroy(LiteRtDispatchDeviceContext device_context);

// Makes a buffer known to the device. Its memory stays valid and in place until
// it is unregistered.
LITERT_CAPI_EXPORT LiteRtStatus LiteRtDispatchRegisterTensorBuffer(
    LiteRtDispatchDeviceContext device_context, LiteRtTensorBuffer tensor_buffer,
    LiteRtTensorBufferHandle* tensor_buffer_handle);
LITERT_CAPI_EXPORT LiteRtStatus LiteRtDispatchUnregisterTensorBuffer(
    LiteRtDispatchDeviceContext device_context, LiteRtTensorBufferHandle tensor_buffer_handle);

// -- Basic: invocation context ------------------------------------------------

// Prepares entry point `function_name` of the executable for calls with that
// many inputs and outputs. The bytes of the executable outlive the context.
// The name may be null if there is one entry point only.
LITERT_CAPI_EXPORT LiteRtStatus LiteRtDispatchInvocationContextCreate(
    LITERT_DISPATCH_CONTEXT_ LiteRtDispatchDeviceContext device_context,
    LiteRtDispatchExecutableType exec_type, const LiteRtMemBuffer* exec_bytecode_buffer,
    const char* function_name, int num_inputs, int num_outputs,
    LiteRtDispatchInvocationContext* invocation_context);
LITERT_CAPI_EXPORT LiteRtStatus
LiteRtDispatchInvocationContextDestroy(LiteRtDispatchInvocationContext invocation_context);

// Options for the following invocations; may be null. Optional: a library
// without it leaves the table entry null.
LITERT_CAPI_EXPORT LiteRtStatus LiteRtDispatchInvocationContextSetOptions(
    LiteRtDispatchInvocationContext invocation_context, LiteRtOptions options);

// Scheduling of the following invocations; null goes back to the default.
// Optional: a library without it leaves the table entry null.
LITERT_CAPI_EXPORT LiteRtStatus
LiteRtDispatchInvocationContextSetSchedulingInfo(LiteRtDispatchInvocationContext invocation_context,
                                                 const LiteRtSchedulingInfo* scheduling_info);

// What a buffer for a tensor of that type must be like. The caller destroys the
// requirements.
LITERT_CAPI_EXPORT LiteRtStatus
LiteRtDispatchGetInputRequirements(LiteRtDispatchInvocationContext invocation_context,
                                   int input_index, const LiteRtRankedTensorType* tensor_type,
                                   LiteRtTensorBufferRequirements* tensor_buffer_requirements);
LITERT_CAPI_EXPORT LiteRtStatus
LiteRtDispatchGetOutputRequirements(LiteRtDispatchInvocationContext invocation_context,
                                    int output_index, const LiteRtRankedTensorType* tensor_type,
                                    LiteRtTensorBufferRequirements* tensor_buffer_requirements);

// Binds registered buffers to inputs and outputs, and undoes it. A binding
// holds over any number of invocations.
LITERT_CAPI_EXPORT LiteRtStatus
LiteRtDispatchAttachInput(LiteRtDispatchInvocationContext invocation_context, int graph_input_index,
                          LiteRtTensorBufferHandle tensor_buffer_handle);
LITERT_CAPI_EXPORT LiteRtStatus
LiteRtDispatchAttachOutput(LiteRtDispatchInvocationContext invocation_context,
                           int graph_output_index, LiteRtTensorBufferHandle tensor_buffer_handle);
LITERT_CAPI_EXPORT LiteRtStatus
LiteRtDispatchDetachInput(LiteRtDispatchInvocationContext invocation_context, int graph_input_index,
                          LiteRtTensorBufferHandle tensor_buffer_handle);
LITERT_CAPI_EXPORT LiteRtStatus
LiteRtDispatchDetachOutput(LiteRtDispatchInvocationContext invocation_context,
                           int graph_output_index, LiteRtTensorBufferHandle tensor_buffer_handle);

// Runs to completion. Every input and output is attached.
LITERT_CAPI_EXPORT LiteRtStatus
LiteRtDispatchInvoke(LiteRtDispatchInvocationContext invocation_context);

// -- Basic: metrics -----------------------------------------------------------

// Between start and stop the library counts what its invocations cost, in more
// detail the higher `detail_level` (0 or more).
LITERT_CAPI_EXPORT LiteRtStatus LiteRtDispatchStartMetricsCollection(
    LiteRtDispatchInvocationContext invocation_context, int detail_level);

// Ends collection; the caller releases the outcome by
// LiteRtDispatchDestroyMetrics.
LITERT_CAPI_EXPORT LiteRtStatus LiteRtDispatchStopMetricsCollection(
    LiteRtDispatchInvocationContext invocation_context, LiteRtDispatchMetrics* metrics);

// Names and strings of a metric live as long as `metrics`.
LITERT_CAPI_EXPORT LiteRtStatus LiteRtDispatchGetNumMetrics(LiteRtDispatchMetrics metrics,
                                                            int* num_metrics);
LITERT_CAPI_EXPORT LiteRtStatus LiteRtDispatchGetMetric(LiteRtDispatchMetrics metrics,
                                                        int metric_index, LiteRtMetric* metric);
LITERT_CAPI_EXPORT LiteRtStatus LiteRtDispatchDestroyMetrics(LiteRtDispatchMetrics metrics);

// -- Basic: hooks -------------------------------------------------------------

// What the library wants to be told of the life of a model; null for one that
// has none, which is no error. `user_data`, which may be null, belongs to the library.
LITERT_CAPI_EXPORT LiteRtStatus LiteRtDispatchGetHooks(LiteRtDispatchDeviceContext device_context,
                                                       LiteRtHook* hook, void** user_data);

// -- Async --------------------------------------------------------------------

// The next invocation waits for `input_event` before it reads that input.
LITERT_CAPI_EXPORT LiteRtStatus
LiteRtDispatchAttachInputEvent(LiteRtDispatchInvocationContext invocation_context,
                               int graph_input_index, LiteRtEvent input_event);

// Starts a run and returns. Writes one new event per output, signalled when
// that output is complete; the caller destroys them.
LITERT_CAPI_EXPORT LiteRtStatus
LiteRtDispatchInvokeAsync(LiteRtDispatchInvocationContext invocation_context, int num_output_events,
                          LiteRtEvent* output_events);

// -- Graph --------------------------------------------------------------------
// Several executables joined by edges into one invocation.

LITERT_CAPI_EXPORT LiteRtStatus
LiteRtDispatchGraphCreate(LiteRtDispatchDeviceContext device_context, LiteRtDispatchGraph* graph);
LITERT_CAPI_EXPORT LiteRtStatus LiteRtDispatchGraphDestroy(LiteRtDispatchGraph graph);

// kLiteRtStatusErrorAlreadyExists for an id that is taken.
LITERT_CAPI_EXPORT LiteRtStatus LiteRtDispatchAddNode(LiteRtDispatchGraph graph,
                                                      LiteRtDispatchNodeId node_id,
                                                      LiteRtDispatchNodeType node_type);
LITERT_CAPI_EXPORT LiteRtStatus LiteRtDispatchAddEdge(LiteRtDispatchGraph graph,
                                                      LiteRtDispatchEdgeId edge_id);

LITERT_CAPI_EXPORT LiteRtStatus LiteRtDispatchConnectNodeInput(LiteRtDispatchGraph graph,
                                                               LiteRtDispatchNodeId node_id,
                                                               int input_index,
                                                               LiteRtDispatchEdgeId edge_id);
LITERT_CAPI_EXPORT LiteRtStatus LiteRtDispatchConnectNodeOutput(LiteRtDispatchGraph graph,
                                                                LiteRtDispatchNodeId node_id,
                                                                int output_index,
                                                                LiteRtDispatchEdgeId edge_id);
LITERT_CAPI_EXPORT LiteRtStatus LiteRtDispatchConnectGraphInput(LiteRtDispatchGraph graph,
                                                                int input_index,
                                                                LiteRtDispatchEdgeId edge_id);
LITERT_CAPI_EXPORT LiteRtStatus LiteRtDispatchConnectGraphOutput(LiteRtDispatchGraph graph,
                                                                 int output_index,
                                                                 LiteRtDispatchEdgeId edge_id);

// The bytes outlive the loaded executable.
LITERT_CAPI_EXPORT LiteRtStatus LiteRtDispatchLoadExecutable(
    LiteRtDispatchDeviceContext device_context, LiteRtDispatchExecutableType type,
    const LiteRtMemBuffer* bytecode_buffer, LiteRtDispatchExecutableHandle* exec_handle);
LITERT_CAPI_EXPORT LiteRtStatus LiteRtDispatchUnloadExecutable(
    LiteRtDispatchDeviceContext device_context, LiteRtDispatchExecutableHandle exec_handle);

// The name may be null if the executable has one entry point only.
LITERT_CAPI_EXPORT LiteRtStatus LiteRtDispatchAssignNodeFunction(
    LiteRtDispatchGraph graph, LiteRtDispatchNodeId node_id,
    LiteRtDispatchExecutableHandle exec_handle, const char* function_name);

// Hints for the vendor. Key and value are copied.
LITERT_CAPI_EXPORT LiteRtStatus LiteRtDispatchAnnotateGraph(LiteRtDispatchGraph graph,
                                                            const char* key, const char* value);
LITERT_CAPI_EXPORT LiteRtStatus LiteRtDispatchAnnotateNode(LiteRtDispatchGraph graph,
                                                           LiteRtDispatchNodeId node_id,
                                                           const char* key, const char* value);
LITERT_CAPI_EXPORT LiteRtStatus LiteRtDispatchAnnotateEdge(LiteRtDispatchGraph graph,
                                                           LiteRtDispatchEdgeId edge_id,
                                                           const char* key, const char* value);

LITERT_CAPI_EXPORT LiteRtStatus LiteRtDispatchInvocationContextCreateFromGraph(
    LiteRtDispatchDeviceContext device_context, LiteRtDispatchGraph graph,
    LiteRtDispatchInvocationContext* invocation_context);

// The graph that the context was made from, lent; null if it was made from
// bytecode.
LiteRtStatus LiteRtDispatchInvocationContextGetGraph(
    LiteRtDispatchInvocationContext invocation_context, LiteRtDispatchGraph* graph);

#if defined(LITERT_ENABLE_FABRIC_INTEGRATION)

// -- Buffers inside a graph ---------------------------------------------------

// Scratch memory for one entry point. The caller destroys the requirements.
LITERT_CAPI_EXPORT LiteRtStatus LiteRtDispatchGetScratchpadRequirements(
    LiteRtDispatchDeviceContext device_context, LiteRtDispatchExecutableHandle exec_handle,
    const char* function_name, LiteRtTensorBufferRequirements* scratchpad_requirements);
LITERT_CAPI_EXPORT LiteRtStatus LiteRtDispatchAttachScratchpadBuffer(
    LiteRtDispatchDeviceContext device_context, LiteRtDispatchExecutableHandle exec_handle,
    const char* function_name, LiteRtTensorBufferHandle scratchpad_buffer_handle);

// Memory for an inner edge, where the host plans it.
LITERT_CAPI_EXPORT LiteRtStatus LiteRtDispatchAttachEdgeBuffer(
    LiteRtDispatchInvocationContext invocation_context, LiteRtDispatchEdgeId edge_id,
    LiteRtTensorBufferHandle tensor_buffer_handle);
LITERT_CAPI_EXPORT LiteRtStatus LiteRtDispatchDetachEdgeBuffer(
    LiteRtDispatchInvocationContext invocation_context, LiteRtDispatchEdgeId edge_id,
    LiteRtTensorBufferHandle tensor_buffer_handle);

#endif

#ifdef __cplusplus
}
#endif

#endif  // ODML_LITERT_LITERT_VENDORS_C_LITERT_DISPATCH_H_
