// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include <gtest/gtest.h>

#include <cstring>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "litert/c/internal/litert_logging.h"

namespace {

constexpr LiteRtStatus kBadArgument = kLiteRtStatusErrorInvalidArgument;

TEST(LoggingTest, SinkKeepsMessagesAboveTheMinimum) {
  LiteRtLogger logger = nullptr;
  ASSERT_EQ(LiteRtCreateSinkLogger(&logger), kLiteRtStatusOk);
  const char* text = nullptr;
  ASSERT_EQ(LiteRtGetLoggerIdentifier(logger, &text), kLiteRtStatusOk);
  EXPECT_STREQ(text, "LiteRtSinkLogger");
  int evaluated = 0;
  LITERT_LOGGER_LOG(logger, LITERT_WARNING, "%d of %s", ++evaluated, "two");
  LITERT_LOGGER_LOG(logger, LITERT_VERBOSE, "%d", ++evaluated);
  EXPECT_EQ(evaluated, 1);
  size_t size = 0;
  ASSERT_EQ(LiteRtGetSinkLoggerSize(logger, &size), kLiteRtStatusOk);
  ASSERT_EQ(size, 1u);
  ASSERT_EQ(LiteRtGetSinkLoggerMessage(logger, 0, &text), kLiteRtStatusOk);
  EXPECT_NE(std::strstr(text, "WARNING: ["), nullptr) << text;
  EXPECT_NE(std::strstr(text, "] 1 of two"), nullptr) << text;
  EXPECT_EQ(LiteRtGetSinkLoggerMessage(logger, 1, &text), kLiteRtStatusErrorIndexOOB);
  ASSERT_EQ(LiteRtClearSinkLogger(logger), kLiteRtStatusOk);
  ASSERT_EQ(LiteRtGetSinkLoggerSize(logger, &size), kLiteRtStatusOk);
  EXPECT_EQ(size, 0u);
  const std::string long_text(5000, 'x');
  ASSERT_EQ(LiteRtLoggerLog(logger, LITERT_ERROR, "%s", long_text.c_str()), kLiteRtStatusOk);
  ASSERT_EQ(LiteRtGetSinkLoggerMessage(logger, 0, &text), kLiteRtStatusOk);
  EXPECT_EQ(text, "ERROR: " + long_text);
  LiteRtDestroyLogger(logger);
}

TEST(LoggingTest, OnlySinksKeepMessages) {
  LiteRtLogger logger = nullptr;
  ASSERT_EQ(LiteRtCreateLogger(&logger), kLiteRtStatusOk);
  size_t size = 0;
  const char* text = nullptr;
  EXPECT_EQ(LiteRtGetSinkLoggerSize(logger, &size), kBadArgument);
  EXPECT_EQ(LiteRtGetSinkLoggerMessage(logger, 0, &text), kBadArgument);
  EXPECT_EQ(LiteRtClearSinkLogger(logger), kBadArgument);
  LiteRtDestroyLogger(logger);
}

TEST(LoggingTest, DefaultLoggerCanBeExchanged) {
  ASSERT_EQ(LiteRtUseSinkLogger(), kLiteRtStatusOk);
  LiteRtLogger sink = LiteRtGetDefaultLogger();
  ASSERT_EQ(LiteRtClearSinkLogger(sink), kLiteRtStatusOk);
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([] {
      for (int j = 0; j < 50; ++j) LITERT_LOG(LITERT_ERROR, "%d", j);
    });
  }
  for (std::thread& thread : threads) thread.join();
  LiteRtDefaultLoggerLog(LITERT_ERROR, "last");
  size_t size = 0;
  ASSERT_EQ(LiteRtGetSinkLoggerSize(sink, &size), kLiteRtStatusOk);
  EXPECT_EQ(size, 201u);
  LiteRtDestroyLogger(sink);  // the library's own: stays
  ASSERT_EQ(LiteRtClearSinkLogger(sink), kLiteRtStatusOk);
  ASSERT_EQ(LiteRtUseStandardLogger(), kLiteRtStatusOk);
  EXPECT_NE(LiteRtGetDefaultLogger(), sink);
  EXPECT_EQ(LiteRtSetDefaultLogger(nullptr), kBadArgument);
}

TEST(LoggingTest, ADestroyedDefaultLoggerIsReplaced) {
  LiteRtLogger logger = nullptr;
  ASSERT_EQ(LiteRtCreateSinkLogger(&logger), kLiteRtStatusOk);
  LiteRtLogger const standard = LiteRtGetDefaultLogger();
  ASSERT_EQ(LiteRtSetDefaultLogger(logger), kLiteRtStatusOk);
  LiteRtDestroyLogger(logger);
  EXPECT_EQ(LiteRtGetDefaultLogger(), standard);
  EXPECT_EQ(LiteRtDefaultLoggerLog(LITERT_DEBUG, "to a logger that is there"), kLiteRtStatusOk);
}

TEST(LoggingTest, SeverityNames) {
  std::set<std::string> names;
  for (int s = kLiteRtLogSeverityDebug; s <= kLiteRtLogSeveritySilent; ++s) {
    names.insert(LiteRtGetLogSeverityName(static_cast<LiteRtLogSeverity>(s)));
  }
  EXPECT_EQ(names,
            (std::set<std::string>{"DEBUG", "VERBOSE", "INFO", "WARNING", "ERROR", "SILENT"}));
}

}  // namespace
