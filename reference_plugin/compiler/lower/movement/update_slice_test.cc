// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/lower/movement/update_slice.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "reference_plugin/compiler/lower/tests/lowering_bench.h"

namespace acme::compiler {
namespace {

using testing::ElementsAre;

// A cache of 8 rows of 2 heads of 4, in which a row is written.
UpdateSlice RowOfCache(LoweringBench& bench) {
  UpdateSlice op;
  op.operand = bench.InDram(Dtype::kI8, {2, 8, 4}, 0);
  op.update = bench.InScratchpad(Dtype::kI8, {2, 1, 4});
  op.place = bench.InScratchpad(Dtype::kI32, {1});
  op.unit_elems = 4;
  op.last = 7;
  op.extent = {2, 1, 4};
  op.stride_elems = {32, 4, 1};
  return op;
}

TEST(LowerUpdateSlice, CopiesTheOperandAndWritesTheUpdateOverIt) {
  LoweringBench bench;
  const UpdateSlice op = RowOfCache(bench);
  const ValueId y = bench.InDram(Dtype::kI8, {2, 8, 4}, 256);
  EXPECT_THAT(bench.Lower(op, y),
              ElementsAre("ld.copy binding=1 spm=0x140 bytes=64",
                          "st.copy binding=1 dram=0x100 spm=0x140 bytes=64",
                          "st.shape n0=4 n1=2 n2=1 n3=1", "st.dram_stride s1=32 s3=4",
                          "st.spm_stride s0=1 s1=4", "st.index addr=0xc0 last=7 clamp=1",
                          "st.scatter binding=1 dram=0x100 spm=0x40 elem_bytes=1"));
}

// The driver copies what is not written, unless the buffers are one.
TEST(LowerUpdateSlice, OfAnInputWritesTheUpdateAlone) {
  LoweringBench bench;
  UpdateSlice op = RowOfCache(bench);
  const ValueId y = bench.InDram(Dtype::kI8, {2, 8, 4}, 256);
  bench.network().values[static_cast<size_t>(op.operand)].input_index = 0;
  bench.network().values[static_cast<size_t>(y)].output_index = 0;
  bench.network().layers.push_back({.output = y, .op = std::make_shared<UpdateSlice>(op)});
  EXPECT_EQ(UpdatedInPlace(bench.network(), y), op.operand);
  EXPECT_THAT(bench.LowerWork(op, y),
              ElementsAre("st.scatter binding=1 dram=0x100 spm=0x40 elem_bytes=1"));
}

// A quarter of a step is 64 bytes, a row of the update 60. Three planes are two and one, which was cut for ever.
TEST(LowerUpdateSlice, WhatDoesNotFitIsCut) {
  LoweringBench bench(256);
  UpdateSlice op;
  op.operand = bench.InDram(Dtype::kI16, {3, 4, 5, 30}, 0);
  op.update = bench.InDram(Dtype::kI16, {3, 2, 2, 30}, 8192);
  op.place = bench.Constant(Dtype::kI32, {1}, {1, 0, 0, 0});
  op.unit_elems = 30;
  op.last = 3;
  op.extent = {3, 2, 2, 30};
  op.stride_elems = {600, 150, 30, 1};
  const ValueId y = bench.InDram(Dtype::kI16, {3, 4, 5, 30}, 16384);
  std::vector<std::string> loads;
  std::vector<std::string> scatters;
  for (const std::string& line : bench.LowerWork(op, y)) {
    const std::string from_or_to = line.substr(0, line.find(" spm"));
    if (line.starts_with("st.scatter")) scatters.push_back(from_or_to);
    if (line.starts_with("ld.copy") && line.ends_with("bytes=60")) loads.push_back(from_or_to);
  }
  std::vector<std::string> expected_loads;
  std::vector<std::string> expected;
  for (int plane = 0; plane < 3; ++plane) {
    for (int box = 0; box < 2; ++box) {
      for (int row = 0; row < 2; ++row) {
        expected_loads.push_back(
            fmt::format("ld.copy binding=1 dram={:#x}", 8192 + expected.size() * 60));
        expected.push_back(fmt::format("st.scatter binding=1 dram={:#x}",
                                       16384 + (plane * 600 + box * 150 + row * 30) * 2));
      }
    }
  }
  EXPECT_EQ(loads, expected_loads);
  EXPECT_EQ(scatters, expected);
}

}  // namespace
}  // namespace acme::compiler
