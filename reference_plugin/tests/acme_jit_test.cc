// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Compiled at load: AcmeCorp of abi 2.2 hands its dispatch library an executable, of abi 2.1
// bytecode. Compiled ahead of time it gives bytecode alone.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "litert/c/litert_opaque_options.h"
#include "litert/c/litert_options.h"
#include "sdk/host/model/graph/model_builder.h"
#include "sdk/host/placement/apply.h"
#include "sdk/host/plugin/loaded_plugin.h"
#include "sdk/host/runtime/diagnostics/random_inputs.h"
#include "sdk/host/session/jit.h"
#include "sdk/host/session/session.h"

namespace npukit {
namespace {

std::unique_ptr<Model> SmallModel() {
  ModelBuilder b;
  const auto type = kLiteRtElementTypeFloat32;
  Tensor* x = b.Input("x", type, {2, 64});
  Tensor* a = b.Value("a", type, {2, 64});
  Tensor* c = b.Value("c", type, {2, 64});
  b.AddOp(kLiteRtOpCodeTflAdd, {x, x}, {a});
  b.AddOp(kLiteRtOpCodeTflMul, {a, x}, {c});
  b.Output(c);
  auto model = b.Build();
  EXPECT_TRUE(model) << model.Error().Message();
  return std::move(*model);
}

struct Ran {
  size_t partitions = 0;
  size_t executables = 0;
  std::vector<uint8_t> output;
};

Ran RunJit(const std::string& plugin_dir) {
  auto session = Session::Create(SmallModel(), {.plugin_dir = plugin_dir, .jit = true});
  if (!session) {
    ADD_FAILURE() << session.Error().Message();
    return {};
  }
  SignatureRunner& runner = (*session)->default_runner();
  FillRandomInputs(runner, 1);
  const auto run = runner.Run();
  EXPECT_TRUE(run) << run.Error().Message();
  const auto output = runner.output(0);
  return {(*session)->placement().partitions,
          (*session)->executables_in_use(),
          {output.begin(), output.end()}};
}

TEST(AcmeJit, TheExecutableRunsInPlaceOfTheBytecode) {
  const Ran of_bytecode = RunJit(NPUKIT_BUILD_DIR "/lib");
  EXPECT_EQ(of_bytecode.executables, 0u);
  for (const char* folder : {"/lib-abi2.2", "/lib-abi2.3"}) {
    const Ran of_executable = RunJit(std::string(NPUKIT_BUILD_DIR) + folder);
    EXPECT_GT(of_executable.partitions, 0u) << folder;
    EXPECT_EQ(of_executable.executables, of_executable.partitions) << folder;
    EXPECT_EQ(of_executable.output, of_bytecode.output) << folder;
  }
}

// What a plugin of abi 2.2, created with these options (TOML), gives for a file or for this process.
struct Given {
  size_t bytes = 0;
  bool has_executable = false;
};
Given Compile(const std::string& toml, bool just_in_time) {
  LiteRtOptions options = nullptr;
  LiteRtOpaqueOptions opaque = nullptr;
  std::string payload = toml;
  EXPECT_EQ(LiteRtCreateOptions(&options), kLiteRtStatusOk);
  EXPECT_EQ(LiteRtCreateOpaqueOptions(
                "acmecorp", payload.data(), [](void*) {}, &opaque),
            kLiteRtStatusOk);
  EXPECT_EQ(LiteRtAddOpaqueOptions(options, opaque), kLiteRtStatusOk);
  Given given;
  {
    const auto plugin = LoadedPlugin::Load(
        NPUKIT_BUILD_DIR "/lib-abi2.2/libLiteRtCompilerPlugin_AcmeCorp.so", nullptr, options);
    const LoadedPlugin* const plugins[] = {plugin ? &*plugin : nullptr};
    auto applied = plugin ? ApplyPlugins(*SmallModel(), plugins, {.just_in_time = just_in_time})
                          : litert::Expected<ApplyResult>(litert::Unexpected(plugin.Error()));
    if (applied && applied->modules.size() == 1) {
      given = {applied->modules[0].size_bytes, applied->modules[0].executable != nullptr};
    } else {
      ADD_FAILURE() << (applied ? "no module" : applied.Error().Message());
    }
  }
  LiteRtDestroyOptions(options);
  return given;
}

TEST(AcmeJit, AnExecutableIsGivenOnlyWhereItIsAskedFor) {
  const struct {
    const char* toml;
    bool just_in_time;
    bool has_executable;
  } cases[] = {
      {"", false, false},
      {"", true, true},
      {"enable_just_in_time = true\n", false, true},  // as LiteRT's hosts ask
      {"enable_just_in_time = false\n", false, false},
      {"enable_just_in_time = false\n", true, false},
  };
  for (const auto& c : cases) {
    const Given given = Compile(c.toml, c.just_in_time);
    EXPECT_EQ(given.has_executable, c.has_executable) << c.toml << c.just_in_time;
    EXPECT_GT(given.bytes, 0u) << c.toml << c.just_in_time;
  }
}

TEST(AcmeJit, TheExecutableIsFreedWithWhatWasCompiled) {
  std::weak_ptr<void> owner;
  {
    const JitResult compiled =
        CompileInMemory(*SmallModel(), {.plugin_dir = NPUKIT_BUILD_DIR "/lib-abi2.2"});
    ASSERT_EQ(compiled.reason, "");
    ASSERT_EQ(compiled.applied.executable_owners.size(), 1u);
    ASSERT_NE(compiled.applied.modules.at(0).executable, nullptr);
    owner = compiled.applied.executable_owners[0];
    EXPECT_FALSE(owner.expired());
  }
  EXPECT_TRUE(owner.expired());
}

}  // namespace
}  // namespace npukit
