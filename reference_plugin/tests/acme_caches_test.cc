// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Caches of language models that a session holds once are written where they lie.

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "reference_plugin/tests/acme_plugin.h"
#include "sdk/host/model/reading/model_reader.h"
#include "sdk/host/model/samples/language_model.h"
#include "sdk/host/model/writing/model_writer.h"
#include "sdk/host/session/session.h"

namespace npukit {
namespace {

std::unique_ptr<Model> SmallModel() {
  LanguageModelShape shape = *FindLanguageModel("toy_qwen_int8");
  shape.layers = 2;
  shape.vocabulary = 64;
  shape.context = 32;
  shape.prefill = {8};
  auto model = BuildLanguageModel(shape);
  EXPECT_TRUE(model) << model.Error().Message();
  return std::move(*model);
}

std::vector<std::string> Caches(const Model& model) {
  std::vector<std::string> names;
  for (const auto& input : model.signatures[0]->inputs) {
    if (input.name.starts_with("kv_cache")) names.push_back(input.name);
  }
  return names;
}

// What AcmeCorp compiles, from a file.
std::unique_ptr<Model> Compiled() {
  const auto plugin = LoadedPlugin::Load(kPluginDir + "/libLiteRtCompilerPlugin_AcmeCorp.so");
  EXPECT_TRUE(plugin);
  const LoadedPlugin* plugins[] = {&*plugin};
  const auto applied = ApplyPlugins(*SmallModel(), plugins, {});
  EXPECT_TRUE(applied) << applied.Error().Message();
  auto bytes = SerializeModel(*applied->model);
  EXPECT_TRUE(bytes);
  auto model = ParseModel(SharedBytes::Take(std::move(*bytes)));
  EXPECT_TRUE(model) << model.Error().Message();
  return std::move(*model);
}

void ExpectNothingCopied(std::unique_ptr<Model> model, bool jit) {
  const std::vector<std::string> caches = Caches(*model);
  ASSERT_EQ(caches.size(), 4u);
  const auto session = Session::Create(
      std::move(model), {.plugin_dir = kPluginDir, .jit = jit, .shared_ports = caches});
  ASSERT_TRUE(session) << session.Error().Message();
  for (const char* key : {"prefill_8", "decode"}) {
    const auto runner = (*session)->Runner(key);
    ASSERT_TRUE(runner) << runner.Error().Message();
    ASSERT_EQ((*runner)->steps().size(), 1u);
    EXPECT_EQ((*runner)->steps()[0].target, Target::kNpu);
    EXPECT_EQ((*runner)->copied_port_bytes(), 0u) << key;
    for (size_t i = 0; i < caches.size(); ++i)
      EXPECT_EQ((*runner)->output(i).data(), (*runner)->input(i + 2).data()) << key << " " << i;
  }
}

TEST(AcmeCaches, AreWrittenInPlaceJustInTime) { ExpectNothingCopied(SmallModel(), /*jit=*/true); }

TEST(AcmeCaches, AreWrittenInPlaceByWhatWasCompiledAhead) {
  ExpectNothingCopied(Compiled(), /*jit=*/false);
}

}  // namespace
}  // namespace npukit
