// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// abi 2.2: as litert_logging_helper.h, through a table of the host's functions.

#ifndef ODML_LITERT_LITERT_C_INTERNAL_LITERT_LOGGING_HELPER_WITH_RUNTIME_CONTEXT_H_
#define ODML_LITERT_LITERT_C_INTERNAL_LITERT_LOGGING_HELPER_WITH_RUNTIME_CONTEXT_H_

#include "litert/c/litert_common.h"
#include "litert/c/litert_environment_options.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct LiteRtRuntimeContext LiteRtRuntimeContext;

// Sets the library's own logger to the severity that the environment asks for.
LiteRtStatus LiteRtPropagateMinLoggerSeverityWithRuntimeContext(
    const LiteRtRuntimeContext* runtime_context, LiteRtEnvironmentOptions options);

#ifdef __cplusplus
}
#endif

#endif  // ODML_LITERT_LITERT_C_INTERNAL_LITERT_LOGGING_HELPER_WITH_RUNTIME_CONTEXT_H_
