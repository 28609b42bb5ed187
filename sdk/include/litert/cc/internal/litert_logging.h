// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef ODML_LITERT_LITERT_CC_INTERNAL_LITERT_LOGGING_H_
#define ODML_LITERT_LITERT_CC_INTERNAL_LITERT_LOGGING_H_

// Logging through the host's logger, and the hook by which errors that become a
// bare LiteRtStatus leave their message in the log. Needs the host library.

#include <cstddef>
#include <cstdio>
#include <ostream>
#include <string>

#include "litert/c/internal/litert_logging.h"
#include "litert/c/litert_common.h"
#include "litert/cc/internal/litert_error_status_builder.h"

namespace litert {

static constexpr auto kNoPrinterTag = "!no_printer";

constexpr bool IsDbg() {
#ifdef NDEBUG
  return false;
#else
  return true;
#endif
}

namespace internal {

inline void LogThroughHost(LiteRtLogSeverity severity, const char* message) {
  LiteRtLogger logger = LiteRtGetDefaultLogger();
  LiteRtLogSeverity least = kLiteRtLogSeverityVerbose;
  if (LiteRtGetMinLoggerSeverity(logger, &least) != kLiteRtStatusOk) {
    least = kLiteRtLogSeverityVerbose;
  }
  if (severity >= least) LiteRtLoggerLog(logger, severity, "%s", message);
}

// Including this header is what sets the hook, once per shared library.
__attribute__((visibility("hidden"))) inline const bool error_log_hook_is_set =
    (error_log_hook = &LogThroughHost, true);

}  // namespace internal

// While it lives, what is logged is kept instead of printed; streaming it gives
// the messages, one a line.
class InterceptLogs {
 public:
  InterceptLogs() : original_logger_(LiteRtGetDefaultLogger()) {
    LiteRtUseSinkLogger();
    ClearLogs();
  }
  InterceptLogs(const InterceptLogs&) = delete;
  InterceptLogs& operator=(const InterceptLogs&) = delete;
  ~InterceptLogs() { LiteRtSetDefaultLogger(original_logger_); }

  static void ClearLogs() { LiteRtClearSinkLogger(LiteRtGetDefaultLogger()); }

  friend std::ostream& operator<<(std::ostream& os, const InterceptLogs&) {
    LiteRtLogger logger = LiteRtGetDefaultLogger();
    size_t size = 0;
    if (LiteRtGetSinkLoggerSize(logger, &size) != kLiteRtStatusOk) {
      return os << "(the logger keeps no messages)";
    }
    for (size_t i = 0; i < size; ++i) {
      const char* message = nullptr;
      if (LiteRtGetSinkLoggerMessage(logger, i, &message) != kLiteRtStatusOk) {
        message = nullptr;
      }
      os << (i == 0 ? "" : "\n") << (message != nullptr ? message : "(unreadable message)");
    }
    return os;
  }

  LiteRtLogger original_logger_;
};

// "1.500000MB", with the largest unit of which there is at least one.
inline std::string HumanReadableSize(size_t bytes) {
  constexpr size_t kKb = 1024;
  constexpr size_t kMb = 1024 * kKb;
  constexpr size_t kGb = 1024 * kMb;
  const auto in = [bytes](size_t unit) {
    return std::to_string(static_cast<float>(bytes) / static_cast<float>(unit));
  };
  if (bytes >= kGb) return in(kGb) + "GB";
  if (bytes >= kMb) return in(kMb) + "MB";
  if (bytes >= kKb) return in(kKb) + "kB";
  return std::to_string(bytes) + "B";
}

}  // namespace litert

#endif  // ODML_LITERT_LITERT_CC_INTERNAL_LITERT_LOGGING_H_
