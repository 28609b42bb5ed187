// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Layouts, metrics, profilers, loggers, versions and status names.

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "litert/c/internal/litert_logging.h"
#include "litert/c/litert_common.h"
#include "litert/c/litert_layout.h"
#include "litert/c/litert_metrics.h"
#include "litert/c/litert_platform_support.h"
#include "litert/c/litert_profiler.h"
#include "sdk/host/c_api/metrics.h"
#include "sdk/host/c_api/profiler.h"

namespace {

constexpr LiteRtStatus kBadArgument = kLiteRtStatusErrorInvalidArgument;

LiteRtLayout Layout(std::vector<int32_t> dims) {
  LiteRtLayout layout = {};
  layout.rank = static_cast<unsigned>(dims.size());
  std::copy(dims.begin(), dims.end(), layout.dimensions);
  return layout;
}

TEST(LayoutTest, NumElements) {
  size_t count = 0;
  LiteRtLayout layout = Layout({});
  ASSERT_EQ(LiteRtGetNumLayoutElements(&layout, &count), kLiteRtStatusOk);
  EXPECT_EQ(count, 1u);
  layout = Layout({2, 3, 4});
  ASSERT_EQ(LiteRtGetNumLayoutElements(&layout, &count), kLiteRtStatusOk);
  EXPECT_EQ(count, 24u);
  layout = Layout({0, 3});
  ASSERT_EQ(LiteRtGetNumLayoutElements(&layout, &count), kLiteRtStatusOk);
  EXPECT_EQ(count, 0u);
  layout = Layout({2, -1});
  EXPECT_EQ(LiteRtGetNumLayoutElements(&layout, &count), kBadArgument);
  layout = Layout({INT32_MAX, INT32_MAX, INT32_MAX});
  EXPECT_EQ(LiteRtGetNumLayoutElements(&layout, &count), kBadArgument);
  layout.rank = 127;
  EXPECT_EQ(LiteRtGetNumLayoutElements(&layout, &count), kBadArgument);
}

TEST(LayoutTest, IsSame) {
  const auto same = [](const LiteRtLayout& a, const LiteRtLayout& b) {
    bool result = false;
    EXPECT_EQ(LiteRtIsSameLayout(&a, &b, &result), kLiteRtStatusOk);
    return result;
  };
  LiteRtLayout a = Layout({2, 3});
  LiteRtLayout b = Layout({2, 3});
  b.dimensions[2] = 77;  // beyond the rank
  b.strides[0] = 5;      // without has_strides
  EXPECT_TRUE(same(a, b));
  EXPECT_FALSE(same(a, Layout({2, 4})));
  EXPECT_FALSE(same(a, Layout({2})));
  b.has_strides = true;
  EXPECT_FALSE(same(a, b));
  a.has_strides = true;
  EXPECT_FALSE(same(a, b));
  a.strides[0] = 5;
  EXPECT_TRUE(same(a, b));
}

TEST(MetricsTest, OwnsNamesAndStrings) {
  LiteRtMetrics metrics = nullptr;
  ASSERT_EQ(LiteRtCreateMetrics(&metrics), kLiteRtStatusOk);
  int count = -1;
  ASSERT_EQ(LiteRtGetNumMetrics(metrics, &count), kLiteRtStatusOk);
  EXPECT_EQ(count, 0);
  std::string text = "acme_a1";
  LiteRtAny value = {};
  value.type = kLiteRtAnyTypeString;
  value.str_value = text.c_str();
  metrics->Add("soc", value);
  value.type = kLiteRtAnyTypeInt;
  value.int_value = 42;
  metrics->Add("cycles", value);
  text = "gone";
  ASSERT_EQ(LiteRtGetNumMetrics(metrics, &count), kLiteRtStatusOk);
  ASSERT_EQ(count, 2);
  LiteRtMetric metric = {};
  ASSERT_EQ(LiteRtGetMetric(metrics, 0, &metric), kLiteRtStatusOk);
  EXPECT_STREQ(metric.name, "soc");
  EXPECT_STREQ(metric.value.str_value, "acme_a1");
  ASSERT_EQ(LiteRtGetMetric(metrics, 1, &metric), kLiteRtStatusOk);
  EXPECT_EQ(metric.value.int_value, 42);
  EXPECT_EQ(LiteRtGetMetric(metrics, 2, &metric), kBadArgument);
  EXPECT_EQ(LiteRtGetMetric(metrics, -1, &metric), kBadArgument);
  LiteRtDestroyMetrics(metrics);
}

TEST(ProfilerTest, KeepsTheLatestEventsWhileStarted) {
  LiteRtProfiler profiler = nullptr;
  EXPECT_EQ(LiteRtCreateProfiler(0, &profiler), kBadArgument);
  ASSERT_EQ(LiteRtCreateProfiler(2, &profiler), kLiteRtStatusOk);
  const auto add = [&](const char* tag, uint64_t start_us) {
    profiler->Add(tag, OPERATOR_INVOKE_EVENT, start_us, 10, 1, 2);
  };
  add("before the start", 0);
  ASSERT_EQ(LiteRtStartProfiler(profiler), kLiteRtStatusOk);
  add("dropped", 1);
  ASSERT_EQ(LiteRtSetProfilerCurrentEventSource(profiler, TFLITE_DELEGATE), kLiteRtStatusOk);
  add("npu", 2);
  add("npu", 3);
  ASSERT_EQ(LiteRtStopProfiler(profiler), kLiteRtStatusOk);
  add("after the stop", 4);

  int count = 0;
  ASSERT_EQ(LiteRtGetNumProfilerEvents(profiler, &count), kLiteRtStatusOk);
  ASSERT_EQ(count, 2);
  ProfiledEventData events[3] = {};
  EXPECT_EQ(LiteRtGetProfilerEvents(profiler, 3, events), kBadArgument);
  ASSERT_EQ(LiteRtGetProfilerEvents(profiler, 2, events), kLiteRtStatusOk);
  EXPECT_STREQ(events[0].tag, "npu");
  EXPECT_EQ(events[0].start_timestamp_us, 2u);
  EXPECT_EQ(events[0].event_source, TFLITE_DELEGATE);
  EXPECT_EQ(events[1].start_timestamp_us, 3u);
  const char* summary = nullptr;
  ASSERT_EQ(LiteRtGetProfileSummary(profiler, nullptr, &summary), kLiteRtStatusOk);
  EXPECT_STREQ(summary, "npu: 2 x, 20 us\n");
  std::free(const_cast<char*>(summary));
  ASSERT_EQ(LiteRtResetProfiler(profiler), kLiteRtStatusOk);
  ASSERT_EQ(LiteRtGetNumProfilerEvents(profiler, &count), kLiteRtStatusOk);
  EXPECT_EQ(count, 0);
  LiteRtDestroyProfiler(profiler);
}

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

TEST(LoggingTest, SeverityNames) {
  std::set<std::string> names;
  for (int s = kLiteRtLogSeverityDebug; s <= kLiteRtLogSeveritySilent; ++s) {
    names.insert(LiteRtGetLogSeverityName(static_cast<LiteRtLogSeverity>(s)));
  }
  EXPECT_EQ(names,
            (std::set<std::string>{"DEBUG", "VERBOSE", "INFO", "WARNING", "ERROR", "SILENT"}));
}

TEST(VersionTest, Compare) {
  const auto compare = [](LiteRtApiVersion a, LiteRtApiVersion b) {
    return LiteRtCompareApiVersion(a, b);
  };
  EXPECT_EQ(compare({1, 2, 3}, {1, 2, 3}), 0);
  EXPECT_LT(compare({0, 9, 9}, {1, 0, 0}), 0);
  EXPECT_GT(compare({1, 2, 0}, {1, 1, 9}), 0);
  EXPECT_LT(compare({1, 2, 3}, {1, 2, 4}), 0);
}

TEST(StatusTest, EveryStatusHasItsOwnName) {
  std::set<std::string> names;
  int count = 0;
#define NPUKIT_ABI_VALUE(constant, value)                                             \
  if (std::string(#constant).rfind("kLiteRtStatus", 0) == 0) {                        \
    ++count;                                                                          \
    EXPECT_STREQ(LiteRtGetStatusString(static_cast<LiteRtStatus>(value)), #constant); \
    names.insert(#constant);                                                          \
  }
#include "sdk/host/c_api/abi_facts.def"
  EXPECT_EQ(count, 31);
  EXPECT_EQ(names.size(), 31u);
  EXPECT_STREQ(LiteRtGetStatusString(static_cast<LiteRtStatus>(4711)), "unknown LiteRtStatus");
}

TEST(PlatformTest, OnlySyncFencesHere) {
  EXPECT_TRUE(LiteRtHasSyncFenceSupport());
  EXPECT_FALSE(LiteRtHasAhwbSupport());
  EXPECT_FALSE(LiteRtHasMetalSupport());
}

}  // namespace
