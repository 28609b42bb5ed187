// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Language models whose embeddings, masks, angles and caches are the work of signatures of their own.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sdk/host/model/samples/language_model.h"
#include "sdk/host/session/session.h"
#include "sdk/tools/language/language_signatures.h"
#include "sdk/tools/language/testing/speaker.h"

namespace npukit::tools {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class SplitSamples : public testing::TestWithParam<std::string> {
 protected:
  static LanguageModelShape Shape() {
    LanguageModelShape shape = *FindLanguageModel(GetParam());
    shape.style = LanguageStyle::kSplit;
    return shape;
  }
  // Logits lie 4 apart.
  static double MostGap() {
    switch (Shape().recipe) {
      case LanguageRecipe::kFloat:
        return 1e-4;
      case LanguageRecipe::kDynamicInt8:  // an activation that is rounded the other way
        return 0.5;
      case LanguageRecipe::kInt16ByInt8:
        return 0.05;
      default:  // an int8 logit has a step of 0.14, and what is mixed one of 0.03
        return 3.0;
    }
  }
};

double LargestGap(const std::vector<float>& a, const std::vector<float>& b) {
  EXPECT_EQ(a.size(), b.size());
  double largest = 0;
  for (size_t i = 0; i < std::min(a.size(), b.size()); ++i)
    largest = std::max(largest, std::fabs(double{a[i]} - double{b[i]}));
  return largest;
}

// Caches and new rows are attended to by a product each, whose results are rounded and added: of integers the last steps
// differ, by where a token stood when it was read and from what one product gives.
TEST_P(SplitSamples, SayWhatTheWholeModelSays) {
  LanguageModelShape whole = Shape();
  whole.style = LanguageStyle::kClassic;
  Speaker of_whole = Open(whole);
  Speaker of_parts = Open(Shape());
  Speaker by_decode = Open(Shape());
  const std::vector<int32_t> prompt = Prompt(64 + 8 + 5 + 1);
  const std::vector<float> expected = LogitsAfter(of_whole, prompt, true);
  const std::vector<float> logits = LogitsAfter(of_parts, prompt, true);
  EXPECT_EQ(of_parts.generator->runs()[0].runs, 1);  // prefill_64
  EXPECT_EQ(of_parts.generator->runs()[1].runs, 2);  // prefill_8
  EXPECT_LT(LargestGap(logits, expected), MostGap());
  EXPECT_LT(LargestGap(logits, LogitsAfter(by_decode, prompt, false)), MostGap());
  EXPECT_EQ(of_parts.generator->copied_bytes(), 0u);
}

INSTANTIATE_TEST_SUITE_P(All, SplitSamples, testing::ValuesIn(SampleNames()),
                         [](const auto& info) { return info.param; });

std::unique_ptr<Model> SplitModel() {
  LanguageModelShape shape = *FindLanguageModel("toy_llama_float");
  shape.layers = 1;
  shape.prefill = {8};
  shape.style = LanguageStyle::kSplit;
  auto model = BuildLanguageModel(shape);
  EXPECT_TRUE(model) << model.Error().Message();
  return std::move(*model);
}

Signature& SignatureOf(Model& model, const std::string& key) {
  for (const auto& signature : model.signatures) {
    if (signature->key == key) return *signature;
  }
  ADD_FAILURE() << key;
  return *model.signatures.front();
}

TEST(LanguageSignatures, OfASplitModelAreAllThere) {
  auto model = SplitModel();
  const auto found = FindLanguageSignatures(*model);
  ASSERT_TRUE(found) << found.Error().Message();
  EXPECT_THAT(found->decode.before, ElementsAre("decode_embedder", "decode_mask", "decode_rope"));
  EXPECT_THAT(found->decode.after, ElementsAre("decode_cache_update"));
  ASSERT_EQ(found->prefill.size(), 1u);
  EXPECT_THAT(found->prefill[0].after, ElementsAre("prefill_cache_update_8"));
  EXPECT_THAT(found->caches, ElementsAre("kv_cache_k_0", "kv_cache_v_0"));
  EXPECT_EQ(found->context, 128);
  SignatureOf(*model, "decode_rope").key = "rope";
  EXPECT_THAT(WhyNot(FindLanguageSignatures(*model)),
              HasSubstr("'decode' takes embeddings, and there is no signature 'decode_rope'"));
}

TEST(LanguageSignatures, OfASplitModelFitEachOther) {
  auto model = SplitModel();
  SignatureOf(*model, "decode_mask").outputs[0].name = "mask";
  EXPECT_THAT(WhyNot(FindLanguageSignatures(*model)),
              HasSubstr("nothing makes the input 'mask_global' of signature 'decode'"));
  model = SplitModel();
  SignatureOf(*model, "decode_rope").outputs[0].tensor->shape = {1, 1, 32, 1};
  EXPECT_THAT(WhyNot(FindLanguageSignatures(*model)), HasSubstr("another type or shape"));
}

// What stands at a place below 0 is no token: nobody sees it.
TEST(SplitModels, HidePadding) {
  auto session = Session::Create(SplitModel(), {});
  ASSERT_TRUE(session) << session.Error().Message();
  auto runner = (*session)->Runner("prefill_mask_8");
  ASSERT_TRUE(runner) << runner.Error().Message();
  const int32_t first = 2;
  const std::vector<int32_t> tokens = {5, 6, -1, 7, 8, 9, 1, 2};
  std::memcpy((*runner)->input(0).data(), &first, sizeof(first));
  std::memcpy((*runner)->input(1).data(), tokens.data(), tokens.size() * sizeof(int32_t));
  ASSERT_TRUE((*runner)->Run());
  std::vector<float> mask((*runner)->output(0).size() / sizeof(float));
  std::memcpy(mask.data(), (*runner)->output(0).data(), (*runner)->output(0).size());
  const size_t columns = 128 + 8;
  ASSERT_EQ(mask.size(), 8 * columns);
  const auto seen = [&](size_t row, size_t column) { return mask[row * columns + column] == 0; };
  for (size_t row = 0; row < 8; ++row) {
    EXPECT_TRUE(seen(row, 0) && seen(row, 1)) << "the cache, row " << row;
    EXPECT_FALSE(seen(row, 2)) << "behind the cache";
    for (size_t column = 0; column < 8; ++column)
      EXPECT_EQ(seen(row, 128 + column), column <= row && column != 2) << row << " " << column;
  }
}

}  // namespace
}  // namespace npukit::tools
