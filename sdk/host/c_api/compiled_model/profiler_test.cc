// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/c_api/compiled_model/profiler.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>

#include "litert/c/litert_profiler.h"

namespace {

constexpr LiteRtStatus kBadArgument = kLiteRtStatusErrorInvalidArgument;

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

}  // namespace
