// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/lower/elementwise/rms_norm.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "reference_plugin/compiler/lower/tests/lowering_bench.h"

namespace acme::compiler {
namespace {

using testing::ElementsAre;
using Lines = std::vector<std::string>;

RmsNorm Of(ValueId x, ValueId weight, int32_t rows, int32_t cols) {
  RmsNorm op;
  op.x = x;
  op.weight = weight;
  op.rows = rows;
  op.cols = cols;
  op.epsilon = 0.5f;
  return op;
}

// The statistic of each row stands behind the two scalars, which stand behind the weights.
TEST(LowerRmsNorm, SumsSquaresThenScalesThenWeighs) {
  LoweringBench bench;
  const ValueId x = bench.InScratchpad(Dtype::kF32, {2, 16});
  const ValueId weight = bench.Constant(Dtype::kF32, {16}, Counting(64));
  const ValueId y = bench.InScratchpad(Dtype::kF32, {2, 16});
  // x at 0x40, y at 0x100; the step at 0x1c0: weights, 1 / cols at 0x200, epsilon at 0x204.
  EXPECT_THAT(bench.LowerWork(Of(x, weight, 2, 16), y),
              ElementsAre("ld.copy spm=0x1c0 bytes=64",
                          "v.reduce op=sumsq dims=1 dtype=f32 out=f32 dst=0x208 a=0x40",
                          "v.fill dtype=f32 dst=0x200 value=1031798784",  // 1/16
                          "v.binary op=mul dtype=f32 dst=0x208 a=0x208 b=0x200",
                          "v.fill dtype=f32 dst=0x204 value=1056964608",  // 0.5
                          "v.binary op=add dtype=f32 dst=0x208 a=0x208 b=0x204",
                          "v.unary op=rsqrt dtype=f32 dst=0x208 a=0x208",
                          "v.binary op=mul dtype=f32 dst=0x100 a=0x40 b=0x208",
                          "v.binary op=mul dtype=f32 dst=0x100 a=0x100 b=0x1c0"));
}

TEST(LowerRmsNorm, WithoutWeightsOneProductLess) {
  LoweringBench bench;
  const ValueId x = bench.InScratchpad(Dtype::kF32, {1, 4});
  const ValueId y = bench.InScratchpad(Dtype::kF32, {1, 4});
  EXPECT_EQ(bench.LowerWork(Of(x, kNoValue, 1, 4), y).size(), 7u);
}

// A row of 16 elements in DRAM takes 64 bytes for the operand and 64 for the result; two rows share
// 128 bytes of scalars and statistics.
TEST(LowerRmsNorm, RowsAreHalvedUntilTheyFit) {
  for (const auto& [step_bytes, steps] :
       std::vector<std::pair<int64_t, size_t>>{{384, 1}, {383, 2}, {256, 2}}) {
    LoweringBench bench(step_bytes);
    const ValueId x = bench.InDram(Dtype::kF32, {2, 16});
    const ValueId y = bench.InDram(Dtype::kF32, {2, 16}, 128);
    EXPECT_EQ(bench.LowerWork(Of(x, kNoValue, 2, 16), y).size(), 9 * steps) << step_bytes;
  }
}

TEST(LowerRmsNorm, ARowThatDoesNotFitIsAnError) {
  LoweringBench bench;
  const ValueId x = bench.InDram(Dtype::kF32, {1, 16});
  const ValueId y = bench.InDram(Dtype::kF32, {1, 16}, 64);
  Placement placement;
  placement.values.resize(2);
  placement.values[0].dram = placement.values[1].dram = DramPlace{kWorkspaceBinding, 0};
  placement.step_bytes = 255;
  ConstantPool constants;
  LoweringContext context(bench.network(), placement, bench.hardware(), constants);
  const Expected<void> lowered = Of(x, kNoValue, 1, 16).Lower(y, context);
  ASSERT_FALSE(lowered);
  EXPECT_EQ(lowered.Error().Message(),
            "rms_norm: a row of 16 elements needs 256 bytes of scratchpad at once, there are 255");
}

}  // namespace
}  // namespace acme::compiler
