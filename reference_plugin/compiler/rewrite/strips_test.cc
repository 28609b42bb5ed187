// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/rewrite/strips.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "reference_plugin/compiler/tests/stand_in_op.h"

namespace acme::compiler {
namespace {

// Each row of the result depends on so many rows of the image above and below its own.
struct Halo : StandInOp, RowWise {
  Halo(ValueId image, int32_t above, int32_t below)
      : StandInOp({image}), image(image), above(above), below(below) {}

  const RowWise* AsRowWise() const override { return this; }
  ValueId Image() const override { return image; }
  RowRange RowsRead(const RowRange& result) const override {
    return {std::max(0, result.begin - above), std::min(image_rows, result.end + below)};
  }
  std::shared_ptr<const LayerOp> Rows(const RowRange& result, ValueId from,
                                      const RowRange& held_rows) const override {
    auto part = std::make_shared<Halo>(*this);
    part->image = from;
    part->rows = result;
    part->held = held_rows;
    return part;
  }

  ValueId image;
  int32_t above;
  int32_t below;
  int32_t image_rows = 8;
  RowRange rows;  // of the part
  RowRange held;
};

// v0 (input) -> v1 -> ... -> output, each [1, rows, 4, 2] of int8, a row of 8 bytes.
Network Chain(int32_t rows, size_t layers) {
  Network network;
  for (size_t i = 0; i <= layers; ++i) {
    Value value;
    value.shape = {1, rows, 4, 2};
    network.values.push_back(value);
    if (i == 0) continue;
    auto halo = std::make_shared<Halo>(static_cast<ValueId>(i) - 1, 1, 1);
    halo->image_rows = rows;
    network.layers.push_back(Layer{
        .handle = 10 + static_cast<uint32_t>(i), .output = static_cast<ValueId>(i), .op = halo});
  }
  network.values.front().input_index = 0;
  network.values.back().output_index = 0;
  network.inputs = {0};
  network.outputs = {static_cast<ValueId>(layers)};
  return network;
}

// A layer of the result: which rows it computes, from a value that holds which, to where.
struct Part {
  RowRange rows;
  ValueId image;
  RowRange held;
  ValueId output;
  ValueId base;
  int64_t offset_bytes;
  bool operator==(const Part&) const = default;
};
void PrintTo(const Part& part, std::ostream* out) {
  *out << "rows " << part.rows.begin << ".." << part.rows.end << " of v" << part.image << " "
       << part.held.begin << ".." << part.held.end << " to v" << part.output << " in v" << part.base
       << "+" << part.offset_bytes;
}

std::vector<Part> PartsOf(const Network& network) {
  std::vector<Part> parts;
  for (const Layer& layer : network.layers) {
    const auto* halo = layer.As<Halo>();
    const Value& output = network.value(layer.output);
    EXPECT_EQ(output.shape, (std::vector<int32_t>{1, halo->rows.size(), 4, 2}));
    EXPECT_EQ(output.output_index, -1) << "the whole value is the output";
    parts.push_back(
        {halo->rows, halo->image, halo->held, layer.output, output.base, output.base_offset_bytes});
  }
  return parts;
}

TEST(SplitIntoStrips, ComputesWhatTwoStripsNeedTwice) {
  const Network strips = SplitIntoStrips(Chain(8, 2), {.value_bytes = 63, .strip_bytes = 40});
  EXPECT_THAT(PartsOf(strips), testing::ElementsAre(Part{{0, 5}, 0, {0, 8}, 3, kNoValue, 0},
                                                    Part{{0, 4}, 3, {0, 5}, 4, 2, 0},
                                                    Part{{3, 8}, 0, {0, 8}, 5, kNoValue, 0},
                                                    Part{{4, 8}, 5, {3, 8}, 6, 2, 32}));
  for (const Layer& layer : strips.layers) EXPECT_EQ(layer.strips, 0);
  EXPECT_EQ(strips.layers[2].handle, 11u) << "layers keep their handles";
  EXPECT_EQ(strips.value(2).output_index, 0);
}

TEST(SplitIntoStrips, TheLastStripHasWhatIsLeft) {
  // 7 rows in strips of 4; inside, a strip of 4 rows needs 5 of 7: 40 bytes.
  const Network strips = SplitIntoStrips(Chain(7, 2), {.value_bytes = 55, .strip_bytes = 40});
  EXPECT_THAT(PartsOf(strips), testing::ElementsAre(Part{{0, 5}, 0, {0, 7}, 3, kNoValue, 0},
                                                    Part{{0, 4}, 3, {0, 5}, 4, 2, 0},
                                                    Part{{3, 7}, 0, {0, 7}, 5, kNoValue, 0},
                                                    Part{{4, 7}, 5, {3, 7}, 6, 2, 32}));
}

TEST(SplitIntoStrips, LongerChainsNeedMoreRowsTheFurtherBack) {
  // Strips of 2 rows: 6 rows of v1 and 4 of v2 in the middle, (6 + 4) * 8 bytes.
  const Network strips = SplitIntoStrips(Chain(8, 3), {.value_bytes = 63, .strip_bytes = 80});
  const std::vector<Part> parts = PartsOf(strips);
  ASSERT_EQ(parts.size(), 12u);
  EXPECT_EQ(parts[3], (Part{{0, 6}, 0, {0, 8}, 7, kNoValue, 0}));
  EXPECT_EQ(parts[4], (Part{{1, 5}, 7, {0, 6}, 8, kNoValue, 0}));
  EXPECT_EQ(parts[5], (Part{{2, 4}, 8, {1, 5}, 9, 3, 16}));
}

struct LimitCase {
  const char* name;
  StripLimits limits;
  size_t strips;  // 1: the chain stays whole
};

class StripLimitsTest : public testing::TestWithParam<LimitCase> {};

TEST_P(StripLimitsTest, TakeTheFewestStripsThatFit) {
  const Network strips = SplitIntoStrips(Chain(8, 2), GetParam().limits);
  EXPECT_EQ(strips.layers.size(), 2 * GetParam().strips);
}

// A strip in the middle of r rows holds r + 2 of v1, as far as there are any below: 40 bytes with
// two strips of 4 (the second ends at the image's end) or three of 3, 32 with four of 2, 24 with
// eight of 1.
INSTANTIATE_TEST_SUITE_P(Cases, StripLimitsTest,
                         testing::ValuesIn(std::vector<LimitCase>{
                             {"ExactFitOfAStrip", {63, 40}, 2},
                             {"OneByteTooFew", {63, 39}, 4},
                             {"ExactFitOfFour", {63, 32}, 4},
                             {"RowByRow", {63, 31}, 8},
                             {"ExactFitOfARow", {63, 24}, 8},
                             {"NoRowFits", {63, 23}, 1},
                             {"TheValueIsSmallEnough", {64, 1000}, 1},
                         }),
                         [](const auto& info) { return info.param.name; });

// What keeps the first value of a chain whole.
struct WholeCase {
  const char* name;
  std::function<void(Network&)> change;
};

class StripsAreNotMade : public testing::TestWithParam<WholeCase> {};

TEST_P(StripsAreNotMade, WhereTheValueIsNeededAsAWhole) {
  Network network = Chain(8, 2);
  GetParam().change(network);
  const Network strips = SplitIntoStrips(network, {.value_bytes = 63, .strip_bytes = 1000});
  EXPECT_EQ(strips.layers.size(), network.layers.size());
  EXPECT_EQ(strips.values.size(), network.values.size());
}

INSTANTIATE_TEST_SUITE_P(
    Cases, StripsAreNotMade,
    testing::ValuesIn(std::vector<WholeCase>{
        {"Output", [](Network& n) { n.values[1].output_index = 1; }},
        {"SecondReader",
         [](Network& n) {
           n.values.push_back(n.values[1]);
           n.layers.push_back(
               Layer{.output = 3, .op = std::make_shared<StandInOp>(std::vector{1})});
         }},
        {"ReaderOfAnotherImage",
         [](Network& n) { n.layers[1].op = std::make_shared<Halo>(0, 1, 1); }},
        {"ReaderOfAllRows",
         [](Network& n) { n.layers[1].op = std::make_shared<StandInOp>(std::vector{1}); }},
        {"ProducerOfAllRows",
         [](Network& n) { n.layers[0].op = std::make_shared<StandInOp>(std::vector{0}); }},
        {"PartOfAnotherValue", [](Network& n) { n.values[1].base = 0; }},
        {"HasASecondName",
         [](Network& n) {
           n.values.push_back(n.values[1]);
           n.values[3].base = 1;
         }},
        {"ThreeDimensions",
         [](Network& n) {
           n.values[1].shape = {8, 4, 2};
         }},
    }),
    [](const auto& info) { return info.param.name; });

TEST(SplitIntoStrips, AnEmptyNetworkStaysEmpty) {
  EXPECT_TRUE(SplitIntoStrips({}, {1, 1}).layers.empty());
}

}  // namespace
}  // namespace acme::compiler
