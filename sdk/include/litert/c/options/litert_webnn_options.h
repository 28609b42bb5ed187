// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Options of LiteRT's WebNN accelerator, which npukit's host does not have. Text of "key = value"
// lines in opaque options (litert_opaque_options.h) under the identifier "webnn_options_string";
// the host passes them on and reads none itself.

#ifndef ODML_LITERT_LITERT_C_OPTIONS_LITERT_WEBNN_OPTIONS_H_
#define ODML_LITERT_LITERT_C_OPTIONS_LITERT_WEBNN_OPTIONS_H_

#include <stdbool.h>

#include "litert/c/litert_common.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
  kLiteRtWebNnDeviceTypeCpu = 0,
  kLiteRtWebNnDeviceTypeGpu = 1,
  kLiteRtWebNnDeviceTypeNpu = 2,
} LiteRtWebNnDeviceType;

typedef enum {
  kLiteRtWebNnPowerPreferenceDefault = 0,
  kLiteRtWebNnPowerPreferenceHighPerformance = 1,
  kLiteRtWebNnPowerPreferenceLowPower = 2,
} LiteRtWebNnPowerPreference;

typedef enum {
  kLiteRtWebNnPrecisionFp32 = 0,
  kLiteRtWebNnPrecisionFp16 = 1,
} LiteRtWebNnPrecision;

typedef struct LrtWebNnOptions LrtWebNnOptions;

LiteRtStatus LrtCreateWebNnOptions(LrtWebNnOptions** options);
void LrtDestroyWebNnOptions(LrtWebNnOptions* options);
// From text; unknown keys are ignored. kLiteRtStatusErrorInvalidArgument for null, and for a line
// without a key or a value.
LiteRtStatus LrtCreateWebNnOptionsFromToml(const char* toml_string, LrtWebNnOptions** options);

// What LiteRtCreateOpaqueOptions takes: the identifier (static storage) and a payload that the
// caller owns, with the function that releases it.
LiteRtStatus LrtGetOpaqueWebNnOptionsData(const LrtWebNnOptions* options, const char** identifier,
                                          void** payload, void (**payload_deleter)(void*));

// One function each to set and to get; litert_webnn_options.def names them, with the value got
// where none was set.
#define OPTION(type, set, get, key, fallback)             \
  LiteRtStatus set(LrtWebNnOptions* options, type value); \
  LiteRtStatus get(const LrtWebNnOptions* options, type* value);
#include "litert/c/options/litert_webnn_options.def"

#ifdef __cplusplus
}
#endif

#endif  // ODML_LITERT_LITERT_C_OPTIONS_LITERT_WEBNN_OPTIONS_H_
