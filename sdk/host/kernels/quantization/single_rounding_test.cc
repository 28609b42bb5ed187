// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/kernels/quantization/single_rounding.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "sdk/host/kernels/testing/node_builder.h"

namespace npukit::kernels {
namespace {

using testing::Affine;
using testing::NodeBuilder;

std::vector<uint8_t> RandomBytes(size_t count, uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<uint8_t> bytes(count);
  for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(random());
  return bytes;
}

int Stored(uint8_t byte) { return static_cast<int8_t>(byte); }

// [5, 64] by [32, 64] weights of one scale a channel.
struct Product {
  std::vector<uint8_t> x = RandomBytes(5 * 64, 1);
  std::vector<uint8_t> w = RandomBytes(32 * 64, 2);
  NodeBuilder builder{kLiteRtOpCodeTflFullyConnected,
                      DefaultOptions(kLiteRtOpCodeTflFullyConnected)};
  std::vector<OracleTensor> inputs;
  OracleTensor expected;
  std::vector<double> real;

  Product() {
    Quantization channels;
    for (int c = 0; c < 32; ++c) channels.scale.push_back(0.01f + 0.0007f * static_cast<float>(c));
    channels.zero_point = ZeroPoints(32, 0);
    builder.Input(kLiteRtElementTypeInt8, {5, 64}, Affine(0.05f, -3));
    builder.Constant(kLiteRtElementTypeInt8, {32, 64}, w, channels);
    builder.Omitted();
    builder.Output(kLiteRtElementTypeInt8, Affine(0.9f, 5));
    EXPECT_TRUE(builder.Infer());
    inputs.push_back(OracleTensor::FromBytes(kLiteRtElementTypeInt8, {5, 64}, x));
    inputs.push_back(OracleTensor::FromBytes(kLiteRtElementTypeInt8, {32, 64}, w));
    auto outputs = RunOracle(builder.node(), Pointers());
    EXPECT_TRUE(outputs) << outputs.Error().Message();
    expected = outputs->front();
    auto steps = RealSteps(builder.node(), Pointers(), 0);
    EXPECT_TRUE(steps) << steps.Error().Message();
    real = *steps;
  }
  std::vector<const OracleTensor*> Pointers() const { return {&inputs[0], &inputs[1], nullptr}; }
  RoundedOnce Compare(const std::vector<uint8_t>& actual) const {
    auto rounded = CompareRoundedOnce(builder.node(), Pointers(), 0, expected, actual);
    EXPECT_TRUE(rounded) << rounded.Error().Message();
    return *rounded;
  }
  std::vector<uint8_t> Rounded(double (*round)(double)) const {
    std::vector<uint8_t> bytes;
    for (const double value : real)
      bytes.push_back(static_cast<uint8_t>(static_cast<int8_t>(round(value))));
    return bytes;
  }
};

TEST(RealSteps, AreTheProductOfWhatIsStood) {
  const Product product;
  for (size_t row = 0; row < 5; ++row) {
    for (size_t c = 0; c < 32; ++c) {
      double sum = 0;
      for (size_t k = 0; k < 64; ++k)
        sum += (Stored(product.x[row * 64 + k]) + 3) * Stored(product.w[c * 64 + k]);
      const Quantization& weights = product.builder.node().inputs[1]->quantization();
      const double value = sum * static_cast<double>(0.05f) *
                               static_cast<double>(weights.scale[c]) / static_cast<double>(0.9f) +
                           5;
      EXPECT_NEAR(product.real[row * 32 + c], std::clamp(value, -128.0, 127.0), 1e-9);
    }
  }
}

TEST(RoundedOnce, AllowsTheNearestStepAndNoOther) {
  const Product product;
  EXPECT_EQ(product.Compare(product.expected.bytes).elems, 0);
  const RoundedOnce nearest = product.Compare(product.Rounded(std::round));
  EXPECT_TRUE(nearest.comparison.ok());
  const RoundedOnce cut = product.Compare(product.Rounded(std::floor));
  EXPECT_FALSE(cut.comparison.ok());
  EXPECT_GT(cut.comparison.differing_elems, 40);
  std::vector<uint8_t> low = product.expected.bytes;
  for (uint8_t& byte : low) byte = static_cast<uint8_t>(std::max(Stored(byte) - 1, -128));
  EXPECT_FALSE(product.Compare(low).comparison.ok());
  EXPECT_FALSE(product.Compare(low).comparison.worst.empty());
}

// A product whose oracle rounds a tie that only its first rounding made.
TEST(RoundedOnce, DiffersFromTheOracleWhereItsFirstRoundingMadesATie) {
  int64_t differing = 0;
  for (uint32_t seed = 0; seed < 8; ++seed) {
    NodeBuilder builder(kLiteRtOpCodeTflMul, DefaultOptions(kLiteRtOpCodeTflMul));
    builder.Input(kLiteRtElementTypeInt8, {500}, Affine(0.037f, 0));
    builder.Input(kLiteRtElementTypeInt8, {500}, Affine(0.037f, 0));
    builder.Output(kLiteRtElementTypeInt8, Affine(0.113f, 0));
    ASSERT_TRUE(builder.Infer());
    const OracleTensor a =
        OracleTensor::FromBytes(kLiteRtElementTypeInt8, {500}, RandomBytes(500, 2 * seed));
    const OracleTensor b =
        OracleTensor::FromBytes(kLiteRtElementTypeInt8, {500}, RandomBytes(500, 2 * seed + 1));
    const std::vector<const OracleTensor*> inputs = {&a, &b};
    const auto expected = RunOracle(builder.node(), inputs);
    ASSERT_TRUE(expected);
    const auto real = RealSteps(builder.node(), inputs, 0);
    ASSERT_TRUE(real) << real.Error().Message();
    std::vector<uint8_t> once;
    for (const double value : *real)
      once.push_back(static_cast<uint8_t>(static_cast<int8_t>(std::round(value))));
    const auto rounded = CompareRoundedOnce(builder.node(), inputs, 0, expected->front(), once);
    ASSERT_TRUE(rounded);
    EXPECT_TRUE(rounded->comparison.ok());
    differing += rounded->elems;
  }
  EXPECT_GT(differing, 0);
}

TEST(RealSteps, NeedAScaleAndAFormOfRealNumbers) {
  NodeBuilder floats(kLiteRtOpCodeTflAdd, DefaultOptions(kLiteRtOpCodeTflAdd));
  floats.Input(kLiteRtElementTypeFloat32, {2});
  floats.Input(kLiteRtElementTypeFloat32, {2});
  floats.Output(kLiteRtElementTypeFloat32);
  ASSERT_TRUE(floats.Infer());
  const OracleTensor two{
      .type = kLiteRtElementTypeFloat32, .shape = {2}, .values = {1, 2}, .bounds = {0, 0}};
  const std::vector<const OracleTensor*> inputs = {&two, &two};
  EXPECT_FALSE(RealSteps(floats.node(), inputs, 0));
}

}  // namespace
}  // namespace npukit::kernels
