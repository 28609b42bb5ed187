// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What the kit judges is what users run: of one model `npukit apply`, a session that compiles in
// memory and the kit make the same bytes.

#include "conformance/runner/checks/host_run.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "conformance/spec/graph/networks.h"
#include "conformance/spec/text/text_file.h"
#include "sdk/host/model/reading/model_reader.h"
#include "sdk/host/model/writing/model_writer.h"
#include "sdk/host/session/jit.h"

namespace npukit::conformance {
namespace {

const std::string kBuild = NPUKIT_BUILD_DIR;
const std::string kPluginDir = kBuild + "/faulty_plugins/healthy";
const std::string kPlugin = kPluginDir + "/libLiteRtCompilerPlugin_Mimic.so";

class OneWay : public ::testing::TestWithParam<const char*> {
 protected:
  // The folder is this test's own and goes with it.
  void SetUp() override {
    folder_ = fmt::format("{}/npukit_one_way_{}", ::testing::TempDir(), getpid());
    std::filesystem::create_directories(folder_);
    auto network = BuildNetwork(GetParam());
    ASSERT_TRUE(network) << network.Error().Message();
    ASSERT_TRUE(SaveModel(**network, folder_ + "/model.tflite"));
    auto model = LoadModel(folder_ + "/model.tflite");
    ASSERT_TRUE(model) << model.Error().Message();
    model_ = std::move(*model);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string ByApply() const {
    const std::string out = folder_ + "/compiled.tflite";
    const std::string command =
        fmt::format("{}/bin/npukit apply {}/model.tflite -o {} --plugin-dir {} >/dev/null", kBuild,
                    folder_, out, kPluginDir);
    EXPECT_EQ(std::system(command.c_str()), 0) << command;
    const auto bytes = ReadTextFile(out);
    return bytes ? *bytes : std::string();
  }
  std::string ByJit() const {
    auto compiled = CompileInMemory(*model_, {.plugin_dir = kPluginDir});
    EXPECT_EQ(compiled.fallback, Fallback::kNone) << compiled.reason;
    if (compiled.applied.model == nullptr) return {};
    return Text(SerializeModel(*compiled.applied.model));
  }
  std::string ByKit() const {
    auto plugin = LoadedPlugin::Load(kPlugin);
    EXPECT_TRUE(plugin) << (plugin ? "" : plugin.Error().Message());
    return plugin ? Text(CompileToFile(*model_, *plugin, ApplyOptionsFor({}, Cut::kAsUsers)))
                  : std::string();
  }

 private:
  static std::string Text(const litert::Expected<std::vector<uint8_t>>& bytes) {
    EXPECT_TRUE(bytes) << (bytes ? "" : bytes.Error().Message());
    return bytes ? std::string(bytes->begin(), bytes->end()) : std::string();
  }

  std::string folder_;
  std::unique_ptr<Model> model_;
};

TEST_P(OneWay, ApplyJitAndTheKitMakeTheSameBytes) {
  const std::string applied = ByApply();
  ASSERT_GT(applied.size(), 0u);
  EXPECT_TRUE(ByJit() == applied);
  EXPECT_TRUE(ByKit() == applied);
}

INSTANTIATE_TEST_SUITE_P(Networks, OneWay,
                         ::testing::Values("elementwise_float32", "autoencoder_int8",
                                           "transformer_int8"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace npukit::conformance
