// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Options of Qualcomm's plugin. Text of "key = value" lines in opaque options
// (litert_opaque_options.h) under the identifier "qualcomm": a program makes them, appends them to
// the options of a compiled model, and the library that knows them reads them back. npukit's host
// passes them on and reads none itself.

#ifndef ODML_LITERT_LITERT_C_OPTIONS_LITERT_QUALCOMM_OPTIONS_H_
#define ODML_LITERT_LITERT_C_OPTIONS_LITERT_QUALCOMM_OPTIONS_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "litert/c/litert_common.h"

#ifdef __cplusplus
extern "C" {
#endif

LITERT_DEFINE_HANDLE(LrtQualcommOptions);

typedef enum LrtQualcommOptionsLogLevel {
  kLiteRtQualcommLogOff = 0,
  kLiteRtQualcommLogLevelError = 1,
  kLiteRtQualcommLogLevelWarn = 2,
  kLiteRtQualcommLogLevelInfo = 3,
  kLiteRtQualcommLogLevelVerbose = 4,
  kLiteRtQualcommLogLevelDebug = 5,
} LrtQualcommOptionsLogLevel;

typedef enum LrtQualcommOptionsProfiling {
  kLiteRtQualcommProfilingOff = 0,
  kLiteRtQualcommProfilingBasic = 1,
  kLiteRtQualcommProfilingDetailed = 2,
  kLiteRtQualcommProfilingLinting = 3,
  kLiteRtQualcommProfilingOptrace = 4,
} LrtQualcommOptionsProfiling;

typedef enum LrtQualcommOptionsGraphIOTensorMemType {
  kLiteRtQualcommGraphIOTensorMemTypeRaw = 0,
  kLiteRtQualcommGraphIOTensorMemTypeMemHandle = 1,
} LrtQualcommOptionsGraphIOTensorMemType;

typedef enum LrtQualcommOptionsHtpPerformanceMode {
  kLiteRtQualcommHtpPerformanceModeDefault = 0,
  kLiteRtQualcommHtpPerformanceModeSustainedHighPerformance = 1,
  kLiteRtQualcommHtpPerformanceModeBurst = 2,
  kLiteRtQualcommHtpPerformanceModeHighPerformance = 3,
  kLiteRtQualcommHtpPerformanceModePowerSaver = 4,
  kLiteRtQualcommHtpPerformanceModeLowPowerSaver = 5,
  kLiteRtQualcommHtpPerformanceModeHighPowerSaver = 6,
  kLiteRtQualcommHtpPerformanceModeLowBalanced = 7,
  kLiteRtQualcommHtpPerformanceModeBalanced = 8,
  kLiteRtQualcommHtpPerformanceModeExtremePowerSaver = 9,
} LrtQualcommOptionsHtpPerformanceMode;

typedef enum LrtQualcommOptionsDspPerformanceMode {
  kLiteRtQualcommDspPerformanceModeDefault = 0,
  kLiteRtQualcommDspPerformanceModeSustainedHighPerformance = 1,
  kLiteRtQualcommDspPerformanceModeBurst = 2,
  kLiteRtQualcommDspPerformanceModeHighPerformance = 3,
  kLiteRtQualcommDspPerformanceModePowerSaver = 4,
  kLiteRtQualcommDspPerformanceModeLowPowerSaver = 5,
  kLiteRtQualcommDspPerformanceModeHighPowerSaver = 6,
  kLiteRtQualcommDspPerformanceModeLowBalanced = 7,
  kLiteRtQualcommDspPerformanceModeBalanced = 8,
} LrtQualcommOptionsDspPerformanceMode;

typedef enum LrtQualcommOptionsHtpPerfCtrlMode {
  kLiteRtQualcommHtpPerfCtrlModeManual = 0,
  kLiteRtQualcommHtpPerfCtrlModeAuto = 1,
} LrtQualcommOptionsHtpPerfCtrlMode;

typedef enum LrtQualcommOptionsDspPerfCtrlMode {
  kLiteRtQualcommDspPerfCtrlModeManual = 0,
  kLiteRtQualcommDspPerfCtrlModeAuto = 1,
} LrtQualcommOptionsDspPerfCtrlMode;

typedef enum LrtQualcommOptionsOptimizationLevel {
  kHtpOptimizeForInference = 0,
  kHtpOptimizeForPrepare = 1,
  kHtpOptimizeForInferenceO3 = 2,
} LrtQualcommOptionsOptimizationLevel;

typedef enum LrtQualcommOptionsGraphPriority {
  kLiteRTQualcommGraphPriorityDefault = 0,
  kLiteRTQualcommGraphPriorityLow = 1,
  kLiteRTQualcommGraphPriorityNormal = 2,
  kLiteRTQualcommGraphPriorityNormalHigh = 3,
  kLiteRTQualcommGraphPriorityHigh = 4,
} LrtQualcommOptionsGraphPriority;

typedef enum LrtQualcommOptionsBackend {
  kLiteRtQualcommBackendUndefined = 0,
  kLiteRtQualcommBackendGpu = 1,
  kLiteRtQualcommBackendHtp = 2,
  kLiteRtQualcommBackendDsp = 3,
  kLiteRtQualcommBackendIr = 4,
  kLiteRtQualcommBackendLpai = 5,  // after v2.2.0
} LrtQualcommOptionsBackend;

// Of the Lpai backend, after v2.2.0.

typedef enum LrtQualcommOptionsLpaiTarget {
  kLiteRtQualcommLpaiTargetX86 = 0,
  kLiteRtQualcommLpaiTargetArm = 1,
  kLiteRtQualcommLpaiTargetAdsp = 2,
  kLiteRtQualcommLpaiTargetTensilica = 3,
} LrtQualcommOptionsLpaiTarget;

typedef enum LrtQualcommOptionsLpaiClientPerfType {
  kLiteRtQualcommLpaiClientPerfTypeDefault = 0,
  kLiteRtQualcommLpaiClientPerfTypeRealTime = 1,
  kLiteRtQualcommLpaiClientPerfTypeNonRealTime = 2,
} LrtQualcommOptionsLpaiClientPerfType;

typedef enum LrtQualcommOptionsLpaiCoreAffinityType {
  kLiteRtQualcommLpaiCoreAffinityTypeDefault = 0,
  kLiteRtQualcommLpaiCoreAffinityTypeSoft = 1,
  kLiteRtQualcommLpaiCoreAffinityTypeHard = 2,
} LrtQualcommOptionsLpaiCoreAffinityType;

LiteRtStatus LrtCreateQualcommOptions(LrtQualcommOptions* options);
void LrtDestroyQualcommOptions(LrtQualcommOptions options);
// From text: null or empty for none set. Unknown keys are ignored;
// kLiteRtStatusErrorInvalidArgument for a line without a key or a value.
LiteRtStatus LrtCreateQualcommOptionsFromToml(const char* toml_payload,
                                              LrtQualcommOptions* options);

// What LiteRtCreateOpaqueOptions takes: the identifier (static storage) and a payload that the
// caller owns, with the function that releases it.
LiteRtStatus LrtGetOpaqueQualcommOptionsData(LrtQualcommOptions options, const char** identifier,
                                             void** payload, void (**payload_deleter)(void*));
const char* LrtQualcommOptionsGetIdentifier(void);

// One function each to set and to get; litert_qualcomm_options.def names them, with the value got
// where none was set (UNSET: kLiteRtStatusErrorNotFound). Text is copied; text got lives until it
// is set again. kLiteRtStatusErrorInvalidArgument for null, and for getting what the text has as
// another kind of value.
#define OPTION(type, set, get, key, fallback)               \
  LiteRtStatus set(LrtQualcommOptions options, type value); \
  LiteRtStatus get(LrtQualcommOptions options, type* value);
#include "litert/c/options/litert_qualcomm_options.def"

// The tensors whose values are written out, by id.
LiteRtStatus LrtQualcommOptionsSetDumpTensorIds(LrtQualcommOptions options, const int32_t* ids,
                                                size_t number_of_ids);
LiteRtStatus LrtQualcommOptionsGetDumpTensorIds(LrtQualcommOptions options, const int32_t** ids,
                                                size_t* number_of_ids);

// Key custom_op_package: an op package of the vendor's SDK, as "name:N;interface_provider:P;
// compile_package_path:C;dispatch_package_path:D;target:T;". Empty text for each where none was set.
// kLiteRtStatusErrorInvalidArgument for null, for a part with a ';' in it, and for text of another
// form. Text got lives until the next call for the same options.
LiteRtStatus LrtQualcommOptionsSetCustomOpPackage(LrtQualcommOptions options, const char* name,
                                                  const char* interface_provider,
                                                  const char* compile_package_path,
                                                  const char* dispatch_package_path,
                                                  const char* target);
LiteRtStatus LrtQualcommOptionsGetCustomOpPackage(LrtQualcommOptions options, const char** name,
                                                  const char** interface_provider,
                                                  const char** compile_package_path,
                                                  const char** dispatch_package_path,
                                                  const char** target);

#ifdef __cplusplus
}
#endif

#endif  // ODML_LITERT_LITERT_C_OPTIONS_LITERT_QUALCOMM_OPTIONS_H_
