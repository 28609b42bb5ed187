// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Runs the application of this folder, and the C functions and C++ class behind it.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "litert/c/litert_compiled_model.h"
#include "litert/c/litert_event.h"
#include "litert/c/litert_metrics.h"
#include "litert/cc/litert_compiled_model.h"
#include "sdk/host/model/graph/model_builder.h"
#include "sdk/host/model/writing/model_writer.h"
#include "sdk/tests/output_of.h"

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

// The application gives x = -3, -2, -1, 0.
TEST(Application, RunsOnTheCpuAndOnBothPlugins) {
  const std::string run = NPUKIT_BUILD_DIR "/test_bin/sdk_app_classify " + WriteModel("app") + " ";
  EXPECT_EQ(OutputOf(run), "CPU\n-6\n-8\n-6\n0\n");
  EXPECT_EQ(OutputOf(run + kPlugins21), "NPU\n-6\n-8\n-6\n0\n");
  EXPECT_EQ(OutputOf(run + kPlugins22), "NPU\n-6\n-8\n-6\n0\n");
}

litert::Environment MakeEnvironment(const char* plugins = kPlugins21) {
  const std::vector<litert::EnvironmentOptions::Option> options = {
      {litert::EnvironmentOptions::Tag::kCompilerPluginLibraryDir, plugins},
      {litert::EnvironmentOptions::Tag::kDispatchLibraryDir, plugins}};
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

// A file descriptor that the test makes readable, as an event of a buffer.
class Gate {
 public:
  explicit Gate(LiteRtTensorBuffer buffer) : fd_(eventfd(0, EFD_CLOEXEC)) {
    LiteRtEvent event = nullptr;
    EXPECT_EQ(LiteRtCreateEventFromSyncFenceFd(nullptr, fd_, /*owns_fd=*/false, &event),
              kLiteRtStatusOk);
    EXPECT_EQ(LiteRtSetTensorBufferEvent(buffer, event), kLiteRtStatusOk);
  }
  ~Gate() { Close(); }
  Gate(const Gate&) = delete;
  Gate& operator=(const Gate&) = delete;
  void Open() const { EXPECT_EQ(eventfd_write(fd_, 1), 0); }
  void Close() {
    if (fd_ >= 0) close(std::exchange(fd_, -1));
  }

 private:
  int fd_;
};

bool IsSignalled(const litert::TensorBuffer& buffer) {
  LiteRtEvent event = nullptr;
  EXPECT_EQ(LiteRtGetTensorBufferEvent(buffer.Get(), &event), kLiteRtStatusOk);
  bool is_signalled = false;
  EXPECT_EQ(LiteRtIsEventSignaled(event, &is_signalled), kLiteRtStatusOk);
  return is_signalled;
}

std::vector<float> ReadAll(litert::TensorBuffer& buffer) {
  std::vector<float> values(4);
  EXPECT_TRUE(buffer.Read<float>(litert::internal::Span<float>(values)));
  return values;
}

class AsyncRuns : public ::testing::TestWithParam<const char*> {
 protected:
  static litert::CompiledModel Create(litert::Environment& env) {
    auto model =
        litert::CompiledModel::Create(env, WriteModel("async"), litert::HwAccelerators::kNpu);
    EXPECT_TRUE(model) << model.Error().Message();
    return std::move(*model);
  }
  static constexpr std::array<float, 4> kX = {1, 2, 3, 4};
};

TEST_P(AsyncRuns, ReturnWhileTheirInputsAreNotReady) {
  auto env = MakeEnvironment(GetParam());
  auto model = Create(env);
  auto inputs = model.CreateInputBuffers();
  auto outputs = model.CreateOutputBuffers();
  ASSERT_TRUE((*inputs)[0].Write<float>(kX));
  const Gate gate((*inputs)[0].Get());
  bool async = false;
  ASSERT_TRUE(model.RunAsync(*inputs, *outputs, async));
  EXPECT_TRUE(async);
  EXPECT_FALSE(IsSignalled((*outputs)[0]));
  gate.Open();
  EXPECT_THAT(ReadAll((*outputs)[0]), ::testing::ElementsAre(2, 8, 18, 32));
  EXPECT_TRUE(IsSignalled((*outputs)[0]));
}

// The second model's input is the first one's output, under way.
TEST_P(AsyncRuns, WaitForEachOtherByTheirBuffers) {
  auto env = MakeEnvironment(GetParam());
  auto first = Create(env);
  auto second = Create(env);
  auto inputs = first.CreateInputBuffers();
  auto middle = first.CreateOutputBuffers();
  auto outputs = second.CreateOutputBuffers();
  ASSERT_TRUE((*inputs)[0].Write<float>(kX));
  const Gate gate((*inputs)[0].Get());
  bool async = false;
  ASSERT_TRUE(first.RunAsync(*inputs, *middle, async));
  ASSERT_TRUE(second.RunAsync(*middle, *outputs, async));
  EXPECT_FALSE(IsSignalled((*outputs)[0]));
  gate.Open();
  EXPECT_THAT(ReadAll((*outputs)[0]), ::testing::ElementsAre(4, 32, 108, 256));
  EXPECT_THAT(ReadAll((*middle)[0]), ::testing::ElementsAre(2, 8, 18, 32));
}

TEST_P(AsyncRuns, ManyMayBeUnderWayAndTheModelDestroyed) {
  auto env = MakeEnvironment(GetParam());
  std::vector<litert::TensorBuffer> results;
  {
    auto model = Create(env);
    for (float scale : {1.0f, 2.0f, 3.0f}) {
      auto inputs = model.CreateInputBuffers();
      auto outputs = model.CreateOutputBuffers();
      std::vector<float> x;
      for (float value : kX) x.push_back(scale * value);
      ASSERT_TRUE((*inputs)[0].Write<float>(x));
      bool async = false;
      ASSERT_TRUE(model.RunAsync(*inputs, *outputs, async));
      results.push_back(std::move((*outputs)[0]));
    }
  }
  for (size_t i = 0; i < results.size(); ++i) {
    const float scale = static_cast<float>(i + 1);
    EXPECT_THAT(ReadAll(results[i]),
                ::testing::ElementsAre(2 * scale, 8 * scale, 18 * scale, 32 * scale));
  }
}

TEST_P(AsyncRuns, FailWithTheirEvents) {
  auto env = MakeEnvironment(GetParam());
  auto model = Create(env);
  auto inputs = model.CreateInputBuffers();
  auto outputs = model.CreateOutputBuffers();
  ASSERT_TRUE((*inputs)[0].Write<float>(kX));
  {
    Gate broken((*inputs)[0].Get());
    broken.Close();  // not to be waited for
    bool async = false;
    EXPECT_FALSE(model.RunAsync(*inputs, *outputs, async));
  }
  EXPECT_EQ(LiteRtClearTensorBufferEvent((*inputs)[0].Get()), kLiteRtStatusOk);
  model.SetCancellationFunction(nullptr, [](void*) { return true; });
  bool async = false;
  ASSERT_TRUE(model.RunAsync(*inputs, *outputs, async));
  LiteRtEvent event = nullptr;
  ASSERT_EQ(LiteRtGetTensorBufferEvent((*outputs)[0].Get(), &event), kLiteRtStatusOk);
  EXPECT_EQ(LiteRtWaitEvent(event, -1), kLiteRtStatusCancelled);
  std::vector<float> y(4);
  EXPECT_FALSE((*outputs)[0].Read<float>(litert::internal::Span<float>(y)));
  char* messages = nullptr;
  ASSERT_EQ(LiteRtCompiledModelGetErrorMessages(model.Get(), &messages), kLiteRtStatusOk);
  EXPECT_THAT(messages, ::testing::HasSubstr("cancelled"));
  std::free(messages);
  // What reads the failed output fails too; what overwrites it, once its event is cleared, does not.
  auto others = model.CreateOutputBuffers();
  model.SetCancellationFunction(nullptr, nullptr);
  EXPECT_FALSE(model.Run(*outputs, *others));
  ASSERT_TRUE((*outputs)[0].ClearEvent());
  ASSERT_TRUE(model.Run(*inputs, *outputs));
  EXPECT_THAT(ReadAll((*outputs)[0]), ::testing::ElementsAre(2, 8, 18, 32));
}

// As LiteRT does, however the run is asked for, and whether the event is signalled or not.
TEST_P(AsyncRuns, TakeNoOutputThatStillHasAnEvent) {
  auto env = MakeEnvironment(GetParam());
  auto model = Create(env);
  auto inputs = model.CreateInputBuffers();
  auto outputs = model.CreateOutputBuffers();
  ASSERT_TRUE((*inputs)[0].Write<float>(kX));
  bool async = false;
  const auto expect_refused = [&] {
    for (const auto& run :
         {model.RunAsync(*inputs, *outputs, async), model.Run(*inputs, *outputs)}) {
      ASSERT_FALSE(run);
      EXPECT_EQ(run.Error().Status(), kLiteRtStatusErrorInvalidArgument);
    }
    char* messages = nullptr;
    ASSERT_EQ(LiteRtCompiledModelGetErrorMessages(model.Get(), &messages), kLiteRtStatusOk);
    EXPECT_THAT(messages, ::testing::HasSubstr("output 0: the buffer has an event"));
    std::free(messages);
  };
  const Gate gate((*inputs)[0].Get());
  ASSERT_TRUE(model.RunAsync(*inputs, *outputs, async));
  expect_refused();
  gate.Open();
  EXPECT_THAT(ReadAll((*outputs)[0]), ::testing::ElementsAre(2, 8, 18, 32));
  expect_refused();
  ASSERT_TRUE((*outputs)[0].ClearEvent());
  EXPECT_TRUE(model.Run(*inputs, *outputs));
  EXPECT_TRUE(model.RunAsync(*inputs, *outputs, async));
  EXPECT_THAT(ReadAll((*outputs)[0]), ::testing::ElementsAre(2, 8, 18, 32));
}

TEST_P(AsyncRuns, WhatDoesNotFitIsToldAtOnce) {
  auto env = MakeEnvironment(GetParam());
  auto model = Create(env);
  auto inputs = model.CreateInputBuffers();
  auto outputs = model.CreateOutputBuffers();
  bool async = true;
  EXPECT_FALSE(model.RunAsync(*inputs, {}, async));
  EXPECT_FALSE(async);
  LiteRtTensorBuffer null_buffer = nullptr;
  LiteRtTensorBuffer output = (*outputs)[0].Get();
  EXPECT_EQ(LiteRtRunCompiledModelAsync(model.Get(), 0, 1, &null_buffer, 1, &output, &async),
            kLiteRtStatusErrorInvalidArgument);
  bool has_event = true;
  EXPECT_EQ(LiteRtHasTensorBufferEvent(output, &has_event), kLiteRtStatusOk);
  EXPECT_FALSE(has_event);
}

INSTANTIATE_TEST_SUITE_P(BothAbis, AsyncRuns, ::testing::Values(kPlugins21, kPlugins22),
                         [](const auto& info) { return info.index == 0 ? "Abi21" : "Abi22"; });

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
