// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/tools/reports/bench_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "npukit/metrics.h"
#include "sdk/tools/command_line/json_text.h"
#include "sdk/tools/flags/session_flags.h"
#include "sdk/tools/reports/session_report.h"

namespace npukit::tools {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

StepInfo CpuStep(const char* name, uint64_t macs) {
  StepInfo step;
  step.op = "CONV_2D";
  step.name = name;
  step.macs = macs;
  return step;
}

StepInfo NpuStep(const char* entry_point) {
  StepInfo step;
  step.target = Target::kNpu;
  step.op = "DISPATCH_OP";
  step.name = entry_point;
  return step;
}

DispatchMetrics Metrics(int64_t invocations, int64_t cycles, int64_t macs) {
  DispatchMetrics metrics;
  metrics.Set(NPUKIT_METRIC_SOC, std::string("soc_1"));
  metrics.Set(NPUKIT_METRIC_INVOCATIONS, invocations);
  metrics.Set(NPUKIT_METRIC_CYCLES, cycles);
  metrics.Set(NPUKIT_METRIC_MACS, macs);
  metrics.Set(NPUKIT_METRIC_ARRAY_MACS_PER_CYCLE, int64_t{16});
  return metrics;
}

TEST(BenchReport, AddsPartitionsUpPerInference) {
  const std::vector<StepInfo> steps = {NpuStep("p0"), CpuStep("conv", 1000), NpuStep("p1")};
  const std::vector<StepTime> times = {{0, 10}, {10, 5010}, {5010, 6000}};
  std::vector<DispatchMetrics> metrics = {Metrics(2, 200, 1600), {}, Metrics(1, 50, 200)};
  metrics[0].Set("op/a/b/cycles", int64_t{100});
  metrics[0].Set("op/a/b/macs", int64_t{800});
  metrics[0].Set(NPUKIT_METRIC_BYTES_READ, int64_t{64});
  metrics[2].Set(NPUKIT_METRIC_BYTES_READ, int64_t{10});
  metrics[2].Set(NPUKIT_METRIC_BYTES_WRITTEN, int64_t{5});
  metrics[2].Set(NPUKIT_METRIC_CLOCK_MHZ, 800.0);
  const BenchReport report = MakeBenchReport(steps, times, metrics, {4, 1, 2, 3});
  EXPECT_EQ(report.soc, "soc_1");
  EXPECT_EQ(report.cycles, 150.0);
  EXPECT_EQ(report.macs, 1000.0);
  EXPECT_EQ(report.bytes_read, 42.0);
  EXPECT_EQ(report.bytes_written, 5.0);
  EXPECT_EQ(report.clock_mhz, 800.0);
  EXPECT_EQ(report.cpu_macs, 1000.0);
  EXPECT_EQ(report.npu_mac_fraction, 0.5);
  EXPECT_DOUBLE_EQ(*report.utilisation, 1000.0 / (150 * 16));
  EXPECT_FALSE(report.energy_pj.has_value());
  EXPECT_EQ(report.host_median_ms, 2.5);
  EXPECT_EQ(report.host_min_ms, 1.0);
  ASSERT_EQ(report.per_op.size(), 2u);
  EXPECT_EQ(report.per_op[0].name, "a/b");
  EXPECT_EQ(report.per_op[0].cycles, 50.0);
  EXPECT_DOUBLE_EQ(*report.per_op[0].utilisation, 400.0 / (50 * 16));
  EXPECT_EQ(report.per_op[1].op, "CONV_2D");
  EXPECT_EQ(report.per_op[1].host_us, 5.0);
}

// What another unit does beside the arrays, as depthwise convolutions, is no use of theirs: with it, more
// than all of them would seem to work.
TEST(BenchReport, UtilisationIsOfTheArrays) {
  const std::vector<StepInfo> steps = {NpuStep("p0"), NpuStep("p1")};
  const std::vector<StepTime> times(2);
  std::vector<DispatchMetrics> metrics = {Metrics(2, 200, 4000), Metrics(1, 100, 800)};
  metrics[0].Set(NPUKIT_METRIC_ARRAY_MACS, int64_t{2400});
  metrics[0].Set("op/depthwise/cycles", int64_t{40});
  metrics[0].Set("op/depthwise/macs", int64_t{1600});
  metrics[0].Set("op/depthwise/array_macs", int64_t{0});
  const BenchReport report = MakeBenchReport(steps, times, metrics, {1});
  EXPECT_EQ(report.macs, 2800.0);
  EXPECT_DOUBLE_EQ(*report.utilisation, (1200.0 + 800.0) / (200 * 16));
  ASSERT_EQ(report.per_op.size(), 1u);
  EXPECT_EQ(report.per_op[0].macs, 800.0);
  EXPECT_EQ(report.per_op[0].utilisation, 0.0);
}

TEST(BenchReport, WithoutMetricsTheFieldsAreThereAndEmpty) {
  const std::vector<StepInfo> steps = {NpuStep("p0")};
  const std::vector<StepTime> times(1);
  const std::vector<DispatchMetrics> metrics(1);
  const BenchReport report = MakeBenchReport(steps, times, metrics, {7});
  EXPECT_THAT(report.missing, ElementsAre("p0"));
  EXPECT_EQ(report.host_median_ms, 7.0);
  nlohmann::ordered_json json;
  AddBenchJson(report, json);
  for (const char* field : {"soc", "cycles", "macs", "npu_mac_fraction", "utilisation",
                            "roofline_cycles", "energy_pj", "host_ms", "per_op"}) {
    EXPECT_TRUE(json.contains(field)) << field;
  }
  EXPECT_TRUE(json["cycles"].is_null());
  EXPECT_EQ(json["npu_mac_fraction"], 0.0);
  EXPECT_THAT(BenchText(report), HasSubstr("'p0'"));
}

TEST(BenchReport, MetricsMayBeAnyNumber) {
  const std::pair<double, const char*> rows[] = {
      {12, "12"},         {-3, "-3"},       {0.5, "0.5"}, {1e300, "1e+300"}, {std::nan(""), "null"},
      {HUGE_VAL, "null"}, {-1e19, "-1e+19"}};
  for (const auto& [value, text] : rows) EXPECT_EQ(JsonNumber(value).dump(), text);
}

TEST(SessionFlags, ParsesResizes) {
  const auto good = ParseResize("a=b=1,224,224,3");
  ASSERT_TRUE(good);
  EXPECT_EQ(good->tensor, "a=b");
  EXPECT_THAT(good->shape, ElementsAre(1, 224, 224, 3));
  const auto scalar = ParseResize("scalar=");
  ASSERT_TRUE(scalar);
  EXPECT_TRUE(scalar->shape.empty());
  for (const char* bad :
       {"", "x", "=1", "x=1,", "x=,1", "x=-1", "x=1;2", "x=1,,2", "x=99999999999"}) {
    const auto result = ParseResize(bad);
    EXPECT_FALSE(result) << bad;
  }
}

TEST(SessionFlags, ShortNames) {
  EXPECT_EQ(ShortName("conv/Relu;conv/BiasAdd"), "conv/Relu");
  const std::string name = ShortName(std::string(100, 'x') + "tail");
  EXPECT_EQ(name.size(), 64u);
  EXPECT_TRUE(name.starts_with("...") && name.ends_with("tail"));
}

}  // namespace
}  // namespace npukit::tools
