// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Operators whose tensors have hundreds of megabytes: tens of thousands of tiles, planned in
// seconds.

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "reference_plugin/tests/npu_and_cpu.h"
#include "reference_plugin/tests/random_constants.h"

namespace npukit {
namespace {

std::vector<int8_t> Weights(size_t count) {
  std::mt19937 random(5);
  std::vector<int8_t> values(count);
  for (int8_t& value : values) value = static_cast<int8_t>(random() % 255);
  return values;
}

// 257 MiB of weights.
void BuildFullyConnected(ModelBuilder& b) {
  constexpr int32_t kDepth = 16384;
  constexpr int32_t kCols = 16448;
  Tensor* x = b.Input("x", kI8, {1, kDepth}, PerTensor(0.05f, 3));
  Tensor* w =
      b.Constant<int8_t>("w", {kCols, kDepth}, Weights(size_t{kCols} * kDepth), PerTensor(0.01f));
  Tensor* y = b.Value("y", kI8, {1, kCols}, PerTensor(5.0f, -5));
  b.AddOp(kLiteRtOpCodeTflFullyConnected, FullyConnectedOptions{}, {x, w, nullptr}, {y}, 4);
  b.Output(y);
}

// An image of 258 MiB.
void BuildConvolution(ModelBuilder& b) {
  constexpr int32_t kSide = 4112;
  Tensor* x = b.Input("x", kI8, {1, kSide, kSide, 16}, PerTensor(0.05f, 3));
  Tensor* w = b.Constant<int8_t>("w", {8, 3, 3, 16}, Weights(size_t{8} * 9 * 16), PerTensor(0.01f));
  Tensor* y = b.Value("y", kI8, {1, kSide / 2, kSide / 2, 8}, PerTensor(0.5f, -5));
  Conv2DOptions options;
  options.stride_h = options.stride_w = 2;
  b.AddOp(kLiteRtOpCodeTflConv2d, options, {x, w, nullptr}, {y}, 3);
  b.Output(y);
}

TEST(AcmeLarge, FullyConnected) {
  ExpectNpuEqualsCpu({"fully_connected", BuildFullyConnected, 0, false}, "acme_a1");
}

TEST(AcmeLarge, Convolution) {
  ExpectNpuEqualsCpu({"convolution", BuildConvolution, 0, false}, "acme_a1");
}

}  // namespace
}  // namespace npukit
