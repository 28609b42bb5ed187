// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The environment: settings and hardware registrations shared by all that is
// created with it, which must be destroyed before it.

#ifndef ODML_LITERT_LITERT_C_LITERT_ENVIRONMENT_H_
#define ODML_LITERT_LITERT_C_LITERT_ENVIRONMENT_H_

#include <stdbool.h>

#include "litert/c/litert_common.h"
#include "litert/c/litert_environment_options.h"

#ifdef __cplusplus
extern "C" {
#endif

// `options` may be null when `num_options` is 0; strings are copied.
LiteRtStatus LiteRtCreateEnvironment(int num_options, const LiteRtEnvOption* options,
                                     LiteRtEnvironment* environment);
void LiteRtDestroyEnvironment(LiteRtEnvironment environment);

// Lends the settings.
LiteRtStatus LiteRtGetEnvironmentOptions(LiteRtEnvironment environment,
                                         LiteRtEnvironmentOptions* options);

// Adds settings. A tag that has a value is replaced with `overwrite`, and
// without it fails with kLiteRtStatusErrorAlreadyExists, changing nothing.
LiteRtStatus LiteRtAddEnvironmentOptions(LiteRtEnvironment environment, int num_options,
                                         const LiteRtEnvOption* options, bool overwrite);

// -- GPU ----------------------------------------------------------------------
// npukit has no GPU: creation is unsupported, the questions are answered no.

LiteRtStatus LiteRtGpuEnvironmentCreate(LiteRtEnvironment environment, int num_options,
                                        const LiteRtEnvOption* options);
LiteRtStatus LiteRtEnvironmentSupportsClGlInterop(LiteRtEnvironment environment,
                                                  bool* is_supported);
LiteRtStatus LiteRtEnvironmentSupportsAhwbClInterop(LiteRtEnvironment environment,
                                                    bool* is_supported);
LiteRtStatus LiteRtEnvironmentSupportsAhwbGlInterop(LiteRtEnvironment environment,
                                                    bool* is_supported);
// From v2.2.0 on: whether the GPU computes in float16.
LiteRtStatus LiteRtEnvironmentSupportsFP16(LiteRtEnvironment environment, bool* is_supported);
void LiteRtEnvironmentHasGpuEnvironment(LiteRtEnvironment environment, bool* has_gpu_environment);

#ifdef __cplusplus
}
#endif

#endif  // ODML_LITERT_LITERT_C_LITERT_ENVIRONMENT_H_
