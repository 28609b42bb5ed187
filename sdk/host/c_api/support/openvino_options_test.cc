// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Intel OpenVINO's options, which no table holds.

#include "litert/c/options/litert_intel_openvino_options.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "sdk/host/c_api/support/testing/options_text.h"

namespace {

using npukit::TextOf;

// "key=value;..." in the order that the options give.
std::string SettingsOf(LrtIntelOpenVinoOptions options, int graph) {
  int count = 0;
  const auto counted =
      graph < 0 ? LrtIntelOpenVinoOptionsGetNumConfigsMapOptions(options, &count)
                : LrtIntelOpenVinoOptionsGetNumGraphConfigsMapOptions(options, graph, &count);
  EXPECT_EQ(counted, kLiteRtStatusOk);
  std::string text;
  for (int i = 0; i <= count; ++i) {
    const char* key = nullptr;
    const char* value = nullptr;
    const auto got =
        graph < 0
            ? LrtIntelOpenVinoOptionsGetConfigsMapOption(options, i, &key, &value)
            : LrtIntelOpenVinoOptionsGetGraphConfigsMapOption(options, graph, i, &key, &value);
    EXPECT_EQ(got, i == count ? kLiteRtStatusErrorIndexOOB : kLiteRtStatusOk);
    if (i < count) text += std::string(key) + "=" + value + ";";
  }
  return text;
}

LiteRtIntelOpenVinoGraphBackend BackendOf(LrtIntelOpenVinoOptions options, int graph) {
  auto backend = kLiteRtIntelOpenVinoGraphBackendMax;
  (void)LrtIntelOpenVinoOptionsGetGraphBackend(options, graph, &backend);
  return backend;
}

void CheckOpenVino(LrtIntelOpenVinoOptions options) {
  auto mode = kLiteRtIntelOpenVinoPerformanceModeLatency;
  ASSERT_EQ(LrtIntelOpenVinoOptionsGetPerformanceMode(options, &mode), kLiteRtStatusOk);
  EXPECT_EQ(mode, kLiteRtIntelOpenVinoPerformanceModeThroughput);
  EXPECT_EQ(SettingsOf(options, -1), "Z=3;A=1;");
  EXPECT_EQ(SettingsOf(options, 4), "HINT=x;");
  EXPECT_EQ(SettingsOf(options, 7), "");
  EXPECT_EQ(BackendOf(options, 2), kLiteRtIntelOpenVinoGraphBackendGPU);
  EXPECT_EQ(BackendOf(options, 9), kLiteRtIntelOpenVinoGraphBackendNPU);  // that of all
  int count = 0;
  ASSERT_EQ(LrtIntelOpenVinoOptionsGetNumGraphOverrides(options, &count), kLiteRtStatusOk);
  ASSERT_EQ(count, 3);
  for (int i = 0; i < count; ++i) {
    int graph = 0;
    ASSERT_EQ(LrtIntelOpenVinoOptionsGetGraphOverrideIndex(options, i, &graph), kLiteRtStatusOk);
    EXPECT_EQ(graph, (std::vector<int>{-1, 2, 4})[static_cast<size_t>(i)]);
  }
  int graph = 0;
  EXPECT_EQ(LrtIntelOpenVinoOptionsGetGraphOverrideIndex(options, 3, &graph),
            kLiteRtStatusErrorIndexOOB);
}

TEST(OpenVinoOptionsTest, KeepsWhatWasSetAlsoAsText) {
  LrtIntelOpenVinoOptions made = nullptr;
  ASSERT_EQ(LrtIntelOpenVinoOptionsCreate(&made), kLiteRtStatusOk);
  EXPECT_EQ(BackendOf(made, 0), kLiteRtIntelOpenVinoGraphBackendMax);  // none
  ASSERT_EQ(LrtIntelOpenVinoOptionsSetPerformanceMode(
                made, kLiteRtIntelOpenVinoPerformanceModeThroughput),
            kLiteRtStatusOk);
  for (const char* value : {"2", "3"})
    ASSERT_EQ(LrtIntelOpenVinoOptionsSetConfigsMapOption(made, "Z", value), kLiteRtStatusOk);
  ASSERT_EQ(LrtIntelOpenVinoOptionsSetConfigsMapOption(made, "A", "1"), kLiteRtStatusOk);
  ASSERT_EQ(LrtIntelOpenVinoOptionsSetGraphBackend(made, -1, kLiteRtIntelOpenVinoGraphBackendNPU),
            kLiteRtStatusOk);
  ASSERT_EQ(LrtIntelOpenVinoOptionsSetGraphBackend(made, 2, kLiteRtIntelOpenVinoGraphBackendGPU),
            kLiteRtStatusOk);
  ASSERT_EQ(LrtIntelOpenVinoOptionsSetGraphConfigsMapOption(made, 4, "HINT", "x"), kLiteRtStatusOk);
  EXPECT_EQ(LrtIntelOpenVinoOptionsSetGraphConfigsMapOption(made, -1, "HINT", "x"),
            kLiteRtStatusErrorInvalidArgument);
  EXPECT_EQ(LrtIntelOpenVinoOptionsSetGraphBackend(made, -2, kLiteRtIntelOpenVinoGraphBackendGPU),
            kLiteRtStatusErrorInvalidArgument);
  CheckOpenVino(made);
  const std::string text =
      TextOf<LrtIntelOpenVinoOptions>(made, LrtGetOpaqueIntelOpenVinoOptionsData, "intel_openvino");
  EXPECT_EQ(text,
            "performance_mode = 1\nconfigs_map.Z = \"3\"\nconfigs_map.A = \"1\"\n"
            "graph.-1.graph_backend = 2\ngraph.2.graph_backend = 1\n"
            "graph.4.configs_map.HINT = \"x\"\n");
  LrtDestroyIntelOpenVinoOptions(made);
  LrtIntelOpenVinoOptions read = nullptr;
  ASSERT_EQ(LrtCreateIntelOpenVinoOptionsFromToml(text.c_str(), &read), kLiteRtStatusOk);
  CheckOpenVino(read);
  LrtDestroyIntelOpenVinoOptions(read);
}

TEST(OpenVinoOptionsTest, TextOfNoGraphIsAnError) {
  LrtIntelOpenVinoOptions options = nullptr;
  for (const char* text : {"graph.x.graph_backend = 1", "graph.1 = 1", "graph.-2.graph_backend = 1",
                           "performance_mode"}) {
    EXPECT_EQ(LrtCreateIntelOpenVinoOptionsFromToml(text, &options),
              kLiteRtStatusErrorInvalidArgument)
        << text;
  }
  EXPECT_EQ(LrtCreateIntelOpenVinoOptionsFromToml(nullptr, &options),
            kLiteRtStatusErrorInvalidArgument);
  ASSERT_EQ(LrtCreateIntelOpenVinoOptionsFromToml("unknown = 1", &options), kLiteRtStatusOk);
  LrtDestroyIntelOpenVinoOptions(options);
}

}  // namespace
