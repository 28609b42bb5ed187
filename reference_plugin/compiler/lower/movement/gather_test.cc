// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/lower/movement/gather.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reference_plugin/compiler/lower/tests/lowering_bench.h"

namespace acme::compiler {
namespace {

using testing::ElementsAre;

Gather GatherOf(int32_t outer, int32_t along, int32_t run, int32_t count) {
  Gather op{};
  op.outer = outer;
  op.along = along;
  op.run = run;
  op.count = count;
  return op;
}

// Indices and result are in the scratchpad: an instruction takes all slices of the outer dimension.
TEST(LowerGather, TakesSlicesWhereIndicesStand) {
  LoweringBench bench;
  Gather op = GatherOf(2, 9, 6, 4);
  op.table = bench.InDram(Dtype::kI16, {2, 9, 6}, 4096);
  op.indices = bench.InScratchpad(Dtype::kI32, {4});
  const ValueId y = bench.InScratchpad(Dtype::kI16, {2, 4, 6});
  EXPECT_THAT(bench.Lower(op, y),
              ElementsAre("ld.shape n0=6 n1=2 n2=1 n3=4", "ld.dram_stride s1=108 s3=12",
                          "ld.spm_stride s0=2 s1=48 s3=12", "ld.index addr=0x40 last=8",
                          "ld.gather binding=1 dram=0x1000 spm=0xc0 elem_bytes=2"));
}

// Half a step's 256 bytes hold five slices of 20 bytes with their indices.
TEST(LowerGather, WhatDoesNotFitIsCut) {
  LoweringBench bench(256);
  Gather op = GatherOf(1, 9, 20, 7);
  op.table = bench.InDram(Dtype::kI8, {9, 20}, 4096);
  op.indices = bench.InDram(Dtype::kI32, {7}, 64);
  const ValueId y = bench.InDram(Dtype::kI8, {7, 20}, 512);
  EXPECT_THAT(bench.LowerWork(op, y),
              ElementsAre("ld.copy binding=1 dram=0x40 spm=0x40 bytes=20",
                          "ld.gather binding=1 dram=0x1000 spm=0xc0 elem_bytes=1",
                          "st.copy binding=1 dram=0x200 spm=0xc0 bytes=100",
                          "ld.copy binding=1 dram=0x54 spm=0x180 bytes=8",
                          "ld.gather binding=1 dram=0x1000 spm=0x200 elem_bytes=1",
                          "st.copy binding=1 dram=0x264 spm=0x200 bytes=40"));
}

// Half a step's 64 bytes hold three outer slices of 20 bytes.
TEST(LowerGather, OuterSlicesThatDoNotFitAreCut) {
  LoweringBench bench(128);
  Gather op = GatherOf(4, 9, 20, 1);
  op.table = bench.InDram(Dtype::kI8, {4, 9, 20}, 4096);
  op.indices = bench.InScratchpad(Dtype::kI32, {1});
  const ValueId y = bench.InDram(Dtype::kI8, {4, 1, 20}, 512);
  EXPECT_THAT(bench.LowerWork(op, y),
              ElementsAre("ld.gather binding=1 dram=0x1000 spm=0xc0 elem_bytes=1",
                          "st.copy binding=1 dram=0x200 spm=0xc0 bytes=60",
                          "ld.gather binding=1 dram=0x121c spm=0x140 elem_bytes=1",
                          "st.copy binding=1 dram=0x23c spm=0x140 bytes=20"));
}

// Slices of 100 bytes in half a step's 64: 60 and 40, twice by the same index.
TEST(LowerGather, ASliceThatDoesNotFitIsCut) {
  LoweringBench bench(128);
  Gather op = GatherOf(1, 9, 100, 2);
  op.table = bench.InDram(Dtype::kI8, {9, 100}, 4096);
  op.indices = bench.InScratchpad(Dtype::kI32, {2});
  const ValueId y = bench.InDram(Dtype::kI8, {2, 100}, 512);
  EXPECT_THAT(bench.LowerWork(op, y),
              ElementsAre("ld.gather binding=1 dram=0x1000 spm=0xc0 elem_bytes=1",
                          "st.copy binding=1 dram=0x200 spm=0xc0 bytes=60",
                          "ld.gather binding=1 dram=0x103c spm=0x140 elem_bytes=1",
                          "st.copy binding=1 dram=0x23c spm=0x140 bytes=40",
                          "ld.gather binding=1 dram=0x1000 spm=0x1c0 elem_bytes=1",
                          "st.copy binding=1 dram=0x264 spm=0x1c0 bytes=60",
                          "ld.gather binding=1 dram=0x103c spm=0x240 elem_bytes=1",
                          "st.copy binding=1 dram=0x2a0 spm=0x240 bytes=40"));
}

}  // namespace
}  // namespace acme::compiler
