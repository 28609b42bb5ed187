// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The fast convolutions on every instruction set of this machine, with one and with two threads,
// against the oracle's plain loops, over random shapes.

#include "sdk/host/kernels/convolution/convolution.h"

#include <fmt/format.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "sdk/host/kernels/testing/node_builder.h"

namespace npukit::kernels {
namespace {

using testing::Affine;
using testing::BytesOf;
using testing::NodeBuilder;

struct Case {
  LiteRtElementType type;
  bool depthwise;
  int32_t batches, height, width, channels, groups, filters, filter_h, filter_w;
  int32_t stride, dilation;
  Padding padding;
};

std::string Describe(const Case& c) {
  return fmt::format("{} {} [{},{},{},{}] groups {} filters {} of {}x{} stride {} dilation {} {}",
                     ElementTypeName(c.type), c.depthwise ? "depthwise" : "conv", c.batches,
                     c.height, c.width, c.channels, c.groups, c.filters, c.filter_h, c.filter_w,
                     c.stride, c.dilation, EnumName(c.padding));
}

class RandomCase {
 public:
  explicit RandomCase(uint32_t seed) : random_(seed) {
    c_.type = std::vector{kLiteRtElementTypeFloat32, kLiteRtElementTypeInt8,
                          kLiteRtElementTypeUInt8, kLiteRtElementTypeInt16}[Pick(0, 3)];
    c_.depthwise = Pick(0, 2) == 0;
    c_.batches = Pick(1, 2);
    c_.filter_h = Pick(1, 4);
    c_.filter_w = Pick(1, 4);
    c_.stride = Pick(1, 3);
    c_.dilation = Pick(0, 3) == 0 ? 2 : 1;
    c_.padding = Pick(0, 1) == 0 ? Padding::kSame : Padding::kValid;
    c_.height = Pick(8, 20);
    c_.width = Pick(8, 20);
    c_.groups = !c_.depthwise && Pick(0, 4) == 0 ? 2 : 1;
    c_.channels = c_.groups * Pick(1, 20);
    c_.filters = c_.depthwise ? c_.channels * Pick(1, 3) : c_.groups * Pick(1, 40);
  }
  const Case& value() const { return c_; }
  int32_t Pick(int32_t low, int32_t high) {
    return std::uniform_int_distribution<int32_t>(low, high)(random_);
  }

  template <typename T>
  std::vector<uint8_t> Values(int64_t count, double low, double high) {
    std::vector<T> values(count);
    for (T& value : values)
      value = static_cast<T>(std::uniform_real_distribution<double>(low, high)(random_));
    return BytesOf(values);
  }
  std::vector<uint8_t> Activations(int64_t count) {
    switch (c_.type) {
      case kLiteRtElementTypeFloat32:
        return Values<float>(count, -2, 2);
      case kLiteRtElementTypeInt16:
        return Values<int16_t>(count, -32768, 32767.9);
      case kLiteRtElementTypeInt8:
        return Values<int8_t>(count, -128, 127.9);
      default:
        return Values<uint8_t>(count, 0, 255.9);
    }
  }

 private:
  std::mt19937 random_;
  Case c_;
};

// Adds the inputs and the output; gives the activations' bytes.
std::vector<uint8_t> Fill(RandomCase& random, NodeBuilder& builder) {
  const Case& c = random.value();
  const Shape in = {c.batches, c.height, c.width, c.channels};
  const Shape weights = c.depthwise
                            ? Shape{1, c.filter_h, c.filter_w, c.filters}
                            : Shape{c.filters, c.filter_h, c.filter_w, c.channels / c.groups};
  int64_t weight_count = 1;
  for (int32_t dim : weights) weight_count *= dim;
  const bool is_float = c.type == kLiteRtElementTypeFloat32;
  const bool legacy = c.type == kLiteRtElementTypeUInt8;
  const bool wide = c.type == kLiteRtElementTypeInt16;
  Quantization scales{.quantized_dimension = c.depthwise ? 3 : 0};
  for (int32_t i = 0; i < (legacy ? 1 : c.filters); ++i) {
    scales.scale.push_back(0.001f * static_cast<float>(random.Pick(1, 30)));
  }
  if (legacy) scales.zero_point = {random.Pick(0, 255)};
  const auto zero_in = wide ? 0 : legacy ? random.Pick(0, 255) : random.Pick(-128, 127);
  const auto zero_out = wide ? 0 : legacy ? random.Pick(0, 255) : random.Pick(-128, 127);
  const float out_scale = wide ? 8.0f : random.Pick(0, 3) == 0 ? 0.0001f : 0.05f;
  builder.Input(c.type, in, is_float ? Quantization{} : Affine(0.02f, zero_in));
  if (is_float) {
    builder.Constant(c.type, weights, random.Values<float>(weight_count, -1, 1));
    builder.Constant(c.type, {c.filters}, random.Values<float>(c.filters, -1, 1));
  } else {
    builder.Constant(legacy ? c.type : kLiteRtElementTypeInt8, weights,
                     legacy ? random.Values<uint8_t>(weight_count, 0, 255.9)
                            : random.Values<int8_t>(weight_count, -127, 127.9),
                     scales);
    if (wide) {
      builder.Constant(kLiteRtElementTypeInt64, {c.filters},
                       random.Values<int64_t>(c.filters, -1e6, 1e6));
    } else if (random.Pick(0, 5) > 0) {
      builder.Constant(kLiteRtElementTypeInt32, {c.filters},
                       random.Values<int32_t>(c.filters, -1e4, 1e4));
    }
  }
  builder.Output(c.type, is_float ? Quantization{} : Affine(out_scale, zero_out));
  return random.Activations(int64_t{1} * c.batches * c.height * c.width * c.channels);
}

OpOptions OptionsOf(const Case& c) {
  if (c.depthwise) {
    return DepthwiseConv2DOptions{.padding = c.padding,
                                  .stride_w = c.stride,
                                  .stride_h = c.stride,
                                  .fused_activation_function = ActivationFunctionType::kRelu,
                                  .dilation_w_factor = c.dilation,
                                  .dilation_h_factor = c.dilation};
  }
  return Conv2DOptions{.padding = c.padding,
                       .stride_w = c.stride,
                       .stride_h = c.stride,
                       .dilation_w_factor = c.dilation,
                       .dilation_h_factor = c.dilation};
}

std::vector<CpuIsa> MachineIsas() {
  std::vector<CpuIsa> isas;
  for (CpuIsa isa : {CpuIsa::kBaseline, CpuIsa::kAvx2, CpuIsa::kAvx512, CpuIsa::kAvx512Vnni}) {
    if (isa <= DetectCpuIsa()) isas.push_back(isa);
  }
  return isas;
}

TEST(Convolution, EveryInstructionSetAgreesWithThePlainLoops) {
  const std::unique_ptr<ThreadPool> pool = ThreadPool::Create(2);
  for (uint32_t seed = 0; seed < 200; ++seed) {
    RandomCase random(seed);
    const Case& c = random.value();
    SCOPED_TRACE(fmt::format("seed {}: {}", seed, Describe(c)));
    NodeBuilder builder(c.depthwise ? kLiteRtOpCodeTflDepthwiseConv2d : kLiteRtOpCodeTflConv2d,
                        OptionsOf(c));
    const std::vector<uint8_t> in = Fill(random, builder);
    ASSERT_TRUE(builder.Infer());
    auto expected = builder.Oracle({in});
    ASSERT_TRUE(expected) << expected.Error().Message();
    for (CpuIsa isa : MachineIsas()) {
      for (int threads : {1, 2}) {
        SCOPED_TRACE(fmt::format("{}, threads: {}", CpuIsaName(isa), threads));
        auto actual = builder.Run({in}, {.num_threads = threads, .isa = isa},
                                  threads > 1 ? pool.get() : nullptr);
        ASSERT_TRUE(actual) << actual.Error().Message();
        auto comparison = CompareWithOracle(builder.node(), (*expected)[0], (*actual)[0]);
        ASSERT_TRUE(comparison);
        ASSERT_EQ(comparison->differing_elems, 0)
            << "first at " << comparison->worst[0].elem << ": expected "
            << comparison->worst[0].expected << ", got " << comparison->worst[0].actual
            << ", allowed " << comparison->worst[0].allowed;
      }
    }
  }
}

TEST(Convolution, SaturatedMultipliersShiftLeft) {
  // Scales whose ratio is above 1 make the fixed-point multiplier shift to the left.
  NodeBuilder builder(kLiteRtOpCodeTflConv2d, Conv2DOptions{.stride_w = 1, .stride_h = 1});
  builder.Input(kLiteRtElementTypeInt8, {1, 2, 2, 1}, Affine(1.0f, 0))
      .Constant(kLiteRtElementTypeInt8, {1, 1, 1, 1}, BytesOf<int8_t>({1}), Affine(3.0f, 0))
      .Output(kLiteRtElementTypeInt8, Affine(1.0f, 0));
  auto outputs = builder.Run({BytesOf<int8_t>({1, -2, 50, -50})});
  ASSERT_TRUE(outputs) << outputs.Error().Message();
  EXPECT_THAT(testing::ValuesOf<int8_t>((*outputs)[0]), ::testing::ElementsAre(3, -6, 127, -128));
}

TEST(Convolution, RefusesWhatDoesNotFit) {
  struct Refusal {
    const char* what;
    Shape in, weights;
    Conv2DOptions options;
    Quantization scales;
    const char* message;
  };
  const Conv2DOptions fine{.padding = Padding::kValid, .stride_w = 1, .stride_h = 1};
  Conv2DOptions no_stride = fine;
  no_stride.stride_h = 0;
  Conv2DOptions no_dilation = fine;
  no_dilation.dilation_w_factor = 0;
  const Refusal refusals[] = {
      {"rank", {4, 4, 3}, {2, 1, 1, 3}, fine, Affine(1, 0), "must have 4 dimensions"},
      {"channels", {1, 4, 4, 3}, {2, 1, 1, 2}, fine, Affine(1, 0), "divisor"},
      {"no channels", {1, 4, 4, 3}, {2, 1, 1, 0}, fine, Affine(1, 0), "divisor"},
      {"window", {1, 2, 2, 3}, {2, 4, 4, 3}, fine, Affine(1, 0), "window of 4 over only 2"},
      {"stride", {1, 4, 4, 3}, {2, 1, 1, 3}, no_stride, Affine(1, 0), "stride 0"},
      {"dilation", {1, 4, 4, 3}, {2, 1, 1, 3}, no_dilation, Affine(1, 0), "dilation 0"},
      {"zero scale", {1, 4, 4, 3}, {2, 1, 1, 3}, fine, Affine(0, 0), "scale 0"},
      {"NaN scale", {1, 4, 4, 3}, {2, 1, 1, 3}, fine, Affine(std::nanf(""), 0), "scale nan"},
      {"no scale", {1, 4, 4, 3}, {2, 1, 1, 3}, fine, Quantization{}, "no scale"},
      {"three scales",
       {1, 4, 4, 3},
       {2, 1, 1, 3},
       fine,
       {.scale = {1, 1, 1}},
       "3 scales for 2 channels"},
      {"zero point", {1, 4, 4, 3}, {2, 1, 1, 3}, fine, Affine(1, 5), "zero point 0"},
      {"huge", {1, 2000000000, 2000000000, 3}, {2, 1, 1, 3}, fine, Affine(1, 0), "too large"},
  };
  for (const Refusal& refusal : refusals) {
    SCOPED_TRACE(refusal.what);
    NodeBuilder builder(kLiteRtOpCodeTflConv2d, refusal.options);
    int64_t count = 1;
    for (int32_t dim : refusal.weights) count *= dim;
    builder.Input(kLiteRtElementTypeInt8, refusal.in, Affine(1, 0))
        .Constant(kLiteRtElementTypeInt8, refusal.weights, std::vector<uint8_t>(count, 1),
                  refusal.scales)
        .Output(kLiteRtElementTypeInt8, Affine(1, 0));
    std::string message;
    auto inferred = builder.Infer();
    if (!inferred) {
      message = inferred.Error().Message();
    } else {
      auto kernel = PrepareNode(builder.node());
      ASSERT_FALSE(kernel);
      message = kernel.Error().Message();
    }
    EXPECT_THAT(message, ::testing::HasSubstr(refusal.message));
    EXPECT_THAT(message, ::testing::HasSubstr("CONV_2D (op 7)"));
  }
}

// The output's shape is an operand of its own, and may be any.
TEST(Convolution, TransposedOutputsMayBeLargerOrSmaller) {
  struct Case {
    int32_t width;
    std::vector<float> expected;
  };
  for (const Case& given : {Case{3, {1, 10, 2}}, Case{6, {1, 10, 2, 20, 3, 30}},
                            Case{9, {1, 10, 2, 20, 3, 30, 0, 0, 0}}}) {
    NodeBuilder builder(
        kLiteRtOpCodeTflTransposeConv,
        TransposeConvOptions{.padding = Padding::kValid, .stride_w = 2, .stride_h = 1});
    builder
        .Constant(kLiteRtElementTypeInt32, {4}, BytesOf(std::vector<int32_t>{1, 1, given.width, 1}))
        .Constant(kLiteRtElementTypeFloat32, {1, 1, 2, 1}, BytesOf(std::vector<float>{1, 10}))
        .Input(kLiteRtElementTypeFloat32, {1, 1, 3, 1})
        .Output(kLiteRtElementTypeFloat32);
    const std::vector<std::vector<uint8_t>> inputs = {{}, {}, BytesOf(std::vector<float>{1, 2, 3})};
    const auto outputs = builder.Run(inputs);
    ASSERT_TRUE(outputs) << outputs.Error().Message();
    EXPECT_EQ((*outputs)[0], BytesOf(given.expected));
    const auto oracle = builder.Oracle(inputs);
    ASSERT_TRUE(oracle) << oracle.Error().Message();
    EXPECT_EQ((*oracle)[0].ToBytes(), (*outputs)[0]);
  }
}

// TFLite gives zeros where there is nothing to add up, whatever the bias.
TEST(Convolution, FullyConnectedWithoutDepthGivesZeros) {
  for (const bool keep : {false, true}) {
    NodeBuilder builder(kLiteRtOpCodeTflFullyConnected,
                        FullyConnectedOptions{.keep_num_dims = keep});
    builder.Input(kLiteRtElementTypeFloat32, {2, 1, 0})
        .Constant(kLiteRtElementTypeFloat32, {3, 0}, {})
        .Constant(kLiteRtElementTypeFloat32, {3}, BytesOf(std::vector<float>{1, 2, 3}))
        .Output(kLiteRtElementTypeFloat32);
    const auto outputs = builder.Run({{}, {}, {}});
    ASSERT_TRUE(outputs) << outputs.Error().Message();
    EXPECT_EQ(builder.node().outputs[0]->shape, keep ? (Shape{2, 1, 3}) : (Shape{2, 3}));
    EXPECT_EQ((*outputs)[0], BytesOf(std::vector<float>(6, 0.0f)));
    const auto oracle = builder.Oracle({{}, {}, {}});
    ASSERT_TRUE(oracle) << oracle.Error().Message();
    EXPECT_EQ((*oracle)[0].ToBytes(), (*outputs)[0]);
  }
}

TEST(Convolution, EmptyBatchGivesNothing) {
  NodeBuilder builder(kLiteRtOpCodeTflConv2d, Conv2DOptions{.stride_w = 1, .stride_h = 1});
  builder.Input(kLiteRtElementTypeFloat32, {0, 4, 4, 1})
      .Constant(kLiteRtElementTypeFloat32, {2, 3, 3, 1}, BytesOf(std::vector<float>(18, 1.0f)))
      .Output(kLiteRtElementTypeFloat32);
  auto outputs = builder.Run({});
  ASSERT_TRUE(outputs) << outputs.Error().Message();
  EXPECT_TRUE((*outputs)[0].empty());
}

}  // namespace
}  // namespace npukit::kernels
