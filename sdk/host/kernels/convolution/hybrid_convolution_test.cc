// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Convolutions with weights of 8 bits and float activations, and transposed ones as plain ones, on
// every instruction set of this machine.

#include <fmt/format.h>

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <span>

#include "sdk/host/kernels/convolution/convolution.h"
#include "sdk/host/kernels/fixed_point/dynamic_quantization.h"
#include "sdk/host/kernels/testing/node_builder.h"

namespace npukit::kernels {
namespace {

using testing::Affine;
using testing::BytesOf;
using testing::NodeBuilder;
using testing::ValuesOf;

std::vector<CpuIsa> MachineIsas() {
  std::vector<CpuIsa> isas;
  for (CpuIsa isa : {CpuIsa::kBaseline, CpuIsa::kAvx2, CpuIsa::kAvx512, CpuIsa::kAvx512Vnni}) {
    if (isa <= DetectCpuIsa()) isas.push_back(isa);
  }
  return isas;
}

template <typename T>
std::vector<T> Random(std::mt19937& random, int64_t count, double low, double high) {
  std::vector<T> values(static_cast<size_t>(count));
  for (T& value : values)
    value = static_cast<T>(std::uniform_real_distribution<double>(low, high)(random));
  return values;
}

struct FullyConnected {
  int32_t rows, depth, units;
  int32_t weight_zero_point;  // 0: signed bytes, else uint8
  bool asymmetric;
  // Signed bytes may be called uint8: as converters wrote weights before int8 was a type for them.
  LiteRtElementType signed_type = kLiteRtElementTypeInt8;
};

// What TFLite's hybrid kernel computes, in float64 after the rounding.
std::vector<double> HybridByHand(const FullyConnected& c, std::span<const float> in,
                                 std::span<const uint8_t> weights, float weight_scale,
                                 std::span<const float> bias) {
  std::vector<double> out;
  std::vector<int8_t> stored(static_cast<size_t>(c.depth));
  for (int32_t r = 0; r < c.rows; ++r) {
    const DynamicScale scale =
        QuantizeDynamically(in.subspan(static_cast<size_t>(r) * stored.size(), stored.size()),
                            c.asymmetric, stored.data());
    for (int32_t u = 0; u < c.units; ++u) {
      int64_t sum = 0;
      for (int32_t d = 0; d < c.depth; ++d) {
        const uint8_t byte =
            weights[static_cast<size_t>(u) * stored.size() + static_cast<size_t>(d)];
        const int32_t weight =
            c.weight_zero_point == 0 ? static_cast<int8_t>(byte) : byte - c.weight_zero_point;
        sum += (stored[static_cast<size_t>(d)] - scale.zero_point) * weight;
      }
      out.push_back(static_cast<double>(sum) * scale.scale * weight_scale +
                    bias[static_cast<size_t>(u)]);
    }
  }
  return out;
}

void RunOn(CpuIsa isa, NodeBuilder& builder, const std::vector<float>& in, size_t count,
           std::vector<float>& values) {
  const auto actual = builder.Run({BytesOf(in)}, {.isa = isa});
  ASSERT_TRUE(actual) << actual.Error().Message();
  values = ValuesOf<float>((*actual)[0]);
  ASSERT_EQ(values.size(), count);
}

TEST(HybridConvolution, RowsAreRoundedEachByItself) {
  std::mt19937 random(1);
  for (const FullyConnected& c :
       {FullyConnected{1, 7, 3, 0, false}, FullyConnected{5, 64, 40, 0, false},
        FullyConnected{9, 33, 17, 0, true}, FullyConnected{3, 300, 9, 131, false},
        FullyConnected{6, 20, 70, 7, true},
        FullyConnected{4, 24, 18, 0, false, kLiteRtElementTypeUInt8}}) {
    SCOPED_TRACE(fmt::format("{} rows of {}, {} units, zero point {}, asymmetric: {}", c.rows,
                             c.depth, c.units, c.weight_zero_point, c.asymmetric));
    constexpr float kScale = 0.01f;
    std::vector<float> in = Random<float>(random, c.rows * c.depth, -1, 1.5);
    for (int32_t i = 0; i < c.rows * c.depth; ++i)
      in[static_cast<size_t>(i)] *= std::pow(10.0f, static_cast<float>(i / c.depth % 4));
    const auto weights = Random<uint8_t>(random, c.units * c.depth, 0, 255.9);
    const auto bias = Random<float>(random, c.units, -1, 1);
    NodeBuilder builder(kLiteRtOpCodeTflFullyConnected,
                        FullyConnectedOptions{.asymmetric_quantize_inputs = c.asymmetric});
    builder.Input(kLiteRtElementTypeFloat32, {c.rows, c.depth})
        .Constant(c.weight_zero_point == 0 ? c.signed_type : kLiteRtElementTypeUInt8,
                  {c.units, c.depth}, weights, Affine(kScale, c.weight_zero_point))
        .Constant(kLiteRtElementTypeFloat32, {c.units}, BytesOf(bias))
        .Output(kLiteRtElementTypeFloat32);
    const std::vector<double> expected = HybridByHand(c, in, weights, kScale, bias);
    for (CpuIsa isa : MachineIsas()) {
      SCOPED_TRACE(CpuIsaName(isa));
      std::vector<float> values;
      ASSERT_NO_FATAL_FAILURE(RunOn(isa, builder, in, expected.size(), values));
      for (size_t i = 0; i < values.size(); ++i)
        ASSERT_NEAR(values[i], expected[i], 1e-6 * std::fabs(expected[i]) + 1e-5) << i;
    }
  }
}

// As floats they would take four times as much.
TEST(HybridConvolution, HoldsTheWeightsInBytes) {
  std::mt19937 random(2);
  const auto weights = Random<uint8_t>(random, 64 * 256, 0, 255.9);
  NodeBuilder builder(kLiteRtOpCodeTflFullyConnected, FullyConnectedOptions{});
  builder.Input(kLiteRtElementTypeFloat32, {1, 256})
      .Constant(kLiteRtElementTypeInt8, {64, 256}, weights, Affine(0.1f, 0))
      .Output(kLiteRtElementTypeFloat32);
  ASSERT_TRUE(builder.Infer());
  const auto kernel = PrepareNode(builder.node());
  ASSERT_TRUE(kernel) << kernel.Error().Message();
  EXPECT_LT((*kernel)->packed_bytes(), weights.size() * 5 / 4);
  EXPECT_GE((*kernel)->packed_bytes(), weights.size());
}

struct Image {
  LiteRtOpCode code;
  int32_t batches, height, width, channels, filters, filter, stride;
  Padding padding;
};

// Adds inputs and output of a float op with int8 weights, one scale per filter.
void Fill(const Image& c, std::mt19937& random, NodeBuilder& builder) {
  const bool depthwise = c.code == kLiteRtOpCodeTflDepthwiseConv2d;
  const Shape weights = depthwise ? Shape{1, c.filter, c.filter, c.filters}
                                  : Shape{c.filters, c.filter, c.filter, c.channels};
  const int64_t count = int64_t{1} * c.filters * c.filter * c.filter * (depthwise ? 1 : c.channels);
  Quantization scales{.quantized_dimension = depthwise ? 3 : 0};
  for (int32_t i = 0; i < c.filters; ++i)
    scales.scale.push_back(0.001f * static_cast<float>(i % 7 + 1));
  builder.Input(kLiteRtElementTypeFloat32, {c.batches, c.height, c.width, c.channels})
      .Constant(kLiteRtElementTypeInt8, weights,
                BytesOf(Random<int8_t>(random, count, -127, 127.9)), scales)
      .Constant(kLiteRtElementTypeFloat32, {c.filters},
                BytesOf(Random<float>(random, c.filters, -1, 1)))
      .Output(kLiteRtElementTypeFloat32);
}

// Images of different magnitudes. The exact mode shows what rounding may cost: half a step of 1 in
// 127 of the largest, over all terms.
TEST(HybridConvolution, ImagesAreNearTheExactOnes) {
  std::mt19937 random(3);
  constexpr auto kConv = kLiteRtOpCodeTflConv2d;
  constexpr auto kDepthwise = kLiteRtOpCodeTflDepthwiseConv2d;
  for (const Image& c : {Image{kConv, 1, 9, 11, 3, 20, 3, 2, Padding::kSame},
                         Image{kConv, 3, 5, 4, 10, 7, 1, 1, Padding::kValid},
                         Image{kConv, 2, 8, 8, 16, 33, 2, 1, Padding::kSame},
                         Image{kDepthwise, 2, 9, 9, 12, 12, 3, 1, Padding::kSame},
                         Image{kDepthwise, 1, 9, 9, 5, 10, 3, 2, Padding::kValid}}) {
    SCOPED_TRACE(fmt::format("[{},{},{},{}], {} filters of {}", c.batches, c.height, c.width,
                             c.channels, c.filters, c.filter));
    NodeBuilder builder(
        c.code, c.code == kDepthwise
                    ? OpOptions(DepthwiseConv2DOptions{
                          .padding = c.padding, .stride_w = c.stride, .stride_h = c.stride})
                    : OpOptions(Conv2DOptions{
                          .padding = c.padding, .stride_w = c.stride, .stride_h = c.stride}));
    Fill(c, random, builder);
    const int64_t image = int64_t{1} * c.height * c.width * c.channels;
    std::vector<float> in = Random<float>(random, c.batches * image, -1, 1);
    for (int64_t i = 0; i < c.batches * image; ++i) {
      const int64_t batch = i / image;
      in[static_cast<size_t>(i)] *= std::pow(10.0f, static_cast<float>(batch));
    }
    const auto exact = builder.Run({BytesOf(in)}, {.hybrid = HybridMode::kExact});
    ASSERT_TRUE(exact) << exact.Error().Message();
    const auto expected = ValuesOf<float>((*exact)[0]);
    const size_t of_image = expected.size() / static_cast<size_t>(c.batches);
    const double terms = c.filter * c.filter * (c.code == kDepthwise ? 1 : c.channels);
    for (CpuIsa isa : MachineIsas()) {
      SCOPED_TRACE(CpuIsaName(isa));
      std::vector<float> values;
      ASSERT_NO_FATAL_FAILURE(RunOn(isa, builder, in, expected.size(), values));
      for (size_t i = 0; i < values.size(); ++i) {
        const size_t batch = i / of_image;
        const double reach = std::pow(10.0, static_cast<double>(batch));
        ASSERT_NEAR(values[i], expected[i], reach / 254 * terms * 127 * 0.007) << i;
      }
    }
  }
}

// 1 of 3 is a whole number of 255 steps, not of 127: with a zero point it stays what it is. TFLite
// rounds so where a convolution has groups, or is transposed, though all scales are equal.
TEST(HybridConvolution, GroupsAndTransposesRoundWithAZeroPoint) {
  const auto first_output = [](NodeBuilder& node, size_t input) {
    std::vector<std::vector<uint8_t>> inputs(3);
    inputs[input] = BytesOf(std::vector<float>{1, 3});
    auto outputs = node.Run(inputs);
    EXPECT_TRUE(outputs) << outputs.Error().Message();
    return outputs ? ValuesOf<float>((*outputs)[0])[0] : 0;
  };
  const Quantization scales{.scale = {1, 1}, .quantized_dimension = 0};
  constexpr auto kFloat = kLiteRtElementTypeFloat32;
  const std::vector<uint8_t> bias = BytesOf(std::vector<float>{0, 0});
  NodeBuilder grouped(kLiteRtOpCodeTflConv2d,
                      Conv2DOptions{.padding = Padding::kValid, .stride_w = 1, .stride_h = 1});
  grouped.Input(kFloat, {1, 1, 1, 2})
      .Constant(kLiteRtElementTypeInt8, {2, 1, 1, 1}, {1, 1}, scales)
      .Constant(kFloat, {2}, bias)
      .Output(kFloat);
  EXPECT_FLOAT_EQ(first_output(grouped, 0), 1);

  NodeBuilder transposed(
      kLiteRtOpCodeTflTransposeConv,
      TransposeConvOptions{.padding = Padding::kValid, .stride_w = 1, .stride_h = 1});
  transposed.Constant(kLiteRtElementTypeInt32, {4}, BytesOf(std::vector<int32_t>{1, 1, 1, 2}))
      .Constant(kLiteRtElementTypeInt8, {2, 1, 1, 2}, {1, 0, 1, 0}, scales)
      .Input(kFloat, {1, 1, 1, 2})
      .Output(kFloat);
  EXPECT_FLOAT_EQ(first_output(transposed, 2), 1);
}

struct Transposed {
  LiteRtElementType type;
  int32_t batches, height, width, channels, filters, filter_h, filter_w, stride_h, stride_w;
  Padding padding;
  int32_t out_height, out_width;
};

// A stride cuts the output into phases; a filter smaller than the stride leaves outputs without any
// weight.
TEST(TransposedConvolution, EveryInstructionSetAgreesWithThePlainLoops) {
  std::mt19937 random(4);
  constexpr auto kInt8 = kLiteRtElementTypeInt8;
  constexpr auto kFloat = kLiteRtElementTypeFloat32;
  for (const Transposed& c :
       {Transposed{kInt8, 1, 4, 5, 8, 6, 3, 3, 2, 2, Padding::kSame, 8, 10},
        Transposed{kInt8, 2, 3, 3, 5, 9, 2, 2, 2, 2, Padding::kValid, 6, 6},
        Transposed{kInt8, 1, 6, 4, 16, 33, 4, 5, 2, 3, Padding::kSame, 12, 12},
        Transposed{kInt8, 1, 5, 5, 4, 4, 3, 3, 1, 1, Padding::kSame, 5, 5},
        Transposed{kInt8, 1, 3, 3, 4, 4, 1, 1, 2, 2, Padding::kSame, 6, 6},
        Transposed{kInt8, 1, 3, 4, 3, 5, 3, 3, 2, 2, Padding::kValid, 7, 11},
        Transposed{kFloat, 1, 4, 5, 8, 6, 3, 3, 2, 2, Padding::kSame, 8, 10},
        Transposed{kFloat, 2, 3, 4, 3, 20, 4, 4, 2, 2, Padding::kValid, 8, 10},
        Transposed{kFloat, 1, 7, 7, 3, 2, 5, 2, 3, 2, Padding::kSame, 19, 14}}) {
    SCOPED_TRACE(fmt::format("{} [{},{},{},{}] to {}x{}, {} filters of {}x{}, strides {} and {}",
                             ElementTypeName(c.type), c.batches, c.height, c.width, c.channels,
                             c.out_height, c.out_width, c.filters, c.filter_h, c.filter_w,
                             c.stride_h, c.stride_w));
    NodeBuilder builder(
        kLiteRtOpCodeTflTransposeConv,
        TransposeConvOptions{.padding = c.padding, .stride_w = c.stride_w, .stride_h = c.stride_h});
    const bool is_float = c.type == kFloat;
    const int64_t count = int64_t{1} * c.filters * c.filter_h * c.filter_w * c.channels;
    const int64_t elems = int64_t{1} * c.batches * c.height * c.width * c.channels;
    Quantization scales;
    for (int32_t i = 0; !is_float && i < c.filters; ++i) scales.scale.push_back(0.002f);
    builder
        .Constant(kLiteRtElementTypeInt32, {4},
                  BytesOf(std::vector<int32_t>{c.batches, c.out_height, c.out_width, c.filters}))
        .Constant(c.type, {c.filters, c.filter_h, c.filter_w, c.channels},
                  is_float ? BytesOf(Random<float>(random, count, -1, 1))
                           : BytesOf(Random<int8_t>(random, count, -127, 127.9)),
                  scales)
        .Input(c.type, {c.batches, c.height, c.width, c.channels},
               is_float ? Quantization{} : Affine(0.02f, -5))
        .Constant(is_float ? kFloat : kLiteRtElementTypeInt32, {c.filters},
                  is_float ? BytesOf(Random<float>(random, c.filters, -1, 1))
                           : BytesOf(Random<int32_t>(random, c.filters, -1e4, 1e4)))
        .Output(c.type, is_float ? Quantization{} : Affine(0.05f, 3));
    const std::vector<std::vector<uint8_t>> inputs = {
        {},
        {},
        is_float ? BytesOf(Random<float>(random, elems, -2, 2))
                 : BytesOf(Random<int8_t>(random, elems, -128, 127.9))};
    ASSERT_TRUE(builder.Infer());
    const auto expected = builder.Oracle(inputs);
    ASSERT_TRUE(expected) << expected.Error().Message();
    for (CpuIsa isa : MachineIsas()) {
      SCOPED_TRACE(CpuIsaName(isa));
      const auto actual = builder.Run(inputs, {.isa = isa});
      ASSERT_TRUE(actual) << actual.Error().Message();
      const auto comparison = CompareWithOracle(builder.node(), (*expected)[0], (*actual)[0]);
      ASSERT_TRUE(comparison);
      ASSERT_EQ(comparison->differing_elems, 0)
          << "first at " << comparison->worst[0].elem << ": expected "
          << comparison->worst[0].expected << ", got " << comparison->worst[0].actual;
    }
  }
}

}  // namespace
}  // namespace npukit::kernels
