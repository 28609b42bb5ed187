// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// FULLY_CONNECTED by weights of int4, by channel and by block, and of activations that are rounded row
// by row. One at a time, on every chip.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "reference_plugin/tests/npu_and_cpu.h"
#include "reference_plugin/tests/random_constants.h"

namespace npukit {
namespace {

constexpr auto kInt4 = kLiteRtElementTypeInt4;

struct Product {
  LiteRtElementType activations;
  LiteRtElementType weights;
  int32_t rows;
  int32_t depth;
  int32_t units;
  bool per_channel = true;
  bool bias = false;
  int32_t block = 0;  // elements that share a scale; 0: none do
  bool asymmetric = false;
};

// A scale for each block of each unit, of float32 or float16; one of them is 0.
void ScaleInBlocks(ModelBuilder& b, const Product& p, Tensor& w) {
  const std::vector<int32_t> shape = {p.units, p.depth / p.block};
  Tensor* scales = nullptr;
  if (p.units % 2 == 0) {
    // 1/128 to about 1/64: exponent 8, and some of the fraction.
    std::vector<uint16_t> halves(static_cast<size_t>(Elems(shape)));
    for (size_t i = 0; i < halves.size(); ++i)
      halves[i] = static_cast<uint16_t>(i == 3 ? 0 : 8 << 10 | (i * 97 & 0x3FF));
    std::vector<uint8_t> bytes(halves.size() * sizeof(halves[0]));
    std::memcpy(bytes.data(), halves.data(), bytes.size());
    scales = b.Constant("scales", kLiteRtElementTypeFloat16, shape, bytes, {});
  } else {
    std::vector<float> values(static_cast<size_t>(Elems(shape)));
    for (size_t i = 0; i < values.size(); ++i)
      values[i] = 0.01f + 0.0003f * static_cast<float>(i % 31);
    scales = b.Constant<float>("scales", shape, values);
  }
  w.quantization = {};
  w.quantization.blockwise = {.scales_tensor = static_cast<int32_t>(scales->index),
                              .block_size_elems = p.block};
}

OpCase ProductCase(const Product& p) {
  const std::string weights = p.weights == kInt4 ? "i4" : Name(p.weights);
  OpCase test;
  test.name =
      fmt::format("product_{}_by_{}_{}_{}_{}{}{}{}{}", Name(p.activations), weights, p.rows,
                  p.depth, p.units, p.per_channel ? "" : "_one_scale", p.bias ? "_biased" : "",
                  p.block > 0 ? fmt::format("_in_blocks_of_{}", p.block) : "",
                  p.asymmetric ? "_asymmetric" : "");
  // The CPU multiplies rounded activations by real weights in float32.
  if (p.activations == kF32) test.absolute = 0.02 * p.depth * 1e-4;
  test.build = [=](ModelBuilder& b) {
    std::vector<float> scales;
    for (int32_t unit = 0; unit < (p.per_channel ? p.units : 1); ++unit)
      scales.push_back(0.01f + 0.002f * static_cast<float>(unit % 5));
    const Quantization quant = p.per_channel ? PerChannel(scales, 0) : PerTensor(scales[0]);
    Tensor* w = nullptr;
    if (p.weights == kInt4) {
      std::vector<uint8_t> bytes((Elems({p.units, p.depth}) + 1) / 2);
      for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<uint8_t>(i * 37 + i / 11);
      w = b.Constant("w", kInt4, {p.units, p.depth}, bytes, quant);
    } else {
      w = AddConstant<int8_t>(b, "w", {p.units, p.depth}, quant, -127, 127);
    }
    if (p.block > 0) ScaleInBlocks(b, p, *w);
    Tensor* x = b.Input("x", p.activations, {p.rows, p.depth}, Quant(p.activations, 0.05f, 3));
    std::vector<Tensor*> inputs = {x, w};
    if (p.bias) {
      inputs.push_back(p.activations == kF32
                           ? AddConstant<float>(b, "bias", {p.units}, {}, -3, 3)
                           : AddConstant<int32_t>(b, "bias", {p.units}, {}, -900, 900));
    }
    const float out = 0.001f * static_cast<float>(p.depth) * (p.activations == kI16 ? 8 : 1);
    Tensor* y = b.Value("y", p.activations, {p.rows, p.units}, Quant(p.activations, out, 2));
    const FullyConnectedOptions options{.keep_num_dims = true,
                                        .asymmetric_quantize_inputs = p.asymmetric};
    b.AddOp(kLiteRtOpCodeTflFullyConnected, options, inputs, {y});
    b.Output(y);
  };
  return test;
}

// Each with another number of rows, of blocks and of columns of the array.
std::vector<OpCase> BlockProductCases() {
  std::vector<OpCase> cases;
  for (const bool bias : {false, true}) {
    for (const int32_t block : {32, 64, 128, 256})
      cases.push_back(ProductCase({kF32, kInt4, 2, 256, 34, true, bias, block}));
    cases.push_back(ProductCase({kF32, kInt4, 1, 32, 5, true, bias, 32}));
    cases.push_back(ProductCase({kF32, kInt4, 1, 1024, 128, true, bias, 32}));
  }
  cases.push_back(ProductCase({kF32, kInt4, 3, 40, 7, true, false, 8}));
  cases.push_back(ProductCase({kF32, kInt4, 3, 30, 7, true, false, 3}));
  cases.push_back(ProductCase({kF32, kInt4, 65, 512, 257, true, false, 64}));
  cases.push_back(ProductCase({kF32, kInt4, 3000, 64, 16, true, false, 32}));
  cases.push_back(ProductCase({kF32, kInt4, 1, 8192, 33, true, false, 32}));
  return cases;
}

std::vector<OpCase> ProductCases() {
  std::vector<OpCase> cases;
  for (LiteRtElementType activations : {kI8, kI16, kF32}) {
    for (const bool bias : {false, true}) {
      cases.push_back(ProductCase({activations, kInt4, 1, 128, 128, true, bias}));
      cases.push_back(ProductCase({activations, kInt4, 7, 33, 5, true, bias}));
      cases.push_back(ProductCase({activations, kInt4, 3, 20, 6, false, bias}));
    }
    cases.push_back(ProductCase({activations, kInt4, 64, 512, 257}));
    cases.push_back(ProductCase({activations, kInt4, 2, 1, 1}));
  }
  for (const bool bias : {false, true}) {
    cases.push_back(ProductCase({kF32, kI8, 1, 128, 128, true, bias}));
    cases.push_back(ProductCase({kF32, kI8, 9, 65, 40, false, bias}));
    for (const LiteRtElementType weights : {kI8, kInt4}) {
      cases.push_back(ProductCase({kF32, weights, 1, 128, 65, true, bias, 0, true}));
      cases.push_back(ProductCase({kF32, weights, 40, 33, 40, false, bias, 0, true}));
    }
  }
  return cases;
}

class AcmeNarrowWeights : public OnSoc {};
TEST_P(AcmeNarrowWeights, EqualTheCpu) { ExpectNpuEqualsCpu(); }
INSTANTIATE_TEST_SUITE_P(Language, AcmeNarrowWeights, OnEverySoc(ProductCases()), OnSoc::Name);

class AcmeWeightsInBlocks : public OnSoc {};
TEST_P(AcmeWeightsInBlocks, EqualTheCpu) { ExpectNpuEqualsCpu(); }
INSTANTIATE_TEST_SUITE_P(Language, AcmeWeightsInBlocks,
                         testing::Combine(testing::ValuesIn(BlockProductCases()),
                                          testing::Values("acme_a0", "acme_a1", "acme_a2",
                                                          "acme_edge128")),
                         OnSoc::Name);

}  // namespace
}  // namespace npukit
