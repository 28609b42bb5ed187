// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "litert/c/internal/litert_logging_helper.h"

#include "litert/c/internal/litert_compiler_context.h"
#include "litert/c/internal/litert_logging.h"
#include "litert/c/internal/litert_logging_helper_with_compiler_context.h"
#include "litert/c/internal/litert_logging_helper_with_runtime_context.h"
#include "litert/c/internal/litert_runtime_context.h"
#include "litert/c/litert_environment_options.h"

namespace {

template <typename Get>
LiteRtStatus Propagate(LiteRtEnvironmentOptions options, Get get_value) {
  LiteRtAny value = {};
  const LiteRtStatus status = get_value(options, kLiteRtEnvOptionTagMinLoggerSeverity, &value);
  if (status != kLiteRtStatusOk) return status;
  if (value.type != kLiteRtAnyTypeInt) return kLiteRtStatusErrorInvalidArgument;
  if (value.int_value < kLiteRtLogSeverityDebug || value.int_value > kLiteRtLogSeveritySilent) {
    return kLiteRtStatusErrorInvalidArgument;
  }
  return LiteRtSetMinLoggerSeverity(LiteRtGetDefaultLogger(),
                                    static_cast<LiteRtLogSeverity>(value.int_value));
}

}  // namespace

extern "C" {

LiteRtStatus LiteRtPropagateMinLoggerSeverity(LiteRtEnvironmentOptions options) {
  return Propagate(options, LiteRtGetEnvironmentOptionsValue);
}

LiteRtStatus LiteRtPropagateMinLoggerSeverityWithCompilerContext(
    const LiteRtCompilerContext* compiler_context, LiteRtEnvironmentOptions options) {
  if (compiler_context == nullptr) return kLiteRtStatusErrorInvalidArgument;
  return Propagate(options, compiler_context->get_environment_options_value);
}

LiteRtStatus LiteRtPropagateMinLoggerSeverityWithRuntimeContext(
    const LiteRtRuntimeContext* runtime_context, LiteRtEnvironmentOptions options) {
  if (runtime_context == nullptr) return kLiteRtStatusErrorInvalidArgument;
  return Propagate(options, runtime_context->get_environment_options_value);
}

}  // extern "C"
