// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Sessions without a device, or that fall back to the CPU.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "sdk/host/runtime/test_dispatch/device_models.h"

namespace npukit {
namespace {

using ::testing::ElementsAre;
using ::testing::FloatNear;
using ::testing::HasSubstr;

TEST(Session, JustInTimeFallsBackToTheCpuAndSaysWhy) {
  auto plain = [] {
    ModelBuilder b;
    Tensor* x = b.Input("x", kFloat, {2});
    Tensor* y = b.Value("y", kFloat, {2});
    b.AddOp(kLiteRtOpCodeTflAdd, AddOptions{}, {x, x}, {y});
    b.Output(y);
    return b.BuildUnchecked();
  };
  struct Case {
    SessionOptions options;
    const char* reason;
  };
  const Case cases[] = {
      {{.jit = true}, "--plugin-dir"},
      {{.plugin_dir = "/nonexistent", .jit = true}, "/nonexistent"},
      {{.plugin_dir = kDeviceDir, .jit = true}, "no compiler plugin"},
      {{.plugin_dir = kDeviceDir}, "--jit"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.reason);
    auto session = Session::Create(plain(), c.options);
    ASSERT_TRUE(session) << session.Error();
    EXPECT_THAT(RunFloats((*session)->default_runner(), {1, 2}), ElementsAre(2, 4));
    EXPECT_THAT((*session)->placement().fallback_reason, HasSubstr(c.reason));
    EXPECT_EQ((*session)->placement().cpu_ops, 1u);
    EXPECT_EQ((*session)->placement().npu_ops, 0u);
    EXPECT_THAT((*session)->placement().ops.at(0).reason, HasSubstr(c.reason));
  }
}

// 0.3 is rounded to 38/127 of the row's largest element, 1.
TEST(Session, HybridProductsRoundActivationsUnlessAskedNotTo) {
  const auto product = [](kernels::HybridMode mode) {
    ModelBuilder b;
    Tensor* x = b.Input("x", kFloat, {1, 2});
    Tensor* w = b.Constant<int8_t>("w", {1, 2}, {0, 100}, PerTensor(0.01f));
    Tensor* y = b.Value("y", kFloat, {1, 1});
    b.AddOp(kLiteRtOpCodeTflFullyConnected, FullyConnectedOptions{}, {x, w, nullptr}, {y});
    b.Output(y);
    auto session = Session::Create(b.BuildUnchecked(), {.hybrid = mode});
    EXPECT_TRUE(session) << session.Error();
    return session ? RunFloats((*session)->default_runner(), {1, 0.3f}) : std::vector<float>();
  };
  EXPECT_THAT(product(kernels::HybridMode::kAsTflite), ElementsAre(FloatNear(38 / 127.0f, 1e-6f)));
  EXPECT_THAT(product(kernels::HybridMode::kExact), ElementsAre(FloatNear(0.3f, 1e-6f)));
}

// A compiler plugin whose dispatch library is missing, or refuses what it compiled.
TEST(Session, JustInTimeFallsBackWhenTheDispatchLibraryFails) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::path(::testing::TempDir()) / "npukit_jit_fallback";
  fs::remove_all(folder);
  fs::create_directories(folder);
  fs::create_symlink(NPUKIT_BUILD_DIR
                     "/test_plugins/selects_all/libLiteRtCompilerPlugin_selects_all.so",
                     folder / "libLiteRtCompilerPlugin_selects_all.so");
  auto run = [&](const char* reason) {
    ModelBuilder b;
    Tensor* x = b.Input("x", kFloat, {2});
    Tensor* y = b.Value("y", kFloat, {2});
    b.AddOp(kLiteRtOpCodeTflMul, MulOptions{}, {x, x}, {y});
    b.Output(y);
    auto session =
        Session::Create(b.BuildUnchecked(), {.plugin_dir = folder.string(), .jit = true});
    ASSERT_TRUE(session) << session.Error();
    EXPECT_THAT(RunFloats((*session)->default_runner(), {3, 4}), ElementsAre(9, 16));
    const SessionPlacement& placement = (*session)->placement();
    EXPECT_THAT(placement.fallback_reason, HasSubstr(reason));
    EXPECT_EQ(placement.cpu_ops, 1u);
    EXPECT_EQ(placement.npu_ops, 0u);
    EXPECT_EQ(placement.partitions, 0u);
    EXPECT_EQ(placement.dispatch, "");
  };
  run("no dispatch library");
  fs::create_symlink(std::string(kDeviceDir) + "/libLiteRtDispatch_TestDevice.so",
                     folder / "libLiteRtDispatch_TestDevice.so");
  DeviceState() = {};
  run("invocation_context_create(");
  EXPECT_TRUE(DeviceState().AllReleased());
  fs::remove_all(folder);
}

constexpr char kSelectsAllDir[] = NPUKIT_BUILD_DIR "/test_plugins/selects_all";

std::unique_ptr<Model> OpenMul() {
  ModelBuilder b;
  Tensor* x = b.Input("x", kFloat, {1, 2});
  Tensor* y = b.Value("y", kFloat, {1, 2});
  x->shape_signature = y->shape_signature = {-1, 2};
  b.AddOp(kLiteRtOpCodeTflMul, MulOptions{}, {x, x}, {y});
  b.Output(y);
  return b.BuildUnchecked();
}

TEST(Session, DispatchLibrariesMayHaveAFolderOfTheirOwn) {
  DeviceState() = {};
  auto session = Session::Create(
      OpenMul(), {.plugin_dir = kSelectsAllDir, .dispatch_dir = kDeviceDir, .jit = true});
  ASSERT_TRUE(session) << session.Error();
  EXPECT_THAT((*session)->placement().fallback_reason, HasSubstr("invocation_context_create("))
      << "the test device knows no such program";
}

// Compiling needs shapes; what runs on the CPU afterwards is the model as it was given.
TEST(Session, AFallbackLeavesTheModelAsItWas) {
  auto session = Session::Create(
      OpenMul(), {.plugin_dir = kSelectsAllDir, .jit = true, .resizes = {{"x", {3, 2}}}});
  ASSERT_TRUE(session) << session.Error();
  EXPECT_THAT((*session)->placement().fallback_reason, HasSubstr("no dispatch library"));
  const Subgraph& graph = (*session)->model().main_subgraph();
  for (const Tensor* tensor : {graph.inputs[0], graph.outputs[0]}) {
    EXPECT_THAT(tensor->shape, ElementsAre(1, 2)) << tensor->name;
    EXPECT_THAT(tensor->shape_signature, ElementsAre(-1, 2)) << tensor->name;
  }
  EXPECT_THAT(RunFloats((*session)->default_runner(), {1, 2, 3, 4, 5, 6}),
              ElementsAre(1, 4, 9, 16, 25, 36));
}

TEST(Session, ResizesByTensorOrSignatureName) {
  auto model = [] {
    ModelBuilder b;
    Tensor* x = b.Input("x", kFloat, {-1, 2});
    Tensor* y = b.Value("y", kFloat, {-1, 2});
    b.AddOp(kLiteRtOpCodeTflAdd, AddOptions{}, {x, x}, {y});
    b.Output(y);
    b.AddSignature("s");
    b.model().signatures[0]->inputs[0].name = "image";
    return b.BuildUnchecked();
  };
  for (const char* name : {"x", "image"}) {
    auto session = Session::Create(model(), {.resizes = {{name, {3, 2}}}});
    ASSERT_TRUE(session) << session.Error();
    EXPECT_THAT((*session)->default_runner().outputs()[0].shape, ElementsAre(3, 2));
    EXPECT_EQ((*session)->default_runner().inputs()[0].name, "image");
  }
  auto session = Session::Create(model(), {.resizes = {{"y", {3, 2}}}});
  ASSERT_FALSE(session);
  EXPECT_THAT(session.Error().Message(), HasSubstr("'y'"));
}

TEST(Session, ASignaturesNameComesBeforeATensors) {
  ModelBuilder b;
  Tensor* x = b.Input("x", kFloat, {-1});
  Tensor* z = b.Input("z", kFloat, {-1});
  for (Tensor* in : {x, z}) {
    Tensor* y = b.Value("y", kFloat, {-1});
    b.AddOp(kLiteRtOpCodeTflAdd, AddOptions{}, {in, in}, {y});
    b.Output(y);
  }
  b.AddSignature("s");
  b.model().signatures[0]->inputs[0].name = "z";
  b.model().signatures[0]->inputs[1].name = "other";
  auto session = Session::Create(b.BuildUnchecked(), {.resizes = {{"z", {3}}}});
  ASSERT_TRUE(session) << session.Error();
  EXPECT_THAT((*session)->default_runner().inputs()[0].shape, ElementsAre(3));
  EXPECT_THAT((*session)->default_runner().inputs()[1].shape, ElementsAre(1));
}

TEST(Session, RefusesHostileSizes) {
  ModelBuilder b;
  Tensor* x = b.Input("x", kFloat, {1, 1});
  Tensor* y = b.Value("y", kFloat, {1, 1});
  b.AddOp(kLiteRtOpCodeTflAdd, AddOptions{}, {x, x}, {y});
  b.Output(y);
  auto session = Session::Create(
      b.BuildUnchecked(), {.resizes = {{"x", {1 << 10, 1 << 10}}}, .max_arena_bytes = 6 << 20});
  ASSERT_FALSE(session);
  EXPECT_THAT(session.Error().Message(), HasSubstr("limit"));
  EXPECT_FALSE(Session::Create(nullptr, {}));
  EXPECT_FALSE(Session::Create(std::make_unique<Model>(), {}));
  EXPECT_FALSE(Session::Open("/nonexistent.tflite", {}));
}

}  // namespace
}  // namespace npukit
