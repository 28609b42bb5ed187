// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Hears where a pattern of litert_matchers.h failed.

#ifndef ODML_LITERT_LITERT_CC_INTERNAL_LITERT_MATCH_TRACER_H_
#define ODML_LITERT_LITERT_CC_INTERNAL_LITERT_MATCH_TRACER_H_

#include <string>
#include <vector>

#include "litert/c/internal/litert_logging.h"
#include "litert/cc/internal/litert_string_view.h"

namespace litert {

class MatchTracer {
 public:
  virtual ~MatchTracer() = default;

  virtual void LogFailure(internal::StringView matcher_name, internal::StringView reason) = 0;
  // A matcher begins and ends; those that it asks lie between.
  virtual void PushScope(internal::StringView scope_name) { (void)scope_name; }
  virtual void PopScope() {}
};

// Keeps what it hears.
class LoggingMatchTracer : public MatchTracer {
 public:
  struct LogEntry {
    std::string type;    // "Start" or "Fail"
    std::string name;    // the matcher's label
    std::string reason;  // of a failure
    int depth;
  };

  void LogFailure(internal::StringView matcher_name, internal::StringView reason) override {
    logs_.push_back({"Fail", std::string(matcher_name), std::string(reason), depth_});
  }
  void PushScope(internal::StringView scope_name) override {
    logs_.push_back({"Start", std::string(scope_name), "", depth_++});
  }
  void PopScope() override {
    if (depth_ > 0) --depth_;
  }

  // Writes it to the log, indented by depth.
  void LogToError() const {
    for (const LogEntry& entry : logs_) {
      const std::string line = std::string(2 * static_cast<size_t>(entry.depth), ' ') + "[" +
                               entry.type + "] " + entry.name +
                               (entry.reason.empty() ? "" : ": " + entry.reason);
      LITERT_LOG(LITERT_INFO, "%s", line.c_str());
    }
  }

  const std::vector<LogEntry>& logs() const { return logs_; }

 private:
  int depth_ = 0;
  std::vector<LogEntry> logs_;
};

}  // namespace litert

#endif  // ODML_LITERT_LITERT_CC_INTERNAL_LITERT_MATCH_TRACER_H_
