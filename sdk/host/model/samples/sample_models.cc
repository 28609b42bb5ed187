// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/model/samples/sample_models.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "sdk/host/model/graph/model_builder.h"
#include "sdk/host/model/samples/language_model.h"

namespace npukit {
namespace {

// std::mt19937's numbers are fixed by the standard, its distributions are not.
class Random {
 public:
  explicit Random(uint32_t seed) : engine_(seed) {}
  int32_t Below(int32_t limit) {
    return static_cast<int32_t>(engine_() % static_cast<uint32_t>(limit));
  }
  // In [-1, 1).
  float Signed() { return static_cast<float>(static_cast<int32_t>(engine_())) / 2147483648.0f; }

 private:
  std::mt19937 engine_;
};

std::vector<int8_t> RandomWeights(size_t count, Random& random) {
  std::vector<int8_t> weights(count);
  for (int8_t& weight : weights) weight = static_cast<int8_t>(random.Below(255) - 127);
  return weights;
}

// An int8 value in a network under construction, with its root-mean-square in real units.
struct Activation {
  Tensor* tensor = nullptr;
  float scale = 0;
  int32_t width = 0;
  float rms = 0;
};

constexpr int32_t kZeroPoint = -128;  // after RELU

// Uniform weights of `k` inputs give a sum of rms sqrt(k) * rms(weight) * rms(x); four times that
// fills the range.
Activation FullyConnected(ModelBuilder& b, const Activation& x, int32_t width, bool relu,
                          Random& random) {
  const auto k = static_cast<size_t>(x.width);
  const auto n = static_cast<size_t>(width);
  const float w_scale = 1.0f / (127.0f * std::sqrt(static_cast<float>(k) / 3.0f));
  const float rms = x.rms;  // by the choice of w_scale
  const float y_scale = rms * 4.0f / (relu ? 255.0f : 127.0f);
  const std::string name = fmt::format("{}/fc{}", x.tensor->name, width);
  Tensor* w = b.Constant<int8_t>(name + "/weights", {width, x.width}, RandomWeights(k * n, random),
                                 PerTensor(w_scale));
  std::vector<int32_t> bias(n);
  const float bias_scale = x.scale * w_scale;
  for (int32_t& value : bias)
    value = static_cast<int32_t>(std::lround(random.Signed() * 0.1f * rms / bias_scale));
  Tensor* bias_tensor = b.Constant<int32_t>(name + "/bias", {width}, bias, PerTensor(bias_scale));
  Tensor* y =
      b.Value(name, kLiteRtElementTypeInt8, {1, width}, PerTensor(y_scale, relu ? kZeroPoint : 0));
  FullyConnectedOptions options;
  if (relu) options.fused_activation_function = ActivationFunctionType::kRelu;
  b.AddOp(kLiteRtOpCodeTflFullyConnected, options, {x.tensor, w, bias_tensor}, {y}, 4);
  return {y, y_scale, width, rms};
}

// The anomaly-detection autoencoder of MLPerf Tiny in shape: ten fully connected layers around a
// bottleneck of 8.
void BuildAutoencoder(ModelBuilder& b, Random& random) {
  constexpr float kScale = 1.0f / 64;
  Activation x{b.Input("input", kLiteRtElementTypeInt8, {1, 640}, PerTensor(kScale)), kScale, 640,
               1.0f};
  for (int32_t width : {128, 128, 128, 128, 8, 128, 128, 128, 128})
    x = FullyConnected(b, x, width, true, random);
  x = FullyConnected(b, x, 640, false, random);
  b.Output(x.tensor);
  b.AddSignature("serving_default");
}

// Two branches that meet in an ADD, weighted by an attention gate (MUL); its SOFTMAX stays on the
// CPU with a plugin that has none.
void BuildGatedClassifier(ModelBuilder& b, Random& random) {
  constexpr float kScale = 1.0f / 64;
  const Activation x{b.Input("features", kLiteRtElementTypeInt8, {1, 256}, PerTensor(kScale)),
                     kScale, 256, 1.0f};
  const Activation left = FullyConnected(b, x, 192, true, random);
  const Activation right = FullyConnected(b, left, 192, false, random);
  Tensor* sum =
      b.Value("sum", kLiteRtElementTypeInt8, {1, 192}, PerTensor(left.scale + right.scale));
  b.AddOp(kLiteRtOpCodeTflAdd, AddOptions{}, {left.tensor, right.tensor}, {sum}, 2);
  const Activation gate_in = FullyConnected(b, left, 192, false, random);
  Tensor* gate = b.Value("gate", kLiteRtElementTypeInt8, {1, 192}, PerTensor(1.0f / 256, -128));
  SoftmaxOptions softmax;
  softmax.beta = 1.0f;
  b.AddOp(kLiteRtOpCodeTflSoftmax, softmax, {gate_in.tensor}, {gate}, 2);
  Tensor* gated = b.Value("gated", kLiteRtElementTypeInt8, {1, 192}, PerTensor(left.scale));
  b.AddOp(kLiteRtOpCodeTflMul, MulOptions{}, {sum, gate}, {gated}, 2);
  const Activation logits =
      FullyConnected(b, {gated, left.scale, 192, left.rms}, 10, false, random);
  Tensor* probabilities =
      b.Value("probabilities", kLiteRtElementTypeInt8, {1, 10}, PerTensor(1.0f / 256, -128));
  b.AddOp(kLiteRtOpCodeTflSoftmax, softmax, {logits.tensor}, {probabilities}, 2);
  b.Output(probabilities);
  b.AddSignature("serving_default");
}

// Float32: (a - b) * c + b, with broadcasting, as small vector work between two networks looks.
void BuildElementwise(ModelBuilder& b, Random& random) {
  Tensor* a = b.Input("a", kLiteRtElementTypeFloat32, {1, 64, 96});
  Tensor* other = b.Input("b", kLiteRtElementTypeFloat32, {1, 64, 96});
  std::vector<float> scale(96);
  for (float& value : scale) value = random.Signed();
  Tensor* c = b.Constant<float>("c", {96}, scale);
  Tensor* difference = b.Value("difference", kLiteRtElementTypeFloat32, {1, 64, 96});
  Tensor* product = b.Value("product", kLiteRtElementTypeFloat32, {1, 64, 96});
  Tensor* sum = b.Value("sum", kLiteRtElementTypeFloat32, {1, 64, 96});
  b.AddOp(kLiteRtOpCodeTflSub, SubOptions{}, {a, other}, {difference});
  b.AddOp(kLiteRtOpCodeTflMul, MulOptions{}, {difference, c}, {product});
  AddOptions relu;
  relu.fused_activation_function = ActivationFunctionType::kRelu;
  b.AddOp(kLiteRtOpCodeTflAdd, relu, {product, other}, {sum});
  b.Output(sum);
  b.AddSignature("serving_default");
}

struct Recipe {
  SampleModel sample;
  void (*build)(ModelBuilder&, Random&);
};

const std::array<Recipe, 3> kRecipes = {{
    {{"autoencoder_int8", "ten int8 FULLY_CONNECTED layers, 640-128-8-128-640"}, BuildAutoencoder},
    {{"gated_classifier_int8", "int8 branches with ADD, MUL and SOFTMAX"}, BuildGatedClassifier},
    {{"elementwise_float", "float32 SUB, MUL, ADD with broadcasting"}, BuildElementwise},
}};

}  // namespace

std::vector<SampleModel> SampleModels() {
  std::vector<SampleModel> samples;
  for (const Recipe& recipe : kRecipes) samples.push_back(recipe.sample);
  for (const auto& [name, description] : LanguageModelNames())
    samples.push_back({name, description});
  return samples;
}

litert::Expected<std::unique_ptr<Model>> BuildSampleModel(std::string_view name, uint32_t seed) {
  if (std::optional<LanguageModelShape> shape = FindLanguageModel(name)) {
    shape->seed = seed;
    return BuildLanguageModel(*shape);
  }
  for (const Recipe& recipe : kRecipes) {
    if (recipe.sample.name != name) continue;
    ModelBuilder builder;
    Random random(seed);
    recipe.build(builder, random);
    builder.model().description = std::string(name) + ", made by npukit";
    return builder.Build();
  }
  std::string known;
  for (const SampleModel& sample : SampleModels())
    known.append(known.empty() ? "" : ", ").append(sample.name);
  return litert::Unexpected(
      litert::Status::kErrorNotFound,
      "there is no sample model '" + std::string(name) + "'; there are " + known);
}

}  // namespace npukit
