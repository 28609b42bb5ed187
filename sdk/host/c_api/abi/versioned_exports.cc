// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Functions that a LiteRT built from its sources exports and a released one does not: here they
// stand under a version node that serves what was linked against such a library, and that no linker
// takes for a new one. A plugin of ours has its own hidden copy (npukit_sdk_support), without which
// a released LiteRT could not load it.

#include "litert/c/internal/litert_logging_helper.h"
#include "litert/c/internal/litert_logging_helper_with_compiler_context.h"
#include "litert/c/internal/litert_logging_helper_with_runtime_context.h"

// Keeps `name` out of reach of the optimiser: the assembler must see it.
#define VERSIONED(name, exported)                       \
  __asm__(".symver " #name ", " #exported "@VERS_1.0"); \
  __attribute__((used, visibility("default")))

extern "C" {

VERSIONED(PropagateForOthers, LiteRtPropagateMinLoggerSeverity)
LiteRtStatus PropagateForOthers(LiteRtEnvironmentOptions options) {
  return LiteRtPropagateMinLoggerSeverity(options);
}

VERSIONED(PropagateForOthersCompiler, LiteRtPropagateMinLoggerSeverityWithCompilerContext)
LiteRtStatus PropagateForOthersCompiler(const LiteRtCompilerContext* compiler_context,
                                        LiteRtEnvironmentOptions options) {
  return LiteRtPropagateMinLoggerSeverityWithCompilerContext(compiler_context, options);
}

VERSIONED(PropagateForOthersRuntime, LiteRtPropagateMinLoggerSeverityWithRuntimeContext)
LiteRtStatus PropagateForOthersRuntime(const LiteRtRuntimeContext* runtime_context,
                                       LiteRtEnvironmentOptions options) {
  return LiteRtPropagateMinLoggerSeverityWithRuntimeContext(runtime_context, options);
}

}  // extern "C"
