// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The functions of litert_dispatch.h as tables, and the function by which a
// dispatch library hands them to the host.

#ifndef ODML_LITERT_LITERT_VENDORS_C_LITERT_DISPATCH_API_H_
#define ODML_LITERT_LITERT_VENDORS_C_LITERT_DISPATCH_API_H_

#include <stddef.h>

#if defined(NPUKIT_ABI_2_2)
#include "litert/c/internal/litert_abi_header.h"
#include "litert/c/internal/litert_custom_tensor_buffer_handlers_def.h"
#endif
#include "litert/c/internal/litert_scheduling_info.h"
#include "litert/c/litert_common.h"
#include "litert/c/litert_metrics.h"
#include "litert/c/litert_model_types.h"
#if defined(NPUKIT_ABI_2_3)
#include "litert/c/litert_profiler_types.h"
#endif
#include "litert/vendors/c/litert_dispatch.h"

#ifdef __cplusplus
extern "C" {
#endif

// Entries that LITERT_ENABLE_FABRIC_INTEGRATION adds to a table.
#if defined(LITERT_ENABLE_FABRIC_INTEGRATION)
#define LITERT_DISPATCH_FABRIC_ENTRIES 2
#else
#define LITERT_DISPATCH_FABRIC_ENTRIES 0
#endif

// -- Basic --------------------------------------------------------------------

typedef LiteRtStatus (*LiteRtDispatchInitializeT)(
    LITERT_DISPATCH_CONTEXT_ LiteRtEnvironment environment, LiteRtOptions options);

typedef LiteRtStatus (*LiteRtDispatchGetVendorIdT)(const char** vendor_id);

typedef LiteRtStatus (*LiteRtDispatchGetBuildIdT)(const char** build_id);

typedef LiteRtStatus (*LiteRtDispatchGetCapabilitiesT)(int* capabilities);

typedef LiteRtStatus (*LiteRtDispatchDeviceContextCreateT)(
    LITERT_DISPATCH_CONTEXT_ LiteRtOptions options, LiteRtDispatchDeviceContext* device_context);

typedef LiteRtStatus (*LiteRtDispatchDeviceContextDestroyT)(
    LiteRtDispatchDeviceContext device_context);

typedef LiteRtStatus (*LiteRtDispatchGetInputRequirementsT)(
    LiteRtDispatchInvocationContext invocation_context, int input_index,
    const LiteRtRankedTensorType* tensor_type,
    LiteRtTensorBufferRequirements* tensor_buffer_requirements);

typedef LiteRtStatus (*LiteRtDispatchGetOutputRequirementsT)(
    LiteRtDispatchInvocationContext invocation_context, int output_index,
    const LiteRtRankedTensorType* tensor_type,
    LiteRtTensorBufferRequirements* tensor_buffer_requirements);

typedef LiteRtStatus (*LiteRtDispatchRegisterTensorBufferT)(
    LiteRtDispatchDeviceContext device_context, LiteRtTensorBuffer tensor_buffer,
    LiteRtTensorBufferHandle* tensor_buffer_handle);

typedef LiteRtStatus (*LiteRtDispatchUnregisterTensorBufferT)(
    LiteRtDispatchDeviceContext device_context, LiteRtTensorBufferHandle handle);

typedef LiteRtStatus (*LiteRtDispatchInvocationContextCreateT)(
    LITERT_DISPATCH_CONTEXT_ LiteRtDispatchDeviceContext device_context,
    LiteRtDispatchExecutableType exec_type, const LiteRtMemBuffer* exec_bytecode_buffer,
    const char* function_name, int num_inputs, int num_outputs,
    LiteRtDispatchInvocationContext* invocation_context);

typedef LiteRtStatus (*LiteRtDispatchInvocationContextDestroyT)(
    LiteRtDispatchInvocationContext invocation_context);

typedef LiteRtStatus (*LiteRtDispatchInvocationContextSetOptionsT)(
    LiteRtDispatchInvocationContext invocation_context, LiteRtOptions options);

typedef LiteRtStatus (*LiteRtDispatchInvocationContextSetSchedulingInfoT)(
    LiteRtDispatchInvocationContext invocation_context,
    const LiteRtSchedulingInfo* scheduling_info);

typedef LiteRtStatus (*LiteRtDispatchAttachInputT)(
    LiteRtDispatchInvocationContext invocation_context, int graph_input_index,
    LiteRtTensorBufferHandle tensor_buffer_handle);

typedef LiteRtStatus (*LiteRtDispatchAttachOutputT)(
    LiteRtDispatchInvocationContext invocation_context, int graph_output_index,
    LiteRtTensorBufferHandle tensor_buffer_handle);

typedef LiteRtStatus (*LiteRtDispatchDetachInputT)(
    LiteRtDispatchInvocationContext invocation_context, int graph_input_index,
    LiteRtTensorBufferHandle tensor_buffer_handle);

typedef LiteRtStatus (*LiteRtDispatchDetachOutputT)(
    LiteRtDispatchInvocationContext invocation_context, int graph_output_index,
    LiteRtTensorBufferHandle tensor_buffer_handle);

#if defined(LITERT_ENABLE_FABRIC_INTEGRATION) || defined(NPUKIT_ABI_2_3)
typedef LiteRtStatus (*LiteRtDispatchAttachEdgeBufferT)(
    LiteRtDispatchInvocationContext invocation_context, LiteRtDispatchEdgeId edge_id,
    LiteRtTensorBufferHandle tensor_buffer_handle);

typedef LiteRtStatus (*LiteRtDispatchDetachEdgeBufferT)(
    LiteRtDispatchInvocationContext invocation_context, LiteRtDispatchEdgeId edge_id,
    LiteRtTensorBufferHandle tensor_buffer_handle);
#endif

typedef LiteRtStatus (*LiteRtDispatchInvokeT)(LiteRtDispatchInvocationContext invocation_context);

typedef LiteRtStatus (*LiteRtDispatchStartMetricsCollectionT)(
    LiteRtDispatchInvocationContext invocation_context, int detail_level);

typedef LiteRtStatus (*LiteRtDispatchStopMetricsCollectionT)(
    LiteRtDispatchInvocationContext invocation_context, LiteRtDispatchMetrics* metrics);

typedef LiteRtStatus (*LiteRtDispatchGetNumMetricsT)(LiteRtDispatchMetrics metrics,
                                                     int* num_metrics);

typedef LiteRtStatus (*LiteRtDispatchGetMetricT)(LiteRtDispatchMetrics metrics, int metric_index,
                                                 LiteRtMetric* metric);

typedef LiteRtStatus (*LiteRtDispatchDestroyMetricsT)(LiteRtDispatchMetrics metrics);

typedef LiteRtStatus (*LiteRtDispatchCheckRuntimeCompatibilityT)(LiteRtApiVersion api_version,
                                                                 LiteRtEnvironmentOptions env,
                                                                 LiteRtOptions options);

// Mandatory but for invocation_context_set_scheduling_info and
// invocation_context_set_options, which may be null.
typedef struct LiteRtDispatchInterface {
  LiteRtDispatchInitializeT initialize;
  LiteRtDispatchGetVendorIdT get_vendor_id;
  LiteRtDispatchGetBuildIdT get_build_id;
  LiteRtDispatchGetCapabilitiesT get_capabilities;
  LiteRtDispatchDeviceContextCreateT device_context_create;
  LiteRtDispatchDeviceContextDestroyT device_context_destroy;
  LiteRtDispatchGetInputRequirementsT get_input_requirements;
  LiteRtDispatchGetOutputRequirementsT get_output_requirements;
  LiteRtDispatchRegisterTensorBufferT register_tensor_buffer;
  LiteRtDispatchUnregisterTensorBufferT unregister_tensor_buffer;
  LiteRtDispatchInvocationContextCreateT invocation_context_create;
  LiteRtDispatchInvocationContextDestroyT invocation_context_destroy;
  LiteRtDispatchInvocationContextSetSchedulingInfoT invocation_context_set_scheduling_info;
  LiteRtDispatchAttachInputT attach_input;
  LiteRtDispatchAttachOutputT attach_output;
  LiteRtDispatchDetachInputT detach_input;
  LiteRtDispatchDetachOutputT detach_output;
  LiteRtDispatchInvokeT invoke;
  LiteRtDispatchStartMetricsCollectionT start_metrics_collection;
  LiteRtDispatchStopMetricsCollectionT stop_metrics_collection;
  LiteRtDispatchGetNumMetricsT get_num_metrics;
  LiteRtDispatchGetMetricT get_metric;
  LiteRtDispatchDestroyMetricsT destroy_metrics;
  LiteRtDispatchCheckRuntimeCompatibilityT check_runtime_compatibility;
  LiteRtDispatchInvocationContextSetOptionsT invocation_context_set_options;

#if defined(LITERT_ENABLE_FABRIC_INTEGRATION)
  LiteRtDispatchAttachEdgeBufferT attach_edge_buffer;
  LiteRtDispatchDetachEdgeBufferT detach_edge_buffer;
#endif
} LiteRtDispatchInterface;

LITERT_ABI_ASSERT(sizeof(LiteRtDispatchInterface) ==
                  (25 + LITERT_DISPATCH_FABRIC_ENTRIES) * sizeof(void*));

// -- Async --------------------------------------------------------------------

typedef LiteRtStatus (*LiteRtDispatchAttachInputEventT)(
    LiteRtDispatchInvocationContext invocation_context, int graph_input_index,
    LiteRtEvent input_event);

typedef LiteRtStatus (*LiteRtDispatchInvokeAsyncT)(
    LiteRtDispatchInvocationContext invocation_context, int num_output_events,
    LiteRtEvent* output_events);

typedef struct LiteRtDispatchAsyncInterface {
  LiteRtDispatchAttachInputEventT attach_input_event;
  LiteRtDispatchInvokeAsyncT invoke_async;
} LiteRtDispatchAsyncInterface;

LITERT_ABI_ASSERT(sizeof(LiteRtDispatchAsyncInterface) == 2 * sizeof(void*));

// -- Graph --------------------------------------------------------------------

typedef LiteRtStatus (*LiteRtDispatchGraphCreateT)(LiteRtDispatchDeviceContext device_context,
                                                   LiteRtDispatchGraph* graph);

typedef LiteRtStatus (*LiteRtDispatchGraphDestroyT)(LiteRtDispatchGraph graph);

typedef LiteRtStatus (*LiteRtDispatchAddNodeT)(LiteRtDispatchGraph graph,
                                               LiteRtDispatchNodeId node_id,
                                               LiteRtDispatchNodeType node_type);

typedef LiteRtStatus (*LiteRtDispatchAddEdgeT)(LiteRtDispatchGraph graph,
                                               LiteRtDispatchEdgeId edge_id);

typedef LiteRtStatus (*LiteRtDispatchConnectNodeInputT)(LiteRtDispatchGraph graph,
                                                        LiteRtDispatchNodeId node_id,
                                                        int input_index,
                                                        LiteRtDispatchEdgeId edge_id);

typedef LiteRtStatus (*LiteRtDispatchConnectNodeOutputT)(LiteRtDispatchGraph graph,
                                                         LiteRtDispatchNodeId node_id,
                                                         int output_index,
                                                         LiteRtDispatchEdgeId edge_id);

typedef LiteRtStatus (*LiteRtDispatchConnectGraphInputT)(LiteRtDispatchGraph graph, int input_index,
                                                         LiteRtDispatchEdgeId edge_id);

typedef LiteRtStatus (*LiteRtDispatchConnectGraphOutputT)(LiteRtDispatchGraph graph,
                                                          int output_index,
                                                          LiteRtDispatchEdgeId edge_id);

typedef LiteRtStatus (*LiteRtDispatchLoadExecutableT)(LiteRtDispatchDeviceContext device_context,
                                                      LiteRtDispatchExecutableType type,
                                                      const LiteRtMemBuffer* bytecode_buffer,
                                                      LiteRtDispatchExecutableHandle* exec_handle);

typedef LiteRtStatus (*LiteRtDispatchUnloadExecutableT)(LiteRtDispatchDeviceContext device_context,
                                                        LiteRtDispatchExecutableHandle exec_handle);

#if defined(LITERT_ENABLE_FABRIC_INTEGRATION) || defined(NPUKIT_ABI_2_3)
typedef LiteRtStatus (*LiteRtDispatchGetScratchpadRequirementsT)(
    LiteRtDispatchDeviceContext device_context, LiteRtDispatchExecutableHandle exec_handle,
    const char* function_name, LiteRtTensorBufferRequirements* scratchpad_requirements);

typedef LiteRtStatus (*LiteRtDispatchAttachScratchpadBufferT)(
    LiteRtDispatchDeviceContext device_context, LiteRtDispatchExecutableHandle exec_handle,
    const char* function_name, LiteRtTensorBufferHandle scratchpad_buffer_handle);
#endif

typedef LiteRtStatus (*LiteRtDispatchAssignNodeFunctionT)(
    LiteRtDispatchGraph graph, LiteRtDispatchNodeId node_id,
    LiteRtDispatchExecutableHandle exec_handle, const char* function_name);

typedef LiteRtStatus (*LiteRtDispatchInvocationContextCreateFromGraphT)(
    LiteRtDispatchDeviceContext device_context, LiteRtDispatchGraph graph,
    LiteRtDispatchInvocationContext* invocation_context);

typedef LiteRtStatus (*LiteRtDispatchInvocationContextGetGraphT)(
    LiteRtDispatchInvocationContext invocation_context, LiteRtDispatchGraph* graph);

typedef LiteRtStatus (*LiteRtDispatchAnnotateGraphT)(LiteRtDispatchGraph graph, const char* key,
                                                     const char* value);

typedef LiteRtStatus (*LiteRtDispatchAnnotateNodeT)(LiteRtDispatchGraph graph,
                                                    LiteRtDispatchNodeId node_id, const char* key,
                                                    const char* value);

typedef LiteRtStatus (*LiteRtDispatchAnnotateEdgeT)(LiteRtDispatchGraph graph,
                                                    LiteRtDispatchEdgeId edge_id, const char* key,
                                                    const char* value);

typedef struct LiteRtDispatchGraphInterface {
  LiteRtDispatchGraphCreateT graph_create;
  LiteRtDispatchGraphDestroyT graph_destroy;
  LiteRtDispatchAddNodeT add_node;
  LiteRtDispatchAddEdgeT add_edge;
  LiteRtDispatchConnectNodeInputT connect_node_input;
  LiteRtDispatchConnectNodeOutputT connect_node_output;
  LiteRtDispatchConnectGraphInputT connect_graph_input;
  LiteRtDispatchConnectGraphOutputT connect_graph_output;
  LiteRtDispatchLoadExecutableT load_executable;
  LiteRtDispatchUnloadExecutableT unload_executable;
  LiteRtDispatchAssignNodeFunctionT assign_node_function;
  LiteRtDispatchAnnotateGraphT annotate_graph;
  LiteRtDispatchAnnotateNodeT annotate_node;
  LiteRtDispatchAnnotateEdgeT annotate_edge;
  LiteRtDispatchInvocationContextCreateFromGraphT invocation_context_create_from_graph;
  LiteRtDispatchInvocationContextGetGraphT invocation_context_get_graph;

#if defined(LITERT_ENABLE_FABRIC_INTEGRATION)
  LiteRtDispatchGetScratchpadRequirementsT get_scratchpad_requirements;
  LiteRtDispatchAttachScratchpadBufferT attach_scratchpad_buffer;
#endif
} LiteRtDispatchGraphInterface;

LITERT_ABI_ASSERT(sizeof(LiteRtDispatchGraphInterface) ==
                  (16 + LITERT_DISPATCH_FABRIC_ENTRIES) * sizeof(void*));

// -- Entry point --------------------------------------------------------------

// The tables belong to the library and live until it is closed. Tables whose
// capability bit is off may be null.
typedef struct LiteRtDispatchApi {
#if defined(NPUKIT_ABI_2_2)
  LiteRtAbiHeader abi_header;  // May be left zero.
#endif
  LiteRtApiVersion version;
  LiteRtDispatchInterface* interface;
  LiteRtDispatchAsyncInterface* async_interface;
  LiteRtDispatchGraphInterface* graph_interface;
#if defined(NPUKIT_ABI_2_2)
  LiteRtCustomTensorBufferHandlersDef* tensor_buffer_handlers_def;  // May be null.
#endif
} LiteRtDispatchApi;

#if defined(NPUKIT_ABI_2_2)
LITERT_ABI_ASSERT(sizeof(LiteRtDispatchApi) == 56);
LITERT_ABI_ASSERT(offsetof(LiteRtDispatchApi, version) == 8);
LITERT_ABI_ASSERT(offsetof(LiteRtDispatchApi, interface) == 24);
LITERT_ABI_ASSERT(offsetof(LiteRtDispatchApi, tensor_buffer_handlers_def) == 48);
#else
LITERT_ABI_ASSERT(sizeof(LiteRtDispatchApi) == 40);
LITERT_ABI_ASSERT(offsetof(LiteRtDispatchApi, interface) == 16);
#endif

// -- Queried interfaces -------------------------------------------------------
// From LiteRT's sources of September 2026 on, which look up
// LiteRtDispatchQueryInterface alone. Each table begins with a header: a member
// is there if it lies within struct_size and is not null, so that tables of a
// later or earlier minor version fit. Other major versions do not.

#if defined(NPUKIT_ABI_2_3)
// Of the tables; apart from LITERT_API_VERSION.
#define LITERT_DISPATCH_ABI_VERSION_MAJOR 1
#define LITERT_DISPATCH_ABI_VERSION_MINOR 0
#define LITERT_DISPATCH_ABI_VERSION_PATCH 0

typedef enum LiteRtDispatchInterfaceId {
  kLiteRtDispatchInterfaceBasic = 0,
  kLiteRtDispatchInterfaceAsync = 1,
  kLiteRtDispatchInterfaceGraph = 2,
  kLiteRtDispatchInterfaceCustomTensorBufferHandlers = 3,
  kLiteRtDispatchInterfaceForce32Bits = 0x7fffffff,
} LiteRtDispatchInterfaceId;

// Gives the hook of a device and what it is to be called with, null for none;
// valid as long as the device context.
typedef LiteRtStatus (*LiteRtDispatchGetHooksT)(LiteRtDispatchDeviceContext device_context,
                                                LiteRtHook* hook, void** user_data);

typedef struct LiteRtDispatchInterface_V1 {
  LiteRtAbiHeader abi_header;
  LiteRtDispatchInitializeT initialize;
  LiteRtDispatchGetVendorIdT get_vendor_id;
  LiteRtDispatchGetBuildIdT get_build_id;
  LiteRtDispatchGetCapabilitiesT get_capabilities;
  LiteRtDispatchDeviceContextCreateT device_context_create;
  LiteRtDispatchDeviceContextDestroyT device_context_destroy;
  LiteRtDispatchGetInputRequirementsT get_input_requirements;
  LiteRtDispatchGetOutputRequirementsT get_output_requirements;
  LiteRtDispatchRegisterTensorBufferT register_tensor_buffer;
  LiteRtDispatchUnregisterTensorBufferT unregister_tensor_buffer;
  LiteRtDispatchInvocationContextCreateT invocation_context_create;
  LiteRtDispatchInvocationContextDestroyT invocation_context_destroy;
  LiteRtDispatchInvocationContextSetSchedulingInfoT invocation_context_set_scheduling_info;
  LiteRtDispatchAttachInputT attach_input;
  LiteRtDispatchAttachOutputT attach_output;
  LiteRtDispatchDetachInputT detach_input;
  LiteRtDispatchDetachOutputT detach_output;
  LiteRtDispatchInvokeT invoke;
  LiteRtDispatchStartMetricsCollectionT start_metrics_collection;
  LiteRtDispatchStopMetricsCollectionT stop_metrics_collection;
  LiteRtDispatchGetNumMetricsT get_num_metrics;
  LiteRtDispatchGetMetricT get_metric;
  LiteRtDispatchDestroyMetricsT destroy_metrics;
  LiteRtDispatchCheckRuntimeCompatibilityT check_runtime_compatibility;
  LiteRtDispatchInvocationContextSetOptionsT invocation_context_set_options;
  LiteRtDispatchGetHooksT get_hooks;
  LiteRtDispatchAttachEdgeBufferT attach_edge_buffer;
  LiteRtDispatchDetachEdgeBufferT detach_edge_buffer;
} LiteRtDispatchInterface_V1;

LITERT_ABI_ASSERT(sizeof(LiteRtDispatchInterface_V1) == 232);
LITERT_ABI_ASSERT(offsetof(LiteRtDispatchInterface_V1, initialize) == 8);
LITERT_ABI_ASSERT(offsetof(LiteRtDispatchInterface_V1, invoke) == 144);
LITERT_ABI_ASSERT(offsetof(LiteRtDispatchInterface_V1, invocation_context_set_options) == 200);
LITERT_ABI_ASSERT(offsetof(LiteRtDispatchInterface_V1, get_hooks) == 208);
LITERT_ABI_ASSERT(offsetof(LiteRtDispatchInterface_V1, detach_edge_buffer) == 224);

typedef struct LiteRtDispatchAsyncInterface_V1 {
  LiteRtAbiHeader abi_header;
  LiteRtDispatchAttachInputEventT attach_input_event;
  LiteRtDispatchInvokeAsyncT invoke_async;
} LiteRtDispatchAsyncInterface_V1;

LITERT_ABI_ASSERT(sizeof(LiteRtDispatchAsyncInterface_V1) == 24);

typedef struct LiteRtDispatchGraphInterface_V1 {
  LiteRtAbiHeader abi_header;
  LiteRtDispatchGraphCreateT graph_create;
  LiteRtDispatchGraphDestroyT graph_destroy;
  LiteRtDispatchAddNodeT add_node;
  LiteRtDispatchAddEdgeT add_edge;
  LiteRtDispatchConnectNodeInputT connect_node_input;
  LiteRtDispatchConnectNodeOutputT connect_node_output;
  LiteRtDispatchConnectGraphInputT connect_graph_input;
  LiteRtDispatchConnectGraphOutputT connect_graph_output;
  LiteRtDispatchLoadExecutableT load_executable;
  LiteRtDispatchUnloadExecutableT unload_executable;
  LiteRtDispatchAssignNodeFunctionT assign_node_function;
  LiteRtDispatchAnnotateGraphT annotate_graph;
  LiteRtDispatchAnnotateNodeT annotate_node;
  LiteRtDispatchAnnotateEdgeT annotate_edge;
  LiteRtDispatchInvocationContextCreateFromGraphT invocation_context_create_from_graph;
  LiteRtDispatchInvocationContextGetGraphT invocation_context_get_graph;
  LiteRtDispatchGetScratchpadRequirementsT get_scratchpad_requirements;
  LiteRtDispatchAttachScratchpadBufferT attach_scratchpad_buffer;
} LiteRtDispatchGraphInterface_V1;

LITERT_ABI_ASSERT(sizeof(LiteRtDispatchGraphInterface_V1) == 152);
LITERT_ABI_ASSERT(offsetof(LiteRtDispatchGraphInterface_V1, load_executable) == 72);
LITERT_ABI_ASSERT(offsetof(LiteRtDispatchGraphInterface_V1, get_scratchpad_requirements) == 136);

typedef LiteRtCustomTensorBufferHandlersDef LiteRtCustomTensorBufferHandlersDef_V1;

// Gives the table of an id, which lives as long as the library. The version is
// that of the tables that the caller knows.
// kLiteRtStatusErrorUnsupported: an id that the library does not have, or a
// version whose major number is not its own; `*interface_table` is null then.
LITERT_CAPI_EXPORT LiteRtStatus LiteRtDispatchQueryInterface(LiteRtDispatchInterfaceId id,
                                                             LiteRtApiVersion version,
                                                             LiteRtInterface* interface_table);
#endif

// The one symbol that the host looked up in a dispatch library before that.
LITERT_CAPI_EXPORT LiteRtStatus LiteRtDispatchGetApi(LiteRtDispatchApi* api);

// For a dispatch library linked into the application: set it before the first
// use of dispatch, and no library is searched for.
extern LiteRtStatus (*LiteRtStaticLinkedDispatchGetApi)(LiteRtDispatchApi*);

#ifdef __cplusplus
}
#endif

#endif  // ODML_LITERT_LITERT_VENDORS_C_LITERT_DISPATCH_API_H_
