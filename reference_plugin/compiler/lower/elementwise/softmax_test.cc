// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/lower/elementwise/softmax.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "reference_plugin/compiler/lower/tests/lowering_bench.h"

namespace acme::compiler {
namespace {

using testing::ElementsAre;

Softmax Of(ValueId x, int32_t rows, int32_t depth) {
  Softmax op;
  op.x = x;
  op.rows = rows;
  op.depth = depth;
  return op;
}

TEST(LowerSoftmax, TakesAllRowsThatFit) {
  LoweringBench bench;
  Softmax op = Of(bench.InScratchpad(Dtype::kI8, {3, 10}), 3, 10);
  const ValueId y = bench.InScratchpad(Dtype::kI8, {3, 10});
  op.a.mult = 11;
  op.b.mult = 22;
  EXPECT_THAT(
      bench.Lower(op, y),
      ElementsAre("v.clamp lo=-2147483648 hi=2147483647", "v.shape n0=10 n1=3 n2=1 n3=1",
                  "v.view view=dst s0=1 s1=10 s2=30 s3=30", "v.view view=a s0=1 s1=10 s2=30 s3=30",
                  "v.quant view=a mult=11 rounding=double",
                  "v.quant view=b mult=22 rounding=double",
                  "v.softmax dtype=i8 out=i8 dst=0xc0 a=0x40"));
}

TEST(SoftmaxRows, BeginWhereTheImageDoes) {
  Softmax op = Of(0, 6, 10);
  op.row_elems = 20;
  const auto whole = std::static_pointer_cast<const Softmax>(op.Rows({1, 3}, {}));
  EXPECT_EQ(whole->x_base_elems, 20);
  EXPECT_EQ(whole->rows, 4);
  const HeldRows held{.image = 0, .value = 7, .rows = {1, 3}};
  const auto part = std::static_pointer_cast<const Softmax>(op.Rows({2, 3}, {&held, 1}));
  EXPECT_EQ(part->x, 7);
  EXPECT_EQ(part->x_base_elems, 20);
  EXPECT_EQ(part->rows, 2);
}

TEST(LowerSoftmax, ReadsFromItsPart) {
  LoweringBench bench;
  Softmax op = Of(bench.InScratchpad(Dtype::kI8, {3, 10}), 2, 10);
  op.x_base_elems = 10;
  const ValueId y = bench.InScratchpad(Dtype::kI8, {2, 10});
  EXPECT_EQ(bench.Lower(op, y).back(), "v.softmax dtype=i8 out=i8 dst=0xc0 a=0x4a");
}

struct RowsCase {
  const char* name;
  int64_t step_bytes;
  Dtype dtype;
  int64_t table_bytes;
  size_t instructions;
};

class SoftmaxSteps : public testing::TestWithParam<RowsCase> {};

// Four rows of 64 elements, halved until operand, result and tables fit a step.
TEST_P(SoftmaxSteps, HalveTheRows) {
  LoweringBench bench(GetParam().step_bytes);
  Softmax op = Of(bench.InScratchpad(GetParam().dtype, {4, 64}), 4, 64);
  const ValueId y = bench.InScratchpad(GetParam().dtype, {4, 64});
  op.in = op.out = GetParam().dtype;
  op.tables = Counting(GetParam().table_bytes);
  EXPECT_EQ(bench.LowerWork(op, y).size(), GetParam().instructions);
}

INSTANTIATE_TEST_SUITE_P(
    Cases, SoftmaxSteps,
    testing::ValuesIn(std::vector<RowsCase>{
        {"ExactFit", 512, Dtype::kI8, 0, 1},
        {"OneByteLess", 511, Dtype::kI8, 0, 2},
        {"TwoRows", 256, Dtype::kI8, 0, 2},
        {"OneRow", 128, Dtype::kI8, 0, 4},
        // Legalising refuses what has no room for a row; it is tried all the same.
        {"LessThanARow", 1, Dtype::kI8, 0, 4},
        {"Float", 2048, Dtype::kF32, 0, 1},
        // A load of the tables with every step.
        {"Tables", 1024 + 128, Dtype::kI16, 100, 2},
        {"TablesOneByteLess", 1024 + 127, Dtype::kI16, 100, 4},
    }),
    [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace acme::compiler
