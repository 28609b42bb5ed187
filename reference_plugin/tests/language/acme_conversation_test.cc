// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// `npukit generate --compare` with AcmeCorp: conversations that fill a context, whole models and split ones.

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <tuple>

#include "reference_plugin/tests/acme_plugin.h"
#include "sdk/host/model/samples/language_model.h"
#include "sdk/host/model/writing/model_writer.h"
#include "tests/support/temporary_folder.h"

namespace npukit {
namespace {

struct Conversation {
  LanguageFamily family;
  LanguageRecipe recipe;
  LanguageStyle style;
};

constexpr int kContext = 160;  // more than the shortest that AcmeCorp has programs for
constexpr int kTokens = 140;

std::string NameOf(const Conversation& test) {
  const char* const families[] = {"gemma", "llama", "qwen"};
  const char* const recipes[] = {"float", "dynamic_int8", "dynamic_int4", "int8", "int4", "a16w8"};
  return std::string(families[static_cast<int>(test.family)]) + "_" +
         recipes[static_cast<int>(test.recipe)] +
         (test.style == LanguageStyle::kSplit ? "_split" : "");
}

class AcmeConversation
    : public testing::TestWithParam<std::tuple<LanguageFamily, LanguageRecipe, LanguageStyle>> {
 public:
  static Conversation Of(const ParamType& param) {
    const auto& [family, recipe, style] = param;
    return {family, recipe, style};
  }
  static std::string Name(const testing::TestParamInfo<ParamType>& info) {
    return NameOf(Of(info.param));
  }
};

// Integers give the CPU's logits, and so its tokens. Of float32 the order of sums differs; where activations are rounded at
// run time that may choose another token now and then.
TEST_P(AcmeConversation, SaysWhatTheCpuSays) {
  const Conversation test = Of(GetParam());
  LanguageModelShape shape{
      .style = test.style, .family = test.family, .recipe = test.recipe, .context = kContext};
  auto model = BuildLanguageModel(shape);
  ASSERT_TRUE(model) << model.Error().Message();
  const TemporaryFolder folder;
  const std::string stem = folder.path() + "/model";
  ASSERT_TRUE(SaveModel(**model, stem + ".tflite"));
  const std::string command = fmt::format(
      "{}/bin/npukit-generate {}.tflite --plugin-dir {} --jit --require-npu=100 --compare --json "
      "--prompt '3 1 4 1 5 9 2 6 5 3 5 8 9 7 9 3' --tokens {} >{}.json",
      NPUKIT_BUILD_DIR, stem, kPluginDir, kTokens, stem);
  const int status = std::system(command.c_str());
  ASSERT_TRUE(WIFEXITED(status));
  ASSERT_LE(WEXITSTATUS(status), 1);
  std::ifstream file(stem + ".json");
  const nlohmann::json report = nlohmann::json::parse(file);
  const nlohmann::json& compare = report["compare"];
  EXPECT_EQ(report["cache_bytes_copied_per_step"], 0);
  EXPECT_EQ(compare["tokens"], kTokens);
  switch (test.recipe) {
    case LanguageRecipe::kInt8:
    case LanguageRecipe::kInt4:
    case LanguageRecipe::kInt16ByInt8:
      EXPECT_EQ(compare["equal_logits"], kTokens);
      EXPECT_EQ(WEXITSTATUS(status), 0);
      break;
    case LanguageRecipe::kFloat:
      EXPECT_EQ(compare["equal_tokens"], kTokens);
      EXPECT_LT(compare["largest_logit_difference"], 1e-4);
      break;
    default:
      EXPECT_GE(compare["equal_tokens"], kTokens * 95 / 100);
      EXPECT_LT(compare["largest_logit_difference"], 0.5);
      break;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Language, AcmeConversation,
    testing::Combine(testing::Values(LanguageFamily::kGemma, LanguageFamily::kLlama,
                                     LanguageFamily::kQwen),
                     testing::Values(LanguageRecipe::kFloat, LanguageRecipe::kDynamicInt8,
                                     LanguageRecipe::kDynamicInt4, LanguageRecipe::kInt8,
                                     LanguageRecipe::kInt4, LanguageRecipe::kInt16ByInt8),
                     testing::Values(LanguageStyle::kClassic, LanguageStyle::kSplit)),
    AcmeConversation::Name);

}  // namespace
}  // namespace npukit
