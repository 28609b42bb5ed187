// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What a host asks of the compiler by LiteRT's opaque options and by compile specs.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "litert/c/litert_opaque_options.h"
#include "litert/c/litert_options.h"
#include "litert/cc/litert_compiled_model.h"
#include "litert/cc/litert_environment.h"
#include "litert/cc/litert_macros.h"
#include "litert/cc/litert_options.h"
#include "npukit/compile_spec.h"
#include "npukit/metrics.h"
#include "reference_plugin/tests/acme_plugin.h"
#include "sdk/host/model/writing/model_writer.h"
#include "sdk/host/plugin/loaded_plugin.h"
#include "sdk/host/runtime/diagnostics/random_inputs.h"
#include "sdk/host/session/session.h"

namespace npukit {
namespace {

using ::testing::HasSubstr;
namespace fs = std::filesystem;

// Both builds of the plugin: for abi 2.1, and for abi 2.2, which reads options through a table.
constexpr const char* kFolders[] = {NPUKIT_BUILD_DIR "/lib", NPUKIT_BUILD_DIR "/lib-abi2.2"};

litert::OpaqueOptions Opaque(const std::string& toml, const std::string& identifier = "acmecorp") {
  char* text = new char[toml.size() + 1];
  std::memcpy(text, toml.c_str(), toml.size() + 1);
  auto options = litert::OpaqueOptions::Create(
      identifier, text, [](void* payload) { delete[] static_cast<char*>(payload); });
  EXPECT_TRUE(options);
  return std::move(*options);
}

// LiteRT's options with the text as AcmeCorp's, behind another vendor's.
litert::Options OptionsWith(const std::string& toml) {
  auto options = litert::Options::Create();
  EXPECT_TRUE(options);
  EXPECT_TRUE(options->AddOpaqueOptions(Opaque("speed = 9", "another")));
  EXPECT_TRUE(options->AddOpaqueOptions(Opaque(toml)));
  return std::move(*options);
}

CompileSpec Spec(const std::string& key, const std::string& value) {
  return {.key = key, .bytes = {value.begin(), value.end()}};
}

litert::Expected<LoadedPlugin> LoadPlugin(const std::string& folder, LiteRtOptions options) {
  return LoadedPlugin::Load(folder + "/libLiteRtCompilerPlugin_AcmeCorp.so", nullptr, options);
}

// The partition indices that the plugin gives, each once.
std::vector<LiteRtParamIndex> IndicesOf(const LoadedPlugin& plugin) {
  const auto model = Sample("gated_classifier_int8");
  const auto answer = plugin.Partition("", model->subgraph(0));
  EXPECT_TRUE(answer) << answer.Error().Message();
  std::vector<LiteRtParamIndex> indices;
  for (const auto& [op, index] : answer->selection) indices.push_back(index);
  indices.erase(std::unique(indices.begin(), indices.end()), indices.end());
  return indices;
}

TEST(PartitionIndex, OptionsAndSpecsForceIt) {
  for (const char* folder : kFolders) {
    const auto plain = LoadPlugin(folder, nullptr);
    ASSERT_TRUE(plain) << plain.Error().Message();
    EXPECT_THAT(IndicesOf(*plain), testing::ElementsAre(0));
    const litert::Options options = OptionsWith("force_partition_index = 7\n");
    const auto forced = LoadPlugin(folder, options.Get());
    ASSERT_TRUE(forced) << forced.Error().Message();
    EXPECT_THAT(IndicesOf(*forced), testing::ElementsAre(7));
    ASSERT_TRUE(forced->SetCompileSpecs(NPUKIT_ALL_PARTITIONS,
                                        std::vector{Spec("force_partition_index", "9")}));
    EXPECT_THAT(IndicesOf(*forced), testing::ElementsAre(9)) << "a spec goes before an option";
  }
}

double CyclesOf(const SessionOptions& options) {
  const auto session = Session::Create(Sample("gated_classifier_int8"), options);
  EXPECT_TRUE(session) << session.Error().Message();
  EXPECT_EQ((*session)->placement().fallback_reason, "");
  SignatureRunner& runner = (*session)->default_runner();
  FillRandomInputs(runner, 1);
  EXPECT_TRUE(runner.StartMetrics(0));
  EXPECT_TRUE(runner.Run());
  const auto metrics = runner.StopMetrics();
  EXPECT_TRUE(metrics);
  double cycles = 0;
  for (const DispatchMetrics& metric : *metrics)
    cycles += metric.Number(NPUKIT_METRIC_CYCLES).value_or(0);
  return cycles;
}

TEST(OptimizationLevel, OptionsAndSpecsChooseIt) {
  const SessionOptions standard{.plugin_dir = kFolders[0], .jit = true};
  std::vector<double> by_spec;
  for (int level = 0; level <= 3; ++level) {
    SessionOptions options = standard;
    const std::string text = fmt::format("{}", level);
    options.placement.specs = {{.spec = Spec("optimization_level", text), .where = "test"}};
    by_spec.push_back(CyclesOf(options));
    const litert::Options litert_options = OptionsWith("optimization_level = " + text);
    options = standard;
    options.plugin_options = litert_options.Get();
    EXPECT_EQ(CyclesOf(options), by_spec.back()) << level;
  }
  EXPECT_GT(by_spec[0], by_spec[2]);
  EXPECT_EQ(by_spec[2], CyclesOf(standard));
  EXPECT_LE(by_spec[3], by_spec[2]);
}

TEST(DumpDir, OptionsOfACompiledModelReachTheCompiler) {
  const std::string folder = testing::TempDir() + "npukit_options_dump";
  fs::remove_all(folder);
  const std::string path = testing::TempDir() + "npukit_options.tflite";
  ASSERT_TRUE(SaveModel(*Sample("gated_classifier_int8"), path));
  const std::vector<litert::EnvironmentOptions::Option> where = {
      {litert::EnvironmentOptions::Tag::kCompilerPluginLibraryDir, kFolders[0]},
      {litert::EnvironmentOptions::Tag::kDispatchLibraryDir, kFolders[0]}};
  auto environment = litert::Environment::Create(litert::EnvironmentOptions(where));
  ASSERT_TRUE(environment);
  {
    litert::Options options = OptionsWith("dump_dir = \"" + folder + "\"");
    ASSERT_TRUE(options.SetHardwareAccelerators(litert::HwAccelerators::kNpu));
    const auto model = litert::CompiledModel::Create(*environment, path, options);
    ASSERT_TRUE(model) << model.Error().Message();
  }
  EXPECT_TRUE(fs::exists(folder + "/acme_partition_0.9-code.txt"));
}

TEST(OpaqueOptions, WhatMakesNoSenseIsRefused) {
  for (const char* folder : kFolders) {
    const litert::Options options = OptionsWith("optimization_level = 4\n");
    const auto plugin = LoadPlugin(folder, options.Get());
    ASSERT_TRUE(plugin) << plugin.Error().Message();
    const auto compatible = plugin->CheckCompatibility("");
    ASSERT_FALSE(compatible);
    EXPECT_EQ(compatible.Error().Status(), kLiteRtStatusErrorInvalidArgument);
    EXPECT_FALSE(plugin->Partition("", Sample("gated_classifier_int8")->subgraph(0)));
  }
  SessionOptions options{.plugin_dir = kFolders[0], .jit = true};
  for (const auto& [key, value] :
       {std::pair("optimization_level", "4"), std::pair("force_partition_index", "x"),
        std::pair("dump_dir", "")}) {
    options.placement.specs = {{.spec = Spec(key, value), .where = "test"}};
    const auto session = Session::Create(Sample("gated_classifier_int8"), options);
    ASSERT_TRUE(session);
    EXPECT_THAT((*session)->placement().fallback_reason,
                HasSubstr("kLiteRtStatusErrorInvalidArgument"));
  }
}

}  // namespace
}  // namespace npukit
