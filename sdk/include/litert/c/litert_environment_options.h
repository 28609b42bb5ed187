// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The settings of an environment: a value for each tag.

#ifndef ODML_LITERT_LITERT_C_LITERT_ENVIRONMENT_OPTIONS_H_
#define ODML_LITERT_LITERT_C_LITERT_ENVIRONMENT_OPTIONS_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "litert/c/litert_any.h"
#include "litert/c/litert_common.h"
#include "litert/c/litert_custom_tensor_buffer.h"

#ifdef __cplusplus
extern "C" {
#endif

// Directories are strings. 13 is no longer used.
typedef enum {
  // Where libLiteRtCompilerPlugin*.so and libLiteRtDispatch*.so are.
  kLiteRtEnvOptionTagCompilerPluginLibraryDir = 0,
  kLiteRtEnvOptionTagDispatchLibraryDir = 1,
  // The GPU objects that the application shares with the host, as pointers.
  kLiteRtEnvOptionTagOpenClDeviceId = 2,
  kLiteRtEnvOptionTagOpenClPlatformId = 3,
  kLiteRtEnvOptionTagOpenClContext = 4,
  kLiteRtEnvOptionTagOpenClCommandQueue = 5,
  kLiteRtEnvOptionTagEglDisplay = 6,
  kLiteRtEnvOptionTagEglContext = 7,
  kLiteRtEnvOptionTagWebGpuDevice = 8,
  kLiteRtEnvOptionTagWebGpuQueue = 9,
  kLiteRtEnvOptionTagMetalDevice = 10,
  kLiteRtEnvOptionTagMetalCommandQueue = 11,
  kLiteRtEnvOptionTagVulkanEnvironment = 12,
  kLiteRtEnvOptionTagCallbackOnGpuEnvDestroy = 14,
  kLiteRtEnvOptionTagCallbackUserDataOnGpuEnvDestroy = 15,
  // Pointers to LiteRtMagicNumberConfigs and LiteRtMagicNumberVerifications.
  kLiteRtEnvOptionTagMagicNumberConfigs = 16,
  kLiteRtEnvOptionTagMagicNumberVerifications = 17,
  // Where compiled models are kept from one run to the next.
  kLiteRtEnvOptionTagCompilerCacheDir = 18,
  kLiteRtEnvOptionTagWebGpuInstance = 19,
  kLiteRtEnvOptionTagWebGpuProcs = 20,
  kLiteRtEnvOptionTagCustomTensorBufferHandlers_deprecated = 21,
  // Where further run-time libraries are.
  kLiteRtEnvOptionTagRuntimeLibraryDir = 22,
  kLiteRtEnvOptionTagSystemRuntimeHandle = 23,
  // A LiteRtHwAcceleratorSet (int): what to register by itself; all if unset.
  kLiteRtEnvOptionTagAutoRegisterAccelerators = 24,
  // A LiteRtLogSeverity (int).
  kLiteRtEnvOptionTagMinLoggerSeverity = 25,
  // Stands for no option.
  kLiteRtEnvOptionTagNull = 255,
} LiteRtEnvOptionTag;

typedef struct {
  LiteRtEnvOptionTag tag;
  LiteRtAny value;
} LiteRtEnvOption;

LITERT_ABI_ASSERT(sizeof(LiteRtEnvOption) == 24);
LITERT_ABI_ASSERT(offsetof(LiteRtEnvOption, value) == 8);

// -- Magic numbers ------------------------------------------------------------
// Dimensions that stand as placeholders in a model and are replaced at load.
// All strings and arrays stay the caller's and outlive model creation.

// Extent of a trailing array of any length.
#if defined(_MSC_VER)
#define _LITERT_ARBITRARY_ARRAY_SIZE 1
#elif (!defined(__clang__) && defined(__GNUC__) && __GNUC__ == 6 && __GNUC_MINOR__ >= 1) || \
    defined(HEXAGON) || (defined(__clang__) && __clang_major__ == 7 && __clang_minor__ == 1)
#define _LITERT_ARBITRARY_ARRAY_SIZE 0
#else
#define _LITERT_ARBITRARY_ARRAY_SIZE
#endif

#if defined(__GNUC__) && defined(__cplusplus)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"  // C++ has no flexible arrays.
#endif

// Replaces `magic_number` by `target_number` in the signatures that start with
// `signature_prefix`; in all of them if that is null or empty.
typedef struct {
  int64_t magic_number;
  int64_t target_number;
  const char* signature_prefix;
} LiteRtMagicNumberConfig;

typedef struct {
  int64_t num_configs;
  LiteRtMagicNumberConfig configs[_LITERT_ARBITRARY_ARRAY_SIZE];
} LiteRtMagicNumberConfigs;

// Compares a signature after replacement with one of known good shape: equal in
// all ops and shapes, or (`is_superset`) containing its ops in order.
typedef struct {
  const char* signature;
  const char* test_signature;
  bool is_superset;
} LiteRtMagicNumberVerification;

typedef struct {
  int64_t num_verifications;
  LiteRtMagicNumberVerification verifications[_LITERT_ARBITRARY_ARRAY_SIZE];
} LiteRtMagicNumberVerifications;

#if defined(__GNUC__) && defined(__cplusplus)
#pragma GCC diagnostic pop
#endif

// -- Custom tensor buffers ----------------------------------------------------

typedef struct {
  CreateCustomTensorBuffer create_func;
  DestroyCustomTensorBuffer destroy_func;
  LockCustomTensorBuffer lock_func;
  UnlockCustomTensorBuffer unlock_func;
  ClearCustomTensorBuffer clear_func;
  ImportCustomTensorBuffer import_func;
} LiteRtCustomTensorBufferHandlers;

// -- Access -------------------------------------------------------------------

// kLiteRtStatusErrorNotFound for a tag without a value. A string belongs to
// `options` and lives until that tag is set again.
LiteRtStatus LiteRtGetEnvironmentOptionsValue(LiteRtEnvironmentOptions options,
                                              LiteRtEnvOptionTag tag, LiteRtAny* value);

// Adds or replaces. Strings are copied, pointers are not followed.
LiteRtStatus LiteRtSetEnvironmentOptionsValue(LiteRtEnvironmentOptions options,
                                              LiteRtEnvOption env_option);

#ifdef __cplusplus
}
#endif

#endif  // ODML_LITERT_LITERT_C_LITERT_ENVIRONMENT_OPTIONS_H_
