// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// AcmeCorp as a user meets it: models are compiled by its plugin and run by its dispatch library,
// both loaded as LiteRT loads them, on every chip, with the race checker on. Results are held
// against the CPU's.

#include <flatbuffers/flexbuffers.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <functional>
#include <random>
#include <tuple>

#include "litert/cc/litert_macros.h"
#include "sdk/host/model/model_builder.h"
#include "sdk/host/model/sample_models.h"
#include "sdk/host/runtime/random_inputs.h"
#include "sdk/host/runtime/session.h"

namespace npukit {
namespace {

const std::string kPluginDir = NPUKIT_BUILD_DIR "/lib";

class Environment : public testing::Environment {
  void SetUp() override { setenv("ACME_CHECK_RACES", "1", 1); }
};
[[maybe_unused]] const auto* const kEnvironment =
    testing::AddGlobalTestEnvironment(new Environment);

using Outputs = std::vector<std::vector<uint8_t>>;

// Runs with inputs from the seed, twice: what a run leaves behind must not show in the next.
litert::Expected<Outputs> RunModel(std::unique_ptr<Model> model, SessionOptions options,
                                   Placement* placement) {
  LITERT_ASSIGN_OR_RETURN(auto session, Session::Create(std::move(model), std::move(options)));
  *placement = session->placement();
  LITERT_ASSIGN_OR_RETURN(SignatureRunner * runner, session->Runner());
  Outputs outputs;
  for (int run = 0; run < 2; ++run) {
    FillRandomInputs(*runner, 7);
    LITERT_RETURN_IF_ERROR(runner->Run());
    Outputs now;
    for (size_t i = 0; i < runner->outputs().size(); ++i)
      now.emplace_back(runner->output(i).begin(), runner->output(i).end());
    if (run == 1 && now != outputs)
      return litert::Unexpected(litert::Status::kErrorRuntimeFailure, "the second run differs");
    outputs = std::move(now);
  }
  LITERT_RETURN_IF_ERROR(session->Close());
  return outputs;
}

struct NetworkCase {
  std::string name;
  std::function<void(ModelBuilder&, std::mt19937&)> build;
  // 0: equal bytes. Else the largest relative difference of float32 results.
  double relative = 0;
};

std::ostream& operator<<(std::ostream& out, const NetworkCase& test) { return out << test.name; }

std::vector<int8_t> Weights(size_t count, std::mt19937& random) {
  std::vector<int8_t> values(count);
  for (int8_t& value : values) value = static_cast<int8_t>(static_cast<int>(random() % 255) - 127);
  return values;
}

NetworkCase MatMulCase(int32_t m, int32_t k, int32_t n, bool per_channel, bool bias,
                       ActivationFunctionType activation = ActivationFunctionType::kNone) {
  const auto build = [=](ModelBuilder& b, std::mt19937& random) {
    const float w_scale = 0.01f;
    const float y_scale = 0.01f * std::sqrt(static_cast<float>(k));
    Tensor* x = b.Input("x", kLiteRtElementTypeInt8, {m, k}, PerTensor(0.02f, -5));
    std::vector<float> scales(static_cast<size_t>(n));
    for (size_t i = 0; i < scales.size(); ++i)
      scales[i] = w_scale * (1.0f + 0.1f * static_cast<float>(i % 7));
    Tensor* w = b.Constant<int8_t>("w", {n, k},
                                   Weights(static_cast<size_t>(n) * static_cast<size_t>(k), random),
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
  return {"matmul_" + std::to_string(m) + "x" + std::to_string(k) + "x" + std::to_string(n) +
              (per_channel ? "_channel" : "") + (bias ? "_bias" : "") +
              (activation == ActivationFunctionType::kNone ? "" : "_act"),
          build};
}

NetworkCase BinaryCase(LiteRtOpCode code, const std::string& name, LiteRtElementType type,
                       std::vector<int32_t> a, std::vector<int32_t> b_shape,
                       std::vector<int32_t> y) {
  const auto build = [=](ModelBuilder& b, std::mt19937&) {
    const bool int8 = type == kLiteRtElementTypeInt8;
    Tensor* left = b.Input("a", type, a, int8 ? PerTensor(0.05f, 12) : Quantization());
    Tensor* right = b.Input("b", type, b_shape, int8 ? PerTensor(0.021f, -30) : Quantization());
    Tensor* result = b.Value("y", type, y, int8 ? PerTensor(0.07f, -4) : Quantization());
    b.AddOp(code, {left, right}, {result}, int8 ? 2 : 1);
    b.Output(result);
  };
  return {name, build};
}

NetworkCase RmsNormCase(int32_t rows, int32_t cols, bool weight) {
  const auto build = [=](ModelBuilder& b, std::mt19937& random) {
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
  return {
      "rms_norm_" + std::to_string(rows) + "x" + std::to_string(cols) + (weight ? "_weight" : ""),
      build, relative};
}

std::vector<NetworkCase> Cases() {
  constexpr auto kI8 = kLiteRtElementTypeInt8;
  constexpr auto kF32 = kLiteRtElementTypeFloat32;
  return {
      MatMulCase(1, 1, 1, false, false),
      MatMulCase(1, 640, 128, false, true, ActivationFunctionType::kRelu),
      MatMulCase(3, 33, 65, true, true, ActivationFunctionType::kRelu6),
      MatMulCase(17, 31, 10, false, false, ActivationFunctionType::kReluN1To1),
      MatMulCase(3000, 70, 40, true,
                 true),  // more rows than accumulators; activations in DRAM on the small chip
      MatMulCase(9000, 96, 64, false, true),  // streamed everywhere
      MatMulCase(2, 40000, 33, false, true),  // weights beyond every scratchpad but the largest
      MatMulCase(1, 1, 40000, false,
                 false),  // thousands of tiny tiles: producers could run far ahead
      MatMulCase(40, 1, 9000, false, true),
      BinaryCase(kLiteRtOpCodeTflAdd, "add_i8", kI8, {2, 3, 5, 7}, {2, 3, 5, 7}, {2, 3, 5, 7}),
      BinaryCase(kLiteRtOpCodeTflAdd, "add_i8_channel", kI8, {2, 3, 5, 7}, {7}, {2, 3, 5, 7}),
      BinaryCase(kLiteRtOpCodeTflMul, "mul_i8_pixel", kI8, {2, 3, 5, 7}, {2, 3, 5, 1},
                 {2, 3, 5, 7}),
      BinaryCase(kLiteRtOpCodeTflMul, "mul_i8_both", kI8, {4, 1, 6}, {1, 5, 6}, {4, 5, 6}),
      BinaryCase(kLiteRtOpCodeTflAdd, "add_i8_large", kI8, {3, 401, 1003}, {1003}, {3, 401, 1003}),
      BinaryCase(kLiteRtOpCodeTflSub, "sub_f32", kF32, {5, 6}, {1}, {5, 6}),
      BinaryCase(kLiteRtOpCodeTflMul, "mul_f32_rank6", kF32, {2, 1, 3, 2, 2, 2}, {1, 2, 3, 2, 2, 2},
                 {2, 2, 3, 2, 2, 2}),
      BinaryCase(kLiteRtOpCodeTflAdd, "add_i8_rank5_alternating", kI8, {3, 1, 4, 1, 5},
                 {1, 2, 1, 3, 1}, {3, 2, 4, 3, 5}),
      BinaryCase(kLiteRtOpCodeTflSub, "sub_f32_rank6_alternating", kF32, {3, 1, 4, 1, 5, 1},
                 {1, 2, 1, 3, 1, 2}, {3, 2, 4, 3, 5, 2}),
      BinaryCase(kLiteRtOpCodeTflAdd, "add_f32_large", kF32, {700, 1024}, {700, 1}, {700, 1024}),
      RmsNormCase(1, 16, false),
      RmsNormCase(37, 768, true),
      RmsNormCase(300, 2048, true),
  };
}

void ExpectClose(const Outputs& npu, const Outputs& cpu, double relative) {
  ASSERT_EQ(npu.size(), cpu.size());
  for (size_t i = 0; i < npu.size(); ++i) {
    if (relative == 0) {
      EXPECT_TRUE(npu[i] == cpu[i]) << "output " << i;
      continue;
    }
    ASSERT_EQ(npu[i].size(), cpu[i].size());
    for (size_t at = 0; at + sizeof(float) <= npu[i].size(); at += sizeof(float)) {
      float got = 0;
      float want = 0;
      std::memcpy(&got, npu[i].data() + at, sizeof(float));
      std::memcpy(&want, cpu[i].data() + at, sizeof(float));
      ASSERT_LE(std::abs(got - want), relative * std::abs(want))
          << "element " << at / sizeof(float);
    }
  }
}

class AcmeEndToEnd : public testing::TestWithParam<std::tuple<NetworkCase, const char*>> {};

TEST_P(AcmeEndToEnd, EqualsTheCpu) {
  const auto& [test, soc] = GetParam();
  const auto build = [&test = test] {
    ModelBuilder builder;
    std::mt19937 random(11);
    test.build(builder, random);
    auto model = builder.Build();
    EXPECT_TRUE(model) << model.Error().Message();
    return std::move(model.Value());
  };
  Placement placement;
  const auto cpu = RunModel(build(), {}, &placement);
  ASSERT_TRUE(cpu) << cpu.Error().Message();
  const auto npu =
      RunModel(build(), {.plugin_dir = kPluginDir, .jit = true, .soc = soc}, &placement);
  ASSERT_TRUE(npu) << npu.Error().Message();
  EXPECT_EQ(placement.fallback_reason, "");
  EXPECT_EQ(placement.partitions, 1u);
  EXPECT_EQ(placement.npu_ops, 1u);
  ExpectClose(*npu, *cpu, test.relative);
}

INSTANTIATE_TEST_SUITE_P(Networks, AcmeEndToEnd,
                         testing::Combine(testing::ValuesIn(Cases()),
                                          testing::Values("acme_a0", "acme_a1", "acme_a2")),
                         [](const auto& info) {
                           return std::get<0>(info.param).name + "_" + std::get<1>(info.param);
                         });

std::unique_ptr<Model> Sample(std::string_view name) {
  auto model = BuildSampleModel(name);
  EXPECT_TRUE(model) << model.Error().Message();
  return std::move(model.Value());
}

TEST(AcmeSamples, AutoencoderRunsWhollyInOnePartition) {
  Placement placement;
  const auto cpu = RunModel(Sample("autoencoder_int8"), {}, &placement);
  ASSERT_TRUE(cpu) << cpu.Error().Message();
  const auto npu =
      RunModel(Sample("autoencoder_int8"), {.plugin_dir = kPluginDir, .jit = true}, &placement);
  ASSERT_TRUE(npu) << npu.Error().Message();
  EXPECT_EQ(placement.partitions, 1u);
  EXPECT_EQ(placement.npu_ops, 10u);
  EXPECT_EQ(placement.cpu_ops, 0u);
  EXPECT_EQ(*npu, *cpu);
}

TEST(AcmeSamples, GatedClassifierRunsMixed) {
  Placement placement;
  const auto cpu = RunModel(Sample("gated_classifier_int8"), {}, &placement);
  ASSERT_TRUE(cpu) << cpu.Error().Message();
  const auto npu = RunModel(Sample("gated_classifier_int8"),
                            {.plugin_dir = kPluginDir, .jit = true}, &placement);
  ASSERT_TRUE(npu) << npu.Error().Message();
  EXPECT_EQ(placement.npu_ops, 6u);
  EXPECT_EQ(placement.cpu_ops, 2u);
  EXPECT_EQ(*npu, *cpu);
}

}  // namespace
}  // namespace npukit
