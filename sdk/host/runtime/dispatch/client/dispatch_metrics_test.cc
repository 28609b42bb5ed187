// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/runtime/dispatch/client/dispatch_metrics.h"

#include <gtest/gtest.h>

#include "npukit/metrics.h"

namespace npukit {
namespace {

TEST(DispatchMetrics, CopiesEveryKindOfValue) {
  LiteRtAny any = {};
  any.type = kLiteRtAnyTypeInt;
  any.int_value = -7;
  EXPECT_EQ(DispatchMetrics::FromAny(any), DispatchMetrics::Value(int64_t{-7}));
  any.type = kLiteRtAnyTypeReal;
  any.real_value = 0.5;
  EXPECT_EQ(DispatchMetrics::FromAny(any), DispatchMetrics::Value(0.5));
  any.type = kLiteRtAnyTypeBool;
  any.bool_value = true;
  EXPECT_EQ(DispatchMetrics::FromAny(any), DispatchMetrics::Value(true));
  any.type = kLiteRtAnyTypeString;
  any.str_value = "soc";
  EXPECT_EQ(DispatchMetrics::FromAny(any), DispatchMetrics::Value(std::string("soc")));
  any.str_value = nullptr;
  EXPECT_EQ(DispatchMetrics::FromAny(any), DispatchMetrics::Value(std::string()));
  any.type = kLiteRtAnyTypeVoidPtr;
  EXPECT_EQ(DispatchMetrics::FromAny(any), DispatchMetrics::Value());
}

TEST(DispatchMetrics, FindsNumbersAndTexts) {
  DispatchMetrics metrics;
  metrics.Set("a", int64_t{3});
  metrics.Set("b", 2.5);
  metrics.Set("c", std::string("x"));
  metrics.Set("a", int64_t{4});
  EXPECT_EQ(metrics.all().size(), 3u);
  EXPECT_EQ(metrics.Number("a"), 4.0);
  EXPECT_EQ(metrics.Number("b"), 2.5);
  EXPECT_EQ(metrics.Number("c"), std::nullopt);
  EXPECT_EQ(metrics.Text("c"), "x");
  EXPECT_EQ(metrics.Text("a"), std::nullopt);
  EXPECT_EQ(metrics.Find("d"), nullptr);
}

TEST(DispatchMetrics, CountsAreWholeNumbersThatADoubleHolds) {
  DispatchMetrics metrics;
  metrics.Set("half", 2.5);
  metrics.Set("most", 0x1p53);
  metrics.Set("negative", int64_t{-1});
  metrics.Set("more", 0x1p54);
  metrics.Set("text", std::string("x"));
  EXPECT_EQ(metrics.Count("half"), 3u);
  EXPECT_EQ(metrics.Count("most"), uint64_t{1} << 53);
  for (const char* name : {"negative", "more", "text", "none"})
    EXPECT_EQ(metrics.Count(name), std::nullopt) << name;
}

TEST(DispatchMetrics, GroupsPerOpByTheFirstAndLastSlash) {
  DispatchMetrics metrics;
  metrics.Set("op/model/conv1/Relu/cycles", int64_t{10});
  metrics.Set("cycles", int64_t{30});
  metrics.Set("op/7/cycles", int64_t{20});
  metrics.Set("op/model/conv1/Relu/macs", int64_t{99});
  metrics.Set("op/nokey", int64_t{1});
  const std::vector<OpMetrics> ops = metrics.PerOp();
  ASSERT_EQ(ops.size(), 2u);
  EXPECT_EQ(ops[0].key, "model/conv1/Relu");
  EXPECT_EQ(ops[0].Get("cycles"), 10);
  EXPECT_EQ(ops[0].Get("macs"), 99);
  EXPECT_EQ(ops[0].Get("energy_pj"), 0);
  EXPECT_EQ(ops[1].key, "7");
}

TEST(DispatchMetrics, AddsCountsOfSeveralPartitionsButNotPropertiesOfTheDevice) {
  DispatchMetrics a;
  a.Set(NPUKIT_METRIC_CYCLES, int64_t{10});
  a.Set(NPUKIT_METRIC_ENERGY_PJ, 1.5);
  a.Set(NPUKIT_METRIC_ARRAY_MACS_PER_CYCLE, int64_t{1024});
  a.Set(NPUKIT_METRIC_SOC, std::string("one"));
  DispatchMetrics b;
  b.Set(NPUKIT_METRIC_CYCLES, int64_t{5});
  b.Set(NPUKIT_METRIC_ENERGY_PJ, int64_t{2});
  b.Set(NPUKIT_METRIC_ARRAY_MACS_PER_CYCLE, int64_t{1024});
  b.Set(NPUKIT_METRIC_SOC, std::string("two"));
  b.Set("more", int64_t{1});
  a.Merge(b);
  EXPECT_EQ(*a.Find(NPUKIT_METRIC_CYCLES), DispatchMetrics::Value(int64_t{15}));
  EXPECT_EQ(*a.Find(NPUKIT_METRIC_ENERGY_PJ), DispatchMetrics::Value(3.5));
  EXPECT_EQ(a.Number(NPUKIT_METRIC_ARRAY_MACS_PER_CYCLE), 1024.0);
  EXPECT_EQ(a.Text(NPUKIT_METRIC_SOC), "one");
  EXPECT_EQ(a.Number("more"), 1.0);
}

}  // namespace
}  // namespace npukit
