// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/runtime/plan/mac_count.h"

#include <gtest/gtest.h>

#include <deque>
#include <vector>

#include "sdk/host/model/options/op_options.h"

namespace npukit {
namespace {

struct MacCase {
  const char* name;
  LiteRtOpCode code;
  OpOptions options;
  std::vector<kernels::Shape> inputs;
  kernels::Shape output;
  uint64_t macs;
};

TEST(CountMacs, ByOperator) {
  const MacCase cases[] = {
      {"conv: 8x8x16 outputs of 3x3x4",
       kLiteRtOpCodeTflConv2d,
       Conv2DOptions{},
       {{1, 8, 8, 4}, {16, 3, 3, 4}, {16}},
       {1, 8, 8, 16},
       uint64_t{8} * 8 * 16 * 3 * 3 * 4},
      {"grouped conv: weights have a quarter of the channels",
       kLiteRtOpCodeTflConv2d,
       Conv2DOptions{},
       {{1, 8, 8, 16}, {16, 3, 3, 4}},
       {1, 8, 8, 16},
       uint64_t{8} * 8 * 16 * 3 * 3 * 4},
      {"depthwise",
       kLiteRtOpCodeTflDepthwiseConv2d,
       DepthwiseConv2DOptions{},
       {{2, 9, 9, 4}, {1, 3, 3, 8}},
       {2, 7, 7, 8},
       uint64_t{2} * 7 * 7 * 8 * 9},
      {"fully connected",
       kLiteRtOpCodeTflFullyConnected,
       FullyConnectedOptions{},
       {{4, 640}, {128, 640}, {128}},
       {4, 128},
       uint64_t{4} * 128 * 640},
      {"transpose conv",
       kLiteRtOpCodeTflTransposeConv,
       TransposeConvOptions{},
       {{4}, {8, 3, 3, 5}, {1, 4, 4, 5}},
       {1, 8, 8, 8},
       uint64_t{4} * 4 * 5 * 8 * 9},
      {"batch matmul",
       kLiteRtOpCodeTflBatchMatmul,
       BatchMatMulOptions{},
       {{2, 3, 5}, {2, 5, 7}},
       {2, 3, 7},
       uint64_t{2} * 3 * 7 * 5},
      {"batch matmul, left transposed",
       kLiteRtOpCodeTflBatchMatmul,
       BatchMatMulOptions{.adj_x = true},
       {{2, 5, 3}, {2, 5, 7}},
       {2, 3, 7},
       uint64_t{2} * 3 * 7 * 5},
      {"elementwise", kLiteRtOpCodeTflMul, MulOptions{}, {{8}, {8}}, {8}, 0},
      {"no weights", kLiteRtOpCodeTflConv2d, Conv2DOptions{}, {{1, 8, 8, 4}}, {1, 8, 8, 16}, 0},
      {"empty weights",
       kLiteRtOpCodeTflConv2d,
       Conv2DOptions{},
       {{1, 8, 8, 4}, {0, 3, 3, 4}},
       {1, 8, 8, 0},
       0},
  };
  for (const MacCase& c : cases) {
    SCOPED_TRACE(c.name);
    Op op;
    op.code = c.code;
    op.options = c.options;
    Tensor tensor;
    std::deque<kernels::Operand> operands;
    kernels::Node node;
    node.op = &op;
    for (const auto& shape : c.inputs)
      node.inputs.push_back(&operands.emplace_back(kernels::Operand{&tensor, shape, {}}));
    node.outputs.push_back(&operands.emplace_back(kernels::Operand{&tensor, c.output, {}}));
    EXPECT_EQ(CountMacs(node), c.macs);
  }
}

TEST(MacCount, OfAnOpComesFromTheShapesOfTheFile) {
  Tensor x;
  Tensor weights;
  Tensor y;
  x.element_type = weights.element_type = y.element_type = kLiteRtElementTypeInt8;
  x.shape = {3, 5};
  weights.shape = {7, 5};
  y.shape = {3, 7};
  Op op;
  op.code = kLiteRtOpCodeTflFullyConnected;
  op.inputs = {&x, &weights, nullptr};
  op.outputs = {&y};
  EXPECT_EQ(CountMacs(op), 3u * 7 * 5);
  y.shape = {1 << 30, 1 << 30, 1 << 30};
  EXPECT_EQ(CountMacs(op), 0u);
}

}  // namespace
}  // namespace npukit
