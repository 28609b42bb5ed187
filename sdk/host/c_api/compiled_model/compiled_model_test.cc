// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What a compiled model keeps over runs and resizing.

#include "sdk/host/c_api/compiled_model/compiled_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <thread>

#include "litert/c/litert_compiled_model.h"
#include "litert/c/litert_environment.h"
#include "litert/c/litert_event.h"
#include "litert/c/litert_metrics.h"
#include "litert/c/litert_options.h"
#include "litert/c/litert_tensor_buffer_requirements.h"
#include "npukit/metrics.h"
#include "sdk/host/runtime/test_dispatch/device_models.h"

namespace npukit {
namespace {

constexpr char kAsyncDir[] = NPUKIT_TEST_DISPATCH_DIR "/async";
constexpr char kSelectsAllDir[] = NPUKIT_BUILD_DIR "/test_plugins/selects_all";

// A model compiled with that folder of plugins and that one of dispatch libraries.
class Compiled {
 public:
  Compiled(std::unique_ptr<Model> model, const char* plugins, const char* dispatch)
      : model_(std::move(model)) {
    LiteRtEnvOption folders[2] = {};
    folders[0].tag = kLiteRtEnvOptionTagCompilerPluginLibraryDir;
    folders[0].value = {.type = kLiteRtAnyTypeString, .str_value = plugins};
    folders[1].tag = kLiteRtEnvOptionTagDispatchLibraryDir;
    folders[1].value = {.type = kLiteRtAnyTypeString, .str_value = dispatch};
    EXPECT_EQ(LiteRtCreateEnvironment(2, folders, &environment_), kLiteRtStatusOk);
    EXPECT_EQ(LiteRtCreateOptions(&options_), kLiteRtStatusOk);
    EXPECT_EQ(LiteRtSetOptionsHardwareAccelerators(
                  options_, kLiteRtHwAcceleratorCpu | kLiteRtHwAcceleratorNpu),
              kLiteRtStatusOk);
    EXPECT_EQ(LiteRtCreateCompiledModel(environment_, model_.get(), options_, &compiled_),
              kLiteRtStatusOk);
  }
  ~Compiled() {
    for (LiteRtTensorBuffer buffer : buffers_) LiteRtDestroyTensorBuffer(buffer);
    LiteRtDestroyCompiledModel(compiled_);
    LiteRtDestroyOptions(options_);
    LiteRtDestroyEnvironment(environment_);
  }
  Compiled(const Compiled&) = delete;
  Compiled& operator=(const Compiled&) = delete;

  LiteRtCompiledModel get() const { return compiled_; }

  template <typename T>
  LiteRtTensorBuffer Buffer(LiteRtElementType element_type, const std::vector<T>& values) {
    LiteRtRankedTensorType type = {};
    type.element_type = element_type;
    type.layout.rank = 1;
    type.layout.dimensions[0] = static_cast<int32_t>(values.size());
    LiteRtTensorBuffer buffer = nullptr;
    EXPECT_EQ(LiteRtCreateManagedTensorBuffer(environment_, kLiteRtTensorBufferTypeHostMemory,
                                              &type, values.size() * sizeof(T), &buffer),
              kLiteRtStatusOk);
    void* address = nullptr;
    EXPECT_EQ(LiteRtGetTensorBufferHostMemory(buffer, &address), kLiteRtStatusOk);
    if (!values.empty()) std::memcpy(address, values.data(), values.size() * sizeof(T));
    buffers_.push_back(buffer);
    return buffer;
  }

 private:
  std::unique_ptr<Model> model_;
  LiteRtEnvironment environment_ = nullptr;
  LiteRtOptions options_ = nullptr;
  LiteRtCompiledModel compiled_ = nullptr;
  std::vector<LiteRtTensorBuffer> buffers_;
};

// y = r * r on the device, where r is x in a shape that only a run shows.
std::unique_ptr<Model> LateModel() {
  CompiledModel m("fn square mul\n");
  Tensor* x = m.b.Input("x", kFloat, {6});
  Tensor* shape = m.b.Input("shape", kLiteRtElementTypeInt32, {2});
  Tensor* r = m.b.Value("r", kFloat, {2, 3});
  m.b.AddOp(kLiteRtOpCodeTflReshape, ReshapeOptions{}, {x, shape}, {r});
  m.b.Output(m.Call("square", {r, r}, m.b.Value("y", kFloat, {2, 3})));
  return m.Build();
}

bool IsComplete(LiteRtTensorBuffer buffer) {
  LiteRtEvent event = nullptr;
  bool is_signaled = true;
  if (LiteRtGetTensorBufferEvent(buffer, &event) != kLiteRtStatusOk) return true;
  EXPECT_EQ(LiteRtIsEventSignaled(event, &is_signaled), kLiteRtStatusOk);
  return is_signaled;
}

// A run may plan such a model anew, so that nothing else looks at it meanwhile.
TEST(CompiledModelRuns, OfShapesThatARunShowsWaitForEachOther) {
  const auto hold = DeviceFunction<decltype(&TestDispatchHold)>("async", "TestDispatchHold");
  DeviceState("async") = {};
  {
    Compiled compiled(LateModel(), "", kAsyncDir);
    LiteRtTensorBuffer inputs[] = {compiled.Buffer<float>(kFloat, {1, 2, 3, 4, 5, 6}),
                                   compiled.Buffer<int32_t>(kLiteRtElementTypeInt32, {2, 3})};
    LiteRtTensorBuffer outputs[] = {compiled.Buffer<float>(kFloat, std::vector<float>(6)),
                                    compiled.Buffer<float>(kFloat, std::vector<float>(6))};
    const auto run = [&](LiteRtTensorBuffer& output) {
      bool is_async = false;
      EXPECT_EQ(LiteRtRunCompiledModelAsync(compiled.get(), 0, 2, inputs, 1, &output, &is_async),
                kLiteRtStatusOk);
      return is_async;
    };
    EXPECT_FALSE(run(outputs[0])) << "nothing is known of its devices yet";
    hold(true);
    EXPECT_TRUE(run(outputs[0]));
    std::thread release([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
      hold(false);
    });
    EXPECT_TRUE(run(outputs[1]));
    EXPECT_TRUE(IsComplete(outputs[0]));
    release.join();
  }
  EXPECT_THAT(DeviceState("async").violations, ::testing::IsEmpty());
}

// y = x * x of no elements, beside v = u * u of two, on the device.
TEST(CompiledModelRuns, TensorsWithoutElements) {
  for (const char* dispatch : {kDeviceDir, kAsyncDir}) {
    CompiledModel m("fn square mul\n");
    Tensor* x = m.b.Input("x", kFloat, {0});
    Tensor* u = m.b.Input("u", kFloat, {2});
    m.b.Output(m.Call("square", {x, x}, m.b.Value("y", kFloat, {0})));
    m.b.Output(m.Call("square", {u, u}, m.b.Value("v", kFloat, {2})));
    Compiled compiled(m.Build(), "", dispatch);
    LiteRtTensorBuffer inputs[] = {compiled.Buffer<float>(kFloat, {}),
                                   compiled.Buffer<float>(kFloat, {2, 3})};
    LiteRtTensorBuffer outputs[] = {compiled.Buffer<float>(kFloat, {}),
                                    compiled.Buffer<float>(kFloat, {0, 0})};
    size_t size_bytes = 1;
    EXPECT_EQ(LiteRtGetTensorBufferPackedSize(outputs[0], &size_bytes), kLiteRtStatusOk);
    EXPECT_EQ(size_bytes, 0u);
    const auto expect_squares = [&] {
      void* values = nullptr;
      for (int i : {0, 1}) {
        ASSERT_EQ(LiteRtLockTensorBuffer(outputs[i], &values, kLiteRtTensorBufferLockModeReadWrite),
                  kLiteRtStatusOk);
        if (i == 1) {
          auto* v = static_cast<float*>(values);
          EXPECT_THAT(std::vector<float>(v, v + 2), ::testing::ElementsAre(4, 9));
          v[0] = v[1] = 0;
        }
        EXPECT_EQ(LiteRtUnlockTensorBuffer(outputs[i]), kLiteRtStatusOk);
      }
    };
    ASSERT_EQ(LiteRtRunCompiledModel(compiled.get(), 0, 2, inputs, 2, outputs), kLiteRtStatusOk);
    expect_squares();
    bool is_async = false;
    ASSERT_EQ(LiteRtRunCompiledModelAsync(compiled.get(), 0, 2, inputs, 2, outputs, &is_async),
              kLiteRtStatusOk);
    expect_squares();
  }
}

TEST(CompiledModelResizing, IsStrictByTheModelAsItWasGiven) {
  ModelBuilder b;
  Tensor* x = b.Input("x", kFloat, {1, 2});
  Tensor* y = b.Value("y", kFloat, {1, 2});
  x->shape_signature = y->shape_signature = {-1, 2};
  b.AddOp(kLiteRtOpCodeTflMul, MulOptions{}, {x, x}, {y});
  b.Output(y);
  const Compiled compiled(b.BuildUnchecked(), kSelectsAllDir, kDeviceDir);
  for (const auto& [rows, columns, status] : {std::tuple(3, 2, kLiteRtStatusOk),
                                              {5, 2, kLiteRtStatusOk},
                                              {5, 3, kLiteRtStatusErrorInvalidArgument}}) {
    const int dims[] = {rows, columns};
    EXPECT_EQ(LiteRtCompiledModelResizeInputTensor(compiled.get(), 0, 0, dims, 2), status)
        << rows << " " << columns;
  }
}

// Prefill and decode both take "tokens".
TEST(CompiledModelResizing, IsOfOneSignature) {
  ModelBuilder b;
  for (const char* key : {"prefill", "decode"}) {
    if (key == std::string("decode")) b.BeginSubgraph(key);
    Tensor* x = b.Input("tokens", kFloat, {1, 2});
    Tensor* y = b.Value("y", kFloat, {1, 2});
    x->shape_signature = y->shape_signature = {-1, 2};
    b.AddOp(kLiteRtOpCodeTflMul, MulOptions{}, {x, x}, {y});
    b.Output(y);
    b.AddSignature(key);
  }
  const Compiled compiled(b.BuildUnchecked(), "", "");
  const auto rows = [&](LiteRtParamIndex signature) {
    LiteRtLayout layout = {};
    EXPECT_EQ(LiteRtGetCompiledModelInputTensorLayout(compiled.get(), signature, 0, &layout),
              kLiteRtStatusOk);
    return layout.dimensions[0];
  };
  const int many[] = {5, 2};
  ASSERT_EQ(LiteRtCompiledModelResizeInputTensor(compiled.get(), 0, 0, many, 2), kLiteRtStatusOk);
  EXPECT_EQ(rows(0), 5);
  EXPECT_EQ(rows(1), 1);
  const int few[] = {3, 2};
  ASSERT_EQ(LiteRtCompiledModelResizeInputTensor(compiled.get(), 1, 0, few, 2), kLiteRtStatusOk);
  EXPECT_EQ(rows(0), 5);
  EXPECT_EQ(rows(1), 3);
}

TEST(CompiledModelLayouts, HaveNoRoomForNineDimensions) {
  ModelBuilder b;
  b.Input("deep", kFloat, std::vector<int32_t>(9, 1));
  Tensor* x = b.Input("x", kFloat, {2});
  Tensor* y = b.Value("y", kFloat, {2});
  b.AddOp(kLiteRtOpCodeTflNeg, NegOptions{}, {x}, {y});
  b.Output(y);
  const Compiled compiled(b.BuildUnchecked(), "", "");
  LiteRtLayout layout = {};
  EXPECT_EQ(LiteRtGetCompiledModelInputTensorLayout(compiled.get(), 0, 0, &layout),
            kLiteRtStatusErrorUnsupported);
  char* said = nullptr;
  ASSERT_EQ(LiteRtCompiledModelGetErrorMessages(compiled.get(), &said), kLiteRtStatusOk);
  EXPECT_THAT(said, ::testing::EndsWith("tensor 'deep' has 9 dimensions, expected at most 8\n"));
  std::free(said);
}

TEST(CompiledModelMetrics, CollectionGoesOnWhenAnInputIsResized) {
  DeviceState() = {};
  CompiledModel m("fn square mul\n");
  Tensor* x = m.b.Input("x", kFloat, {2});
  Tensor* u = m.b.Input("u", kFloat, {1});
  Tensor* v = m.b.Value("v", kFloat, {1});
  m.b.Output(m.Call("square", {x, x}, m.b.Value("y", kFloat, {2})));
  m.b.AddOp(kLiteRtOpCodeTflNeg, NegOptions{}, {u}, {v});
  m.b.Output(v);
  const Compiled compiled(m.Build(), "", kDeviceDir);
  ASSERT_EQ(LiteRtCompiledModelStartMetricsCollection(compiled.get(), 0), kLiteRtStatusOk);
  const int dims[] = {3};
  ASSERT_EQ(LiteRtCompiledModelResizeInputTensorNonStrict(compiled.get(), 0, 1, dims, 1),
            kLiteRtStatusOk);
  LiteRtMetrics metrics = nullptr;
  ASSERT_EQ(LiteRtCreateMetrics(&metrics), kLiteRtStatusOk);
  EXPECT_EQ(LiteRtCompiledModelStopMetricsCollection(compiled.get(), metrics), kLiteRtStatusOk);
  int count = 0;
  EXPECT_EQ(LiteRtGetNumMetrics(metrics, &count), kLiteRtStatusOk);
  EXPECT_GT(count, 0);
  LiteRtDestroyMetrics(metrics);
  EXPECT_THAT(DeviceState().violations, ::testing::IsEmpty());
}

// The size of an output that a run decides is that of the last run.
TEST(CompiledModelRequirements, FollowTheLastRun) {
  ModelBuilder b;
  Tensor* dims = b.Input("dims", kLiteRtElementTypeInt32, {1});
  Tensor* value = b.Constant<float>("value", {}, {1});
  Tensor* y = b.Value("y", kFloat, {-1});
  b.AddOp(kLiteRtOpCodeTflFill, FillOptions{}, {dims, value}, {y});
  b.Output(y);
  Compiled compiled(b.BuildUnchecked(), "", "");
  for (int32_t elems : {2, 5}) {
    LiteRtTensorBuffer input = compiled.Buffer<int32_t>(kLiteRtElementTypeInt32, {elems});
    LiteRtTensorBuffer output = compiled.Buffer<float>(kFloat, std::vector<float>(8));
    ASSERT_EQ(LiteRtRunCompiledModel(compiled.get(), 0, 1, &input, 1, &output), kLiteRtStatusOk);
    LiteRtTensorBufferRequirements requirements = nullptr;
    ASSERT_EQ(LiteRtGetCompiledModelOutputBufferRequirements(compiled.get(), 0, 0, &requirements),
              kLiteRtStatusOk);
    size_t size_bytes = 0;
    ASSERT_EQ(LiteRtGetTensorBufferRequirementsBufferSize(requirements, &size_bytes),
              kLiteRtStatusOk);
    EXPECT_EQ(size_bytes, static_cast<size_t>(elems) * sizeof(float));
  }
}

}  // namespace
}  // namespace npukit
