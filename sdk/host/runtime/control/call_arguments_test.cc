// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What subgraphs are passed where it is not what they say that they take.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "sdk/host/model/graph/model_builder.h"
#include "sdk/host/runtime/runner/signature_runner.h"
#include "sdk/host/runtime/testing/floats.h"

namespace npukit {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr auto kBool = kLiteRtElementTypeBool;
constexpr auto kInt = kLiteRtElementTypeInt32;

// A branch that takes floats x and other, and gives x + step; with `uses_other`, x + other.
int32_t AddBranch(ModelBuilder& b, float step, bool uses_other) {
  const int32_t branch = b.BeginSubgraph("branch");
  Tensor* x = b.Input("x", kFloat, {2});
  Tensor* other = b.Input("other", kFloat, {2});
  Tensor* sum = b.Value("sum", kFloat, {2});
  Tensor* constant = b.Constant<float>("step", {1}, {step});
  b.AddOp(kLiteRtOpCodeTflAdd, AddOptions{}, {x, uses_other ? other : constant}, {sum});
  b.Output(sum);
  b.SelectSubgraph(0);
  return branch;
}

// IF that passes int32 for the floats `other`.
std::unique_ptr<Model> IfOfIntegers(bool uses_other) {
  ModelBuilder b;
  Tensor* yes = b.Input("yes", kBool, {});
  Tensor* x = b.Input("x", kFloat, {2});
  Tensor* integers = b.Input("integers", kInt, {3});
  Tensor* y = b.Value("y", kFloat, {2});
  const int32_t up = AddBranch(b, 10, uses_other);
  const int32_t down = AddBranch(b, -10, uses_other);
  b.AddOp(kLiteRtOpCodeTflIf, IfOptions{.then_subgraph_index = up, .else_subgraph_index = down},
          {yes, x, integers}, {y});
  b.Output(y);
  return b.BuildUnchecked();
}

TEST(CallArguments, OfInputsThatNothingReadsAreOfAnyType) {
  const auto model = IfOfIntegers(false);
  auto runner = SignatureRunner::Create(*model, model->main_subgraph(), {}, nullptr, nullptr);
  ASSERT_TRUE(runner) << runner.Error();
  ASSERT_TRUE((*runner)->SetInput(1, std::vector<uint8_t>{0, 0, 128, 63, 0, 0, 0, 64}));  // 1, 2
  ASSERT_TRUE((*runner)->SetInput(0, std::vector<uint8_t>{1}));
  EXPECT_THAT(RunWith(**runner, {}), ElementsAre(11, 12));
  ASSERT_TRUE((*runner)->SetInput(0, std::vector<uint8_t>{0}));
  EXPECT_THAT(RunWith(**runner, {}), ElementsAre(-9, -8));
}

TEST(CallArguments, OfInputsThatAreReadHaveTheirType) {
  const auto model = IfOfIntegers(true);
  const auto runner = SignatureRunner::Create(*model, model->main_subgraph(), {}, nullptr, nullptr);
  ASSERT_FALSE(runner);
  EXPECT_THAT(runner.Error().Message(),
              AllOf(HasSubstr("IF"), HasSubstr("'integers'"), HasSubstr("then branch as float32")));
}

}  // namespace
}  // namespace npukit
