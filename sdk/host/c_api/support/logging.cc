// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "litert/c/internal/litert_logging.h"

#include <atomic>
#include <cstdio>
#include <mutex>
#include <string>
#include <vector>

namespace {

std::string Format(const char* format, va_list arguments) {
  va_list copy;
  va_copy(copy, arguments);
  const int length = std::vsnprintf(nullptr, 0, format, copy);
  va_end(copy);
  if (length < 0) return format;
  std::string text(static_cast<size_t>(length) + 1, '\0');
  std::vsnprintf(text.data(), text.size(), format, arguments);
  text.pop_back();
  return text;
}

}  // namespace

// A logger: writes to stderr, or keeps its messages if it is a sink.
class LiteRtLoggerT {
 public:
  explicit LiteRtLoggerT(bool is_sink) : is_sink_(is_sink) {}

  const char* identifier() const { return is_sink_ ? "LiteRtSinkLogger" : "LiteRtDefaultLogger"; }
  bool is_sink() const { return is_sink_; }
  LiteRtLogSeverity min_severity() const { return min_severity_; }
  void set_min_severity(LiteRtLogSeverity severity) { min_severity_ = severity; }

  void Log(LiteRtLogSeverity severity, const char* format, va_list arguments) {
    if (severity < min_severity_) return;
    std::string line = LiteRtGetLogSeverityName(severity);
    line.append(": ").append(Format(format, arguments));
    const std::lock_guard lock(mutex_);
    if (is_sink_) {
      messages_.push_back(std::move(line));
    } else {
      std::fprintf(stderr, "%s\n", line.c_str());
    }
  }

  size_t size() const {
    const std::lock_guard lock(mutex_);
    return messages_.size();
  }
  // Null past the end. Valid until the next message or clearing.
  const char* message(size_t index) const {
    const std::lock_guard lock(mutex_);
    return index < messages_.size() ? messages_[index].c_str() : nullptr;
  }
  void Clear() {
    const std::lock_guard lock(mutex_);
    messages_.clear();
  }

 private:
  const bool is_sink_;
  std::atomic<LiteRtLogSeverity> min_severity_ = kLiteRtLogSeverityInfo;
  mutable std::mutex mutex_;
  std::vector<std::string> messages_;
};

namespace {

// Never destroyed: other static objects may log while the process ends.
LiteRtLoggerT* StandardLogger() {
  static auto* logger = new LiteRtLoggerT(/*is_sink=*/false);
  return logger;
}

LiteRtLoggerT* SinkLogger() {
  static auto* logger = new LiteRtLoggerT(/*is_sink=*/true);
  return logger;
}

std::atomic<LiteRtLoggerT*>& DefaultLogger() {
  static std::atomic<LiteRtLoggerT*> logger = StandardLogger();
  return logger;
}

}  // namespace

extern "C" {

const char* LiteRtGetLogSeverityName(LiteRtLogSeverity severity) {
  switch (severity) {
    case kLiteRtLogSeverityDebug:
      return "DEBUG";
    case kLiteRtLogSeverityVerbose:
      return "VERBOSE";
    case kLiteRtLogSeverityInfo:
      return "INFO";
    case kLiteRtLogSeverityWarning:
      return "WARNING";
    case kLiteRtLogSeverityError:
      return "ERROR";
    case kLiteRtLogSeveritySilent:
      return "SILENT";
  }
  return "UNKNOWN";
}

LiteRtStatus LiteRtCreateLogger(LiteRtLogger* logger) {
  if (!logger) return kLiteRtStatusErrorInvalidArgument;
  *logger = new LiteRtLoggerT(/*is_sink=*/false);
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtCreateSinkLogger(LiteRtLogger* logger) {
  if (!logger) return kLiteRtStatusErrorInvalidArgument;
  *logger = new LiteRtLoggerT(/*is_sink=*/true);
  return kLiteRtStatusOk;
}

void LiteRtDestroyLogger(LiteRtLogger logger) {
  if (logger == StandardLogger() || logger == SinkLogger()) return;
  // What is logged from now on must not go to one that is no more.
  LiteRtLoggerT* its = logger;
  DefaultLogger().compare_exchange_strong(its, StandardLogger());
  delete logger;
}

LiteRtStatus LiteRtGetMinLoggerSeverity(LiteRtLogger logger, LiteRtLogSeverity* min_severity) {
  if (!logger || !min_severity) return kLiteRtStatusErrorInvalidArgument;
  *min_severity = logger->min_severity();
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtSetMinLoggerSeverity(LiteRtLogger logger, LiteRtLogSeverity min_severity) {
  if (!logger) return kLiteRtStatusErrorInvalidArgument;
  logger->set_min_severity(min_severity);
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtLoggerLog(LiteRtLogger logger, LiteRtLogSeverity severity, const char* format,
                             ...) {
  if (!logger || !format) return kLiteRtStatusErrorInvalidArgument;
  va_list arguments;
  va_start(arguments, format);
  logger->Log(severity, format, arguments);
  va_end(arguments);
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtGetLoggerIdentifier(LiteRtLoggerConst logger, const char** identifier) {
  if (!logger || !identifier) return kLiteRtStatusErrorInvalidArgument;
  *identifier = logger->identifier();
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtGetSinkLoggerSize(LiteRtLogger logger, size_t* size) {
  if (!logger || !size || !logger->is_sink()) {
    return kLiteRtStatusErrorInvalidArgument;
  }
  *size = logger->size();
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtGetSinkLoggerMessage(LiteRtLogger logger, size_t idx, const char** message) {
  if (!logger || !message || !logger->is_sink()) {
    return kLiteRtStatusErrorInvalidArgument;
  }
  const char* found = logger->message(idx);
  if (!found) return kLiteRtStatusErrorIndexOOB;
  *message = found;
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtClearSinkLogger(LiteRtLogger logger) {
  if (!logger || !logger->is_sink()) return kLiteRtStatusErrorInvalidArgument;
  logger->Clear();
  return kLiteRtStatusOk;
}

LiteRtLogger LiteRtGetDefaultLogger() { return DefaultLogger(); }

LiteRtStatus LiteRtSetDefaultLogger(LiteRtLogger logger) {
  if (!logger) return kLiteRtStatusErrorInvalidArgument;
  DefaultLogger() = logger;
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtDefaultLoggerLog(LiteRtLogSeverity severity, const char* format, ...) {
  if (!format) return kLiteRtStatusErrorInvalidArgument;
  va_list arguments;
  va_start(arguments, format);
  DefaultLogger().load()->Log(severity, format, arguments);
  va_end(arguments);
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtUseStandardLogger() {
  DefaultLogger() = StandardLogger();
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtUseSinkLogger() {
  DefaultLogger() = SinkLogger();
  return kLiteRtStatusOk;
}

}  // extern "C"
