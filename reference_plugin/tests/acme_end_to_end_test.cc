// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// AcmeCorp as a user meets it: models are compiled by its plugin and run by its dispatch library,
// both loaded as LiteRT loads them, on every chip, with the race checker on. Results are held
// against the CPU's.

#include <flatbuffers/flexbuffers.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "reference_plugin/tests/acme_plugin.h"
#include "reference_plugin/tests/npu_and_cpu.h"
#include "reference_plugin/tests/random_constants.h"
#include "sdk/host/session/session.h"

namespace npukit {
namespace {

std::vector<int8_t> RandomWeights(size_t count, std::mt19937& random) {
  std::vector<int8_t> values(count);
  for (int8_t& value : values) value = static_cast<int8_t>(static_cast<int>(random() % 255) - 127);
  return values;
}

OpCase ProductCase(int32_t m, int32_t k, int32_t n, bool per_channel, bool bias,
                   ActivationFunctionType activation = ActivationFunctionType::kNone) {
  const auto build = [=](ModelBuilder& b) {
    std::mt19937 random(11);
    const float w_scale = 0.01f;
    const float y_scale = 0.01f * std::sqrt(static_cast<float>(k));
    Tensor* x = b.Input("x", kLiteRtElementTypeInt8, {m, k}, PerTensor(0.02f, -5));
    std::vector<float> scales(static_cast<size_t>(n));
    for (size_t i = 0; i < scales.size(); ++i)
      scales[i] = w_scale * (1.0f + 0.1f * static_cast<float>(i % 7));
    Tensor* w = b.Constant<int8_t>(
        "w", {n, k}, RandomWeights(static_cast<size_t>(n) * static_cast<size_t>(k), random),
        per_channel ? PerChannel(scales, 0) : PerTensor(w_scale));
    Tensor* bias_tensor = nullptr;
    if (bias) {
      std::vector<int32_t> values(static_cast<size_t>(n));
      for (int32_t& value : values) value = static_cast<int32_t>(random() % 20001) - 10000;
      bias_tensor = b.Constant<int32_t>("bias", {n}, values, PerTensor(0.02f * w_scale));
    }
    Tensor* y = b.Value("y", kLiteRtElementTypeInt8, {m, n}, PerTensor(y_scale, 3));
    FullyConnectedOptions options;
    options.fused_activation_function = activation;
    b.AddOp(kLiteRtOpCodeTflFullyConnected, options, {x, w, bias_tensor}, {y}, 4);
    b.Output(y);
  };
  return {
      fmt::format("matmul_{}x{}x{}{}{}{}", m, k, n, per_channel ? "_channel" : "",
                  bias ? "_bias" : "", activation == ActivationFunctionType::kNone ? "" : "_act"),
      build};
}

OpCase BroadcastCase(LiteRtOpCode code, const std::string& name, LiteRtElementType type,
                     const std::vector<int32_t>& a, const std::vector<int32_t>& b_shape,
                     const std::vector<int32_t>& y) {
  const auto build = [=](ModelBuilder& b) {
    const bool int8 = type == kLiteRtElementTypeInt8;
    Tensor* left = b.Input("a", type, a, int8 ? PerTensor(0.05f, 12) : Quantization());
    Tensor* right = b.Input("b", type, b_shape, int8 ? PerTensor(0.021f, -30) : Quantization());
    Tensor* result = b.Value("y", type, y, int8 ? PerTensor(0.07f, -4) : Quantization());
    b.AddOp(code, {left, right}, {result}, int8 ? 2 : 1);
    b.Output(result);
  };
  return {name, build};
}

OpCase RmsNormCase(int32_t rows, int32_t cols, bool weight) {
  const auto build = [=](ModelBuilder& b) {
    std::mt19937 random(11);
    Tensor* x = b.Input("x", kLiteRtElementTypeFloat32, {rows, cols});
    Tensor* y = b.Value("y", kLiteRtElementTypeFloat32, {rows, cols});
    std::vector<Tensor*> inputs = {x};
    std::vector<float> scale(static_cast<size_t>(cols));
    for (float& value : scale) value = 0.5f + static_cast<float>(random() % 1000) / 1000.0f;
    if (weight) inputs.push_back(b.Constant<float>("weight", {cols}, scale));
    Op* op = b.AddComposite("odml.rms_norm", 1, inputs, {y});
    b.Output(y);
    flexbuffers::Builder attributes;
    attributes.Map([&] { attributes.Float("epsilon", 1e-6f); });
    attributes.Finish();
    op->options.As<StableHLOCompositeOptions>()->composite_attributes = attributes.GetBuffer();
    b.BeginSubgraph("rms_norm.impl");
    Tensor* in = b.Input("in", kLiteRtElementTypeFloat32, {rows, cols});
    Tensor* gain = weight ? b.Input("gain", kLiteRtElementTypeFloat32, {cols}) : nullptr;
    Tensor* squares = b.Value("squares", kLiteRtElementTypeFloat32, {rows, cols});
    Tensor* mean = b.Value("mean", kLiteRtElementTypeFloat32, {rows, 1});
    Tensor* shifted = b.Value("shifted", kLiteRtElementTypeFloat32, {rows, 1});
    Tensor* factor = b.Value("factor", kLiteRtElementTypeFloat32, {rows, 1});
    Tensor* scaled = b.Value("scaled", kLiteRtElementTypeFloat32, {rows, cols});
    b.AddOp(kLiteRtOpCodeTflMul, {in, in}, {squares});
    b.AddOp(kLiteRtOpCodeTflMean, ReducerOptions{.keep_dims = true},
            {squares, b.Constant<int32_t>("axis", {1}, {1})}, {mean});
    b.AddOp(kLiteRtOpCodeTflAdd, {mean, b.Constant<float>("epsilon", {1, 1}, {1e-6f})}, {shifted});
    b.AddOp(kLiteRtOpCodeTflRsqrt, {shifted}, {factor});
    b.AddOp(kLiteRtOpCodeTflMul, {in, factor}, {scaled});
    Tensor* out = scaled;
    if (weight) {
      out = b.Value("out", kLiteRtElementTypeFloat32, {rows, cols});
      b.AddOp(kLiteRtOpCodeTflMul, {scaled, gain}, {out});
    }
    b.Output(out);
    b.SelectSubgraph(0);
  };
  // Each side: a sum of cols squares in float32 is off by at most cols roundings of the sum, which
  // the root halves; four further roundings and 2 ULP of rsqrt. Two sides.
  const double relative = 2 * (cols / 2.0 + 8) * std::ldexp(1.0, -24);
  return {.name = fmt::format("rms_norm_{}x{}{}", rows, cols, weight ? "_weight" : ""),
          .build = build,
          .relative = relative};
}

struct ConvShape {
  std::string name;
  std::vector<int32_t> x;  // [batches, height, width, channels]
  int32_t kernel_h = 3;
  int32_t kernel_w = 3;
  int32_t out_c = 8;  // DEPTHWISE_CONV_2D: a multiple of the channels
  int32_t stride_h = 1;
  int32_t stride_w = 1;
  int32_t dilation_h = 1;
  int32_t dilation_w = 1;
  Padding padding = Padding::kSame;
  ActivationFunctionType activation = ActivationFunctionType::kNone;
  LiteRtElementType type = kLiteRtElementTypeInt8;
  bool per_channel = true;
  bool bias = true;
};

int32_t WindowsOf(int32_t in, int32_t kernel, int32_t stride, int32_t dilation, Padding padding) {
  if (padding == Padding::kSame) return (in + stride - 1) / stride;
  return (in - (kernel - 1) * dilation - 1) / stride + 1;
}

Tensor* ConvWeights(const ConvShape& c, const std::vector<int32_t>& shape, float scale,
                    int32_t channel_dimension, ModelBuilder& b, std::mt19937& random) {
  size_t count = 1;
  for (int32_t dim : shape) count *= static_cast<size_t>(dim);
  const std::vector<int8_t> values = RandomWeights(count, random);
  if (c.type == kLiteRtElementTypeUInt8) {
    std::vector<uint8_t> bytes;
    for (int8_t value : values) bytes.push_back(static_cast<uint8_t>(value + 128));
    return b.Constant<uint8_t>("w", shape, bytes, PerTensor(scale, 119));
  }
  std::vector<float> scales(static_cast<size_t>(c.out_c));
  for (size_t i = 0; i < scales.size(); ++i)
    scales[i] = scale * (1.0f + 0.1f * static_cast<float>(i % 7));
  return b.Constant<int8_t>(
      "w", shape, values, c.per_channel ? PerChannel(scales, channel_dimension) : PerTensor(scale));
}

OpCase ConvCase(const ConvShape& c, bool depthwise) {
  const auto build = [=](ModelBuilder& b) {
    std::mt19937 random(11);
    const int32_t depth = depthwise ? 1 : c.x[3];
    const bool wide = c.type == kLiteRtElementTypeInt16;
    const bool legacy = c.type == kLiteRtElementTypeUInt8;
    const float w_scale = 0.01f;
    const float y_scale = 0.01f * std::sqrt(static_cast<float>(c.kernel_h * c.kernel_w * depth));
    Tensor* x = b.Input("x", c.type, c.x, PerTensor(0.02f, wide ? 0 : legacy ? 120 : -5));
    const std::vector<int32_t> w_shape =
        depthwise ? std::vector<int32_t>{1, c.kernel_h, c.kernel_w, c.out_c}
                  : std::vector<int32_t>{c.out_c, c.kernel_h, c.kernel_w, c.x[3]};
    Tensor* w = ConvWeights(c, w_shape, w_scale, depthwise ? 3 : 0, b, random);
    Tensor* bias = nullptr;
    if (c.bias) {
      std::vector<int64_t> values(static_cast<size_t>(c.out_c));
      for (int64_t& value : values) value = static_cast<int64_t>(random() % 20001) - 10000;
      const std::vector<int32_t> narrow(values.begin(), values.end());
      bias = wide ? b.Constant<int64_t>("bias", {c.out_c}, values, PerTensor(0.02f * w_scale))
                  : b.Constant<int32_t>("bias", {c.out_c}, narrow, PerTensor(0.02f * w_scale));
    }
    const std::vector<int32_t> y_shape = {
        c.x[0], WindowsOf(c.x[1], c.kernel_h, c.stride_h, c.dilation_h, c.padding),
        WindowsOf(c.x[2], c.kernel_w, c.stride_w, c.dilation_w, c.padding), c.out_c};
    Tensor* y = b.Value("y", c.type, y_shape, PerTensor(y_scale, wide ? 0 : legacy ? 131 : 3));
    const auto set = [&](auto options) {
      options.padding = c.padding;
      options.stride_h = c.stride_h;
      options.stride_w = c.stride_w;
      options.dilation_h_factor = c.dilation_h;
      options.dilation_w_factor = c.dilation_w;
      options.fused_activation_function = c.activation;
      return options;
    };
    if (depthwise) {
      DepthwiseConv2DOptions options;
      options.depth_multiplier = c.out_c / c.x[3];
      b.AddOp(kLiteRtOpCodeTflDepthwiseConv2d, set(options), {x, w, bias}, {y}, 3);
    } else {
      b.AddOp(kLiteRtOpCodeTflConv2d, set(Conv2DOptions()), {x, w, bias}, {y}, 3);
    }
    b.Output(y);
  };
  return {(depthwise ? "depthwise_" : "conv_") + c.name, build};
}

// Shapes of both kinds of convolution: edges of the array, of accumulators and of scratchpads.
std::vector<OpCase> ConvCases() {
  constexpr auto kValid = Padding::kValid;
  constexpr auto kRelu6 = ActivationFunctionType::kRelu6;
  std::vector<OpCase> cases;
  for (const ConvShape& shape : std::vector<ConvShape>{
           {.name = "image", .x = {1, 33, 31, 3}, .out_c = 8, .stride_h = 2, .stride_w = 2},
           {.name = "narrow", .x = {1, 16, 16, 16}, .out_c = 16, .activation = kRelu6},
           {.name = "exact", .x = {1, 12, 12, 64}, .out_c = 64},
           {.name = "odd", .x = {2, 11, 13, 37}, .kernel_h = 5, .kernel_w = 2, .out_c = 70},
           {.name = "valid", .x = {1, 9, 30, 5}, .out_c = 9, .stride_h = 3, .padding = kValid},
           {.name = "dilated", .x = {1, 20, 20, 40}, .out_c = 33, .dilation_h = 2, .dilation_w = 3},
           {.name = "pointwise", .x = {1, 7, 7, 96}, .kernel_h = 1, .kernel_w = 1, .out_c = 100},
           {.name = "columns",
           .x = {1, 49, 10, 1},
           .kernel_h = 10,
           .kernel_w = 4,
           .out_c = 64,
           .stride_h = 2,
           .stride_w = 2},
           {.name = "window_beyond", .x = {1, 3, 2, 4}, .kernel_h = 7, .kernel_w = 7, .out_c = 3},
           {.name = "long_rows", .x = {1, 2, 5000, 2}, .out_c = 6},
           {.name = "large", .x = {1, 120, 120, 40}, .out_c = 48},
           {.name = "large_valid",
           .x = {2, 90, 100, 64},
           .kernel_h = 4,
           .kernel_w = 3,
           .out_c = 40,
           .stride_w = 2,
           .padding = kValid},
           {.name = "deep", .x = {1, 6, 6, 2000}, .out_c = 40},
           {.name = "very_deep", .x = {1, 2, 2, 30000}, .kernel_h = 2, .kernel_w = 2, .out_c = 8},
           {.name = "wide_output",
           .x = {1, 40, 40, 32},
           .kernel_h = 1,
           .kernel_w = 1,
           .out_c = 900},
           {.name = "uint8", .x = {1, 15, 17, 20}, .out_c = 24, .type = kU8, .per_channel = false},
           {.name = "int16", .x = {1, 15, 17, 20}, .out_c = 24, .type = kI16},
           {.name = "int16_large", .x = {1, 70, 64, 48}, .out_c = 40, .type = kI16},
           {.name = "no_bias", .x = {1, 5, 5, 8}, .out_c = 4, .per_channel = false, .bias = false}})
    cases.push_back(ConvCase(shape, false));
  for (const ConvShape& shape : std::vector<ConvShape>{
           {.name = "plain", .x = {1, 14, 14, 96}, .out_c = 96, .activation = kRelu6},
           {.name = "stride", .x = {2, 15, 12, 40}, .out_c = 40, .stride_h = 2, .stride_w = 2},
           {.name = "multiplier", .x = {1, 9, 9, 5}, .kernel_h = 5, .kernel_w = 2, .out_c = 20},
           {.name = "dilated", .x = {1, 20, 20, 33}, .out_c = 33, .dilation_h = 3, .dilation_w = 2},
           {.name = "valid", .x = {1, 9, 30, 5}, .out_c = 5, .stride_h = 3, .padding = kValid},
           {.name = "window_beyond", .x = {1, 3, 2, 4}, .kernel_h = 7, .kernel_w = 7, .out_c = 4},
           {.name = "large", .x = {1, 130, 120, 96}, .out_c = 96},
           {.name = "long_rows", .x = {1, 2, 5000, 3}, .out_c = 3},
           {.name = "wide", .x = {1, 3, 3, 6000}, .out_c = 6000},
           {.name = "uint8", .x = {1, 15, 17, 20}, .out_c = 20, .type = kU8, .per_channel = false},
           {.name = "int16", .x = {1, 15, 17, 20}, .out_c = 40, .type = kI16},
           {.name = "no_bias", .x = {1, 5, 5, 8}, .out_c = 8, .per_channel = false, .bias = false}})
    cases.push_back(ConvCase(shape, true));
  return cases;
}

std::vector<OpCase> Cases() {
  return {
      ProductCase(1, 1, 1, false, false),
      ProductCase(1, 640, 128, false, true, ActivationFunctionType::kRelu),
      ProductCase(3, 33, 65, true, true, ActivationFunctionType::kRelu6),
      ProductCase(17, 31, 10, false, false, ActivationFunctionType::kReluN1To1),
      ProductCase(3000, 70, 40, true,
                  true),  // more rows than accumulators; activations in DRAM on the small chip
      ProductCase(9000, 96, 64, false, true),  // streamed everywhere
      ProductCase(2, 40000, 33, false, true),  // weights beyond every scratchpad but the largest
      ProductCase(1, 1, 40000, false,
                  false),  // thousands of tiny tiles: producers could run far ahead
      ProductCase(40, 1, 9000, false, true),
      BroadcastCase(kLiteRtOpCodeTflAdd, "add_i8", kI8, {2, 3, 5, 7}, {2, 3, 5, 7}, {2, 3, 5, 7}),
      BroadcastCase(kLiteRtOpCodeTflAdd, "add_i8_channel", kI8, {2, 3, 5, 7}, {7}, {2, 3, 5, 7}),
      BroadcastCase(kLiteRtOpCodeTflMul, "mul_i8_pixel", kI8, {2, 3, 5, 7}, {2, 3, 5, 1},
                    {2, 3, 5, 7}),
      BroadcastCase(kLiteRtOpCodeTflMul, "mul_i8_both", kI8, {4, 1, 6}, {1, 5, 6}, {4, 5, 6}),
      BroadcastCase(kLiteRtOpCodeTflAdd, "add_i8_large", kI8, {3, 401, 1003}, {1003},
                    {3, 401, 1003}),
      BroadcastCase(kLiteRtOpCodeTflSub, "sub_f32", kF32, {5, 6}, {1}, {5, 6}),
      BroadcastCase(kLiteRtOpCodeTflMul, "mul_f32_rank6", kF32, {2, 1, 3, 2, 2, 2},
                    {1, 2, 3, 2, 2, 2}, {2, 2, 3, 2, 2, 2}),
      BroadcastCase(kLiteRtOpCodeTflAdd, "add_i8_rank5_alternating", kI8, {3, 1, 4, 1, 5},
                    {1, 2, 1, 3, 1}, {3, 2, 4, 3, 5}),
      BroadcastCase(kLiteRtOpCodeTflSub, "sub_f32_rank6_alternating", kF32, {3, 1, 4, 1, 5, 1},
                    {1, 2, 1, 3, 1, 2}, {3, 2, 4, 3, 5, 2}),
      BroadcastCase(kLiteRtOpCodeTflAdd, "add_f32_large", kF32, {700, 1024}, {700, 1}, {700, 1024}),
      RmsNormCase(1, 16, false),
      RmsNormCase(37, 768, true),
      RmsNormCase(300, 2048, true),
  };
}

class AcmeEndToEnd : public OnSoc {};

TEST_P(AcmeEndToEnd, EqualsTheCpu) { ExpectNpuEqualsCpu(); }

INSTANTIATE_TEST_SUITE_P(Networks, AcmeEndToEnd, OnEverySoc(Cases()), OnSoc::Name);
INSTANTIATE_TEST_SUITE_P(Convolutions, AcmeEndToEnd, OnEverySoc(ConvCases()), OnSoc::Name);
INSTANTIATE_TEST_SUITE_P(Samples, AcmeEndToEnd,
                         OnEverySoc({{.name = "autoencoder_int8"},
                                     {.name = "gated_classifier_int8"}}),
                         OnSoc::Name);

// The NPU has no instruction for nothing: such ops stay on the CPU, and the others do not.
TEST(AcmeEmptyTensors, OpsOnThemAreLeftAndRunOnTheCpu) {
  const auto float_add = [](ModelBuilder& b) {
    Tensor* x = b.Input("x", kLiteRtElementTypeFloat32, {0, 3});
    Tensor* y = b.Value("y", kLiteRtElementTypeFloat32, {0, 3});
    b.AddOp(kLiteRtOpCodeTflAdd, {x, x}, {y});
    b.Output(y);
  };
  const auto product = [](ModelBuilder& b) {
    Tensor* x = b.Input("x", kLiteRtElementTypeInt8, {0, 4}, PerTensor(0.5F, 1));
    Tensor* w = b.Constant<int8_t>("w", {2, 4}, std::vector<int8_t>(8, 3), PerTensor(0.1F));
    Tensor* y = b.Value("y", kLiteRtElementTypeInt8, {0, 2}, PerTensor(0.5F, 0));
    b.AddOp(kLiteRtOpCodeTflFullyConnected, FullyConnectedOptions{}, {x, w, nullptr}, {y}, 4);
    b.Output(y);
  };
  ExpectDeclined({"add", float_add}, "acme_a1");
  ExpectDeclined({"product", product}, "acme_a1");
}

TEST(AcmeEmptyTensors, OpsBesideThemRunOnTheNpu) {
  ModelBuilder b;
  Tensor* x = b.Input("x", kLiteRtElementTypeFloat32, {0, 3});
  Tensor* u = b.Input("u", kLiteRtElementTypeFloat32, {1, 3});
  Tensor* y = b.Value("y", kLiteRtElementTypeFloat32, {0, 3});
  Tensor* v = b.Value("v", kLiteRtElementTypeFloat32, {1, 3});
  b.AddOp(kLiteRtOpCodeTflAdd, {x, x}, {y});
  b.AddOp(kLiteRtOpCodeTflAdd, {u, u}, {v});
  b.Output(y);
  b.Output(v);
  auto model = b.Build();
  ASSERT_TRUE(model) << model.Error();
  auto session =
      Session::Create(std::move(*model), SessionOptions{.plugin_dir = kPluginDir, .jit = true});
  ASSERT_TRUE(session) << session.Error();
  const SessionPlacement& placement = (*session)->placement();
  ASSERT_EQ(placement.ops.size(), 2u);
  EXPECT_EQ(placement.ops[0].target, Target::kCpu);
  EXPECT_THAT(placement.ops[0].reason, testing::HasSubstr("has no elements"));
  EXPECT_EQ(placement.ops[1].target, Target::kNpu);
  SignatureRunner& runner = (*session)->default_runner();
  const std::vector<float> values = {1, 2, 3};
  ASSERT_TRUE(runner.SetInput(0, {}));
  ASSERT_TRUE(runner.SetInput(1, {reinterpret_cast<const uint8_t*>(values.data()), 12}));
  const auto ran = runner.Run();
  ASSERT_TRUE(ran) << ran.Error();
  EXPECT_THAT(runner.output(0), testing::IsEmpty());
  const auto* sums = reinterpret_cast<const float*>(runner.output(1).data());
  EXPECT_THAT(std::vector<float>(sums, sums + 3), testing::ElementsAre(2, 4, 6));
}

}  // namespace
}  // namespace npukit
