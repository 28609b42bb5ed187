// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <flatbuffers/flexbuffers.h>

#include "sdk/host/kernels/testing/custom_node.h"
#include "sdk/host/kernels/testing/node_builder.h"
#include "sdk/host/kernels/testing/shorthand.h"

namespace npukit::kernels {
namespace {

using testing::BytesOf;
using testing::CustomNode;
using ::testing::ElementsAre;
using testing::Floats;
using ::testing::HasSubstr;
using testing::Ints;
using testing::kF32;
using testing::kI32;
using testing::ValuesOf;

// padding (1: SAME), strides w and h, filter w and h, activation.
std::vector<uint8_t> Pool(int32_t padding, int32_t stride, int32_t filter) {
  return BytesOf(Ints{padding, stride, stride, filter, filter, 0});
}

TEST(MediapipeOps, PoolingNumbersTheElementsOfAWindow) {
  CustomNode pool("MaxPoolingWithArgmax2D", Pool(2, 2, 2));
  pool.Input(kF32, {1, 2, 4, 1}).Output(kF32).Output(kF32);
  const auto input = BytesOf(Floats{1, 5, 2, 0, 3, 4, 7, 6});
  const auto outputs = pool.Run({input});
  ASSERT_TRUE(outputs) << outputs.Error();
  EXPECT_THAT(ValuesOf<float>((*outputs)[0]), ElementsAre(5, 7));
  EXPECT_THAT(ValuesOf<float>((*outputs)[1]), ElementsAre(1.1F, 2.1F));
  const auto oracle = pool.Oracle({input});
  ASSERT_TRUE(oracle) << oracle.Error();
  EXPECT_EQ((*oracle)[1].ToBytes(), (*outputs)[1]);

  CustomNode back("MaxUnpooling2D", Pool(2, 2, 2));
  back.Input(kF32, {1, 1, 2, 1}).Input(kF32, {1, 1, 2, 1}).Output(kF32);
  const auto spread = back.Run({(*outputs)[0], (*outputs)[1]});
  ASSERT_TRUE(spread) << spread.Error();
  EXPECT_EQ(back.node().outputs[0]->shape, (Shape{1, 2, 4, 1}));
  EXPECT_THAT(ValuesOf<float>((*spread)[0]), ElementsAre(0, 5, 0, 0, 0, 0, 7, 0));
  // What lies outside is passed over.
  EXPECT_TRUE(back.Run({(*outputs)[0], BytesOf(Floats{1e9F, testing::kNan})}));
}

TEST(MediapipeOps, TflitesNumberTheElementsOfTheImage) {
  flexbuffers::Builder options;
  options.Map([&] {
    options.String("padding", "VALID");
    options.Bool("include_batch_in_index", false);
    options.TypedVector("ksize", [&] {
      for (int size : {1, 2, 2, 1}) options.Int(size);
    });
    options.TypedVector("strides", [&] {
      for (int stride : {1, 2, 2, 1}) options.Int(stride);
    });
  });
  options.Finish();
  CustomNode pool("MaxPoolWithArgmax", options.GetBuffer());
  pool.Input(kF32, {1, 2, 4, 1}).Output(kF32).Output(kI32);
  const auto outputs = pool.Run({BytesOf(Floats{1, 5, 2, 0, 3, 4, 7, 6})});
  ASSERT_TRUE(outputs) << outputs.Error();
  EXPECT_THAT(ValuesOf<int32_t>((*outputs)[1]), ElementsAre(1, 6));

  CustomNode back("MaxUnpooling2D", Pool(1, 2, 2));
  back.Input(kF32, {1, 1, 2, 1}).Input(kI32, {1, 1, 2, 1}).Output(kF32);
  const auto spread = back.Run({(*outputs)[0], (*outputs)[1]});
  ASSERT_TRUE(spread) << spread.Error();
  EXPECT_THAT(ValuesOf<float>((*spread)[0]), ElementsAre(0, 5, 0, 0, 0, 0, 7, 0));
  const auto outside = back.Run({(*outputs)[0], BytesOf(Ints{1, 8})});
  ASSERT_FALSE(outside);
  EXPECT_THAT(outside.Error().Message(), HasSubstr("index 8 at 1"));
}

TEST(MediapipeOps, TransposedConvolutionsHaveABias) {
  for (int32_t padding : {1, 2}) {
    CustomNode node("Convolution2DTransposeBias", BytesOf(Ints{padding, 2, 2}));
    node.Input(kF32, {1, 1, 2, 1})
        .Constant(kF32, {1, 1, 3, 1}, BytesOf(Floats{1, 10, 100}))
        .Constant(kF32, {1}, BytesOf(Floats{0.5F}))
        .Output(kF32);
    const auto outputs = node.Run({BytesOf(Floats{1, 2}), {}, {}});
    ASSERT_TRUE(outputs) << outputs.Error();
    // SAME: 3 - (2 - 1) % 2 - 1 = 1 is cut off, none of it in front.
    const int32_t width = padding == 1 ? 4 : 5;
    EXPECT_EQ(node.node().outputs[0]->shape, (Shape{1, 1, width, 1}));
    Floats expected = {1.5F, 10.5F, 102.5F, 20.5F, 200.5F};
    expected.resize(static_cast<size_t>(width));
    EXPECT_EQ(ValuesOf<float>((*outputs)[0]), expected);
    const auto oracle = node.Oracle({BytesOf(Floats{1, 2}), {}, {}});
    ASSERT_TRUE(oracle) << oracle.Error();
    EXPECT_EQ((*oracle)[0].ToBytes(), (*outputs)[0]);
  }
  CustomNode none("Convolution2DTransposeBias", {});
  none.Input(kF32, {1, 1, 2, 1}).Input(kF32, {1, 1, 3, 1}).Input(kF32, {1}).Output(kF32);
  const auto shapes = none.Infer();
  ASSERT_FALSE(shapes);
  EXPECT_THAT(shapes.Error().Message(), HasSubstr("too short"));
}

}  // namespace
}  // namespace npukit::kernels
