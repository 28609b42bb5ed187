// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// A run allocates nothing.

#include <gtest/gtest.h>

#include <filesystem>

#include "sdk/host/model/graph/model_builder.h"
#include "sdk/host/runtime/diagnostics/random_inputs.h"
#include "sdk/host/runtime/testing/heap_watch.h"
#include "sdk/host/session/session.h"
#include "tests/support/shared_dir.h"

namespace npukit {
namespace {

// Allocations during one run, after a first that may warm things up: nothing is allowed to be lazy,
// so the first counts too.
int64_t AllocationsOfARun(SignatureRunner& runner) {
  const int64_t before = testing::HeapAllocations();
  const bool ok = runner.Run().HasValue();
  const int64_t allocations = testing::HeapAllocations() - before;
  EXPECT_TRUE(ok);
  return allocations;
}

TEST(Allocation, TheCounterCounts) {
#ifndef NPUKIT_WATCHES_HEAP
  GTEST_SKIP() << "malloc cannot be replaced in this build";
#endif
  const int64_t before = testing::HeapAllocations();
  auto* volatile p = new int(1);
  EXPECT_EQ(testing::HeapAllocations() - before, 1);
  delete p;
}

TEST(Allocation, NoneInARunOfABuiltModel) {
#ifndef NPUKIT_WATCHES_HEAP
  GTEST_SKIP() << "malloc cannot be replaced in this build";
#endif
  for (int threads : {1, 2}) {
    ModelBuilder b;
    // Large enough for a second thread to take part.
    Tensor* x = b.Input("x", kLiteRtElementTypeFloat32, {1, 16, 16, 32});
    Tensor* w =
        b.Constant<float>("w", {32, 3, 3, 32}, std::vector<float>(size_t{32} * 9 * 32, 0.01f));
    Tensor* bias = b.Constant<float>("bias", {32}, std::vector<float>(32, 0.5f));
    Tensor* y = b.Value("y", kLiteRtElementTypeFloat32, {1, 16, 16, 32});
    Tensor* z = b.Value("z", kLiteRtElementTypeFloat32, {1, 16, 16, 32});
    Conv2DOptions conv;
    conv.stride_w = conv.stride_h = 1;
    b.AddOp(kLiteRtOpCodeTflConv2d, conv, {x, w, bias}, {y});
    b.AddOp(kLiteRtOpCodeTflAdd, AddOptions{}, {y, x}, {z});
    b.Output(z);
    auto session = Session::Create(b.BuildUnchecked(), {.threads = threads});
    ASSERT_TRUE(session) << session.Error();
    SignatureRunner& runner = (*session)->default_runner();
    EXPECT_EQ(AllocationsOfARun(runner), 0) << threads << " threads, first run";
    runner.EnableStepTimes(true);
    EXPECT_EQ(AllocationsOfARun(runner), 0) << threads << " threads, second run";
  }
}

// A loop and a variable, all shapes known; and a shape that stays as it was in the run before.
TEST(Allocation, NoneInLoopsNorWhereAComputedShapeStays) {
#ifndef NPUKIT_WATCHES_HEAP
  GTEST_SKIP() << "malloc cannot be replaced in this build";
#endif
  constexpr auto kFloat = kLiteRtElementTypeFloat32;
  ModelBuilder b;
  Tensor* x = b.Input("x", kFloat, {1});
  Tensor* y = b.Value("y", kFloat, {1});
  const int32_t condition = b.BeginSubgraph("condition");
  Tensor* c = b.Input("c", kFloat, {1});
  Tensor* limit = b.Constant<float>("limit", {1}, {100});
  Tensor* less = b.Value("less", kLiteRtElementTypeBool, {1});
  b.AddOp(kLiteRtOpCodeTflLess, LessOptions{}, {c, limit}, {less});
  b.Output(less);
  const int32_t body = b.BeginSubgraph("body");
  Tensor* a = b.Input("a", kFloat, {1});
  Tensor* one = b.Constant<float>("one", {1}, {1});
  Tensor* sum = b.Value("sum", kFloat, {1});
  b.AddOp(kLiteRtOpCodeTflAdd, AddOptions{}, {a, one}, {sum});
  b.Output(sum);
  b.SelectSubgraph(0);
  b.AddOp(kLiteRtOpCodeTflWhile,
          WhileOptions{.cond_subgraph_index = condition, .body_subgraph_index = body}, {x}, {y});
  b.Output(y);
  auto looping = Session::Create(b.BuildUnchecked(), {});
  ASSERT_TRUE(looping) << looping.Error();
  EXPECT_EQ(AllocationsOfARun((*looping)->default_runner()), 0);

  ModelBuilder d;
  Tensor* v = d.Input("v", kFloat, {0});
  Tensor* shape = d.Input("shape", kLiteRtElementTypeInt32, {1});
  Tensor* r = d.Value("r", kFloat, {-1});
  d.AddOp(kLiteRtOpCodeTflReshape, ReshapeOptions{}, {v, shape}, {r});
  d.Output(r);
  auto shaped = Session::Create(d.BuildUnchecked(), {});
  ASSERT_TRUE(shaped) << shaped.Error();
  EXPECT_GT(AllocationsOfARun((*shaped)->default_runner()), 0) << "the first run plans";
  EXPECT_EQ(AllocationsOfARun((*shaped)->default_runner()), 0);
}

TEST(Allocation, NoneInARunOfRealModels) {
#ifndef NPUKIT_WATCHES_HEAP
  GTEST_SKIP() << "malloc cannot be replaced in this build";
#endif
  const std::filesystem::path folder = std::filesystem::path(SharedDir()) / "models";
  if (!std::filesystem::exists(folder))
    GTEST_SKIP() << folder << " is absent: real models are not run";
  size_t run = 0;
  for (const auto& file : std::filesystem::directory_iterator(folder)) {
    if (file.path().extension() != ".tflite") continue;
    auto session = Session::Open(file.path().string(), {});
    if (!session) continue;  // golden_model_test says which run
    SignatureRunner& runner = (*session)->default_runner();
    FillRandomInputs(runner, 1);
    EXPECT_EQ(AllocationsOfARun(runner), 0) << file.path();
    ++run;
  }
  EXPECT_GT(run, 0u);
}

}  // namespace
}  // namespace npukit
