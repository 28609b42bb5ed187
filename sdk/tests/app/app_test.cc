// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Runs the application of this folder, and the C functions and C++ class behind it.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "litert/c/litert_compiled_model.h"
#include "litert/c/litert_metrics.h"
#include "litert/cc/litert_compiled_model.h"
#include "sdk/host/model/model_builder.h"
#include "sdk/host/model/model_writer.h"

namespace npukit {
namespace {

constexpr char kPlugins21[] = NPUKIT_BUILD_DIR "/lib";
constexpr char kPlugins22[] = NPUKIT_BUILD_DIR "/lib-abi2.2";

// y = (x + x) * k, x of 4 floats or, with `open`, of any number of rows.
std::string WriteModel(const std::string& name, bool open = false) {
  ModelBuilder b;
  const auto type = kLiteRtElementTypeFloat32;
  Tensor* x = b.Input("x", type, {1, 4});
  if (open) x->shape_signature = {-1, 4};
  Tensor* k = b.Constant<float>("k", {4}, {1, 2, 3, 4});
  Tensor* s = b.Value("s", type, {1, 4});
  Tensor* y = b.Value("y", type, {1, 4});
  b.AddOp(kLiteRtOpCodeTflAdd, {x, x}, {s});
  b.AddOp(kLiteRtOpCodeTflMul, {s, k}, {y});
  b.Output(y);
  if (!open) b.AddSignature("serving_default");
  auto model = b.Build();
  EXPECT_TRUE(model) << model.Error().Message();
  const std::string path = ::testing::TempDir() + name + ".tflite";
  EXPECT_TRUE(SaveModel(**model, path));
  return path;
}

std::string OutputOf(const std::string& command) {
  FILE* pipe = popen(command.c_str(), "r");
  std::string output;
  char buffer[256];
  while (std::fgets(buffer, sizeof(buffer), pipe) != nullptr) output += buffer;
  EXPECT_EQ(pclose(pipe), 0) << command;
  return output;
}

// The application gives x = -3, -2, -1, 0.
TEST(Application, RunsOnTheCpuAndOnBothPlugins) {
  const std::string run = NPUKIT_BUILD_DIR "/test_bin/sdk_app_classify " + WriteModel("app") + " ";
  EXPECT_EQ(OutputOf(run), "CPU\n-6\n-8\n-6\n0\n");
  EXPECT_EQ(OutputOf(run + kPlugins21), "NPU\n-6\n-8\n-6\n0\n");
  EXPECT_EQ(OutputOf(run + kPlugins22), "NPU\n-6\n-8\n-6\n0\n");
}

litert::Environment MakeEnvironment() {
  const std::vector<litert::EnvironmentOptions::Option> options = {
      {litert::EnvironmentOptions::Tag::kCompilerPluginLibraryDir, kPlugins21},
      {litert::EnvironmentOptions::Tag::kDispatchLibraryDir, kPlugins21}};
  auto env = litert::Environment::Create(litert::EnvironmentOptions(options));
  EXPECT_TRUE(env);
  return std::move(*env);
}

TEST(CompiledModel, BuffersByNameAndIndex) {
  auto env = MakeEnvironment();
  auto model =
      litert::CompiledModel::Create(env, WriteModel("names"), litert::HwAccelerators::kCpu);
  ASSERT_TRUE(model) << model.Error().Message();
  EXPECT_EQ(model->GetNumSignatures(), 1u);
  const auto accelerated = model->IsFullyAccelerated();
  ASSERT_TRUE(accelerated);
  EXPECT_FALSE(*accelerated);
  const auto requirements = model->GetInputBufferRequirements("x");
  ASSERT_TRUE(requirements);
  const auto size_bytes = requirements->BufferSize();
  ASSERT_TRUE(size_bytes);
  EXPECT_EQ(*size_bytes, 16u);
  EXPECT_FALSE(model->GetInputBufferRequirements("nobody"));
  EXPECT_FALSE(model->CreateInputBuffers("no_signature"));

  std::map<std::string, litert::TensorBuffer> inputs;
  std::map<std::string, litert::TensorBuffer> outputs;
  auto x_buffer = model->CreateInputBuffer("x");
  auto y_buffer = model->CreateOutputBuffer("serving_default", "y");
  ASSERT_TRUE(x_buffer && y_buffer);
  inputs.emplace("x", std::move(*x_buffer));
  outputs.emplace("y", std::move(*y_buffer));
  const std::vector<float> x = {1, 2, 3, 4};
  ASSERT_TRUE(inputs.at("x").Write<float>(x));
  ASSERT_TRUE(model->Run("serving_default", inputs, outputs));
  std::vector<float> y(4);
  ASSERT_TRUE(outputs.at("y").Read<float>(litert::internal::Span<float>(y)));
  EXPECT_THAT(y, ::testing::ElementsAre(2, 8, 18, 32));
  EXPECT_FALSE(model->Run("serving_default", inputs, inputs));  // no 'y' among them
}

TEST(CompiledModel, ResizesWhatIsOpen) {
  auto env = MakeEnvironment();
  auto model =
      litert::CompiledModel::Create(env, WriteModel("open", true), litert::HwAccelerators::kCpu);
  ASSERT_TRUE(model) << model.Error().Message();
  EXPECT_FALSE(model->ResizeInputTensor("x", {{2, 5}}));
  ASSERT_TRUE(model->ResizeInputTensor("x", {{2, 4}}));
  const auto layouts = model->GetOutputTensorLayouts(0);
  ASSERT_TRUE(layouts);
  EXPECT_EQ((*layouts)[0].Dimensions()[0], 2);
  auto inputs = model->CreateInputBuffers();
  auto outputs = model->CreateOutputBuffers();
  ASSERT_TRUE(inputs && outputs);
  const std::vector<float> x = {1, 1, 1, 1, 2, 2, 2, 2};
  ASSERT_TRUE((*inputs)[0].Write<float>(x));
  bool async = true;
  ASSERT_TRUE(model->RunAsync(*inputs, *outputs, async));
  EXPECT_FALSE(async);
  std::vector<float> y(8);
  ASSERT_TRUE((*outputs)[0].Read<float>(litert::internal::Span<float>(y)));
  EXPECT_THAT(y, ::testing::ElementsAre(2, 4, 6, 8, 4, 8, 12, 16));
}

TEST(CompiledModel, CanBeCancelled) {
  auto env = MakeEnvironment();
  auto model =
      litert::CompiledModel::Create(env, WriteModel("cancel"), litert::HwAccelerators::kCpu);
  ASSERT_TRUE(model);
  auto inputs = model->CreateInputBuffers();
  auto outputs = model->CreateOutputBuffers();
  model->SetCancellationFunction(nullptr, [](void*) { return true; });
  const auto run = model->Run(*inputs, *outputs);
  ASSERT_FALSE(run);
  EXPECT_EQ(run.Error().Status(), kLiteRtStatusCancelled);
  model->SetCancellationFunction(nullptr, nullptr);
  EXPECT_TRUE(model->Run(*inputs, *outputs));
}

TEST(CompiledModel, GivesMetricsAndErrors) {
  auto env = MakeEnvironment();
  auto model =
      litert::CompiledModel::Create(env, WriteModel("metrics"), litert::HwAccelerators::kNpu);
  ASSERT_TRUE(model) << model.Error().Message();
  const auto accelerated = model->IsFullyAccelerated();
  ASSERT_TRUE(accelerated);
  EXPECT_TRUE(*accelerated);
  auto inputs = model->CreateInputBuffers();
  auto outputs = model->CreateOutputBuffers();
  LiteRtMetrics metrics = nullptr;
  ASSERT_EQ(LiteRtCreateMetrics(&metrics), kLiteRtStatusOk);
  EXPECT_NE(LiteRtCompiledModelStopMetricsCollection(model->Get(), metrics), kLiteRtStatusOk);
  ASSERT_EQ(LiteRtCompiledModelStartMetricsCollection(model->Get(), 1), kLiteRtStatusOk);
  ASSERT_TRUE(model->Run(*inputs, *outputs));
  ASSERT_EQ(LiteRtCompiledModelStopMetricsCollection(model->Get(), metrics), kLiteRtStatusOk);
  int count = 0;
  EXPECT_EQ(LiteRtGetNumMetrics(metrics, &count), kLiteRtStatusOk);
  EXPECT_GT(count, 0);
  LiteRtDestroyMetrics(metrics);

  EXPECT_EQ(LiteRtCompiledModelClearErrors(model->Get()), kLiteRtStatusOk);
  EXPECT_EQ(LiteRtCompiledModelReportError(model->Get(), "%d wrong", 3), kLiteRtStatusOk);
  char* messages = nullptr;
  ASSERT_EQ(LiteRtCompiledModelGetErrorMessages(model->Get(), &messages), kLiteRtStatusOk);
  EXPECT_STREQ(messages, "3 wrong\n");
  std::free(messages);
}

TEST(CompiledModel, TheNpuAloneMustTakeAll) {
  auto env = litert::Environment::Create(
      litert::EnvironmentOptions(std::vector<litert::EnvironmentOptions::Option>()));
  ASSERT_TRUE(env);
  const auto model =
      litert::CompiledModel::Create(*env, WriteModel("alone"), litert::HwAccelerators::kNpu);
  EXPECT_FALSE(model);
}

}  // namespace
}  // namespace npukit
