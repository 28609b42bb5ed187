// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/lower/dma_transfer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "reference_plugin/compiler/lower/tests/lowering_bench.h"

namespace acme::compiler {
namespace {

std::vector<std::string> Lines(const DmaTransfer& transfer) {
  const Task task = DmaTask(transfer);
  std::vector<std::string> lines;
  for (const AnyInstr& instr : task.config) lines.push_back(TextOf(instr));
  lines.push_back(TextOf(task.work));
  return lines;
}

// Strides are of elements, the instructions' of bytes; the innermost in DRAM is left out.
TEST(DmaTask, LoadsAndStoresAlike) {
  DmaTransfer transfer{
      DmaDirection::kLoad, {2, 4096}, 128, 4, {{{3, 1, 2}, {5, -10, 7}, {2, 0, 40}}}};
  EXPECT_THAT(Lines(transfer),
              testing::ElementsAre("ld.shape n0=3 n1=5 n2=2 n3=1", "ld.dram_stride s1=-40",
                                   "ld.spm_stride s0=8 s1=28 s2=160",
                                   "ld.nd binding=2 dram=0x1000 spm=0x80 elem_bytes=4"));
  transfer.direction = DmaDirection::kStore;
  transfer.elem_bytes = 1;
  EXPECT_THAT(Lines(transfer),
              testing::ElementsAre("st.shape n0=3 n1=5 n2=2 n3=1", "st.dram_stride s1=-10",
                                   "st.spm_stride s0=2 s1=7 s2=40",
                                   "st.nd binding=2 dram=0x1000 spm=0x80 elem_bytes=1"));
}

TEST(DmaTask, OneElementIsABoxOfOne) {
  EXPECT_THAT(Lines({DmaDirection::kLoad, {0, 0}, 64, 1, {}}),
              testing::ElementsAre("ld.shape n0=1 n1=1 n2=1 n3=1", "ld.dram_stride",
                                   "ld.spm_stride", "ld.nd spm=0x40 elem_bytes=1"));
}

}  // namespace
}  // namespace acme::compiler
