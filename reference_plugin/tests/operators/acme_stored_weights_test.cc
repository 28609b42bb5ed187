// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// float32 products whose weights are stored as something else: float16 or integers with a DEQUANTIZE
// before their readers, also where the host puts that into another partition; and int8 weights that
// activations are rounded for (hybrid).

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <random>
#include <string>
#include <vector>

#include "reference_plugin/tests/npu_and_cpu.h"
#include "reference_plugin/tests/random_constants.h"

namespace npukit {
namespace {

enum class Product { kConv, kGroupedConv, kDepthwise, kTransposeConv, kFullyConnected };

struct ProductRow {
  Product product;
  const char* name;
  LiteRtOpCode code;
  Shape x;
  Shape w;
  Shape y;
  int32_t channel_dimension;  // of w
};
const ProductRow kProducts[] = {
    {Product::kConv, "conv", kLiteRtOpCodeTflConv2d, {2, 9, 7, 5}, {6, 3, 2, 5}, {2, 5, 4, 6}, 0},
    {Product::kGroupedConv,
     "grouped",
     kLiteRtOpCodeTflConv2d,
     {1, 8, 8, 6},
     {4, 3, 3, 3},
     {1, 4, 4, 4},
     0},
    {Product::kDepthwise,
     "depthwise",
     kLiteRtOpCodeTflDepthwiseConv2d,
     {2, 7, 9, 3},
     {1, 3, 3, 6},
     {2, 4, 5, 6},
     3},
    {Product::kTransposeConv,
     "transpose_conv",
     kLiteRtOpCodeTflTransposeConv,
     {1, 5, 4, 3},
     {4, 3, 3, 3},
     {1, 10, 8, 4},
     0},
    {Product::kFullyConnected, "fc", kLiteRtOpCodeTflFullyConnected, {5, 33}, {7, 33}, {5, 7}, 0},
};

// x w + bias, strides of 2 with padding.
void AddProduct(ModelBuilder& b, const ProductRow& row, Tensor* x, Tensor* w, Tensor* bias,
                Tensor* y) {
  constexpr auto kRelu6 = ActivationFunctionType::kRelu6;
  switch (row.product) {
    case Product::kConv:
    case Product::kGroupedConv: {
      Conv2DOptions options;
      options.padding = Padding::kSame;
      options.stride_h = options.stride_w = 2;
      options.fused_activation_function = kRelu6;
      b.AddOp(row.code, options, {x, w, bias}, {y});
      return;
    }
    case Product::kDepthwise: {
      DepthwiseConv2DOptions options;
      options.padding = Padding::kSame;
      options.stride_h = options.stride_w = 2;
      options.depth_multiplier = row.w[3] / row.x[3];
      b.AddOp(row.code, options, {x, w, bias}, {y});
      return;
    }
    case Product::kTransposeConv: {
      TransposeConvOptions options;
      options.padding = Padding::kSame;
      options.stride_h = options.stride_w = 2;
      Tensor* shape = b.Constant<int32_t>("shape", {4}, {row.y[0], row.y[1], row.y[2], row.y[3]});
      b.AddOp(row.code, options, {shape, w, x, bias}, {y}, 3);
      return;
    }
    case Product::kFullyConnected: {
      FullyConnectedOptions options;
      options.fused_activation_function = kRelu6;
      b.AddOp(row.code, options, {x, w, bias}, {y});
      return;
    }
  }
}

// float16 numbers up to 2, infinities and NaN left out.
std::vector<uint16_t> Halves(size_t count) {
  std::mt19937 random(3);
  std::vector<uint16_t> halves(count);
  for (uint16_t& half : halves) {
    const auto bits = static_cast<uint32_t>(random());
    half = static_cast<uint16_t>((bits & 0x83FF) | (bits >> 16 & 0xF) % 16 << 10);
  }
  return halves;
}

enum class Stored { kHalf, kInt8, kInt8PerChannel, kUint8, kInt16 };

Tensor* AddStored(ModelBuilder& b, const std::string& name, Stored stored, const Shape& shape,
                  int32_t channel_dimension) {
  const std::string from = name + "_stored";
  Tensor* constant = nullptr;
  switch (stored) {
    case Stored::kHalf: {
      const std::vector<uint16_t> halves = Halves(Elems(shape));
      constant = b.Constant(from, kLiteRtElementTypeFloat16, shape,
                            {reinterpret_cast<const uint8_t*>(halves.data()), 2 * halves.size()});
      break;
    }
    case Stored::kInt8:
      constant = AddConstant<int8_t>(b, from.c_str(), shape, PerTensor(0.013f, 4), -128, 127);
      break;
    case Stored::kInt8PerChannel: {
      std::vector<float> scales;
      for (int32_t c = 0; c < shape[static_cast<size_t>(channel_dimension)]; ++c)
        scales.push_back(0.01f + 0.003f * static_cast<float>(c));
      constant = AddConstant<int8_t>(b, from.c_str(), shape, PerChannel(scales, channel_dimension),
                                     -128, 127);
      break;
    }
    case Stored::kUint8:
      constant = AddConstant<uint8_t>(b, from.c_str(), shape, PerTensor(0.013f, 120), 0, 255);
      break;
    case Stored::kInt16:
      constant = AddConstant<int16_t>(b, from.c_str(), shape, PerTensor(5e-5f), -32768, 32767);
      break;
  }
  Tensor* made = b.Value(name, kF32, shape);
  b.AddOp(kLiteRtOpCodeTflDequantize, {constant}, {made});
  return made;
}

double BoundOf(const ProductRow& row) {
  return SumBound(
      static_cast<int32_t>(Elems(row.w)) / row.w[static_cast<size_t>(row.channel_dimension)] + 1);
}

OpCase StoredCase(const ProductRow& row, Stored stored, const char* name) {
  OpCase test;
  test.name = fmt::format("{}_{}", row.name, name);
  test.absolute = BoundOf(row);
  test.build = [=](ModelBuilder& b) {
    Tensor* x = b.Input("x", kF32, row.x);
    Tensor* w = AddStored(b, "w", stored, row.w, row.channel_dimension);
    Tensor* bias = AddStored(b, "bias", Stored::kHalf, {row.y.back()}, 0);
    Tensor* y = b.Value("y", kF32, row.y);
    AddProduct(b, row, x, w, bias, y);
    b.Output(y);
  };
  return test;
}

// The DEQUANTIZE has a reader in each of two partitions, between which the CPU computes.
OpCase ApartCase(const ProductRow& row, bool constant_weights) {
  OpCase test;
  test.name = fmt::format("{}_{}apart", row.name, constant_weights ? "bias_" : "");
  test.absolute = BoundOf(row);
  test.partitions = 2;
  test.cpu_ops = 1;
  test.build = [=](ModelBuilder& b) {
    Tensor* x = b.Input("x", kF32, row.x);
    Tensor* w = constant_weights ? AddConstant<float>(b, "w", row.w, {}, -2, 2)
                                 : AddStored(b, "w", Stored::kHalf, row.w, 0);
    Tensor* bias = AddStored(b, "bias", Stored::kHalf, {row.y.back()}, 0);
    Tensor* first = b.Value("first", kF32, row.y);
    AddProduct(b, row, x, w, bias, first);
    b.Output(first);
    Tensor* doubled = b.Value("doubled", kF32, row.x);
    Tensor* negative = b.Value("negative", kF32, row.x);
    b.AddOp(kLiteRtOpCodeTflNeg, {x}, {negative});
    b.AddOp(kLiteRtOpCodeTflAddN, {x, negative, x, x}, {doubled});
    Tensor* second = b.Value("second", kF32, row.y);
    AddProduct(b, row, doubled, w, bias, second);
    b.Output(second);
    b.Output(bias);
  };
  return test;
}

std::vector<OpCase> StoredCases() {
  std::vector<OpCase> cases;
  for (const ProductRow& row : kProducts) {
    cases.push_back(StoredCase(row, Stored::kHalf, "half"));
    cases.push_back(StoredCase(row, Stored::kInt8PerChannel, "int8_per_channel"));
    cases.push_back(ApartCase(row, false));
    cases.push_back(ApartCase(row, true));
  }
  cases.push_back(StoredCase(kProducts[0], Stored::kInt8, "int8"));
  cases.push_back(StoredCase(kProducts[0], Stored::kUint8, "uint8"));
  cases.push_back(StoredCase(kProducts[0], Stored::kInt16, "int16"));
  return cases;
}

// What passes through a partition as it is.
OpCase DequantizeCase(Stored stored, const char* name) {
  OpCase test;
  test.name = fmt::format("dequantize_{}", name);
  test.build = [=](ModelBuilder& b) {
    b.Input("x", kF32, {1});
    b.Output(AddStored(b, "y", stored, {3, 5, 7}, 1));
  };
  return test;
}

std::vector<OpCase> DequantizeCases() {
  return {DequantizeCase(Stored::kHalf, "half"), DequantizeCase(Stored::kInt8, "int8"),
          DequantizeCase(Stored::kInt8PerChannel, "int8_per_channel"),
          DequantizeCase(Stored::kUint8, "uint8"), DequantizeCase(Stored::kInt16, "int16")};
}

struct Hybrid {
  Shape x;
  Shape w;
  Shape y;
  int32_t stride;
  bool per_channel;
  bool bias;
};

OpCase HybridCase(LiteRtOpCode code, const Hybrid& h) {
  const bool depthwise = code == kLiteRtOpCodeTflDepthwiseConv2d;
  OpCase test;
  test.name = fmt::format("{}{}_by{}{}{}", depthwise ? "depthwise" : "conv", Name(h.x), Name(h.w),
                          h.per_channel ? "_per_channel" : "", h.bias ? "_bias" : "");
  // A zero point takes away what it added; a step may fall to the other side of a tie.
  test.absolute = 2e-3;
  test.build = [=](ModelBuilder& b) {
    const ProductRow row{depthwise ? Product::kDepthwise : Product::kConv,
                         "",
                         code,
                         h.x,
                         h.w,
                         h.y,
                         depthwise ? 3 : 0};
    std::vector<float> scales;
    const auto dimension = static_cast<size_t>(row.channel_dimension);
    for (int32_t c = 0; c < (h.per_channel ? h.w[dimension] : 1); ++c)
      scales.push_back(0.01f + 0.0003f * static_cast<float>(c));
    Tensor* x = b.Input("x", kF32, h.x);
    Tensor* w = AddConstant<int8_t>(
        b, "w", h.w,
        h.per_channel ? PerChannel(scales, row.channel_dimension) : PerTensor(scales[0]), -127,
        127);
    Tensor* bias = h.bias ? AddConstant<float>(b, "bias", {h.y.back()}, {}, -2, 2) : nullptr;
    Tensor* y = b.Value("y", kF32, h.y);
    AddProduct(b, row, x, w, bias, y);
    b.Output(y);
  };
  return test;
}

std::vector<OpCase> HybridCases() {
  constexpr auto kConv = kLiteRtOpCodeTflConv2d;
  constexpr auto kDepthwise = kLiteRtOpCodeTflDepthwiseConv2d;
  return {
      HybridCase(kConv, {{1, 9, 7, 5}, {6, 3, 2, 5}, {1, 5, 4, 6}, 2, false, true}),
      HybridCase(kConv, {{1, 9, 7, 5}, {6, 3, 2, 5}, {1, 5, 4, 6}, 2, true, true}),
      HybridCase(kConv, {{3, 9, 7, 5}, {6, 3, 2, 5}, {3, 5, 4, 6}, 2, false, true}),
      HybridCase(kConv, {{3, 9, 7, 5}, {6, 3, 2, 5}, {3, 5, 4, 6}, 2, true, false}),
      HybridCase(kConv, {{1, 64, 64, 3}, {40, 3, 3, 3}, {1, 32, 32, 40}, 2, true, true}),
      HybridCase(kConv, {{1, 33, 33, 70}, {65, 1, 1, 70}, {1, 17, 17, 65}, 2, false, true}),
      HybridCase(kConv, {{1, 8, 8, 6}, {4, 3, 3, 3}, {1, 4, 4, 4}, 2, false, true}),
      HybridCase(kConv, {{2, 8, 8, 6}, {4, 3, 3, 3}, {2, 4, 4, 4}, 2, true, true}),
      HybridCase(kDepthwise, {{1, 9, 7, 5}, {1, 3, 3, 5}, {1, 5, 4, 5}, 2, false, true}),
      HybridCase(kDepthwise, {{2, 9, 7, 5}, {1, 3, 3, 10}, {2, 5, 4, 10}, 2, true, true}),
      HybridCase(kDepthwise, {{1, 63, 65, 40}, {1, 5, 5, 40}, {1, 32, 33, 40}, 2, true, false}),
  };
}

class AcmeStoredWeights : public OnSoc {};
TEST_P(AcmeStoredWeights, EqualTheCpu) { ExpectNpuEqualsCpu(); }
INSTANTIATE_TEST_SUITE_P(Products, AcmeStoredWeights, OnEverySoc(StoredCases()), OnSoc::Name);
INSTANTIATE_TEST_SUITE_P(Results, AcmeStoredWeights, OnEverySoc(DequantizeCases()), OnSoc::Name);
INSTANTIATE_TEST_SUITE_P(Hybrid, AcmeStoredWeights, OnEverySoc(HybridCases()), OnSoc::Name);

}  // namespace
}  // namespace npukit
