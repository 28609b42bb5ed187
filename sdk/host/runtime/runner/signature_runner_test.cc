// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/runtime/runner/signature_runner.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "sdk/host/model/graph/model_builder.h"
#include "sdk/host/runtime/testing/floats.h"

namespace npukit {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

litert::Expected<std::unique_ptr<SignatureRunner>> MakeRunner(
    const Model& model, SignatureRunner::Options options = {}) {
  return SignatureRunner::Create(model, model.main_subgraph(), std::move(options), nullptr,
                                 nullptr);
}

TEST(SignatureRunner, AWrongInputSizeNamesBothSizes) {
  ModelBuilder b;
  Tensor* x = b.Input("x", kFloat, {2});
  b.Output(x);
  auto model = b.Build();
  ASSERT_TRUE(model) << model.Error();
  auto runner = MakeRunner(**model);
  ASSERT_TRUE(runner) << runner.Error();
  const std::vector<uint8_t> bytes(7);
  auto set = (*runner)->SetInput(0, bytes);
  ASSERT_FALSE(set);
  EXPECT_THAT(set.Error().Message(),
              AllOf(HasSubstr("'x'"), HasSubstr("takes 8 bytes"), HasSubstr("got 7")));
  EXPECT_FALSE((*runner)->SetInput(1, bytes));
}

TEST(SignatureRunner, KeepsIntermediatesOnRequest) {
  ModelBuilder b;
  Tensor* x = b.Input("x", kFloat, {2});
  Tensor* t[4];
  for (int i = 0; i < 4; ++i) {
    t[i] = b.Value(fmt::format("t{}", i), kFloat, {2});
    b.AddOp(kLiteRtOpCodeTflAdd, AddOptions{}, {i == 0 ? x : t[i - 1], x}, {t[i]});
  }
  b.Output(t[3]);
  auto model = b.Build();
  ASSERT_TRUE(model) << model.Error();
  const Subgraph& graph = (*model)->main_subgraph();
  auto runner = MakeRunner(**model, {.keep_intermediates = true});
  ASSERT_TRUE(runner) << runner.Error();
  RunWith(**runner, {{1, 2}});
  for (size_t i = 0; i < 4; ++i) {
    const auto n = static_cast<float>(i + 2);
    EXPECT_THAT(Floats((*runner)->TensorBytes(*graph.op(i).outputs[0])), ElementsAre(n, 2 * n));
  }
  // A single step, from what its inputs are made to hold.
  auto bytes = (*runner)->MutableTensorBytes(*graph.op(1).outputs[0]);
  const float value[2] = {100, 200};
  std::memcpy(bytes.data(), value, sizeof(value));
  ASSERT_TRUE((*runner)->RunStep(2));
  EXPECT_THAT(Floats((*runner)->TensorBytes(*graph.op(2).outputs[0])), ElementsAre(101, 202));

  auto forgetful = MakeRunner(**model);
  ASSERT_TRUE(forgetful);
  EXPECT_TRUE((*forgetful)->TensorBytes(*graph.op(1).outputs[0]).empty());
}

TEST(SignatureRunner, StepTimesAreInOrder) {
  ModelBuilder b;
  Tensor* x = b.Input("x", kFloat, {2});
  Tensor* y = b.Value("y", kFloat, {2});
  Tensor* z = b.Value("z", kFloat, {2});
  b.AddOp(kLiteRtOpCodeTflAdd, AddOptions{}, {x, x}, {y});
  b.AddOp(kLiteRtOpCodeTflAdd, AddOptions{}, {y, x}, {z});
  b.Output(z);
  auto model = b.Build();
  ASSERT_TRUE(model) << model.Error();
  auto runner = MakeRunner(**model);
  ASSERT_TRUE(runner) << runner.Error();
  (*runner)->EnableStepTimes(true);
  ASSERT_TRUE((*runner)->Run());
  const auto times = (*runner)->step_times();
  ASSERT_EQ(times.size(), 2u);
  EXPECT_LE(times[0].begin_ns, times[0].end_ns);
  EXPECT_LE(times[0].end_ns, times[1].begin_ns);
  EXPECT_LE(times[1].begin_ns, times[1].end_ns);
}

}  // namespace
}  // namespace npukit
