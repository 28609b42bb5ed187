// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Tensors without elements: the NPU has no instruction for nothing, so their ops stay on the CPU, and the others do not.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "reference_plugin/tests/acme_plugin.h"
#include "reference_plugin/tests/npu_and_cpu.h"
#include "sdk/host/session/session.h"

namespace npukit {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

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
  EXPECT_THAT(placement.ops[0].reason, HasSubstr("has no elements"));
  EXPECT_EQ(placement.ops[1].target, Target::kNpu);
  SignatureRunner& runner = (*session)->default_runner();
  const std::vector<float> values = {1, 2, 3};
  ASSERT_TRUE(runner.SetInput(0, {}));
  ASSERT_TRUE(runner.SetInput(1, {reinterpret_cast<const uint8_t*>(values.data()), 12}));
  const auto ran = runner.Run();
  ASSERT_TRUE(ran) << ran.Error();
  EXPECT_THAT(runner.output(0), IsEmpty());
  const auto* sums = reinterpret_cast<const float*>(runner.output(1).data());
  EXPECT_THAT(std::vector<float>(sums, sums + 3), ElementsAre(2, 4, 6));
}

}  // namespace
}  // namespace npukit
