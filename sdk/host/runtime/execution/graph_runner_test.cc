// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/runtime/execution/graph_runner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sdk/host/model/graph/model_builder.h"
#include "sdk/host/runtime/runner/signature_runner.h"
#include "sdk/host/runtime/testing/floats.h"

namespace npukit {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr auto kInt = kLiteRtElementTypeInt32;

struct Made {
  std::unique_ptr<Model> model;
  std::unique_ptr<SignatureRunner> runner;
};

Made Prepare(ModelBuilder& b, SignatureRunner::Options options = {}) {
  Made made;
  made.model = b.BuildUnchecked();
  auto runner = SignatureRunner::Create(*made.model, made.model->main_subgraph(),
                                        std::move(options), nullptr, nullptr);
  EXPECT_TRUE(runner) << runner.Error();
  if (runner) made.runner = std::move(*runner);
  return made;
}

template <typename T>
void Set(SignatureRunner& runner, size_t index, const std::vector<T>& values) {
  const auto set = runner.SetInput(
      index, {reinterpret_cast<const uint8_t*>(values.data()), values.size() * sizeof(T)});
  EXPECT_TRUE(set) << set.Error();
}

// reshape(x, shape) + 1, with a shape that is an input.
void AddReshape(ModelBuilder& b) {
  Tensor* x = b.Input("x", kFloat, {6});
  Tensor* shape = b.Input("shape", kInt, {2});
  Tensor* one = b.Constant<float>("one", {1}, {1});
  Tensor* r = b.Value("r", kFloat, {-1, -1});
  Tensor* y = b.Value("y", kFloat, {-1, -1});
  b.AddOp(kLiteRtOpCodeTflReshape, ReshapeOptions{}, {x, shape}, {r});
  b.AddOp(kLiteRtOpCodeTflAdd, AddOptions{}, {r, one}, {y});
  b.Output(y);
}

TEST(GraphRunner, PlansWhatLiesBehindAComputedShapeWhenItIsKnown) {
  ModelBuilder b;
  AddReshape(b);
  const Made made = Prepare(b);
  ASSERT_NE(made.runner, nullptr);
  SignatureRunner& runner = *made.runner;
  EXPECT_FALSE(runner.outputs()[0].has_fixed_shape);
  EXPECT_THAT(runner.outputs()[0].shape, ElementsAre(-1, -1));
  EXPECT_EQ(runner.outputs()[0].size_bytes, 0u);
  EXPECT_THAT(runner.output(0), IsEmpty());
  Set<float>(runner, 0, {1, 2, 3, 4, 5, 6});
  for (const auto& shape : {std::vector<int32_t>{2, 3}, {6, 1}, {3, 2}, {3, 2}}) {
    Set<int32_t>(runner, 1, shape);
    ASSERT_TRUE(runner.Run());
    EXPECT_THAT(runner.outputs()[0].shape, ElementsAre(shape[0], shape[1]));
    EXPECT_THAT(Floats(runner.output(0)), ElementsAre(2, 3, 4, 5, 6, 7));
  }
  EXPECT_EQ(runner.steps().size(), 2u);
  EXPECT_EQ(runner.steps()[1].name, "y");
}

TEST(GraphRunner, AWrongComputedShapeIsAnErrorOfTheRunAndLeavesTheRunnerUsable) {
  ModelBuilder b;
  AddReshape(b);
  const Made made = Prepare(b);
  ASSERT_NE(made.runner, nullptr);
  SignatureRunner& runner = *made.runner;
  Set<float>(runner, 0, {1, 2, 3, 4, 5, 6});
  Set<int32_t>(runner, 1, {4, 2});
  auto run = runner.Run();
  ASSERT_FALSE(run);
  EXPECT_THAT(run.Error().Message(), AllOf(HasSubstr("RESHAPE (op 0)"), HasSubstr("'x'")));
  Set<int32_t>(runner, 1, {2, 3});
  EXPECT_TRUE(runner.Run());
  Set<int32_t>(runner, 1, {5, 2});
  EXPECT_FALSE(runner.Run());
  Set<int32_t>(runner, 1, {1, 6});
  EXPECT_TRUE(runner.Run());
}

// One value decides what TRANSPOSE does, in the same shape, and whether SLICE can be.
TEST(GraphRunner, AnErrorLeavesNoKernelForTheValuesThatCausedIt) {
  ModelBuilder b;
  Tensor* x = b.Input("x", kFloat, {2, 2});
  Tensor* order = b.Input("order", kInt, {2});
  Tensor* size = b.Constant<int32_t>("size", {2}, {2, 1});
  Tensor* turned = b.Value("turned", kFloat, {2, 2});
  Tensor* column = b.Value("column", kFloat, {2, 1});
  b.AddOp(kLiteRtOpCodeTflTranspose, TransposeOptions{}, {x, order}, {turned});
  b.AddOp(kLiteRtOpCodeTflSlice, SliceOptions{}, {x, order, size}, {column});
  b.Output(turned);
  b.Output(column);
  const Made made = Prepare(b);
  ASSERT_NE(made.runner, nullptr);
  SignatureRunner& runner = *made.runner;
  Set<float>(runner, 0, {1, 2, 3, 4});
  for (int i = 0; i < 2; ++i) {
    Set<int32_t>(runner, 1, {0, 1});
    ASSERT_TRUE(runner.Run());
    EXPECT_THAT(Floats(runner.output(0)), ElementsAre(1, 2, 3, 4)) << i;
    EXPECT_THAT(Floats(runner.output(1)), ElementsAre(2, 4)) << i;
    Set<int32_t>(runner, 1, {1, 0});
    auto run = runner.Run();
    ASSERT_FALSE(run);
    EXPECT_THAT(run.Error().Message(), HasSubstr("SLICE (op 1)"));
  }
}

TEST(GraphRunner, SizesAboveTheLimitNameOpAndTensor) {
  ModelBuilder b;
  Tensor* dims = b.Input("dims", kInt, {3});
  Tensor* value = b.Constant<float>("value", {}, {1});
  Tensor* y = b.Value("y", kFloat, {-1, -1, -1});
  b.AddOp(kLiteRtOpCodeTflFill, FillOptions{}, {dims, value}, {y});
  b.Output(y);
  const Made made = Prepare(b, {.max_arena_bytes = 1 << 20});
  ASSERT_NE(made.runner, nullptr);
  for (const auto& shape :
       {std::vector<int32_t>{1 << 20, 1, 1}, {1 << 30, 1 << 30, 1 << 30}, {-1, 2, 2}}) {
    Set<int32_t>(*made.runner, 0, shape);
    auto run = made.runner->Run();
    ASSERT_FALSE(run);
    EXPECT_THAT(run.Error().Message(), AllOf(HasSubstr("FILL (op 0)")));
  }
  Set<int32_t>(*made.runner, 0, {1, 2, 3});
  EXPECT_TRUE(made.runner->Run());
}

// Two shapes, one behind the other: the rows of WHERE decide GATHER_ND's, a sum of those a FILL.
TEST(GraphRunner, HasAsManyStagesAsShapesThatDependOnEachOther) {
  ModelBuilder b;
  Tensor* x = b.Input("x", kFloat, {4});
  Tensor* zero = b.Constant<float>("zero", {}, {0});
  Tensor* axis = b.Constant<int32_t>("axis", {1}, {0});
  Tensor* mask = b.Value("mask", kLiteRtElementTypeBool, {4});
  Tensor* rows = b.Value("rows", kLiteRtElementTypeInt64, {-1, 1});
  Tensor* kept = b.Value("kept", kFloat, {-1});
  Tensor* sum = b.Value("sum", kFloat, {1});
  Tensor* count = b.Value("count", kInt, {1});
  Tensor* filled = b.Value("filled", kFloat, {-1});
  Tensor* fixed = b.Value("fixed", kFloat, {4});
  b.AddOp(kLiteRtOpCodeTflGreater, GreaterOptions{}, {x, zero}, {mask});
  b.AddOp(kLiteRtOpCodeTflWhere, WhereOptions{}, {mask}, {rows});
  b.AddOp(kLiteRtOpCodeTflGatherNd, GatherNdOptions{}, {x, rows}, {kept});
  b.AddOp(kLiteRtOpCodeTflSum, ReducerOptions{.keep_dims = true}, {kept, axis}, {sum});
  b.AddOp(kLiteRtOpCodeTflCast, CastOptions{}, {sum}, {count});
  b.AddOp(kLiteRtOpCodeTflFill, FillOptions{}, {count, zero}, {filled});
  b.AddOp(kLiteRtOpCodeTflAdd, AddOptions{}, {x, x}, {fixed});
  b.Output(filled);
  b.Output(kept);
  b.Output(fixed);
  const Made made = Prepare(b);
  ASSERT_NE(made.runner, nullptr);
  SignatureRunner& runner = *made.runner;
  EXPECT_TRUE(runner.outputs()[2].has_fixed_shape) << "does not depend on what a run computes";
  EXPECT_EQ(runner.steps().size(), 2u) << "the comparison and the sum are planned at once";
  struct {
    std::vector<float> x;
    size_t kept;
    size_t filled;
  } const cases[] = {
      {{1, -1, 2, 0}, 2, 3}, {{1, 1, 1, 1}, 4, 4}, {{-1, -1, -1, 0}, 0, 0}, {{0, 0, 5, 0}, 1, 5}};
  for (const auto& c : cases) {
    Set<float>(runner, 0, c.x);
    auto run = runner.Run();
    ASSERT_TRUE(run) << run.Error();
    EXPECT_EQ(runner.output(0).size(), c.filled * sizeof(float));
    EXPECT_EQ(runner.output(1).size(), c.kept * sizeof(float));
    // What has no elements is known once its shape is.
    EXPECT_EQ(runner.steps().size(), c.kept == 0 ? 4u : 7u);
  }
}

}  // namespace
}  // namespace npukit
