// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Compiled at load: AcmeCorp of abi 2.2 hands its dispatch library an executable, of abi 2.1
// bytecode.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "sdk/host/model/graph/model_builder.h"
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
  const Ran of_executable = RunJit(NPUKIT_BUILD_DIR "/lib-abi2.2");
  EXPECT_GT(of_executable.partitions, 0u);
  EXPECT_EQ(of_executable.executables, of_executable.partitions);
  EXPECT_EQ(of_executable.output, of_bytecode.output);
}

TEST(AcmeJit, TheExecutableIsFreedWithWhatWasCompiled) {
  std::weak_ptr<void> owner;
  {
    auto compiled = CompileInMemory(*SmallModel(), {.plugin_dir = NPUKIT_BUILD_DIR "/lib-abi2.2"});
    ASSERT_TRUE(compiled) << compiled.Error().Message();
    ASSERT_EQ(compiled->applied.executable_owners.size(), 1u);
    ASSERT_NE(compiled->applied.modules.at(0).executable, nullptr);
    owner = compiled->applied.executable_owners[0];
    EXPECT_FALSE(owner.expired());
  }
  EXPECT_TRUE(owner.expired());
}

}  // namespace
}  // namespace npukit
