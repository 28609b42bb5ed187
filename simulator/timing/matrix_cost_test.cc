// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Loads of weights that lie across, worked out by hand from docs/timing.md, on acme_a1: 32x32 cells,
// 8 cycles to shift a plane of bytes in; 5 words of 32 bytes a cycle, 16 banks. What the array does
// with weights is compared with its registers (device/tests/matrix_timing_test.cc).

#include "simulator/timing/matrix_cost.h"

#include <gtest/gtest.h>

namespace acme {
namespace {

struct LoadCase {
  Dtype weight;
  uint32_t k, n;
  int32_t k_stride, n_stride;
  int64_t cycles;
};

TEST(MatrixCost, ColumnsAreTurnedAround) {
  const Hardware hw = *BuiltinHardware("acme_a1");
  const LoadCase cases[] = {
      {Dtype::kI8, 32, 32, 32, 1, 8},    // rows follow each other
      {Dtype::kI8, 32, 32, 1, 32, 15},   // 32 columns of a word, then they are shifted
      {Dtype::kI8, 16, 32, 1, 32, 15},   // of half a word
      {Dtype::kI8, 32, 32, 1, 128, 16},  // four words apart: 4 banks
      {Dtype::kI8, 32, 32, 1, 512, 40},  // all in one bank
      {Dtype::kF32, 32, 32, 4, 128, 58},
      {Dtype::kI8, 32, 32, 2, 64, 205},  // not whole columns: a word each element
      {Dtype::kI8, 4, 2, 1, 32, 8},      // what is loaded sooner by rows
  };
  for (const LoadCase& c : cases) {
    EngineState state;
    state.matrix.type.weight = c.weight;
    const isa::MLoadW load{.k = c.k, .n = c.n, .k_stride = c.k_stride, .n_stride = c.n_stride};
    EXPECT_EQ(EstimateMatrix(load, state, hw).cycles, c.cycles)
        << c.k << "x" << c.n << " apart " << c.k_stride << " " << c.n_stride;
  }
}

}  // namespace
}  // namespace acme
