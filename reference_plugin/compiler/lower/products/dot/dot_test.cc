// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/lower/products/dot/dot.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "reference_plugin/compiler/lower/products/conv.h"
#include "reference_plugin/compiler/lower/tests/lowering_bench.h"

namespace acme::compiler {
namespace {

// All of an image of so many bytes.
Conv Classifier(LoweringBench& bench, ValueId x, int32_t depth, int32_t units) {
  Conv conv;
  conv.x = x;
  conv.w = bench.Constant(Dtype::kI8, {units, 1, 1, depth},
                          std::vector<uint8_t>(static_cast<size_t>(depth) * units, 1));
  conv.in_c = depth;
  conv.out_c = units;
  conv.act_zp = -5;
  conv.requantize.scales = {{1 << 30, 0}};
  conv.requantize.clamp = {-128, 127};
  return conv;
}

TEST(LowerDot, IsOneInstruction) {
  LoweringBench bench;
  const ValueId x = bench.InScratchpad(Dtype::kI8, {1, 200});
  const ValueId y = bench.InScratchpad(Dtype::kI8, {1, 3});
  // 30 bytes of records, in 64, and three times 200.
  EXPECT_THAT(bench.LowerWork(Classifier(bench, x, 200, 3), y),
              testing::ElementsAre("ld.copy spm=0x200 bytes=664",
                                   "v.dot dtype=i8 dst=0x180 a=0x40 weights=0x240"));
}

TEST(LowerDot, IsForOneVectorAndFewResults) {
  LoweringBench bench;
  const Hardware& hardware = bench.hardware();
  const ValueId x = bench.InScratchpad(Dtype::kI8, {1, 2000});
  Conv conv = Classifier(bench, x, 2000, 4);
  EXPECT_TRUE(AsDot(conv, bench.network(), hardware));
  conv.geometry.w = {.in = 2, .out = 2};
  EXPECT_FALSE(AsDot(conv, bench.network(), hardware)) << "two pixels";
  conv.geometry.w = {.in = 1, .out = 1, .kernel = 3, .pad = 1};
  EXPECT_FALSE(AsDot(conv, bench.network(), hardware)) << "padding";
  conv.geometry.w = {};
  conv.dtype = Dtype::kF32;
  EXPECT_FALSE(AsDot(conv, bench.network(), hardware));
  EXPECT_FALSE(AsDot(Classifier(bench, x, 64, 33), bench.network(), hardware)) << "many results";
}

}  // namespace
}  // namespace acme::compiler
