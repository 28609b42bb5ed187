// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "litert/c/internal/litert_logging_helper.h"

#include "litert/c/internal/litert_logging.h"
#include "litert/c/litert_environment_options.h"

extern "C" LiteRtStatus LiteRtPropagateMinLoggerSeverity(LiteRtEnvironmentOptions options) {
  LiteRtAny value = {};
  const LiteRtStatus status =
      LiteRtGetEnvironmentOptionsValue(options, kLiteRtEnvOptionTagMinLoggerSeverity, &value);
  if (status != kLiteRtStatusOk) return status;
  if (value.type != kLiteRtAnyTypeInt) return kLiteRtStatusErrorInvalidArgument;
  if (value.int_value < kLiteRtLogSeverityDebug || value.int_value > kLiteRtLogSeveritySilent) {
    return kLiteRtStatusErrorInvalidArgument;
  }
  return LiteRtSetMinLoggerSeverity(LiteRtGetDefaultLogger(),
                                    static_cast<LiteRtLogSeverity>(value.int_value));
}
