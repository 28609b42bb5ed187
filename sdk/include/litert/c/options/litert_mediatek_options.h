// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Options of MediaTek's plugin. Text of "key = value" lines in opaque options
// (litert_opaque_options.h) under the identifier "mediatek": a program makes them, appends them to
// the options of a compiled model, and the library that knows them reads them back. npukit's host
// passes them on and reads none itself.

#ifndef ODML_LITERT_LITERT_C_OPTIONS_LITERT_MEDIATEK_OPTIONS_H_
#define ODML_LITERT_LITERT_C_OPTIONS_LITERT_MEDIATEK_OPTIONS_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "litert/c/litert_common.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct LrtMediatekOptions LrtMediatekOptions;

typedef enum LiteRtMediatekOptionsNeronSDKVersionType {
  kLiteRtMediatekOptionsNeronSDKVersionTypeVersion7 = 0,
  kLiteRtMediatekOptionsNeronSDKVersionTypeVersion8 = 1,
  kLiteRtMediatekOptionsNeronSDKVersionTypeVersion9 = 2,
} LiteRtMediatekOptionsNeronSDKVersion;

typedef enum LiteRtMediatekNeuronAdapterPerformanceMode {
  kLiteRtMediatekNeuronAdapterPerformanceModeNeuronPreferLowPower = 0,
  kLiteRtMediatekNeuronAdapterPerformanceModeNeuronPreferFastSingleAnswer = 1,
  kLiteRtMediatekNeuronAdapterPerformanceModeNeuronPreferSustainedSpeed = 2,
  kLiteRtMediatekNeuronAdapterPerformanceModeNeuronPreferTurboBoost = 3,
} LiteRtMediatekNeuronAdapterPerformanceMode;

// Joined with |.
typedef enum LiteRtMediatekNeuronAdapterOptimizationHint {
  kLiteRtMediatekNeuronAdapterOptimizationHintNormal = 0,
  kLiteRtMediatekNeuronAdapterOptimizationHintLowLatency = 1 << 0,
  kLiteRtMediatekNeuronAdapterOptimizationHintDeepFusion = 1 << 1,
  kLiteRtMediatekNeuronAdapterOptimizationHintBatchProcessing = 1 << 2,
} LiteRtMediatekNeuronAdapterOptimizationHint;

LiteRtStatus LrtCreateMediatekOptions(LrtMediatekOptions** options);
void LrtDestroyMediatekOptions(LrtMediatekOptions* options);
// From text: null or empty for none set. Unknown keys are ignored;
// kLiteRtStatusErrorInvalidArgument for a line without a key or a value.
LiteRtStatus LrtCreateMediatekOptionsFromToml(const char* toml_payload,
                                              LrtMediatekOptions** options);

// What LiteRtCreateOpaqueOptions takes: the identifier (static storage) and a payload that the
// caller owns, with the function that releases it.
LiteRtStatus LrtGetOpaqueMediatekOptionsData(const LrtMediatekOptions* options,
                                             const char** identifier, void** payload,
                                             void (**payload_deleter)(void*));

// One function each to set and to get; litert_mediatek_options.def names them, with the value got
// where none was set (UNSET: kLiteRtStatusErrorNotFound). Text is copied; text got lives until it
// is set again. kLiteRtStatusErrorInvalidArgument for null, and for getting what the text has as
// another kind of value.
#define OPTION(type, set, get, key, fallback)                \
  LiteRtStatus set(LrtMediatekOptions* options, type value); \
  LiteRtStatus get(const LrtMediatekOptions* options, type* value);
#include "litert/c/options/litert_mediatek_options.def"

#ifdef __cplusplus
}
#endif

#endif  // ODML_LITERT_LITERT_C_OPTIONS_LITERT_MEDIATEK_OPTIONS_H_
