// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/model/graph/fixed_shapes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sdk/host/model/graph/model_builder.h"

namespace npukit {
namespace {

TEST(FixDynamicShapesTest, TakesTheValuesOfTheFile) {
  ModelBuilder b;
  Tensor* x = b.Input("x", kLiteRtElementTypeFloat32, {1, 4});
  Tensor* s = b.Input("s", kLiteRtElementTypeFloat32, {2, 4});
  Tensor* y = b.Value("y", kLiteRtElementTypeFloat32, {1, 4});
  b.AddOp(kLiteRtOpCodeTflAdd, {x, s}, {y});
  b.Output(y);
  x->shape_signature = {-1, 4};
  y->shape_signature = {-1, 4};
  Tensor* unknown = b.Value("unknown", kLiteRtElementTypeFloat32, {1});
  unknown->shape = {-1};
  unknown->shape_signature = {-1};
  EXPECT_THAT(FixDynamicShapes(b.model()), testing::ElementsAre("x [1,4]"));
  EXPECT_FALSE(x->is_dynamic());
  EXPECT_FALSE(y->is_dynamic());
  EXPECT_EQ(y->shape, (std::vector<int32_t>{1, 4}));
  EXPECT_TRUE(unknown->is_dynamic()) << "there is no value to take";
  EXPECT_THAT(FixDynamicShapes(b.model()), testing::IsEmpty());
}

}  // namespace
}  // namespace npukit
