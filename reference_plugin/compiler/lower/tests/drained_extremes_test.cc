// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/network/drained_extremes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "reference_plugin/compiler/lower/elementwise/binary.h"
#include "reference_plugin/compiler/lower/products/conv.h"
#include "reference_plugin/compiler/lower/reduction/reduce.h"
#include "reference_plugin/compiler/lower/tests/lowering_bench.h"
#include "reference_plugin/compiler/tests/made_network.h"
#include "reference_plugin/compiler/tests/stand_in_op.h"

namespace acme::compiler {
namespace {

using testing::ElementsAre;

class Maker : public StandInOp {
 public:
  using StandInOp::StandInOp;
  bool FindsExtremes(const Value&) const override { return true; }
};

class WholeReduction : public StandInOp {
 public:
  WholeReduction(ValueId x, ReduceOp op, int64_t row_elems)
      : StandInOp({x}), reduction_{x, op, row_elems} {}
  std::optional<RowReduction> AsRowReduction() const override { return reduction_; }

 private:
  RowReduction reduction_;
};

// v0 -> v1 of 32 elements -> reductions of it.
struct Reduced {
  Network network;
  ValueId x = AddInput(network, {1, 4, 4, 2});
  ValueId y = AddImage(network, Dtype::kF32, std::make_shared<Maker>(std::vector{x}));

  ValueId Add(ReduceOp op, ValueId of, int64_t row_elems = 32) {
    const ValueId id = AddValue(network, {1});
    AddLayer(network, id, std::make_shared<WholeReduction>(of, op, row_elems));
    return id;
  }
};

TEST(DrainedExtremes, TheLargestAndTheLeastGoTogether) {
  Reduced reduced;
  const ValueId least = reduced.Add(ReduceOp::kMin, reduced.y);
  const ValueId largest = reduced.Add(ReduceOp::kMax, reduced.y);
  reduced.Add(ReduceOp::kMaxMagnitude, reduced.y);
  const auto found = FindDrainedExtremes(reduced.network);
  ASSERT_EQ(found.size(), 1u);
  const DrainedExtremes& extremes = found.at(reduced.y);
  EXPECT_EQ(extremes.op, ReduceOp::kMax);
  EXPECT_EQ(extremes.result, largest);
  EXPECT_EQ(extremes.lows, least);
  EXPECT_THAT(extremes.reducers, ElementsAre(2, 1));
  EXPECT_EQ(extremes.first_maker, 0u);
}

TEST(DrainedExtremes, OneAlone) {
  for (const ReduceOp op : {ReduceOp::kMin, ReduceOp::kMax, ReduceOp::kMaxMagnitude}) {
    Reduced reduced;
    const ValueId result = reduced.Add(op, reduced.y);
    const auto found = FindDrainedExtremes(reduced.network);
    ASSERT_EQ(found.size(), 1u) << NameOf(op);
    EXPECT_EQ(found.at(reduced.y).op, op);
    EXPECT_EQ(found.at(reduced.y).result, result);
    EXPECT_EQ(found.at(reduced.y).lows, kNoValue);
  }
}

// What is made in parts, and read under another shape.
TEST(DrainedExtremes, OfValuesThatStandInOthers) {
  Reduced reduced;
  Network& network = reduced.network;
  const ValueId whole = AddValue(network, {2, 4, 4, 2});
  network.values.back().dtype = Dtype::kF32;
  for (const int64_t offset : {0, 128}) {
    const ValueId half =
        AddImage(network, Dtype::kF32, std::make_shared<Maker>(std::vector{reduced.x}));
    network.values[static_cast<size_t>(half)].base = whole;
    network.values[static_cast<size_t>(half)].base_offset_bytes = offset;
  }
  const ValueId row = AddValue(network, {64});
  network.values.back().dtype = Dtype::kF32;
  network.values.back().base = whole;
  reduced.Add(ReduceOp::kMax, row, 64);
  const auto found = FindDrainedExtremes(network);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found.begin()->first, whole);
  EXPECT_EQ(found.begin()->second.first_maker, 1u);
}

struct LeftCase {
  const char* name;
  std::function<void(Reduced&)> make;
};

class LeftToReductions : public testing::TestWithParam<LeftCase> {};

TEST_P(LeftToReductions, NothingIsFoundOnTheWay) {
  Reduced reduced;
  GetParam().make(reduced);
  EXPECT_TRUE(FindDrainedExtremes(reduced.network).empty());
}

INSTANTIATE_TEST_SUITE_P(
    All, LeftToReductions,
    testing::Values(LeftCase{"Rows", [](Reduced& r) { r.Add(ReduceOp::kMax, r.y, 16); }},
                    LeftCase{"Sums", [](Reduced& r) { r.Add(ReduceOp::kSum, r.y); }},
                    LeftCase{"OfAnInput", [](Reduced& r) { r.Add(ReduceOp::kMax, r.x); }},
                    LeftCase{"WhoseResultIsAnOutput",
                             [](Reduced& r) { MakeOutput(r.network, r.Add(ReduceOp::kMax, r.y)); }},
                    LeftCase{"OfWhatAnotherMakesTheRestOf",
                             [](Reduced& r) {
                               const ValueId rest =
                                   AddImage(r.network, Dtype::kF32,
                                            std::make_shared<StandInOp>(std::vector{r.x}));
                               r.network.values[static_cast<size_t>(rest)].base = r.y;
                               r.Add(ReduceOp::kMax, r.y);
                             }},
                    LeftCase{"OfAPart",
                             [](Reduced& r) {
                               const ValueId part = AddValue(r.network, {16});
                               r.network.values.back().base = r.y;
                               r.Add(ReduceOp::kMax, part, 16);
                             }},
                    LeftCase{"InStrips",
                             [](Reduced& r) {
                               r.Add(ReduceOp::kMax, r.y);
                               r.network.layers.back().strips = 0;
                             }}),
    [](const auto& test) { return test.param.name; });

void AddReduction(LoweringBench& bench, ValueId x, ReduceOp op) {
  auto reduce = std::make_shared<Reduce>();
  reduce->x = x;
  reduce->op = op;
  reduce->in = reduce->out = Dtype::kF32;
  reduce->dims = {{static_cast<int32_t>(bench.network().value(x).Elems()), true}};
  AddLayer(bench.network(), bench.InScratchpad(Dtype::kF32, {1}), reduce);
}

// Two column tiles of several tiles of pixels, which go to DRAM.
TEST(LowerExtremes, EachDrainAddsItsOwn) {
  LoweringBench bench(1 << 12);
  auto conv = std::make_shared<Conv>();
  conv->dtype = Dtype::kF32;
  conv->x = bench.InDram(Dtype::kF32, {1, 24, 24, 4});
  conv->w = bench.Constant(Dtype::kF32, {40, 1, 1, 4}, std::vector<uint8_t>(640));
  conv->in_c = 4;
  conv->out_c = 40;
  conv->geometry.h = conv->geometry.w = {.in = 24, .out = 24};
  conv->requantize.clamp = FloatActivationRange(Activation::kNone);
  const ValueId y = bench.InDram(Dtype::kF32, {1, 24, 24, 40}, 1 << 20);
  AddLayer(bench.network(), y, conv);
  AddReduction(bench, y, ReduceOp::kMax);
  AddReduction(bench, y, ReduceOp::kMin);
  const std::vector<std::string> lines = bench.LowerNetwork();
  EXPECT_EQ(CountOf(lines, "v.fill"), 2);
  EXPECT_EQ(CountOf(lines, "v.reduce"), 0);
  EXPECT_GT(CountOf(lines, "v.drain"), 2);
  EXPECT_EQ(CountOf(lines, "v.epilogue op=max dims=15 dst=0x40 accumulate=1 lows=1 lows_dst=0xc0"),
            CountOf(lines, "v.drain"));
  EXPECT_EQ(CountOf(lines, "v.params"), CountOf(lines, "epilogue=1"));
}

// More elements than one instruction computes, and no more.
TEST(LowerExtremes, OfSumsInParts) {
  for (const int32_t elems : {3 * 8192, 8192}) {
    LoweringBench bench(1 << 18);
    auto sum = std::make_shared<Binary>();
    sum->extent = {elems, 1, 1, 1};
    sum->a = {.value = bench.InDram(Dtype::kF32, {elems}), .stride_elems = {1, 0, 0, 0}};
    sum->b = {.value = bench.InScratchpad(Dtype::kF32, {1})};
    sum->clamp = FloatActivationRange(Activation::kNone);
    const ValueId y = bench.InDram(Dtype::kF32, {elems}, 1 << 20);
    AddLayer(bench.network(), y, sum);
    AddReduction(bench, y, ReduceOp::kMaxMagnitude);
    const std::vector<std::string> lines = bench.LowerNetwork();
    const bool in_parts = elems > 8192;
    EXPECT_EQ(CountOf(lines, "v.fill"), in_parts ? 1 : 0);
    EXPECT_EQ(CountOf(lines, "accumulate=1"), in_parts ? 1 : 0);  // it stays for all parts
    EXPECT_EQ(CountOf(lines, "v.binary"), in_parts ? 4 : 1);
    EXPECT_EQ(CountOf(lines, "epilogue=1"), CountOf(lines, "v.binary"));
    EXPECT_EQ(CountOf(lines, "v.reduce"), 0);
  }
}

}  // namespace
}  // namespace acme::compiler
