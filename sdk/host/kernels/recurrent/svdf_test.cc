// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// SVDF whose memory is of bytes, as TFLite Micro has it. The scales are powers of two whose products
// are 1, so that plain integers say what comes out; memory and results saturate.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include "sdk/host/kernels/testing/node_builder.h"

namespace npukit::kernels {
namespace {

using testing::Affine;
using testing::BytesOf;
using testing::NodeBuilder;
using testing::ValuesOf;

constexpr LiteRtElementType kByte = kLiteRtElementTypeInt8;
constexpr int kBatches = 2, kInputs = 7, kUnits = 3, kRank = 2, kMemory = 3;
constexpr int kFilters = kUnits * kRank;
constexpr int kInZero = -3, kStateZero = 25, kOutZero = -100;

std::vector<int8_t> Numbers(size_t count, int most, std::mt19937& random) {
  std::vector<int8_t> numbers(count);
  for (int8_t& number : numbers)
    number = static_cast<int8_t>(std::uniform_int_distribution<int>(-most, most)(random));
  return numbers;
}

int8_t Saturated(int value) { return static_cast<int8_t>(std::clamp(value, -128, 127)); }

class Reference {
 public:
  Reference(std::vector<int8_t> features, std::vector<int8_t> times, std::vector<int32_t> bias)
      : features_(std::move(features)), times_(std::move(times)), bias_(std::move(bias)) {
    memory_.assign(kBatches * kFilters * kMemory, int8_t{kStateZero});
  }

  std::vector<int8_t> Run(const std::vector<int8_t>& in) {
    std::vector<int8_t> out;
    for (int b = 0; b < kBatches; ++b) {
      for (int u = 0; u < kUnits; ++u) {
        int sum = bias_[static_cast<size_t>(u)];
        for (int f = u * kRank; f < (u + 1) * kRank; ++f) sum += Filter(in, b, f);
        out.push_back(Saturated(sum + kOutZero));
      }
    }
    return out;
  }

 private:
  int Filter(const std::vector<int8_t>& in, int batch, int filter) {
    int dot = 0;
    for (int i = 0; i < kInputs; ++i)
      dot += features_[filter * kInputs + i] * (in[batch * kInputs + i] - kInZero);
    int8_t* memory = memory_.data() + (batch * kFilters + filter) * kMemory;
    std::rotate(memory, memory + 1, memory + kMemory);
    memory[kMemory - 1] = Saturated(dot + kStateZero);
    int sum = 0;
    for (int m = 0; m < kMemory; ++m)
      sum += times_[filter * kMemory + m] * (memory[m] - kStateZero);
    return sum;
  }

  std::vector<int8_t> features_;
  std::vector<int8_t> times_;
  std::vector<int32_t> bias_;
  std::vector<int8_t> memory_;
};

TEST(SvdfOfBytes, RemembersWithAZeroPoint) {
  std::mt19937 random(1);
  const std::vector<int8_t> features = Numbers(kFilters * kInputs, 4, random);
  const std::vector<int8_t> times = Numbers(kFilters * kMemory, 2, random);
  const std::vector<int32_t> bias = {40, -7, 100};
  NodeBuilder builder(
      kLiteRtOpCodeTflSvdf,
      SVDFOptions{.rank = kRank, .fused_activation_function = ActivationFunctionType::kRelu});
  builder.Input(kByte, {kBatches, kInputs}, Affine(0.5F, kInZero))
      .Constant(kByte, {kFilters, kInputs}, BytesOf(features), Affine(0.5F, 0))
      .Constant(kByte, {kFilters, kMemory}, BytesOf(times), Affine(0.5F, 0))
      .Constant(kLiteRtElementTypeInt32, {kUnits}, BytesOf(bias), Affine(0.125F, 0))
      .Variable(kByte, {kBatches, kFilters * kMemory}, Affine(0.25F, kStateZero))
      .Output(kByte, Affine(0.125F, kOutZero));
  Reference reference(features, times, bias);
  // Longer than the memory: what was there at first is forgotten.
  for (int step = 0; step < kMemory + 2; ++step) {
    const std::vector<int8_t> in = Numbers(kBatches * kInputs, 20, random);
    const auto out = builder.Run({BytesOf(in)});
    ASSERT_TRUE(out) << out.Error().Message();
    EXPECT_EQ(ValuesOf<int8_t>(out->front()), reference.Run(in)) << "step " << step;
  }
}

}  // namespace
}  // namespace npukit::kernels
