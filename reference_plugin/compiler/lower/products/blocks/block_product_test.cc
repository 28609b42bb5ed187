// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/lower/products/blocks/block_product.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "reference_plugin/compiler/lower/tests/lowering_bench.h"

namespace acme::compiler {
namespace {

using testing::ElementsAre;

// Two rows of two blocks of 4, three units.
BlockProduct Small(LoweringBench& bench) {
  BlockProduct op;
  op.rows = 2;
  op.depth = 8;
  op.units = 3;
  op.block = 4;
  op.x = bench.InScratchpad(Dtype::kI8, {2, 8});
  std::vector<uint8_t> weights(12);
  for (size_t i = 0; i < weights.size(); ++i)
    weights[i] = static_cast<uint8_t>(i * 2 | (i * 2 + 1) << 4);
  op.w = bench.Constant(Dtype::kI8, {3, 8}, weights);
  bench.network().values[static_cast<size_t>(op.w)].int4 = true;
  const float scales[] = {1, 2, 3, 4, 5, 6};
  std::vector<uint8_t> bytes(sizeof(scales));
  std::memcpy(bytes.data(), scales, sizeof(scales));
  op.scales = bench.Constant(Dtype::kF32, {3, 2}, bytes);
  return op;
}

TEST(LowerBlockProduct, EachBlockIsDrainedByItselfAndAllAreAddedUp) {
  LoweringBench bench;
  const BlockProduct op = Small(bench);
  const ValueId y = bench.InScratchpad(Dtype::kF32, {2, 3});
  EXPECT_THAT(
      bench.LowerWork(op, y),
      ElementsAre("ld.copy spm=0x1c0 bytes=24", "ld.nd dram=0x40 spm=0x240 elem_bytes=1 unpack=1",
                  "m.loadw addr=0x240 k=4 n=3 k_stride=3 n_stride=1",
                  "m.stream addr=0x40 m=2 row_stride=8 swap=1",
                  "v.drain dst=0x140 params=0x1c0 acc_type=i32 out=f32",
                  "m.loadw addr=0x24c k=4 n=3 k_stride=3 n_stride=1",
                  "m.stream addr=0x44 acc=2 m=2 row_stride=8 swap=1",
                  "v.drain acc=2 dst=0x158 params=0x1cc acc_type=i32 out=f32",
                  "v.reduce op=sum dims=4 dtype=f32 out=f32 dst=0xc0 a=0x140"));
}

TEST(LowerBlockProduct, ConstantsStandAsTheyAreRead) {
  LoweringBench bench;
  const BlockProduct op = Small(bench);
  bench.LowerWork(op, bench.InScratchpad(Dtype::kF32, {2, 3}));
  const std::vector<uint8_t>& bytes = bench.constants();
  ASSERT_EQ(bytes.size(), 64u + 12u);
  float scales[6];
  std::memcpy(scales, bytes.data(), sizeof(scales));
  EXPECT_THAT(scales, ElementsAre(1, 3, 5, 2, 4, 6));  // by blocks
  // Elements 0, 8 and 16 of the weights first, which are 0 again modulo 16, 8 and 0.
  EXPECT_THAT(std::vector<uint8_t>(bytes.begin() + 64, bytes.end()),
              ElementsAre(0x80, 0x10, 0x19, 0xA2, 0x32, 0x3B, 0xC4, 0x54, 0x5D, 0xE6, 0x76, 0x7F));
}

// What was added up before stands in front of the blocks that follow.
TEST(LowerBlockProduct, GroupsOfBlocksFollowOneAnother) {
  LoweringBench bench(6 * 60);  // room for five sums of three units
  BlockProduct op;
  op.depth = 24;
  op.units = 3;
  op.block = 4;
  op.x = bench.InScratchpad(Dtype::kI8, {1, 24});
  op.w = bench.Constant(Dtype::kI8, {3, 24}, std::vector<uint8_t>(36));
  bench.network().values[static_cast<size_t>(op.w)].int4 = true;
  op.scales = bench.Constant(Dtype::kF32, {3, 6}, std::vector<uint8_t>(72));
  const ValueId y = bench.InScratchpad(Dtype::kF32, {1, 3});
  std::vector<std::string> work;
  for (const std::string& line : bench.Lower(op, y)) {
    if (line.starts_with("v.drain")) work.push_back(line.substr(0, line.find(" params")));
    if (line.starts_with("v.shape") && !line.ends_with("n2=1 n3=1")) work.push_back(line);
    if (line.starts_with("v.reduce")) work.push_back(line.substr(line.find("dst=")));
  }
  EXPECT_THAT(
      work, ElementsAre("v.drain dst=0x1c0", "v.drain acc=2 dst=0x1cc", "v.drain acc=4 dst=0x1d8",
                        "v.drain acc=6 dst=0x1e4", "v.shape n0=3 n1=1 n2=4 n3=1",
                        "dst=0x140 a=0x1c0", "v.drain acc=8 dst=0x14c", "v.drain acc=10 dst=0x158",
                        "v.shape n0=3 n1=1 n2=3 n3=1", "dst=0xc0 a=0x140"));
}

TEST(LowerBlockProduct, EntryPointsCutConstantsAlike) {
  LoweringBench bench;
  BlockProduct op;
  op.depth = 1024;
  op.units = 1024;
  op.block = 32;
  const BlockProductTile one = ChooseBlockProductTile(op, 1 << 19, 16000, bench.hardware());
  op.rows = 64;
  const BlockProductTile many = ChooseBlockProductTile(op, 1 << 18, 16000, bench.hardware());
  EXPECT_EQ(one.rows, 1);
  EXPECT_EQ(many.rows, 64);
  EXPECT_NE(one.blocks, many.blocks);
  EXPECT_EQ(one.fold, many.fold);
  EXPECT_EQ(one.cols, many.cols);
  EXPECT_EQ(one.planes, many.planes);
  EXPECT_EQ(one.scaled, many.scaled);
}

TEST(BlockProduct, FitsWhereItsSmallestTileDoes) {
  LoweringBench bench;
  BlockProduct op;
  op.rows = 4;
  op.depth = 1 << 16;
  op.units = 64;
  op.block = 256;
  EXPECT_TRUE(BlockProductFits(op, bench.hardware()));
  op.block = 1 << 15;  // a row of a block is more than its share
  EXPECT_FALSE(BlockProductFits(op, bench.hardware()));
}

}  // namespace
}  // namespace acme::compiler
