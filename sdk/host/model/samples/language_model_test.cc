// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/model/samples/language_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>

#include "sdk/host/model/reading/model_reader.h"
#include "sdk/host/model/writing/model_writer.h"

namespace npukit {
namespace {

std::unique_ptr<Model> Built(const LanguageModelShape& shape) {
  auto model = BuildLanguageModel(shape);
  EXPECT_TRUE(model) << model.Error().Message();
  return model ? std::move(*model) : nullptr;
}

std::vector<uint8_t> Serialized(const Model& model) {
  auto bytes = SerializeModel(model);
  EXPECT_TRUE(bytes) << bytes.Error().Message();
  return bytes ? std::move(*bytes) : std::vector<uint8_t>();
}

std::vector<std::string> Names(const auto& ports) {
  std::vector<std::string> names;
  for (const auto& port : ports) names.push_back(port.name);
  return names;
}

class Samples : public testing::TestWithParam<std::string> {};

TEST_P(Samples, HaveSignaturesOverOneCopyOfTheWeights) {
  const auto shape = FindLanguageModel(GetParam());
  ASSERT_TRUE(shape.has_value());
  const std::unique_ptr<Model> model = Built(*shape);
  ASSERT_NE(model, nullptr);
  const std::vector<uint8_t> file = Serialized(*model);
  EXPECT_GT(file.size(), 400'000u);
  EXPECT_LT(file.size(), 4'000'000u);
  auto read = ParseModel(SharedBytes::Copy(file));
  ASSERT_TRUE(read) << read.Error().Message();

  ASSERT_EQ((*read)->signatures.size(), 3u);
  std::map<std::string, BufferStore::Id> buffers;
  const std::vector<std::string> keys = {"prefill_8", "prefill_64", "decode"};
  for (size_t i = 0; i < keys.size(); ++i) {
    const Signature& signature = *(*read)->signatures[i];
    EXPECT_EQ(signature.key, keys[i]);
    const std::vector<std::string> caches = {"kv_cache_k_0", "kv_cache_v_0", "kv_cache_k_1",
                                             "kv_cache_v_1", "kv_cache_k_2", "kv_cache_v_2"};
    std::vector<std::string> inputs = {"tokens", "input_pos"};
    inputs.insert(inputs.end(), caches.begin(), caches.end());
    std::vector<std::string> outputs = caches;
    if (signature.key == "decode") outputs.emplace_back("logits");
    EXPECT_EQ(Names(signature.inputs), inputs);
    EXPECT_EQ(Names(signature.outputs), outputs);
    for (const auto& tensor : signature.subgraph->tensors()) {
      if (!tensor->is_constant()) continue;
      const auto [known, is_new] = buffers.emplace(tensor->name, tensor->weights.buffer_id);
      EXPECT_EQ(known->second, tensor->weights.buffer_id) << tensor->name;
    }
  }
  EXPECT_TRUE(buffers.contains("layer_1/feed_forward/down/weights"));
}

INSTANTIATE_TEST_SUITE_P(
    All, Samples,
    [] {
      std::vector<std::string> names;
      for (const auto& sample : LanguageModelNames()) names.push_back(sample.name);
      return testing::ValuesIn(names);
    }(),
    [](const auto& test) { return test.param; });

TEST(LanguageModel, IsTheSameEachTimeAndAnotherForAnotherSeed) {
  LanguageModelShape shape;
  const std::vector<uint8_t> first = Serialized(*Built(shape));
  EXPECT_EQ(first, Serialized(*Built(shape)));
  shape.seed = 2;
  EXPECT_NE(first, Serialized(*Built(shape)));
}

TEST(LanguageModel, GrowsByWeightsAndNotBySignatures) {
  LanguageModelShape shape;
  shape.width = 512;
  shape.hidden = 2048;
  const size_t three = Serialized(*Built(shape)).size();
  shape.prefill.clear();
  const size_t one = Serialized(*Built(shape)).size();
  EXPECT_LT(three, one * 115 / 100);
}

TEST(LanguageModel, TakesWidths) {
  LanguageModelShape shape{.layers = 1,
                           .width = 48,
                           .heads = 6,
                           .kv_heads = 1,
                           .head_dim = 10,
                           .hidden = 20,
                           .vocabulary = 33,
                           .context = 12,
                           .window = 3,
                           .prefill = {5},
                           .prefill_logits = true};
  const auto model = Built(shape);
  ASSERT_NE(model, nullptr);
  const Signature& prefill = *model->signatures[0];
  EXPECT_EQ(prefill.key, "prefill_5");
  EXPECT_EQ(prefill.inputs[2].tensor->shape, (std::vector<int32_t>{1, 1, 12, 10}));
  EXPECT_EQ(prefill.inputs[3].tensor->shape, (std::vector<int32_t>{1, 1, 10, 12}));
  EXPECT_EQ(prefill.outputs.back().tensor->shape, (std::vector<int32_t>{1, 5, 33}));
}

TEST(LanguageModel, NamesTheWidthThatCannotBe) {
  const auto error = [](auto change) {
    LanguageModelShape shape;
    change(shape);
    const auto model = BuildLanguageModel(shape);
    return model ? std::string() : model.Error().Message();
  };
  using testing::HasSubstr;
  using Shape = LanguageModelShape;
  EXPECT_THAT(error([](Shape& s) { s.kv_heads = 3; }), HasSubstr("3 kv_heads among 4 heads"));
  EXPECT_THAT(error([](Shape& s) { s.head_dim = 31; }), HasSubstr("head_dim of 31"));
  EXPECT_THAT(error([](Shape& s) { s.layers = 0; }), HasSubstr("layers 0"));
  EXPECT_THAT(error([](Shape& s) { s.prefill = {8, 200}; }), HasSubstr("context of 128: 8, 200"));
  EXPECT_THAT(error([](Shape& s) { s.prefill = {8, 8}; }), HasSubstr("ascending"));
  EXPECT_FALSE(FindLanguageModel("toy_gemma_int7").has_value());
  EXPECT_FALSE(FindLanguageRecipe("int7"));
}

}  // namespace
}  // namespace npukit
