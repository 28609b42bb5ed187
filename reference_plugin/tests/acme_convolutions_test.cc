// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Convolutions over a sample of their parameters: kernels, strides, paddings, channels, activations
// and types drawn at random from a fixed seed, and some shapes that do not fit the smaller chips'
// scratchpads. Integers must equal the CPU's bytes.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "reference_plugin/tests/npu_and_cpu.h"
#include "reference_plugin/tests/random_constants.h"

namespace npukit {
namespace {

enum class Bias { kNone, kInt32, kInt64 };  // of float32: none or float32

struct Axis {
  int32_t in = 1;
  int32_t out = 1;
  int32_t kernel = 1;
  int32_t stride = 1;
  int32_t dilation = 1;
};

struct Convolution {
  LiteRtOpCode code = kLiteRtOpCodeTflConv2d;
  LiteRtElementType type = kI8;
  Bias bias = Bias::kInt32;
  Padding padding = Padding::kSame;
  ActivationFunctionType activation = ActivationFunctionType::kNone;
  bool per_channel = false;
  int32_t batches = 1;
  int32_t in_c = 1;
  int32_t out_c = 1;
  int32_t groups = 1;
  int32_t largest_bias = 20000;  // a hundred times more with Bias::kInt64
  Axis h;
  Axis w;
};

std::string NameOf(const Convolution& c) {
  const std::string op = c.code == kLiteRtOpCodeTflTransposeConv     ? "transpose"
                         : c.code == kLiteRtOpCodeTflDepthwiseConv2d ? "depthwise"
                         : c.groups > 1                              ? "grouped"
                                                                     : "conv";
  const auto axis = [](const Axis& a) {
    return Name(Shape{a.in, a.out, a.kernel, a.stride, a.dilation});
  };
  return op + "_" + Name(c.type) + (c.per_channel ? "_channels" : "") +
         (c.bias == Bias::kNone    ? ""
          : c.bias == Bias::kInt64 ? "_b64"
                                   : "_b32") +
         (c.padding == Padding::kSame ? "_same" : "_valid") +
         fmt::format("_act{}", static_cast<int>(c.activation)) +
         Name(Shape{c.batches, c.in_c, c.out_c, c.groups}) + "_h" + axis(c.h) + "_w" + axis(c.w);
}

float ScaleOf(LiteRtElementType type) { return type == kI16 ? 0.0005f : 0.05f; }

Quantization Activations(LiteRtElementType type, float scale, int64_t zero_point) {
  if (type == kF32) return {};
  if (type == kI16) return PerTensor(scale);
  return PerTensor(scale, type == kU8 ? zero_point + 128 : zero_point);
}

Tensor* AddKernel(ModelBuilder& b, const Convolution& c) {
  Shape shape = {c.out_c, c.h.kernel, c.w.kernel, c.in_c / c.groups};
  int32_t channel_dimension = 0;
  if (c.code == kLiteRtOpCodeTflDepthwiseConv2d) {
    shape = {1, c.h.kernel, c.w.kernel, c.out_c};
    channel_dimension = 3;
  }
  if (c.type == kF32) return AddConstant<float>(b, "w", shape, {}, -7, 7);
  if (c.type == kU8) return AddConstant<uint8_t>(b, "w", shape, PerTensor(0.01f, 131), 0, 255);
  Quantization quant = PerTensor(0.01f);
  if (c.per_channel) {
    std::vector<float> scales;
    for (int32_t i = 0; i < c.out_c; ++i)
      scales.push_back(0.004f + 0.001f * static_cast<float>(i % 13));
    quant = PerChannel(scales, channel_dimension);
  }
  return AddConstant<int8_t>(b, "w", shape, quant, -127, 127);
}

Tensor* AddBias(ModelBuilder& b, const Convolution& c) {
  if (c.bias == Bias::kNone) return nullptr;
  if (c.type == kF32) return AddConstant<float>(b, "b", {c.out_c}, {}, -7, 7);
  const Quantization quant = PerTensor(ScaleOf(c.type) * 0.01f);
  if (c.bias == Bias::kInt32)
    return AddConstant<int32_t>(b, "b", {c.out_c}, quant, -c.largest_bias, c.largest_bias);
  return AddConstant<int64_t>(b, "b", {c.out_c}, quant, -100 * int64_t{c.largest_bias},
                              100 * int64_t{c.largest_bias});
}

void AddConvolution(ModelBuilder& b, const Convolution& c, Tensor* x, Tensor* w, Tensor* bias,
                    Tensor* y) {
  if (c.code == kLiteRtOpCodeTflTransposeConv) {
    Tensor* shape = b.Constant<int32_t>("shape", {4}, {c.batches, c.h.out, c.w.out, c.out_c});
    std::vector<Tensor*> inputs = {shape, w, x};
    if (bias != nullptr) inputs.push_back(bias);
    b.AddOp(c.code,
            TransposeConvOptions{.padding = c.padding,
                                 .stride_w = c.w.stride,
                                 .stride_h = c.h.stride,
                                 .fused_activation_function = c.activation},
            inputs, {y}, 3);
  } else if (c.code == kLiteRtOpCodeTflDepthwiseConv2d) {
    b.AddOp(c.code,
            DepthwiseConv2DOptions{.padding = c.padding,
                                   .stride_w = c.w.stride,
                                   .stride_h = c.h.stride,
                                   .depth_multiplier = c.out_c / c.in_c,
                                   .fused_activation_function = c.activation,
                                   .dilation_w_factor = c.w.dilation,
                                   .dilation_h_factor = c.h.dilation},
            {x, w, bias}, {y}, 3);
  } else {
    b.AddOp(c.code,
            Conv2DOptions{.padding = c.padding,
                          .stride_w = c.w.stride,
                          .stride_h = c.h.stride,
                          .fused_activation_function = c.activation,
                          .dilation_w_factor = c.w.dilation,
                          .dilation_h_factor = c.h.dilation},
            {x, w, bias}, {y}, 3);
  }
}

OpCase CaseOf(const Convolution& c) {
  OpCase test;
  test.name = NameOf(c);
  const int32_t depth = c.h.kernel * c.w.kernel * c.in_c / c.groups;
  if (c.type == kF32) test.absolute = SumBound(depth + 1);
  test.build = [=](ModelBuilder& b) {
    Tensor* x = b.Input("x", c.type, {c.batches, c.h.in, c.w.in, c.in_c},
                        Activations(c.type, ScaleOf(c.type), -3));
    Tensor* w = AddKernel(b, c);
    Tensor* bias = AddBias(b, c);
    const float out = ScaleOf(c.type) * 0.5f * std::sqrt(static_cast<float>(depth));
    Tensor* y =
        b.Value("y", c.type, {c.batches, c.h.out, c.w.out, c.out_c}, Activations(c.type, out, 2));
    AddConvolution(b, c, x, w, bias, y);
    b.Output(y);
  };
  return test;
}

// Draws parameters; the same for the same seed.
class Sampler {
 public:
  explicit Sampler(uint32_t seed) : random_(seed) {}

  int32_t Pick(int32_t low, int32_t high) {
    return low + static_cast<int32_t>(random_() % static_cast<uint32_t>(high - low + 1));
  }

  // An axis whose `padding` leaves at least one result.
  Axis AnyAxis(Padding padding, int32_t largest_dilation) {
    Axis a;
    a.kernel = Pick(1, 5);
    a.stride = Pick(1, 3);
    a.dilation = Pick(1, largest_dilation);
    const int32_t reach = (a.kernel - 1) * a.dilation + 1;
    a.in = Pick(1, 20) + (padding == Padding::kValid ? reach - 1 : 0);
    a.out = padding == Padding::kSame ? (a.in + a.stride - 1) / a.stride
                                      : (a.in + a.stride - reach) / a.stride;
    return a;
  }

  // A transposed convolution's: what a convolution leads from `out` back to `in`.
  Axis TransposedAxis(Padding padding) {
    Axis a = AnyAxis(padding, 1);
    a.stride = Pick(1, 4);
    a.in = Pick(1, 12);
    const int32_t cut = Pick(0, a.stride - 1);
    a.out =
        padding == Padding::kSame ? a.in * a.stride - cut : (a.in - 1) * a.stride + a.kernel + cut;
    return a;
  }

  Convolution Any(LiteRtOpCode code) {
    constexpr LiteRtElementType kTypes[] = {kI8, kU8, kI16, kI16, kF32};
    constexpr ActivationFunctionType kActivations[] = {
        ActivationFunctionType::kNone, ActivationFunctionType::kRelu,
        ActivationFunctionType::kRelu6, ActivationFunctionType::kReluN1To1};
    Convolution c;
    c.code = code;
    c.type = kTypes[Pick(0, 4)];
    c.bias = static_cast<Bias>(Pick(0, c.type == kI16 ? 2 : 1));
    c.padding = Pick(0, 1) == 0 ? Padding::kSame : Padding::kValid;
    c.activation = kActivations[Pick(0, 3)];
    c.per_channel = c.type != kU8 && c.type != kF32 && Pick(0, 2) > 0;
    c.batches = Pick(0, 3) == 0 ? 2 : 1;
    c.in_c = Pick(1, 40);
    c.out_c = Pick(1, 40);
    const bool transposed = code == kLiteRtOpCodeTflTransposeConv;
    c.h = transposed ? TransposedAxis(c.padding) : AnyAxis(c.padding, 2);
    c.w = transposed ? TransposedAxis(c.padding) : AnyAxis(c.padding, 2);
    return c;
  }

 private:
  std::mt19937 random_;
};

std::vector<OpCase> TransposeConvCases() {
  std::vector<OpCase> cases;
  Sampler sampler(1);
  for (int i = 0; i < 60; ++i) cases.push_back(CaseOf(sampler.Any(kLiteRtOpCodeTflTransposeConv)));
  const Convolution kLarge[] = {
      // Upsampling to few channels; a stride that no kernel position meets; large kernels and
      // images.
      {.in_c = 64, .out_c = 3, .h = {48, 96, 4, 2}, .w = {48, 96, 4, 2}},
      {.in_c = 128, .out_c = 64, .h = {32, 64, 2, 2}, .w = {32, 64, 2, 2}},
      {.in_c = 7, .out_c = 5, .h = {9, 27, 1, 3}, .w = {9, 27, 2, 3}},
      {.in_c = 150, .out_c = 40, .h = {20, 39, 5, 2}, .w = {20, 40, 5, 2}},
      {.batches = 3, .in_c = 40, .out_c = 33, .h = {30, 60, 3, 2}, .w = {31, 61, 3, 2}},
  };
  for (LiteRtElementType type : {kI8, kI16, kF32}) {
    for (Convolution c : kLarge) {
      c.code = kLiteRtOpCodeTflTransposeConv;
      c.type = type;
      cases.push_back(CaseOf(c));
    }
  }
  return cases;
}

// int16 with each bias, on both engines that convolve.
std::vector<OpCase> Int16Cases() {
  std::vector<OpCase> cases;
  Sampler sampler(2);
  for (Bias bias : {Bias::kNone, Bias::kInt32, Bias::kInt64}) {
    for (int i = 0; i < 8; ++i) {
      Convolution c = sampler.Any(kLiteRtOpCodeTflConv2d);
      c.type = kI16;
      c.bias = bias;
      cases.push_back(CaseOf(c));
      c.code = kLiteRtOpCodeTflDepthwiseConv2d;
      c.out_c = c.in_c * sampler.Pick(1, 2);
      cases.push_back(CaseOf(c));
    }
    // Sums beyond 32 bits, which wrap around with an int32 bias only.
    Convolution deep{.type = kI16, .bias = bias, .in_c = 1500, .out_c = 20};
    deep.largest_bias = INT32_MAX;
    deep.h = deep.w = {5, 5, 3, 1};
    cases.push_back(CaseOf(deep));
  }
  return cases;
}

std::vector<OpCase> GroupedCases() {
  std::vector<OpCase> cases;
  Sampler sampler(3);
  for (int i = 0; i < 24; ++i) {
    Convolution c = sampler.Any(kLiteRtOpCodeTflConv2d);
    c.groups = sampler.Pick(2, 9);
    c.in_c = c.groups * sampler.Pick(1, 12);
    c.out_c = c.groups * sampler.Pick(1, 12);
    cases.push_back(CaseOf(c));
  }
  for (LiteRtElementType type : {kI8, kF32}) {
    // As in ResNeXt and ShuffleNet; two groups that fill the array.
    for (Convolution c : {Convolution{.in_c = 128, .out_c = 128, .groups = 32},
                          Convolution{.in_c = 240, .out_c = 60, .groups = 3},
                          Convolution{.batches = 2, .in_c = 96, .out_c = 160, .groups = 2}}) {
      c.type = type;
      c.h = c.w = {28, 28, 3, 1};
      cases.push_back(CaseOf(c));
    }
  }
  return cases;
}

// A float32 convolution of an image with infinities and NaN in a constant column. They come by
// moving: arithmetic would clamp them.
OpCase AmongSpecials(const Convolution& c) {
  OpCase test = CaseOf(c);
  test.build = [=](ModelBuilder& b) {
    const int32_t left = c.w.in / 2;
    std::vector<float> column(Elems({c.batches, c.h.in, 1, c.in_c}), 0.75f);
    constexpr float kSpecials[] = {INFINITY, -INFINITY, NAN};
    for (size_t i = 1; i < column.size(); i += 7) column[i] = kSpecials[i % 3];
    Tensor* image = b.Value("image", kF32, {c.batches, c.h.in, c.w.in, c.in_c});
    b.AddOp(kLiteRtOpCodeTflConcatenation, ConcatenationOptions{.axis = 2},
            {b.Input("left", kF32, {c.batches, c.h.in, left, c.in_c}),
             b.Constant<float>("column", {c.batches, c.h.in, 1, c.in_c}, column),
             b.Input("right", kF32, {c.batches, c.h.in, c.w.in - left - 1, c.in_c})},
            {image});
    Tensor* y = b.Value("y", kF32, {c.batches, c.h.out, c.w.out, c.out_c});
    AddConvolution(b, c, image, AddKernel(b, c), AddBias(b, c), y);
    b.Output(y);
  };
  return test;
}

// Of few channels, so that pixels, groups or phases share the array: what one of them does not read
// must not reach it.
std::vector<OpCase> SpecialCases() {
  std::vector<OpCase> cases;
  for (Convolution c :
       {Convolution{.in_c = 3, .out_c = 5, .h = {12, 12, 3, 1}, .w = {31, 31, 3, 1}},
        Convolution{.in_c = 2, .out_c = 4, .h = {9, 5, 3, 2}, .w = {33, 17, 5, 2}},
        Convolution{.in_c = 24, .out_c = 7, .h = {8, 8, 1, 1}, .w = {30, 30, 1, 1}},
        Convolution{.in_c = 8, .out_c = 8, .groups = 4, .h = {14, 14, 3, 1}, .w = {14, 14, 3, 1}},
        Convolution{.code = kLiteRtOpCodeTflTransposeConv,
        .in_c = 3,
        .out_c = 2,
        .h = {7, 14, 3, 2},
        .w = {9, 18, 3, 2}}}) {
    c.type = kF32;
    cases.push_back(AmongSpecials(c));
  }
  return cases;
}

class AcmeConvolutions : public OnSoc {};

TEST_P(AcmeConvolutions, EqualTheCpu) { ExpectNpuEqualsCpu(); }

// Cases of two samplers may be the same.
std::string NumberedName(const testing::TestParamInfo<OnSoc::ParamType>& info) {
  return fmt::format("{}_{}", info.index, OnSoc::Name(info));
}

INSTANTIATE_TEST_SUITE_P(Transpose, AcmeConvolutions, OnEverySoc(TransposeConvCases()),
                         NumberedName);
INSTANTIATE_TEST_SUITE_P(Grouped, AcmeConvolutions, OnEverySoc(GroupedCases()), NumberedName);
INSTANTIATE_TEST_SUITE_P(Special, AcmeConvolutions, OnEverySoc(SpecialCases()), NumberedName);
INSTANTIATE_TEST_SUITE_P(Int16, AcmeConvolutions, OnEverySoc(Int16Cases()), NumberedName);

}  // namespace
}  // namespace npukit
