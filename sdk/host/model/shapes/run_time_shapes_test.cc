// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/model/shapes/run_time_shapes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sdk/host/model/graph/model_builder.h"

namespace npukit {
namespace {

using ::testing::ElementsAre;

constexpr auto kFloat = kLiteRtElementTypeFloat32;
constexpr auto kInt = kLiteRtElementTypeInt32;

TEST(RunTimeShapes, FollowFromValuesThatARunComputes) {
  ModelBuilder b;
  Tensor* x = b.Input("x", kFloat, {2, 3});
  Tensor* wanted = b.Input("wanted", kInt, {1});
  Tensor* shape = b.Value("shape", kInt, {2});
  Tensor* one = b.Constant<int32_t>("one", {2}, {1, 1});
  Tensor* twice = b.Value("twice", kInt, {2});
  Tensor* fixed = b.Value("fixed", kFloat, {2, 3});
  Tensor* free = b.Value("free", kFloat, {6});
  Tensor* negated = b.Value("negated", kFloat, {6});
  Tensor* free_shape = b.Value("free_shape", kInt, {1});
  b.AddOp(kLiteRtOpCodeTflShape, ShapeOptions{}, {x}, {shape});
  b.AddOp(kLiteRtOpCodeTflMul, MulOptions{}, {shape, one}, {twice});
  b.AddOp(kLiteRtOpCodeTflReshape, ReshapeOptions{}, {x, twice}, {fixed});
  b.AddOp(kLiteRtOpCodeTflReshape, ReshapeOptions{}, {fixed, wanted}, {free});
  b.AddOp(kLiteRtOpCodeTflNeg, NegOptions{}, {free}, {negated});
  b.AddOp(kLiteRtOpCodeTflShape, ShapeOptions{}, {negated}, {free_shape});
  b.Output(free_shape);
  const auto model = b.BuildUnchecked();
  EXPECT_THAT(FindRunTimeShapes(*model),
              ElementsAre(ElementsAre(false, false, false, true, true, true)));
}

// A file may say so; kernels refuse it later.
TEST(RunTimeShapes, OfReadsWithoutResults) {
  ModelBuilder b;
  Tensor* handle = b.Input("handle", kLiteRtElementTypeTfResource, {1});
  b.AddOp(kLiteRtOpCodeTflReadVariable, ReadVariableOptions{}, {handle}, {});
  b.Output(handle);
  const auto model = b.BuildUnchecked();
  EXPECT_THAT(FindRunTimeShapes(*model), ElementsAre(ElementsAre(false)));
}

TEST(RunTimeShapes, OfLoopsThatGrowReachTheBody) {
  for (const int32_t length : {1, 2}) {
    ModelBuilder b;
    Tensor* x = b.Input("x", kFloat, {1});
    Tensor* y = b.Value("y", kFloat, {1});
    Tensor* z = b.Value("z", kFloat, {1});
    const int32_t condition = b.BeginSubgraph("condition");
    b.Input("c", kFloat, {1});
    b.Output(b.Constant("no", kLiteRtElementTypeBool, {}, std::vector<uint8_t>{0}));
    const int32_t body = b.BeginSubgraph("body");
    Tensor* a = b.Input("a", kFloat, {1});
    Tensor* s = b.Value("s", kFloat, {length});
    const std::vector<Tensor*> parts(static_cast<size_t>(length), a);
    b.AddOp(kLiteRtOpCodeTflConcatenation, ConcatenationOptions{.axis = 0}, parts, {s});
    b.Output(s);
    b.SelectSubgraph(0);
    b.AddOp(kLiteRtOpCodeTflWhile,
            WhileOptions{.cond_subgraph_index = condition, .body_subgraph_index = body}, {x}, {y});
    b.AddOp(kLiteRtOpCodeTflNeg, NegOptions{}, {y}, {z});
    b.Output(z);
    const auto model = b.BuildUnchecked();
    const bool grows = length > 1;
    EXPECT_THAT(FindRunTimeShapes(*model),
                ElementsAre(ElementsAre(grows, grows), ElementsAre(), ElementsAre(grows)));
  }
}

}  // namespace
}  // namespace npukit
