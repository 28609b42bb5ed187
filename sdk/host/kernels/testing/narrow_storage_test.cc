// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Weights and constants that are stored narrower than they are computed with: int4 gives what the
// same numbers as int8 give, 16-bit floats what they are worth.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <numeric>
#include <string>

#include "sdk/host/kernels/testing/node_builder.h"
#include "sdk/host/kernels/testing/shorthand.h"
#include "sdk/host/model/options/op_options.h"

namespace npukit::kernels {
namespace {

using testing::Affine;
using testing::BytesOf;
using testing::kF32;
using testing::kI16;
using testing::kI32;
using testing::kI8;
using testing::NodeBuilder;
using testing::ValuesOf;

constexpr auto kI4 = kLiteRtElementTypeInt4;

// All values from -7 to 7; an odd number of them, so that the last byte is half full.
std::vector<int8_t> SmallNumbers(size_t count) {
  std::vector<int8_t> values(count);
  for (size_t i = 0; i < count; ++i)
    values[i] = static_cast<int8_t>(static_cast<int>(i * 5 % 15) - 7);
  return values;
}

// The low half of a byte first.
std::vector<uint8_t> Packed(const std::vector<int8_t>& values) {
  std::vector<uint8_t> bytes((values.size() + 1) / 2);
  for (size_t i = 0; i < values.size(); ++i)
    bytes[i / 2] |= static_cast<uint8_t>((values[i] & 0xF) << (i % 2 * 4));
  return bytes;
}

struct WeightCase {
  std::string label;
  LiteRtOpCode code;
  OpOptions options;
  LiteRtElementType activations;
  Shape input;
  Shape weights;
  int32_t channels;  // of the output
  int32_t channel_dimension;
};

std::vector<WeightCase> WeightCases() {
  const FullyConnectedOptions dense;
  const Conv2DOptions conv{.padding = Padding::kSame, .stride_w = 1, .stride_h = 1};
  const DepthwiseConv2DOptions depthwise{
      .padding = Padding::kValid, .stride_w = 1, .stride_h = 1, .depth_multiplier = 1};
  return {
      {"dense", kLiteRtOpCodeTflFullyConnected, dense, kI8, {2, 7}, {3, 7}, 3, 0},
      {"dense, float activations",
       kLiteRtOpCodeTflFullyConnected,
       dense,
       kF32,
       {2, 7},
       {3, 7},
       3,
       0},
      {"dense, int16 activations",
       kLiteRtOpCodeTflFullyConnected,
       dense,
       kI16,
       {2, 7},
       {3, 7},
       3,
       0},
      {"convolution", kLiteRtOpCodeTflConv2d, conv, kI8, {1, 4, 5, 3}, {5, 3, 3, 3}, 5, 0},
      {"depthwise",
       kLiteRtOpCodeTflDepthwiseConv2d,
       depthwise,
       kI8,
       {1, 4, 5, 3},
       {1, 3, 3, 3},
       3,
       3},
  };
}

litert::Expected<std::vector<std::vector<uint8_t>>> RunWith(const WeightCase& c, bool narrow) {
  const int64_t elems =
      std::accumulate(c.weights.begin(), c.weights.end(), int64_t{1}, std::multiplies<>());
  const auto weights = SmallNumbers(static_cast<size_t>(elems));
  Quantization scales{.quantized_dimension = c.channel_dimension};
  for (int32_t i = 0; i < c.channels; ++i) {
    scales.scale.push_back(0.25f * static_cast<float>(i + 1));
  }
  scales.zero_point = ZeroPoints(scales.scale.size(), 0);
  const bool real = c.activations == kF32;
  const int64_t zero_point = c.activations == kI8 ? 3 : 0;
  NodeBuilder node(c.code, c.options);
  node.Input(c.activations, c.input, real ? Quantization{} : Affine(0.5f, zero_point));
  node.Constant(narrow ? kI4 : kI8, c.weights, narrow ? Packed(weights) : BytesOf(weights), scales);
  if (real) {
    node.Constant(kF32, {c.channels}, BytesOf(std::vector<float>(c.channels, 1.5f)));
  } else if (c.activations == kI16) {
    node.Constant(kLiteRtElementTypeInt64, {c.channels},
                  BytesOf(std::vector<int64_t>(c.channels, 11)));
  } else {
    node.Constant(kI32, {c.channels}, BytesOf(std::vector<int32_t>(c.channels, 11)));
  }
  node.Output(c.activations, real ? Quantization{} : Affine(1.5f, zero_point));
  const size_t count = static_cast<size_t>(node.node().inputs[0]->elems());
  std::vector<uint8_t> input;
  if (real) {
    std::vector<float> values(count);
    for (size_t i = 0; i < count; ++i) values[i] = static_cast<float>(i % 11) - 4.5f;
    input = BytesOf(values);
  } else if (c.activations == kI16) {
    std::vector<int16_t> values(count);
    for (size_t i = 0; i < count; ++i) values[i] = static_cast<int16_t>(i * 211 % 2000 - 1000);
    input = BytesOf(values);
  } else {
    std::vector<int8_t> values(count);
    for (size_t i = 0; i < count; ++i) values[i] = static_cast<int8_t>(i * 37 % 200 - 100);
    input = BytesOf(values);
  }
  LITERT_ASSIGN_OR_RETURN(auto outputs, node.Run({input}));
  LITERT_ASSIGN_OR_RETURN(const auto oracle, node.Oracle({input}));
  LITERT_ASSIGN_OR_RETURN(const Comparison compared,
                          CompareWithOracle(node.node(), oracle[0], outputs[0]));
  EXPECT_TRUE(compared.ok()) << "off the oracle by " << compared.max_difference;
  return outputs;
}

TEST(NarrowStorage, Int4WeightsGiveWhatInt8WeightsGive) {
  for (const WeightCase& c : WeightCases()) {
    SCOPED_TRACE(c.label);
    const auto wide = RunWith(c, false);
    ASSERT_TRUE(wide) << wide.Error().Message();
    const auto narrow = RunWith(c, true);
    ASSERT_TRUE(narrow) << narrow.Error().Message();
    EXPECT_EQ((*narrow)[0], (*wide)[0]);
  }
}

TEST(NarrowStorage, DequantizesInt4) {
  NodeBuilder node(kLiteRtOpCodeTflDequantize);
  node.Input(kI4, {3}, Affine(0.5f, 1)).Output(kF32);
  const auto outputs = node.Run({Packed({-7, 1, 7})});
  ASSERT_TRUE(outputs) << outputs.Error().Message();
  EXPECT_EQ(ValuesOf<float>((*outputs)[0]), (std::vector<float>{-4, 0, 3}));
}

TEST(NarrowStorage, WidensHalves) {
  NodeBuilder node(kLiteRtOpCodeTflDequantize);
  node.Input(kLiteRtElementTypeFloat16, {5}).Output(kF32);
  const auto outputs =
      node.Run({BytesOf(std::vector<uint16_t>{0x3C00, 0xC000, 0x0001, 0x7BFF, 0x7C00})});
  ASSERT_TRUE(outputs) << outputs.Error().Message();
  EXPECT_EQ(ValuesOf<float>((*outputs)[0]),
            (std::vector<float>{1, -2, 0x1p-24f, 65504, std::numeric_limits<float>::infinity()}));
}

TEST(NarrowStorage, HalvesMoveAsTheyAre) {
  NodeBuilder node(kLiteRtOpCodeTflConcatenation);
  node.Input(kLiteRtElementTypeFloat16, {1}).Input(kLiteRtElementTypeFloat16, {2});
  node.Output(kLiteRtElementTypeFloat16);
  const std::vector<std::vector<uint8_t>> inputs = {BytesOf(std::vector<uint16_t>{0x3C00}),
                                                    BytesOf(std::vector<uint16_t>{0xC000, 0x0001})};
  const auto outputs = node.Run(inputs);
  ASSERT_TRUE(outputs) << outputs.Error().Message();
  EXPECT_EQ(ValuesOf<uint16_t>((*outputs)[0]), (std::vector<uint16_t>{0x3C00, 0xC000, 0x0001}));
  const auto oracle = node.Oracle(inputs);
  ASSERT_TRUE(oracle) << oracle.Error().Message();
  EXPECT_EQ((*oracle)[0].ToBytes(), (*outputs)[0]);
}

TEST(NarrowStorage, PackedElementsCannotMove) {
  NodeBuilder node(kLiteRtOpCodeTflReverseV2);
  node.Input(kI4, {4}).Constant(kI32, {1}, BytesOf(std::vector<int32_t>{0})).Output(kI4);
  const auto outputs = node.Run({{0x21, 0x43}});
  ASSERT_FALSE(outputs);
  EXPECT_EQ(outputs.Error().Status(), kLiteRtStatusErrorUnsupported);
  EXPECT_THAT(outputs.Error().Message(), ::testing::HasSubstr("'in0'"));
}

}  // namespace
}  // namespace npukit::kernels
