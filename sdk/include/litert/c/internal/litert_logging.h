// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Logging. As in LiteRT these functions are no exports of the host library:
// every library that uses them links its own copy (target npukit::sdk brings
// it), with its own default logger and severity. A plugin takes over the host's
// severity by LiteRtPropagateMinLoggerSeverity (litert_logging_helper.h).

#ifndef ODML_LITERT_LITERT_C_INTERNAL_LITERT_LOGGING_H_
#define ODML_LITERT_LITERT_C_INTERNAL_LITERT_LOGGING_H_

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "litert/c/litert_common.h"

#ifdef __cplusplus
extern "C" {
#endif

// One byte wide, in C too.
#ifdef __cplusplus
typedef enum : int8_t {
#else
enum {
#endif
  kLiteRtLogSeverityDebug = -1,
  kLiteRtLogSeverityVerbose = 0,
  kLiteRtLogSeverityInfo = 1,
  kLiteRtLogSeverityWarning = 2,
  kLiteRtLogSeverityError = 3,
  kLiteRtLogSeveritySilent = 4,
#ifdef __cplusplus
} LiteRtLogSeverity;
#else
};
typedef int8_t LiteRtLogSeverity;
#endif

LITERT_ABI_ASSERT(sizeof(LiteRtLogSeverity) == 1);

#define LITERT_DEBUG kLiteRtLogSeverityDebug
#define LITERT_VERBOSE kLiteRtLogSeverityVerbose
#define LITERT_INFO kLiteRtLogSeverityInfo
#define LITERT_WARNING kLiteRtLogSeverityWarning
#define LITERT_ERROR kLiteRtLogSeverityError
#define LITERT_SILENT kLiteRtLogSeveritySilent

// "ERROR" and so on; static storage.
const char* LiteRtGetLogSeverityName(LiteRtLogSeverity severity);

// -- Loggers ------------------------------------------------------------------
// All functions on one logger may be called from several threads.

// A logger that writes to stderr.
LiteRtStatus LiteRtCreateLogger(LiteRtLogger* logger);
void LiteRtDestroyLogger(LiteRtLogger logger);

// Messages below the minimum are dropped.
LiteRtStatus LiteRtGetMinLoggerSeverity(LiteRtLogger logger, LiteRtLogSeverity* min_severity);
LiteRtStatus LiteRtSetMinLoggerSeverity(LiteRtLogger logger, LiteRtLogSeverity min_severity);

// `format` and what follows are as for printf.
LiteRtStatus LiteRtLoggerLog(LiteRtLogger logger, LiteRtLogSeverity severity, const char* format,
                             ...);

// The kind of logger, for messages; lives as long as the logger.
LiteRtStatus LiteRtGetLoggerIdentifier(LiteRtLoggerConst logger, const char** identifier);

// A logger that keeps its messages. Each is the logger's own until cleared. The
// three functions after it fail with kLiteRtStatusErrorInvalidArgument on any
// other logger.
LiteRtStatus LiteRtCreateSinkLogger(LiteRtLogger* logger);
LiteRtStatus LiteRtGetSinkLoggerSize(LiteRtLogger logger, size_t* size);
LiteRtStatus LiteRtGetSinkLoggerMessage(LiteRtLogger logger, size_t idx, const char** message);
LiteRtStatus LiteRtClearSinkLogger(LiteRtLogger logger);

// -- The library's default logger ---------------------------------------------

// Never null. The library's own two loggers are not to be destroyed.
LiteRtLogger LiteRtGetDefaultLogger(void);

// The logger stays the caller's and outlives its use as the default.
LiteRtStatus LiteRtSetDefaultLogger(LiteRtLogger logger);
LiteRtStatus LiteRtDefaultLoggerLog(LiteRtLogSeverity severity, const char* format, ...);

// Makes the library's own stderr logger, or its own sink, the default.
LiteRtStatus LiteRtUseStandardLogger(void);
LiteRtStatus LiteRtUseSinkLogger(void);

#ifdef __cplusplus
}

#ifndef NDEBUG
#define LITERT_DEBUG_CODE(stmt) stmt;
#else
#define LITERT_DEBUG_CODE(stmt)
#endif

#endif

#ifndef __FILE_NAME__
#define __FILE_NAME__ __FILE__
#endif

// -- Macros -------------------------------------------------------------------
// LITERT_LOG(LITERT_INFO, "%d ops", count): no arguments are evaluated when the
// severity is below the logger's minimum. The message starts with file and
// line.

#define LITERT_LOGGER_LOG_PROD(logger, severity, format, ...)                                 \
  do {                                                                                        \
    LiteRtLogSeverity litert_log_minimum_ = kLiteRtLogSeverityVerbose;                        \
    (void)LiteRtGetMinLoggerSeverity((logger), &litert_log_minimum_);                         \
    if ((severity) >= litert_log_minimum_)                                                    \
      (void)LiteRtLoggerLog((logger), (severity), "[%s:%d] " format, __FILE_NAME__, __LINE__, \
                            ##__VA_ARGS__);                                                   \
  } while (0)

#define LITERT_LOGGER_LOG LITERT_LOGGER_LOG_PROD

#define LITERT_LOG(severity, format, ...) \
  LITERT_LOGGER_LOG(LiteRtGetDefaultLogger(), severity, format, ##__VA_ARGS__);

#define LITERT_ABORT abort()

// Logs and ends the process. Not for a plugin: see npukit/plugin.h.
#define LITERT_FATAL(format, ...)                              \
  do {                                                         \
    LITERT_LOG(kLiteRtLogSeverityError, format, ##__VA_ARGS__) \
    LITERT_ABORT;                                              \
  } while (0)

#endif  // ODML_LITERT_LITERT_C_INTERNAL_LITERT_LOGGING_H_
