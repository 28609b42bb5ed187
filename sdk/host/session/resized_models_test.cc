// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Resizing on real models: a batch of the golden inputs gives the golden outputs, one after the
// other. A model that writes its batch into a constant refuses, by the name of the op that does.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "sdk/host/model/graph/model_builder.h"
#include "sdk/host/model/reading/model_reader.h"
#include "sdk/host/runtime/testing/floats.h"
#include "sdk/host/runtime/testing/goldens.h"
#include "sdk/host/session/session.h"

namespace npukit {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Which op has the batch, or the first dimension, in a constant.
const std::map<std::string, std::string>& Fixed() {
  static const std::map<std::string, std::string> models = {
      {"attn_vec_einsum", "RESHAPE (op 0)"},
      {"island_partial", "MUL (op 1)"},
      {"mobilenet_v1_0.25_128_quant", "RESHAPE (op 29)"},
      {"mobilenet_v1_0.5_160_quant", "RESHAPE (op 29)"},

      {"tf2_mobilenet_v2_1.0_224_ptq", "RESHAPE"},
      {"v_einsum", "RESHAPE (op 0)"},
  };
  return models;
}

// The first dimension is not a batch: sqrt_mean_mul_ops takes a mean over it. rope's operators are
// to come.
bool IsOfOnePiece(const std::string& model) {
  return model == "sqrt_mean_mul_ops" || model == "rope";
}

// By model, the entries of its seeds.
std::map<std::string, std::vector<Json>> Goldens() {
  std::map<std::string, std::vector<Json>> models;
  for (const Json& entry : Manifest()) {
    const auto name = entry["model"].get<std::string>();
    if (entry.contains("inputs") && !IsOfOnePiece(name)) models[name].push_back(entry);
  }
  return models;
}

std::vector<uint8_t> Stacked(const std::vector<Json>& entries, const char* ports, size_t index) {
  std::vector<uint8_t> bytes;
  for (const Json& entry : entries) {
    const std::vector<uint8_t> one = ReadGolden(entry[ports][index]);
    bytes.insert(bytes.end(), one.begin(), one.end());
  }
  return bytes;
}

// Each part of a float output must be what the model gives for that part alone: an element's sum
// does not depend on the batch.
void CheckFloats(const std::string& path, const std::vector<Json>& entries, size_t port,
                 const std::vector<float>& batch) {
  size_t at = 0;
  for (const Json& entry : entries) {
    std::vector<ResizeRequest> resizes;
    auto model = LoadModel(path);
    ASSERT_TRUE(model) << model.Error();
    for (size_t i = 0; i < entry["inputs"].size(); ++i) {
      resizes.push_back({(*model)->main_subgraph().inputs[i]->name,
                         entry["inputs"][i]["shape"].get<std::vector<int32_t>>()});
    }
    auto session = Session::Create(std::move(*model), {.resizes = resizes});
    ASSERT_TRUE(session) << session.Error();
    SignatureRunner& alone = (*session)->default_runner();
    for (size_t i = 0; i < alone.inputs().size(); ++i)
      ASSERT_TRUE(alone.SetInput(i, ReadGolden(entry["inputs"][i])));
    ASSERT_TRUE(alone.Run());
    for (float value : Floats(alone.output(port))) {
      ASSERT_LT(at, batch.size());
      ASSERT_EQ(value, batch[at]) << "element " << at;
      ++at;
    }
  }
  EXPECT_EQ(at, batch.size());
}

TEST(ResizedModels, ABatchOfGoldenInputsGivesTheGoldenOutputs) {
  const auto goldens = Goldens();
  if (goldens.empty()) GTEST_SKIP() << kShared << " is absent: real models are not resized";
  for (const auto& [name, entries] : goldens) {
    SCOPED_TRACE(name);
    const std::string path = (kShared / "models" / (name + ".tflite")).string();
    auto model = LoadModel(path);
    ASSERT_TRUE(model) << model.Error();
    std::vector<ResizeRequest> resizes;
    for (size_t i = 0; i < entries[0]["inputs"].size(); ++i) {
      auto shape = entries[0]["inputs"][i]["shape"].get<std::vector<int32_t>>();
      shape[0] *= static_cast<int32_t>(entries.size());
      resizes.push_back({(*model)->main_subgraph().inputs[i]->name, shape});
    }
    auto session = Session::Create(std::move(*model), {.resizes = resizes});
    if (const auto fixed = Fixed().find(name); fixed != Fixed().end()) {
      ASSERT_FALSE(session);
      EXPECT_THAT(session.Error().Message(), HasSubstr(fixed->second));
      continue;
    }
    ASSERT_TRUE(session) << session.Error();
    SignatureRunner& runner = (*session)->default_runner();
    for (size_t i = 0; i < runner.inputs().size(); ++i) {
      const auto set = runner.SetInput(i, Stacked(entries, "inputs", i));
      ASSERT_TRUE(set) << set.Error();
    }
    ASSERT_TRUE(runner.Run());
    for (size_t i = 0; i < runner.outputs().size(); ++i) {
      if (runner.outputs()[i].element_type == kLiteRtElementTypeFloat32) {
        CheckFloats(path, entries, i, Floats(runner.output(i)));
      } else {
        const auto output = runner.output(i);
        EXPECT_EQ(std::vector<uint8_t>(output.begin(), output.end()),
                  Stacked(entries, "outputs", i));
      }
    }
  }
}

// Another size of image, not only of the batch: everything behind follows, up to the op that
// cannot.
TEST(ResizedModels, AnotherImageSize) {
  const std::filesystem::path path = kShared / "models" / "vww_96_int8.tflite";
  if (!std::filesystem::exists(path)) GTEST_SKIP() << path << " is absent";
  auto model = LoadModel(path.string());
  ASSERT_TRUE(model) << model.Error();
  const std::string input = (*model)->main_subgraph().inputs[0]->name;
  auto refused = Session::Create(std::move(*model), {.resizes = {{input, {1, 96, 96, 4}}}});
  ASSERT_FALSE(refused) << "its first filters cover three colours";
  EXPECT_THAT(refused.Error().Message(), HasSubstr("CONV_2D (op "));
  // The last pool covers 3 x 3, and 2 x 2 are left: like TFLite, it gives nothing.
  auto nothing = Session::Open(path.string(), {.resizes = {{input, {1, 64, 64, 3}}}});
  ASSERT_TRUE(nothing) << nothing.Error();
  ASSERT_TRUE((*nothing)->default_runner().Run());
  EXPECT_TRUE((*nothing)->default_runner().output(0).empty());
  auto same_pool = Session::Open(path.string(), {.resizes = {{input, {1, 90, 70, 3}}}});
  ASSERT_TRUE(same_pool) << same_pool.Error();
  EXPECT_TRUE((*same_pool)->default_runner().Run());
}

// Two signatures over subgraphs of their own, which share an input's name.
TEST(ResizedModels, EverySignatureIsResized) {
  ModelBuilder b;
  Tensor* x = b.Input("x", kLiteRtElementTypeFloat32, {1, 2});
  Tensor* y = b.Value("y", kLiteRtElementTypeFloat32, {1, 2});
  b.AddOp(kLiteRtOpCodeTflAdd, AddOptions{}, {x, x}, {y});
  b.Output(y);
  b.AddSignature("twice");
  b.BeginSubgraph("other");
  Tensor* a = b.Input("x", kLiteRtElementTypeFloat32, {1, 2});
  Tensor* c = b.Value("c", kLiteRtElementTypeFloat32, {1, 2});
  b.AddOp(kLiteRtOpCodeTflMul, MulOptions{}, {a, a}, {c});
  b.Output(c);
  b.AddSignature("squared");
  auto model = b.Build();
  ASSERT_TRUE(model) << model.Error();
  auto session = Session::Create(std::move(*model), {.resizes = {{"x", {2, 1}}}});
  ASSERT_TRUE(session) << session.Error();
  EXPECT_THAT((*session)->signature_keys(), ElementsAre("twice", "squared"));
  const float input[2] = {3, 5};
  const std::map<std::string, std::vector<float>> expected = {{"twice", {6, 10}},
                                                              {"squared", {9, 25}}};
  for (const auto& [key, values] : expected) {
    auto runner = (*session)->Runner(key);
    ASSERT_TRUE(runner) << runner.Error();
    EXPECT_THAT((*runner)->outputs()[0].shape, ElementsAre(2, 1));
    ASSERT_TRUE((*runner)->SetInput(0, {reinterpret_cast<const uint8_t*>(input), sizeof(input)}));
    ASSERT_TRUE((*runner)->Run());
    EXPECT_EQ(Floats((*runner)->output(0)), values);
  }
  auto unknown = (*session)->Runner("thrice");
  ASSERT_FALSE(unknown);
  EXPECT_THAT(unknown.Error().Message(), AllOf(HasSubstr("'thrice'"), HasSubstr("'squared'")));
}

}  // namespace
}  // namespace npukit
