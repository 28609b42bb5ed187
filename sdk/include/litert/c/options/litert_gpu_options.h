// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Options of LiteRT's GPU accelerator, which npukit's host does not have, as LiteRT has them from
// v2.2.0 on. Text of "key = value" lines in opaque options (litert_opaque_options.h) under the
// identifier "gpu_options"; the host passes them on and reads none itself.

#ifndef ODML_LITERT_LITERT_C_OPTIONS_LITERT_GPU_OPTIONS_H_
#define ODML_LITERT_LITERT_C_OPTIONS_LITERT_GPU_OPTIONS_H_

#include <stdbool.h>

#include "litert/c/litert_common.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct LrtGpuOptions LrtGpuOptions;

LiteRtStatus LrtCreateGpuOptions(LrtGpuOptions** options);
void LrtDestroyGpuOptions(LrtGpuOptions* options);
// From text; unknown keys are ignored. kLiteRtStatusErrorInvalidArgument for null, and for a line
// without a key or a value.
LiteRtStatus LrtCreateGpuOptionsFromToml(const char* toml_string, LrtGpuOptions** options);

// What LiteRtCreateOpaqueOptions takes: the identifier (static storage) and a payload that the
// caller owns, with the function that releases it.
LiteRtStatus LrtGetOpaqueGpuOptionsData(const LrtGpuOptions* options, const char** identifier,
                                        void** payload, void (**payload_deleter)(void*));
const char* LrtGetGpuOptionsIdentifier(void);

// One function each to set and to get; litert_gpu_options.def names them, with the value got where
// none was set. Setting text to null is to set none. Text got lives until it is set again.
#define OPTION(type, set, get, key, fallback)           \
  LiteRtStatus set(LrtGpuOptions* options, type value); \
  LiteRtStatus get(type* value, const LrtGpuOptions* options);
#define OPTION_OPTIONS_FIRST(type, set, get, key, fallback) \
  LiteRtStatus set(LrtGpuOptions* options, type value);     \
  LiteRtStatus get(const LrtGpuOptions* options, type* value);
#include "litert/c/options/litert_gpu_options.def"

// An address in this process, under the key shared_tensor_maps; null where none was set.
LiteRtStatus LrtSetGpuAcceleratorCompilationOptionsSharedTensorMaps(LrtGpuOptions* options,
                                                                    void* shared_tensor_maps);
LiteRtStatus LrtGetGpuAcceleratorCompilationOptionsSharedTensorMaps(void** shared_tensor_maps,
                                                                    const LrtGpuOptions* options);

// Lists of patterns, under the keys external_tensor_patterns and buffer_storage_tensor_patterns.
// Getting one past the end is kLiteRtStatusErrorIndexOOB.
LiteRtStatus LrtAddGpuOptionsExternalTensorPattern(LrtGpuOptions* options, const char* pattern);
LiteRtStatus LrtGetNumGpuAcceleratorCompilationOptionsExternalTensorPatterns(
    int* num_patterns, const LrtGpuOptions* options);
LiteRtStatus LrtGetGpuAcceleratorCompilationOptionsExternalTensorPattern(
    const char** pattern, int pattern_index, const LrtGpuOptions* options);
LiteRtStatus LrtAddGpuOptionsBufferStorageTensorPattern(LrtGpuOptions* options,
                                                        const char* pattern);
LiteRtStatus LrtGetNumGpuAcceleratorCompilationOptionsBufferStorageTensorPatterns(
    int* num_patterns, const LrtGpuOptions* options);
LiteRtStatus LrtGetGpuAcceleratorCompilationOptionsBufferStorageTensorPattern(
    const char** pattern, int pattern_index, const LrtGpuOptions* options);

#ifdef __cplusplus
}
#endif

#endif  // ODML_LITERT_LITERT_C_OPTIONS_LITERT_GPU_OPTIONS_H_
