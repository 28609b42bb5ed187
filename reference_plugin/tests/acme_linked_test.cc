// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// AcmeCorp linked into the program, of the sources that its files are made of.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "litert/cc/litert_macros.h"
#include "reference_plugin/tests/acme_plugin.h"
#include "sdk/host/model/reading/model_reader.h"
#include "sdk/host/model/writing/model_writer.h"
#include "sdk/host/placement/apply.h"
#include "sdk/host/plugin/plugin_choice.h"
#include "sdk/host/runtime/diagnostics/random_inputs.h"
#include "sdk/host/session/session.h"

namespace npukit {
namespace {

using ::testing::StartsWith;

struct Run {
  std::vector<uint8_t> output;
  SessionPlacement placement;
};

litert::Expected<Run> RunModel(std::unique_ptr<Model> model, SessionOptions options) {
  LITERT_ASSIGN_OR_RETURN(auto session, Session::Create(std::move(model), std::move(options)));
  SignatureRunner& runner = session->default_runner();
  FillRandomInputs(runner, 11);
  LITERT_RETURN_IF_ERROR(runner.Run());
  Run run{{runner.output(0).begin(), runner.output(0).end()}, session->placement()};
  LITERT_RETURN_IF_ERROR(session->Close());
  return run;
}

// As bytes, by the plugin of that name that is asked first.
litert::Expected<std::vector<uint8_t>> CompileAhead(const Model& model, const char* folder,
                                                    const char* path) {
  LITERT_ASSIGN_OR_RETURN(const PluginChoice choice, ChoosePlugins(folder, {}));
  for (const LoadedPlugin& plugin : choice.plugins) {
    if (plugin.path() != path) continue;
    LITERT_ASSIGN_OR_RETURN(const ApplyResult applied,
                            ApplyPlugins(model, std::vector{&plugin}, {}));
    return SerializeModel(*applied.model, {});
  }
  return litert::Unexpected(kLiteRtStatusErrorNotFound, path);
}

TEST(AcmeLinked, RunsJustInTimeAsTheFilesDo) {
  auto on_cpu = RunModel(Sample("autoencoder_int8"), {});
  ASSERT_TRUE(on_cpu) << on_cpu.Error().Message();
  auto linked = RunModel(Sample("autoencoder_int8"), {.jit = true});
  ASSERT_TRUE(linked) << linked.Error().Message();
  EXPECT_EQ(linked->placement.fallback_reason, "");
  EXPECT_EQ(linked->placement.cpu_ops, 0u);
  EXPECT_EQ(linked->placement.plugin, "AcmeCorp");
  EXPECT_THAT(linked->placement.dispatch, StartsWith("linked:AcmeCorp (AcmeCorp"));
  EXPECT_EQ(linked->output, on_cpu->output);  // integers: bit for bit
}

TEST(AcmeLinked, CompilesAheadOfTimeToTheSameBytes) {
  auto model = Sample("autoencoder_int8");
  auto by_linked = CompileAhead(*model, kPluginDir.c_str(), "linked:AcmeCorp");
  ASSERT_TRUE(by_linked) << by_linked.Error().Message();
  auto by_file = CompileAhead(*model, kPluginDir.c_str(),
                              (kPluginDir + "/libLiteRtCompilerPlugin_AcmeCorp.so").c_str());
  ASSERT_TRUE(by_file) << by_file.Error().Message();
  EXPECT_EQ(*by_linked, *by_file);

  auto on_cpu = RunModel(std::move(model), {});
  ASSERT_TRUE(on_cpu) << on_cpu.Error().Message();
  auto compiled = ParseModel(SharedBytes::Take(std::move(*by_file)));
  ASSERT_TRUE(compiled) << compiled.Error().Message();
  auto on_npu = RunModel(std::move(*compiled), {});
  ASSERT_TRUE(on_npu) << on_npu.Error().Message();
  EXPECT_EQ(on_npu->placement.cpu_ops, 0u);
  EXPECT_EQ(on_npu->output, on_cpu->output);
}

}  // namespace
}  // namespace npukit
