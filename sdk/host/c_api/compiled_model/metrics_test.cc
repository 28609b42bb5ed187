// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/c_api/compiled_model/metrics.h"

#include <gtest/gtest.h>

#include <string>

#include "litert/c/litert_metrics.h"

namespace {

constexpr LiteRtStatus kBadArgument = kLiteRtStatusErrorInvalidArgument;

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

}  // namespace
