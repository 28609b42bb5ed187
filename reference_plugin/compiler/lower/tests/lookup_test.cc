// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Convolutions that look their results up: the table comes once, and every tile reads it.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "reference_plugin/compiler/lower/products/conv.h"
#include "reference_plugin/compiler/lower/products/depthwise/depthwise.h"
#include "reference_plugin/compiler/lower/tests/lowering_bench.h"

namespace acme::compiler {
namespace {

// 40 output channels, two column tiles, over 2 x 3 pixels.
TEST(LowerLookup, OfAConvolutionsColumnTiles) {
  LoweringBench bench(1 << 16);
  Conv conv;
  conv.x = bench.InScratchpad(Dtype::kI8, {1, 2, 3, 32});
  conv.w = bench.Constant(Dtype::kI8, {40, 1, 1, 32}, Counting(40 * 32));
  conv.in_c = 32;
  conv.out_c = 40;
  conv.geometry.h = {.in = 2, .out = 2};
  conv.geometry.w = {.in = 3, .out = 3};
  conv.requantize.scales = {{1 << 30, 0}};
  conv.requantize.clamp = {-100, 100};
  const ValueId y = bench.InScratchpad(Dtype::kI8, {1, 2, 3, 40});
  conv.table = Counting(256);
  const std::vector<std::string> lines = bench.Lower(conv, y);
  EXPECT_EQ(CountOf(lines, "bytes=256"), 1);
  EXPECT_EQ(CountOf(lines, "v.lookup addr=0x"), CountOf(lines, "v.drain"));
  EXPECT_EQ(CountOf(lines, "lookup=1"), CountOf(lines, "v.drain"));
  EXPECT_EQ(CountOf(lines, "v.drain"), 2);
}

TEST(LowerLookup, OfADepthwiseConvolutionsTiles) {
  LoweringBench bench(420);  // of the table and of some rows
  Depthwise op;
  op.x = bench.InDram(Dtype::kI8, {1, 6, 6, 8});
  op.w = bench.Constant(Dtype::kI8, {1, 3, 3, 8}, Counting(72));
  op.in_c = 8;
  op.geometry.h = op.geometry.w = {.in = 6, .out = 4, .kernel = 3};
  op.requantize.scales = {{1 << 30, 0}};
  op.requantize.clamp = {-128, 127};
  op.table = Counting(256);
  const ValueId y = bench.InDram(Dtype::kI8, {1, 4, 4, 8}, 4096);
  const std::vector<std::string> lines = bench.Lower(op, y);
  EXPECT_EQ(CountOf(lines, "bytes=256"), 1);
  EXPECT_GT(CountOf(lines, "v.depthwise"), 1);
  EXPECT_EQ(CountOf(lines, "lookup=1"), CountOf(lines, "v.depthwise"));
}

}  // namespace
}  // namespace acme::compiler
