// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Tensors without elements at dispatch ops: they run, and give what the CPU gives.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "sdk/host/runtime/test_dispatch/device_models.h"

namespace npukit {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// y = x * x on the device, of no rows; v = u * u of two, in the same module.
std::unique_ptr<Model> OneEmptyOneNot(const std::string& demands) {
  CompiledModel m("fn square mul " + demands + "\n");
  Tensor* x = m.b.Input("x", kFloat, {0, 3});
  Tensor* u = m.b.Input("u", kFloat, {2, 3});
  Tensor* y = m.Call("square", {x, x}, m.b.Value("y", kFloat, {0, 3}));
  Tensor* v = m.Call("square", {u, u}, m.b.Value("v", kFloat, {2, 3}));
  Tensor* z = m.b.Value("z", kFloat, {2, 3});
  m.b.AddOp(kLiteRtOpCodeTflAdd, AddOptions{}, {v, u}, {z});
  m.b.Output(y);
  m.b.Output(z);
  return m.Build();
}

TEST_F(DispatchSession, AnEmptyResultRuns) {
  for (const std::string demands : {"", "align=256", "pad=128", "strides", "strides pad=128"}) {
    auto session = Create(OneEmptyOneNot(demands));
    ASSERT_TRUE(session) << demands << ": " << session.Error();
    SignatureRunner& runner = (*session)->default_runner();
    EXPECT_EQ((*session)->placement().npu_ops, 2u);
    ASSERT_TRUE(runner.SetInput(0, {}));
    for (float value : {2.0F, 3.0F}) {
      const std::vector<float> u = {value, 0, 1, 1, 0, value};
      ASSERT_TRUE(runner.SetInput(
          1, {reinterpret_cast<const uint8_t*>(u.data()), u.size() * sizeof(float)}));
      const auto ran = runner.Run();
      ASSERT_TRUE(ran) << demands << ": " << ran.Error();
      EXPECT_THAT(runner.output(0), IsEmpty());
      ASSERT_EQ(runner.output(1).size(), 6 * sizeof(float));
      const auto* z = reinterpret_cast<const float*>(runner.output(1).data());
      EXPECT_THAT(std::vector<float>(z, z + 6),
                  ElementsAre(value * value + value, 0, 2, 2, 0, value * value + value));
    }
    EXPECT_EQ(DeviceState().invokes, 4) << "a dispatch op without elements is still the vendor's";
    ASSERT_TRUE((*session)->Close());
    DeviceState().invokes = 0;
  }
}

// What the CPU leaves empty goes to the device, and what the device leaves empty to the CPU.
TEST_F(DispatchSession, AnEmptyTensorBetweenDeviceAndCpu) {
  CompiledModel m("fn square mul\n");
  Tensor* x = m.b.Input("x", kFloat, {0, 3});
  Tensor* s = m.b.Value("s", kFloat, {0, 3});
  m.b.AddOp(kLiteRtOpCodeTflAdd, AddOptions{}, {x, x}, {s});
  Tensor* y = m.Call("square", {s, s}, m.b.Value("y", kFloat, {0, 3}));
  Tensor* z = m.b.Value("z", kFloat, {0, 3});
  m.b.AddOp(kLiteRtOpCodeTflAdd, AddOptions{}, {y, s}, {z});
  m.b.Output(z);
  auto session = Create(m.Build());
  ASSERT_TRUE(session) << session.Error();
  SignatureRunner& runner = (*session)->default_runner();
  ASSERT_TRUE(runner.SetInput(0, {}));
  const auto ran = runner.Run();
  ASSERT_TRUE(ran) << ran.Error();
  EXPECT_THAT(runner.output(0), IsEmpty());
}

// All stays on the CPU, since the plugin takes nothing: a batch of none runs, too.
TEST(EmptyTensors, AFallbackRunsABatchOfNone) {
  ModelBuilder b;
  Tensor* x = b.Input("x", kFloat, {-1, 2});
  Tensor* y = b.Value("y", kFloat, {-1, 2});
  b.AddOp(kLiteRtOpCodeTflAdd, AddOptions{}, {x, x}, {y});
  b.Output(y);
  auto session = Session::Create(
      b.BuildUnchecked(), {.plugin_dir = kDeviceDir, .jit = true, .resizes = {{"x", {0, 2}}}});
  ASSERT_TRUE(session) << session.Error();
  EXPECT_FALSE((*session)->placement().fallback_reason.empty());
  SignatureRunner& runner = (*session)->default_runner();
  ASSERT_TRUE(runner.SetInput(0, {}));
  const auto ran = runner.Run();
  ASSERT_TRUE(ran) << ran.Error();
  EXPECT_THAT(runner.output(0), IsEmpty());
  EXPECT_THAT(runner.outputs()[0].shape, ElementsAre(0, 2));
}

}  // namespace
}  // namespace npukit
