// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/lower/movement/dma_box.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "reference_plugin/compiler/lower/tests/lowering_bench.h"
#include "reference_plugin/compiler/tests/stand_in_op.h"

namespace acme::compiler {
namespace {

using Lines = std::vector<std::string>;

class TransferOp : public StandInOp {
 public:
  explicit TransferOp(DmaBox box) : StandInOp({}), box_(std::move(box)) {}
  Expected<void> Lower(ValueId, LoweringContext& context) const override {
    Transfer(box_, context);
    return {};
  }

 private:
  DmaBox box_;
};

struct TransferCase {
  const char* name;
  DmaDirection direction;
  int32_t elem_bytes;
  std::vector<DmaDimension> dims;  // extent, stride in DRAM, stride in the scratchpad
  Lines lines;
};

class TransferTest : public testing::TestWithParam<TransferCase> {};

// Between 256 of the workspace and 64 of the scratchpad.
TEST_P(TransferTest, TakesAsFewInstructionsAsTheEngineAllows) {
  const TransferCase& c = GetParam();
  LoweringBench bench;
  const TransferOp op({c.direction, {1, 256}, 64, c.elem_bytes, c.dims});
  EXPECT_EQ(bench.Lower(op, 0), c.lines);
}

constexpr auto kLoad = DmaDirection::kLoad;
constexpr auto kStore = DmaDirection::kStore;

INSTANTIATE_TEST_SUITE_P(
    Cases, TransferTest,
    testing::ValuesIn(std::vector<TransferCase>{
        {"OneElement", kLoad, 2, {}, {"ld.copy binding=1 dram=0x100 spm=0x40 bytes=2"}},
        {"ExtentsOfOne",
         kStore,
         4,
         {{1, 7, 9}, {1, 3, 3}},
         {"st.copy binding=1 dram=0x100 spm=0x40 bytes=4"}},
        {"Contiguous",
         kLoad,
         2,
         {{100, 1, 1}},
         {"ld.copy binding=1 dram=0x100 spm=0x40 bytes=200"}},
        {"RowsThatFollowEachOtherJoin",
         kStore,
         1,
         {{10, 1, 1}, {3, 10, 10}},
         {"st.copy binding=1 dram=0x100 spm=0x40 bytes=30"}},
        // 4095 * 4097 is 2^24 - 1, the longest extent; 4096 * 4096 is one more.
        {"DimensionsJoinUpToTheLongestExtent",
         kStore,
         1,
         {{4095, 2, 0}, {4097, 8190, 0}},
         {"st.shape n0=1 n1=16777215 n2=1 n3=1", "st.dram_stride s1=2", "st.spm_stride s0=1",
          "st.nd binding=1 dram=0x100 spm=0x40 elem_bytes=1"}},
        {"DimensionsThatAreLongerTogetherStayTwo",
         kStore,
         1,
         {{4096, 2, 0}, {4096, 8192, 0}},
         {"st.shape n0=1 n1=4096 n2=4096 n3=1", "st.dram_stride s1=2 s2=8192", "st.spm_stride s0=1",
          "st.nd binding=1 dram=0x100 spm=0x40 elem_bytes=1"}},
        {"InWhateverOrder",
         kLoad,
         1,
         {{3, 10, 10}, {10, 1, 1}},
         {"ld.copy binding=1 dram=0x100 spm=0x40 bytes=30"}},
        {"RowsWithAGap",
         kLoad,
         1,
         {{10, 1, 1}, {3, 16, 10}},
         {"ld.shape n0=10 n1=3 n2=1 n3=1", "ld.dram_stride s1=16", "ld.spm_stride s0=1 s1=10",
          "ld.nd binding=1 dram=0x100 spm=0x40 elem_bytes=1"}},
        // Its dimension becomes the second, of elements on their own.
        {"NothingContiguousInDram",
         kLoad,
         2,
         {{5, 2, 1}},
         {"ld.shape n0=1 n1=5 n2=1 n3=1", "ld.dram_stride s1=4", "ld.spm_stride s0=2 s1=2",
          "ld.nd binding=1 dram=0x100 spm=0x40 elem_bytes=2"}},
        {"Backwards",
         kLoad,
         1,
         {{4, -1, 1}},
         {"ld.shape n0=1 n1=4 n2=1 n3=1", "ld.dram_stride s1=-1", "ld.spm_stride s0=1 s1=1",
          "ld.nd binding=1 dram=0x100 spm=0x40 elem_bytes=1"}},
        // The shortest, two 100 apart, are two transfers.
        {"FiveDimensions",
         kLoad,
         1,
         {{4, 1, 1}, {3, 8, 4}, {2, 100, 12}, {3, 1000, 24}, {5, 10000, 72}},
         {"ld.shape n0=4 n1=3 n2=3 n3=5", "ld.dram_stride s1=8 s2=1000 s3=10000",
          "ld.spm_stride s0=1 s1=4 s2=24 s3=72", "ld.nd binding=1 dram=0x100 spm=0x40 elem_bytes=1",
          "ld.nd binding=1 dram=0x164 spm=0x4c elem_bytes=1"}},
        // 2^24 elements apart, one more than an extent holds.
        {"LongerThanAnExtent",
         kStore,
         1,
         {{1 << 24, 2, 0}},
         {"st.shape n0=1 n1=16777215 n2=1 n3=1", "st.dram_stride s1=2", "st.spm_stride s0=1",
          "st.nd binding=1 dram=0x100 spm=0x40 elem_bytes=1", "st.shape n0=1 n1=1 n2=1 n3=1",
          "st.nd binding=1 dram=0x20000fe spm=0x40 elem_bytes=1"}},
    }),
    [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace acme::compiler
