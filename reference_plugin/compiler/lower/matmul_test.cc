// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/lower/matmul.h"

#include <gtest/gtest.h>

namespace acme::compiler {
namespace {

Hardware Array(int64_t side, int64_t accumulator_rows) {
  Hardware hardware;
  hardware.array_rows = hardware.array_cols = side;
  hardware.accumulator_rows = accumulator_rows;
  return hardware;
}

struct TilingCase {
  int32_t m, k, n;
  bool stream;
  int64_t step_bytes;
  MatMulTiling want;
};

TEST(MatMulTilingTest, CutsTheReductionThenRows) {
  const Hardware hardware = Array(32, 2048);
  const TilingCase cases[] = {
      {1, 640, 128, false, 100000, {1, 640}},      // fits whole
      {5000, 64, 64, false, 100000, {1024, 64}},   // half of the accumulators
      {1, 100000, 32, false, 100000, {1, 1568}},   // 100000 * 32 bytes of weights are too many
      {1024, 1024, 32, true, 100000, {256, 128}},  // streamed on both sides
      {7, 5, 3, true, 64 + 15 + 2 * (35 + 21), {7, 5}},  // exactly
  };
  for (const TilingCase& test : cases) {
    MatMul op;
    op.m = test.m;
    op.k = test.k;
    op.n = test.n;
    const MatMulTiling tiling =
        ChooseMatMulTiling(op, test.stream, test.stream, test.step_bytes, hardware);
    EXPECT_EQ(tiling.rows, test.want.rows) << test.m << "x" << test.k << "x" << test.n;
    EXPECT_EQ(tiling.reduction, test.want.reduction) << test.m << "x" << test.k << "x" << test.n;
    EXPECT_LE(MatMulStepBytes(tiling, std::min(32, test.n), test.stream, test.stream),
              test.step_bytes);
  }
}

TEST(MatMulTilingTest, EveryProductFitsTheSmallestShare) {
  const Hardware hardware = Array(16, 64);
  for (int32_t k : {1, 15, 16, 17, 4097, 100000}) {
    for (int32_t m : {1, 31, 1000}) {
      MatMul op;
      op.m = m;
      op.k = k;
      op.n = 64;
      const MatMulTiling tiling = ChooseMatMulTiling(op, true, true, 1024, hardware);
      EXPECT_LE(MatMulStepBytes(tiling, 16, true, true), 1024) << m << " x " << k;
      EXPECT_GE(tiling.rows, 1);
      EXPECT_TRUE(tiling.reduction == k || tiling.reduction % 16 == 0);
    }
  }
}

TEST(PackMatMulColumnsTest, RecordsThenTransposedWeights) {
  MatMul op;
  op.k = 2;
  op.n = 3;
  op.requantize = {{0x40000001, -3}, {0x40000002, 4}, {0x40000003, 0}};
  const std::vector<uint8_t> weights = {1, 2, 3, 4, 5, 6};  // [n][k]
  const std::vector<uint8_t> bias = {0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 5, 0, 0, 0};
  const std::vector<uint8_t> packed = PackMatMulColumns(op, weights, bias, 1, 2);
  ASSERT_EQ(packed.size(), 64u + 4u);
  const std::vector<uint8_t> first(packed.begin(), packed.begin() + 20);
  EXPECT_EQ(first, (std::vector<uint8_t>{0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 2, 0, 0, 0x40, 4,  //
                                         5,    0,    0,    0,    0,    3, 0, 0, 0x40, 0}));
  EXPECT_EQ(std::vector<uint8_t>(packed.begin() + 64, packed.end()),
            (std::vector<uint8_t>{3, 5, 4, 6}));
}

}  // namespace
}  // namespace acme::compiler
