// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/lower/lowering.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "reference_plugin/compiler/lower/tests/lowering_bench.h"
#include "reference_plugin/compiler/tests/stand_in_op.h"

namespace acme::compiler {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using Lines = std::vector<std::string>;

// A layer whose tasks a test writes.
class Scripted : public StandInOp {
 public:
  explicit Scripted(std::function<void(LoweringContext&)> script)
      : StandInOp({}), script_(std::move(script)) {}
  Expected<void> Lower(ValueId, LoweringContext& context) const override {
    script_(context);
    return {};
  }

 private:
  std::function<void(LoweringContext&)> script_;
};

Lines Lowered(LoweringBench& bench, std::function<void(LoweringContext&)> script) {
  return bench.LowerWork(Scripted(std::move(script)), 0);
}

TEST(LoweringContext, CopiesAreCutToWhatTheInstructionHolds) {
  LoweringBench bench;
  const int64_t most = (1 << 24) - 64;
  EXPECT_THAT(Lowered(bench,
                      [&](LoweringContext& c) {
                        c.Load({1, 64}, 128, most);
                      }),
              ElementsAre("ld.copy binding=1 dram=0x40 spm=0x80 bytes=16777152"));
  EXPECT_THAT(Lowered(bench,
                      [&](LoweringContext& c) {
                        c.Store(0, {1, 64}, most + 1);
                      }),
              ElementsAre("st.copy binding=1 dram=0x40 bytes=16777152",
                          "st.copy binding=1 dram=0x1000000 spm=0xffffc0 bytes=1"));
  EXPECT_THAT(Lowered(bench, [&](LoweringContext& c) { c.Load({1, 0}, 64, 0); }), IsEmpty());
}

// Large enough for the DRAM, but no more than the planes of which a queue takes both instructions.
TEST(LoweringContext, ChunksOfConstantsLeaveRoomInTheQueues) {
  LoweringBench bench;
  Hardware& hardware = bench.hardware();
  const auto chunk_bytes = [&] {
    int64_t bytes = 0;
    Lowered(bench, [&](LoweringContext& c) { bytes = c.ChunkBytes(); });
    return bytes;
  };
  hardware.dram_latency_cycles = 100;
  hardware.dram_bytes_per_cycle = 16;
  EXPECT_EQ(chunk_bytes(), 16000);
  hardware.dram_bytes_per_cycle = 32;
  EXPECT_EQ(chunk_bytes(), 16 * 32 * 32);
  hardware.queue_depth = 64;
  EXPECT_EQ(chunk_bytes(), 32000);
  hardware.queue_depth = 1;
  EXPECT_EQ(chunk_bytes(), 4096) << "the least";
}

TEST(LoweringContext, BuffersStandBehindEachOtherWithAGap) {
  LoweringBench bench;
  bench.InScratchpad(Dtype::kI8, {100});
  std::vector<int64_t> at;
  Lowered(bench, [&](LoweringContext& c) {
    for (int64_t bytes : {64, 65, 0, 1}) at.push_back(c.BeginStep(bytes));
  });
  // Behind the value at 64, which takes 128: each on 64 bytes, 64 apart; one of none counts as one.
  EXPECT_THAT(at, ElementsAre(256, 384, 576, 704));
}

TEST(LoweringContext, AccumulatorsAreTakenInTurnByPairs) {
  LoweringBench bench;
  std::vector<int64_t> at;
  Lowered(bench, [&](LoweringContext& c) {
    for (int64_t rows : {1000, 999, 48, 1, 2048, 2}) at.push_back(c.NextAccumulators(rows));
  });
  // acme_a1 has 2048: 999 count as 1000; 48 end exactly at the last, so the next begins anew.
  EXPECT_THAT(at, ElementsAre(0, 1000, 2000, 0, 0, 0));
}

TEST(LoweringContext, InputsAreBroughtOnceInParts) {
  LoweringBench bench;
  const ValueId input = bench.InputInScratchpad(Dtype::kI8, {20000});
  // Half of what the DRAM brings in ten latencies of 100 cycles at 16 bytes: 8000.
  EXPECT_THAT(Lowered(bench,
                      [&](LoweringContext& c) {
                        c.MakeResident(input);
                        c.MakeResident(input);
                      }),
              ElementsAre("ld.copy binding=2 spm=0x40 bytes=8000",
                          "ld.copy binding=2 dram=0x1f40 spm=0x1f80 bytes=8000",
                          "ld.copy binding=2 dram=0x3e80 spm=0x3ec0 bytes=4000"));
}

TEST(LoweringContext, WhatIsComputedIsNotLoaded) {
  LoweringBench bench;
  const ValueId computed = bench.InScratchpad(Dtype::kI8, {64});
  EXPECT_THAT(Lowered(bench, [&](LoweringContext& c) { c.MakeResident(computed); }), IsEmpty());
}

struct KeepCase {
  const char* name;
  std::vector<int32_t> strips;  // of the layers, one after the other
  bool keep;
  size_t loads;
};

class KeptConstants : public testing::TestWithParam<KeepCase> {};

TEST_P(KeptConstants, AreLoadedOnceAChainOfStrips) {
  LoweringBench bench;
  const Lines lines = Lowered(bench, [&](LoweringContext& c) {
    for (int32_t strips : GetParam().strips) {
      c.BeginLayer(Layer{.strips = strips});
      c.LoadConstant({0, 128}, 32, GetParam().keep);
    }
  });
  EXPECT_EQ(lines.size(), GetParam().loads);
}

INSTANTIATE_TEST_SUITE_P(Cases, KeptConstants,
                         testing::ValuesIn(std::vector<KeepCase>{
                             {"OneChain", {0, 0, 0}, true, 1},
                             {"TwoChains", {0, 0, 4, 4}, true, 2},
                             {"BackToTheFirst", {0, 4, 0}, true, 3},
                             {"NoStrips", {-1, -1}, true, 2},
                             {"NotKept", {0, 0, 0}, false, 3},
                         }),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace acme::compiler
