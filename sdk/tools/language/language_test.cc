// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The project's language models, run token by token on the CPU.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "sdk/host/model/graph/model_builder.h"
#include "sdk/host/model/samples/language_model.h"
#include "sdk/host/session/session.h"
#include "sdk/tools/language/generated_tokens.h"
#include "sdk/tools/language/language_flags.h"
#include "sdk/tools/language/language_signatures.h"
#include "sdk/tools/language/sampler.h"
#include "sdk/tools/language/testing/speaker.h"
#include "sdk/tools/language/token_generator.h"
#include "sdk/tools/language/token_list.h"

namespace npukit::tools {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

GeneratedTokens Say(Speaker& speaker, const GenerationOptions& options) {
  auto said = GenerateTokens(*speaker.generator, nullptr, options);
  EXPECT_TRUE(said) << said.Error().Message();
  return said ? *said : GeneratedTokens();
}

class Samples : public testing::TestWithParam<std::string> {};

// 64 + 8 + 5 of 8 tokens, more than a window; then one after another. Only int16's softmax leaves
// something of what is hidden, so that there it matters what the cache holds behind the tokens.
TEST_P(Samples, ReadAPromptByPrefillAsByDecode) {
  const LanguageModelShape shape = *FindLanguageModel(GetParam());
  const std::vector<int32_t> prompt = Prompt(64 + 8 + 5 + 1);
  Speaker by_prefill = Open(shape);
  Speaker by_decode = Open(shape);
  const std::vector<float> first = LogitsAfter(by_prefill, prompt, true);
  const std::vector<float> second = LogitsAfter(by_decode, prompt, false);
  ASSERT_EQ(first.size(), second.size());
  EXPECT_EQ(by_prefill.generator->runs()[0].runs, 1);  // prefill_64
  EXPECT_EQ(by_prefill.generator->runs()[1].runs, 2);  // prefill_8
  EXPECT_EQ(by_prefill.generator->runs()[2].runs, 1);  // decode
  if (shape.recipe != LanguageRecipe::kInt16ByInt8) {
    EXPECT_EQ(first, second);
    return;
  }
  double largest = 0;
  for (size_t i = 0; i < first.size(); ++i)
    largest = std::max(largest, std::fabs(double{first[i]} - double{second[i]}));
  EXPECT_LT(largest, 0.2);
}

TEST_P(Samples, WriteTheirCachesInPlaceAndShareThem) {
  Speaker speaker = Open(*FindLanguageModel(GetParam()));
  EXPECT_EQ(speaker.generator->copied_bytes(), 0u);
  const auto first = speaker.session->Runner("prefill_8");
  const auto last = speaker.session->Runner("decode");
  ASSERT_TRUE(first && last);
  SignatureRunner& prefill = **first;
  SignatureRunner& decode = **last;
  for (size_t i = 0; i < 6; ++i) {
    EXPECT_EQ(prefill.input(i + 2).data(), decode.input(i + 2).data());
    EXPECT_EQ(decode.output(i).data(), decode.input(i + 2).data());
  }
}

TEST_P(Samples, SayDifferentThingsToDifferentPromptsAndTheSameToTheSame) {
  Speaker speaker = Open(*FindLanguageModel(GetParam()));
  GenerationOptions options{.prompt = {1, 2, 3}, .tokens = 24};
  const auto first = Say(speaker, options).tokens;
  speaker.generator->Reset();
  EXPECT_EQ(Say(speaker, options).tokens, first);
  speaker.generator->Reset();
  options.prompt = {3, 2, 1};
  EXPECT_NE(Say(speaker, options).tokens, first);
  // Not one token for ever.
  EXPECT_GT(std::set<int32_t>(first.begin(), first.end()).size(), 4u);
}

INSTANTIATE_TEST_SUITE_P(All, Samples, testing::ValuesIn(SampleNames()),
                         [](const auto& test) { return test.param; });

TEST(TokenGenerator, GoesToTheLastPositionAndNoFurther) {
  LanguageModelShape shape;
  shape.layers = 1;
  shape.context = 20;
  shape.prefill = {8};
  Speaker speaker = Open(shape);
  ASSERT_TRUE(speaker.generator->Prefill(Prompt(19)));
  // The last five would fill a chunk that ends behind the context, at 24: they go one by one.
  EXPECT_EQ(speaker.generator->runs()[0].runs, 2);
  EXPECT_EQ(speaker.generator->runs()[1].runs, 3);
  EXPECT_TRUE(speaker.generator->Decode(1));
  const auto full = speaker.generator->Decode(1);
  ASSERT_FALSE(full);
  EXPECT_THAT(full.Error().Message(), HasSubstr("context is full: 20 of its 20"));
  speaker.generator->Reset();
  EXPECT_TRUE(speaker.generator->Decode(511));
  EXPECT_THAT(WhyNot(speaker.generator->Decode(512)), HasSubstr("vocabulary of 512"));
  EXPECT_THAT(
      WhyNot(GenerateTokens(*speaker.generator, nullptr, {.prompt = Prompt(10), .tokens = 12})),
      HasSubstr("20 positions, 21 are needed"));
}

TEST(GenerateTokens, EndsWithTheEndToken) {
  LanguageModelShape shape;
  shape.layers = 1;
  Speaker speaker = Open(shape);
  GenerationOptions options{.prompt = {1, 2, 3}, .tokens = 30};
  const std::vector<int32_t> all = Say(speaker, options).tokens;
  ASSERT_EQ(all.size(), 30u);
  speaker.generator->Reset();
  options.end = all[7];
  const std::vector<int32_t> some = Say(speaker, options).tokens;
  const auto first = std::find(all.begin(), all.end(), all[7]);
  EXPECT_EQ(some, std::vector<int32_t>(all.begin(), first + 1));
}

TEST(GenerateTokens, ComparesModelsOfOneVocabularyAndEnoughContext) {
  LanguageModelShape shape;
  shape.layers = 1;
  Speaker speaker = Open(shape);
  LanguageModelShape few = shape;
  few.vocabulary = 16;
  Speaker reference = Open(few);
  const GenerationOptions options{.prompt = {1, 2, 3}, .tokens = 30};
  EXPECT_THAT(WhyNot(GenerateTokens(*speaker.generator, reference.generator.get(), options)),
              HasSubstr("has a vocabulary of 512 tokens, the one to compare with 16"));
  LanguageModelShape forgetful = shape;
  forgetful.context = 20;
  forgetful.prefill = {8};
  Speaker other = Open(forgetful);
  EXPECT_THAT(WhyNot(GenerateTokens(*speaker.generator, other.generator.get(), options)),
              HasSubstr("the model to compare with's context has 20 positions, 32 are needed"));
  EXPECT_EQ(speaker.generator->position(), 0) << "it ran before it was known";
}

TEST(TokenGenerator, ForgetsByReset) {
  LanguageModelShape shape;
  shape.layers = 2;
  Speaker used = Open(shape);
  LogitsAfter(used, Prompt(30), true);
  used.generator->Reset();
  Speaker fresh = Open(shape);
  EXPECT_EQ(LogitsAfter(used, Prompt(3), true), LogitsAfter(fresh, Prompt(3), true));
}

TEST(TokenGenerator, RunsWithoutPrefillSignatures) {
  LanguageModelShape shape;
  shape.layers = 1;
  shape.prefill.clear();
  Speaker speaker = Open(shape);
  EXPECT_TRUE(speaker.generator->Prefill(Prompt(5)));
  EXPECT_EQ(speaker.generator->position(), 5);
}

// y = x + 1 goes where x lay, but z = 2 x is computed behind it.
TEST(SharedPorts, AreCopiedWhereTheyMayNotBeOverwritten) {
  ModelBuilder b;
  Tensor* x = b.Input("x", kLiteRtElementTypeFloat32, {3});
  Tensor* y = b.Value("y", kLiteRtElementTypeFloat32, {3});
  Tensor* z = b.Value("z", kLiteRtElementTypeFloat32, {3});
  Tensor* one = b.Constant<float>("one", {1}, std::vector<float>{1});
  b.AddOp(kLiteRtOpCodeTflAdd, {x, one}, {y});
  b.AddOp(kLiteRtOpCodeTflAdd, {x, x}, {z});
  b.Output(y);
  b.Output(z);
  b.AddSignature("main");
  b.model().signatures[0]->outputs[0].name = "x";
  auto session = Session::Create(b.BuildUnchecked(), {.shared_ports = {"x"}});
  ASSERT_TRUE(session) << session.Error().Message();
  SignatureRunner& runner = (*session)->default_runner();
  EXPECT_EQ(runner.copied_port_bytes(), 12u);
  for (const float expected : {0.0f, 2.0f, 4.0f}) {
    ASSERT_TRUE(runner.Run());
    EXPECT_EQ(reinterpret_cast<const float*>(runner.output(1).data())[2], expected);
  }
  (*session)->ResetState();
  ASSERT_TRUE(runner.Run());
  EXPECT_EQ(reinterpret_cast<const float*>(runner.output(1).data())[2], 0.0f);
}

TEST(SharedPorts, MustHaveOneSize) {
  ModelBuilder b;
  for (const int32_t size : {3, 4}) {
    if (size == 4) b.BeginSubgraph("second");
    Tensor* x = b.Input("x", kLiteRtElementTypeFloat32, {size});
    Tensor* y = b.Value("y", kLiteRtElementTypeFloat32, {size});
    b.AddOp(kLiteRtOpCodeTflAdd, {x, x}, {y});
    b.Output(y);
    b.AddSignature(size == 3 ? "first" : "second");
  }
  auto session = Session::Create(b.BuildUnchecked(), {.shared_ports = {"x"}});
  ASSERT_TRUE(session) << session.Error().Message();
  const auto second = (*session)->Runner("second");
  ASSERT_FALSE(second);
  EXPECT_THAT(second.Error().Message(), HasSubstr("12 bytes"));
  EXPECT_THAT(second.Error().Message(), HasSubstr("of 16"));
}

std::string Missing(const std::function<void(Model&)>& spoil) {
  LanguageModelShape shape;
  shape.layers = 1;
  shape.prefill = {8};
  auto model = BuildLanguageModel(shape);
  spoil(**model);
  return WhyNot(FindLanguageSignatures(**model));
}

TEST(FindLanguageSignatures, SaysWhatIsMissing) {
  EXPECT_EQ(Missing([](Model&) {}), "");
  EXPECT_THAT(Missing([](Model& m) { m.signatures.clear(); }), HasSubstr("no signature 'decode'"));
  EXPECT_THAT(Missing([](Model& m) { m.signatures[1]->inputs[0].name = "x"; }),
              HasSubstr("'decode' has no input 'tokens'"));
  EXPECT_THAT(Missing([](Model& m) { m.signatures[0]->inputs[1].name = "x"; }),
              HasSubstr("'prefill_8' has no input 'input_pos'"));
  EXPECT_THAT(Missing([](Model& m) { m.signatures[1]->outputs[2].name = "x"; }),
              HasSubstr("no output 'logits'"));
  EXPECT_THAT(Missing([](Model& m) { m.signatures[1]->inputs[2].name = "mask"; }),
              HasSubstr("has the input 'mask'"));
  EXPECT_THAT(Missing([](Model& m) {
                m.signatures[1]->inputs[2].name = "cache";
                m.signatures[1]->outputs[0].name = "cache";
              }),
              HasSubstr("different caches"));
}

TEST(ParseTokens, ReadsNumbers) {
  const auto tokens = ParseTokens("--prompt", " 1 2,3\n");
  ASSERT_TRUE(tokens);
  EXPECT_THAT(*tokens, ElementsAre(1, 2, 3));
  for (const char* wrong : {"", " ,", "1 x", "-1", "1.5", "99999999999", "1 2x"})
    EXPECT_THAT(WhyNot(ParseTokens("--prompt", wrong)), HasSubstr("--prompt")) << wrong;
}

TEST(LanguageFlags, FeedForwardBlocksGrowWithTheWidth) {
  const auto hidden = [](const LanguageFlags& flags) {
    LanguageModelShape shape;
    EXPECT_TRUE(flags.ApplyTo(shape));
    return shape.hidden;
  };
  EXPECT_EQ(hidden({}), 4 * LanguageModelShape().width) << "as without a flag";
  EXPECT_EQ(hidden({.width = 512}), 2048);
  EXPECT_EQ(hidden({.width = 512, .hidden = 300}), 300);
}

TEST(Sampler, IsGreedyWithoutTemperature) {
  const Sampler sampler({});
  EXPECT_EQ(sampler.Choose(std::vector<float>{1, 3, 2, 3}, 0.9), 1);
  EXPECT_EQ(sampler.Choose(std::vector<float>{NAN, -5, NAN}, 0.9), 1);
}

TEST(Sampler, DrawsByTheLogits) {
  const Sampler sampler({.temperature = 1});
  const std::vector<float> logits = {std::log(1.0f), std::log(3.0f)};
  // The likelier token has the first three quarters.
  EXPECT_EQ(sampler.Choose(logits, 0.74), 1);
  EXPECT_EQ(sampler.Choose(logits, 0.76), 0);
  EXPECT_EQ(Sampler({.temperature = 1, .top_k = 1}).Choose(logits, 0.99), 1);
  EXPECT_EQ(sampler.Choose(std::vector<float>{0, INFINITY}, 0.99), 1);
  Sampler a({.seed = 7});
  Sampler b({.seed = 7});
  EXPECT_EQ(a.Draw(), b.Draw());
}

}  // namespace
}  // namespace npukit::tools
