// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Options of Intel's OpenVINO plugin, as LiteRT has them from v2.2.0 on. Text of "key = value"
// lines in opaque options (litert_opaque_options.h) under the identifier "intel_openvino":
// device_type, performance_mode, configs_map.KEY, graph.N.graph_backend and graph.N.configs_map.KEY. npukit's
// host passes them on and reads none itself.

#ifndef ODML_LITERT_LITERT_C_OPTIONS_LITERT_INTEL_OPENVINO_OPTIONS_H_
#define ODML_LITERT_LITERT_C_OPTIONS_LITERT_INTEL_OPENVINO_OPTIONS_H_

#include "litert/c/litert_common.h"

#ifdef __cplusplus
extern "C" {
#endif

LITERT_DEFINE_HANDLE(LrtIntelOpenVinoOptions);

// All functions: kLiteRtStatusErrorInvalidArgument for null, kLiteRtStatusErrorIndexOOB for a
// position past the end. Text is copied; text got lives until the options change.

LiteRtStatus LrtIntelOpenVinoOptionsCreate(LrtIntelOpenVinoOptions* options);
void LrtDestroyIntelOpenVinoOptions(LrtIntelOpenVinoOptions options);
// Unknown keys are ignored. kLiteRtStatusErrorInvalidArgument for a line without a key or a value,
// and for one of a graph that is no number.
LiteRtStatus LrtCreateIntelOpenVinoOptionsFromToml(const char* payload,
                                                   LrtIntelOpenVinoOptions* options);

// What LiteRtCreateOpaqueOptions takes: the identifier (static storage) and a payload that the
// caller owns, with the function that releases it.
LiteRtStatus LrtGetOpaqueIntelOpenVinoOptionsData(LrtIntelOpenVinoOptions options,
                                                  const char** identifier, void** payload,
                                                  void (**payload_deleter)(void*));
const char* LrtGetIntelOpenVinoOptionsIdentifier(void);

// -- Of the plugin ------------------------------------------------------------

// Key device_type, which LiteRT has up to v2.1.4: the one device of all graphs. NPU where none was
// set.
typedef enum LiteRtIntelOpenVinoDeviceType {
  kLiteRtIntelOpenVinoDeviceTypeCPU = 0,
  kLiteRtIntelOpenVinoDeviceTypeGPU = 1,
  kLiteRtIntelOpenVinoDeviceTypeNPU = 2,
  kLiteRtIntelOpenVinoDeviceTypeAUTO = 3,
} LiteRtIntelOpenVinoDeviceType;

LiteRtStatus LrtIntelOpenVinoOptionsSetDeviceType(LrtIntelOpenVinoOptions options,
                                                  enum LiteRtIntelOpenVinoDeviceType device_type);
LiteRtStatus LrtIntelOpenVinoOptionsGetDeviceType(LrtIntelOpenVinoOptions options,
                                                  enum LiteRtIntelOpenVinoDeviceType* device_type);

typedef enum LiteRtIntelOpenVinoPerformanceMode {
  kLiteRtIntelOpenVinoPerformanceModeLatency = 0,
  kLiteRtIntelOpenVinoPerformanceModeThroughput = 1,
  kLiteRtIntelOpenVinoPerformanceModeCumulativeThroughput = 2,
} LiteRtIntelOpenVinoPerformanceMode;

// Latency where none was set.
LiteRtStatus LrtIntelOpenVinoOptionsSetPerformanceMode(
    LrtIntelOpenVinoOptions options, LiteRtIntelOpenVinoPerformanceMode performance_mode);
LiteRtStatus LrtIntelOpenVinoOptionsGetPerformanceMode(
    LrtIntelOpenVinoOptions options, LiteRtIntelOpenVinoPerformanceMode* performance_mode);

// OpenVINO's own settings, in the order in which they were first set.
LiteRtStatus LrtIntelOpenVinoOptionsSetConfigsMapOption(LrtIntelOpenVinoOptions options,
                                                        const char* key, const char* value);
LiteRtStatus LrtIntelOpenVinoOptionsGetNumConfigsMapOptions(LrtIntelOpenVinoOptions options,
                                                            int* num_options);
LiteRtStatus LrtIntelOpenVinoOptionsGetConfigsMapOption(LrtIntelOpenVinoOptions options, int index,
                                                        const char** key, const char** value);

// -- Of one graph -------------------------------------------------------------

typedef enum LiteRtIntelOpenVinoGraphBackend {
  kLiteRtIntelOpenVinoGraphBackendCPU = 0,
  kLiteRtIntelOpenVinoGraphBackendGPU = 1,
  kLiteRtIntelOpenVinoGraphBackendNPU = 2,
  kLiteRtIntelOpenVinoGraphBackendMax = 3,
} LiteRtIntelOpenVinoGraphBackend;

// Graph -1 stands for all that have none of their own. kLiteRtStatusErrorNotFound: none was set.
LiteRtStatus LrtIntelOpenVinoOptionsSetGraphBackend(
    LrtIntelOpenVinoOptions options, int graph_index,
    enum LiteRtIntelOpenVinoGraphBackend graph_backend);
LiteRtStatus LrtIntelOpenVinoOptionsGetGraphBackend(
    LrtIntelOpenVinoOptions options, int graph_index,
    enum LiteRtIntelOpenVinoGraphBackend* graph_backend);

// Graphs from 0 on.
LiteRtStatus LrtIntelOpenVinoOptionsSetGraphConfigsMapOption(LrtIntelOpenVinoOptions options,
                                                             int graph_index, const char* key,
                                                             const char* value);
LiteRtStatus LrtIntelOpenVinoOptionsGetNumGraphConfigsMapOptions(LrtIntelOpenVinoOptions options,
                                                                 int graph_index, int* num_options);
LiteRtStatus LrtIntelOpenVinoOptionsGetGraphConfigsMapOption(LrtIntelOpenVinoOptions options,
                                                             int graph_index, int index,
                                                             const char** key, const char** value);

// The graphs of which anything was set, ascending.
LiteRtStatus LrtIntelOpenVinoOptionsGetNumGraphOverrides(LrtIntelOpenVinoOptions options,
                                                         int* num_overrides);
LiteRtStatus LrtIntelOpenVinoOptionsGetGraphOverrideIndex(LrtIntelOpenVinoOptions options,
                                                          int slot_index, int* graph_index);

#ifdef __cplusplus
}
#endif

#endif  // ODML_LITERT_LITERT_C_OPTIONS_LITERT_INTEL_OPENVINO_OPTIONS_H_
