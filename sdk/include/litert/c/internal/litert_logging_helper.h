// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Carries the host's log severity into a plugin.

#ifndef ODML_LITERT_LITERT_C_INTERNAL_LITERT_LOGGING_HELPER_H_
#define ODML_LITERT_LITERT_C_INTERNAL_LITERT_LOGGING_HELPER_H_

#include "litert/c/litert_common.h"

#ifdef __cplusplus
extern "C" {
#endif

// Sets the minimum severity of the calling library's default logger to the
// value of kLiteRtEnvOptionTagMinLoggerSeverity; kLiteRtStatusErrorNotFound, and
// nothing changed, if `options` has no such value.
LiteRtStatus LiteRtPropagateMinLoggerSeverity(LiteRtEnvironmentOptions options);

#ifdef __cplusplus
}
#endif

#endif  // ODML_LITERT_LITERT_C_INTERNAL_LITERT_LOGGING_HELPER_H_
