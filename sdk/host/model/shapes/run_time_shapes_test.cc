// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/model/shapes/run_time_shapes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "sdk/host/model/graph/model_builder.h"
#include "sdk/host/model/shapes/stored_shapes.h"

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

// What is stored of the loop's result may be what is stored of its operand: a value for a dynamic
// dimension, and no size of any run.
TEST(RunTimeShapes, OfLoopsThatGrowReachTheBody) {
  struct Case {
    int32_t parts;
    int32_t stored;
    bool grows;
  };
  for (const auto& [length, stored, grows] :
       {Case{1, 1, false}, Case{2, 2, true}, Case{2, 1, true}}) {
    ModelBuilder b;
    Tensor* x = b.Input("x", kFloat, {1});
    Tensor* y = b.Value("y", kFloat, {1});
    Tensor* z = b.Value("z", kFloat, {1});
    const int32_t condition = b.BeginSubgraph("condition");
    b.Input("c", kFloat, {1});
    b.Output(b.Constant("no", kLiteRtElementTypeBool, {}, std::vector<uint8_t>{0}));
    const int32_t body = b.BeginSubgraph("body");
    Tensor* a = b.Input("a", kFloat, {1});
    Tensor* s = b.Value("s", kFloat, {stored});
    const std::vector<Tensor*> parts(static_cast<size_t>(length), a);
    b.AddOp(kLiteRtOpCodeTflConcatenation, ConcatenationOptions{.axis = 0}, parts, {s});
    b.Output(s);
    b.SelectSubgraph(0);
    b.AddOp(kLiteRtOpCodeTflWhile,
            WhileOptions{.cond_subgraph_index = condition, .body_subgraph_index = body}, {x}, {y});
    b.AddOp(kLiteRtOpCodeTflNeg, NegOptions{}, {y}, {z});
    b.Output(z);
    const auto model = b.BuildUnchecked();
    EXPECT_THAT(FindRunTimeShapes(*model),
                ElementsAre(ElementsAre(grows, grows), ElementsAre(), ElementsAre(grows)));
  }
}

TEST(StoredShapes, OfWhatMakesTensorsLarger) {
  struct Case {
    const char* name;
    int32_t stored;
    bool is_impossible;
  };
  for (const auto& [name, stored, is_impossible] :
       {Case{"pad", 7, false}, Case{"pad", 4, true}, Case{"tile", 8, false},
        Case{"tile", 4, true}}) {
    ModelBuilder b;
    Tensor* x = b.Input("x", kFloat, {4});
    Tensor* y = b.Value("y", kFloat, {stored});
    if (std::string(name) == "pad") {
      b.AddOp(kLiteRtOpCodeTflPad, PadOptions{}, {x, b.Constant<int32_t>("around", {1, 2}, {1, 2})},
              {y});
    } else {
      b.AddOp(kLiteRtOpCodeTflTile, TileOptions{}, {x, b.Constant<int32_t>("times", {1}, {2})},
              {y});
    }
    b.Output(y);
    const auto model = b.BuildUnchecked();
    EXPECT_EQ(HasImpossibleShapes(*model->subgraph(0).ops().front()), is_impossible)
        << name << " to " << stored;
  }
}

// As some converters store what stands behind a shape that is computed.
TEST(StoredShapes, OfUnknownRank) {
  struct Case {
    LiteRtOpCode code;
    std::vector<int32_t> x;
    std::vector<int32_t> stored;
    bool is_impossible;
  };
  for (const auto& [code, x, stored, is_impossible] :
       {Case{kLiteRtOpCodeTflResizeNearestNeighbor, {1, 4, 4, 2}, {}, true},
        Case{kLiteRtOpCodeTflResizeNearestNeighbor, {1, 4, 4, 2}, {1, 8, 8, 2}, false},
        Case{kLiteRtOpCodeTflReshape, {1, 4, 4, 2}, {}, true},
        Case{kLiteRtOpCodeTflReshape, {1, 4, 4, 2}, {16, 2}, false}}) {
    ModelBuilder b;
    Tensor* value = b.Input("x", kFloat, x);
    Tensor* sizes = b.Input("sizes", kLiteRtElementTypeInt32, {2});
    Tensor* y = b.Value("y", kFloat, stored);
    const OpOptions options = code == kLiteRtOpCodeTflReshape
                                  ? OpOptions(ReshapeOptions{})
                                  : OpOptions(ResizeNearestNeighborOptions{});
    b.AddOp(code, options, {value, sizes}, {y});
    b.Output(y);
    const auto model = b.BuildUnchecked();
    EXPECT_EQ(HasImpossibleShapes(*model->subgraph(0).ops().front()), is_impossible)
        << OpCodeName(code) << " to rank " << stored.size();
  }
}

}  // namespace
}  // namespace npukit
