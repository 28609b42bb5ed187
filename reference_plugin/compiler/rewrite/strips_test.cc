// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/rewrite/strips.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "reference_plugin/compiler/lower/movement/move.h"
#include "reference_plugin/compiler/lower/products/conv.h"
#include "reference_plugin/compiler/lower/products/matmul.h"
#include "reference_plugin/compiler/network/value_uses.h"
#include "reference_plugin/compiler/rewrite/region_rows.h"
#include "reference_plugin/compiler/tests/stand_in_op.h"

namespace acme::compiler {
namespace {

using ::testing::ElementsAre;

constexpr int64_t kLarge = 1000;  // bytes; no value here has as many

// Each row of the result depends on one row above and one below its own, of all images.
struct Halo : StandInOp, RowWise {
  Halo(const std::vector<ValueId>& images, int32_t image_rows)
      : StandInOp(images), images(images), image_rows(image_rows) {}

  const RowWise* AsRowWise() const override { return this; }
  std::vector<ValueId> Images() const override { return images; }
  RowRange RowsRead(ValueId /*image*/, const RowRange& result) const override {
    return {std::max(0, result.begin - 1), std::min(image_rows, result.end + 1)};
  }
  std::shared_ptr<const LayerOp> Rows(const RowRange& result,
                                      std::span<const HeldRows> held) const override {
    auto part = std::make_shared<Halo>(*this);
    part->rows = result;
    for (ValueId image : images) part->read.push_back(FindRows(image, held));
    return part;
  }

  std::vector<ValueId> images;
  int32_t image_rows;
  RowRange rows;  // of the part
  std::vector<HeldRows> read;
};

// v0 (input) -> v1 -> ... -> output, each [1, rows, 4, 2] of int8, a row of 8 bytes.
Network Chain(int32_t rows, size_t layers) {
  Network network;
  for (size_t i = 0; i <= layers; ++i) {
    Value value;
    value.shape = {1, rows, 4, 2};
    network.values.push_back(value);
    if (i == 0) continue;
    network.layers.push_back(
        Layer{.handle = 10 + static_cast<uint32_t>(i),
              .output = static_cast<ValueId>(i),
              .op = std::make_shared<Halo>(std::vector{static_cast<ValueId>(i) - 1}, rows)});
  }
  network.values.front().input_index = 0;
  network.values.back().output_index = 0;
  network.inputs = {0};
  network.outputs = {static_cast<ValueId>(layers)};
  return network;
}

// "rows 3..6 of v0 0..0 to v7+16": a layer of the result; a value that is read as a whole has no
// rows. Copies: "copy 16 from v3+8 to v5+0".
std::vector<std::string> LinesOf(const Network& network) {
  std::vector<std::string> lines;
  for (const Layer& layer : network.layers) {
    const Value& output = network.value(layer.output);
    const ValueId root = output.base == kNoValue ? layer.output : output.base;
    const std::string to = fmt::format(" to v{}+{}", root, output.base_offset_bytes);
    if (const auto* copy = layer.As<Move>()) {
      const MovePiece& piece = copy->pieces.front();
      lines.push_back(fmt::format("copy {} from v{}+{}{}", piece.dims.front().extent, piece.from,
                                  piece.from_base_elems, to));
      continue;
    }
    const auto* halo = layer.As<Halo>();
    std::string line = fmt::format("rows {}..{} of", halo->rows.begin, halo->rows.end);
    for (const HeldRows& read : halo->read)
      line += fmt::format(" v{} {}..{}", read.value, read.rows.begin, read.rows.end);
    lines.push_back(line + to);
  }
  return lines;
}

TEST(SplitIntoStrips, RowsThatTwoStepsNeedAreCopied) {
  const Network strips =
      SplitIntoStrips(Chain(8, 2), std::vector<StripRegion>{{0, 1, 2}}, kLarge).network;
  // v3 holds rows 0..5, v4 rows 3..8 of v1: v1's rows 3 and 4 are needed again.
  EXPECT_THAT(LinesOf(strips),
              ElementsAre("rows 0..5 of v0 0..0 to v3+0", "rows 0..4 of v3 0..5 to v2+0",
                          "copy 16 from v3+24 to v5+0", "rows 5..8 of v0 0..0 to v5+16",
                          "rows 4..8 of v5 3..8 to v2+32"));
  EXPECT_EQ(strips.layers[3].handle, 11u) << "layers keep their handles";
  for (const Layer& layer : strips.layers) EXPECT_EQ(layer.strips, 0);
  EXPECT_EQ(strips.value(2).output_index, 0);
  EXPECT_EQ(strips.value(strips.layers[1].output).output_index, -1) << "the whole is the output";
}

TEST(SplitIntoStrips, LaterStepsComputeFewerRowsOfWhatTheFirstTookAheadOfThem) {
  const Network strips =
      SplitIntoStrips(Chain(6, 3), std::vector<StripRegion>{{0, 2, 3}}, kLarge).network;
  std::vector<std::string> computed;
  for (const std::string& line : LinesOf(strips)) {
    if (line.starts_with("rows")) computed.push_back(line.substr(0, 9));
  }
  EXPECT_THAT(computed, ElementsAre("rows 0..4", "rows 0..3", "rows 0..2",  //
                                    "rows 4..6", "rows 3..5", "rows 2..4",  //
                                    "rows 5..6", "rows 4..6"));
}

// A result that is added back two layers later lives until then.
TEST(SplitIntoStrips, KeepRowsForTheReaderThatIsFurthestBehind) {
  Network network = Chain(8, 3);
  network.layers[2].op = std::make_shared<Halo>(std::vector<ValueId>{2, 1}, 8);
  const Network strips =
      SplitIntoStrips(network, std::vector<StripRegion>{{0, 2, 4}}, kLarge).network;
  // Step 2 computes rows 2..4 of v3, of rows 1..5 of v1 and v2; and rows 3..5 of v2 of 2..6 of v1.
  const std::vector<std::string> lines = LinesOf(strips);
  EXPECT_THAT(lines, testing::Contains(testing::HasSubstr("rows 2..4 of v")));
  const auto it = std::find_if(lines.begin(), lines.end(), [](const std::string& line) {
    return line.starts_with("rows 2..4");
  });
  EXPECT_THAT(*it, testing::HasSubstr(" 1..6"));
  EXPECT_THAT(*it, testing::HasSubstr(" 1..5"));
}

TEST(SplitIntoStrips, ResultsThatOthersNeedAreWrittenWhereTheyBelong) {
  Network network = Chain(8, 2);
  network.values[1].output_index = 1;
  const Network strips =
      SplitIntoStrips(network, std::vector<StripRegion>{{0, 1, 2}}, kLarge).network;
  EXPECT_THAT(LinesOf(strips),
              ElementsAre("rows 0..5 of v0 0..0 to v1+0", "rows 0..4 of v1 0..0 to v2+0",
                          "rows 5..8 of v0 0..0 to v1+40", "rows 4..8 of v1 0..0 to v2+32"));
}

// v1 has 64 bytes. v3 holds rows 0..5 of it, v6 rows 3..8, for the layers of the region.
TEST(SplitIntoStrips, LargeResultsThatOthersNeedAreWrittenBesideTheRowsThatAreHeld) {
  Network network = Chain(8, 2);
  network.values[1].output_index = 1;
  const Network strips =
      SplitIntoStrips(network, std::vector<StripRegion>{{0, 1, 2}}, /*large_bytes=*/63).network;
  EXPECT_THAT(LinesOf(strips),
              ElementsAre("rows 0..5 of v0 0..0 to v3+0", "copy 40 from v3+0 to v1+0",
                          "rows 0..4 of v3 0..5 to v2+0", "copy 16 from v3+24 to v6+0",
                          "rows 5..8 of v0 0..0 to v6+16", "copy 24 from v8+0 to v1+40",
                          "rows 4..8 of v6 3..8 to v2+32"));
  EXPECT_EQ(strips.value(strips.layers[1].output).base, 1);
  EXPECT_EQ(strips.layers[1].strips, 0);
}

// v1 is another name of the output v3: its rows are held in v4 and v7, which have storage of their own.
TEST(SplitIntoStrips, RowsOfLargeResultsAreHeldApartFromTheirOtherNames) {
  Network network = Chain(8, 2);
  network.values.push_back(network.values[1]);
  network.values[3].output_index = 1;
  network.outputs.push_back(3);
  network.values[1].base = 3;
  const Network strips =
      SplitIntoStrips(network, std::vector<StripRegion>{{0, 1, 2}}, /*large_bytes=*/63).network;
  EXPECT_EQ(strips.RootOf(strips.layers[0].output).value, 4);
  EXPECT_EQ(strips.RootOf(strips.layers[1].output).value, 3);
}

TEST(SplitIntoStrips, LayersBesideARegionStay) {
  const Network network = Chain(8, 4);
  const Network strips =
      SplitIntoStrips(network, std::vector<StripRegion>{{1, 2, 2}}, kLarge).network;
  EXPECT_EQ(strips.layers.front().op, network.layers.front().op);
  EXPECT_EQ(strips.layers.back().op, network.layers.back().op);
  EXPECT_EQ(strips.layers.front().strips, -1);
}

TEST(SplitIntoStrips, AnEmptyNetworkStaysEmpty) {
  EXPECT_TRUE(SplitIntoStrips({}, {}, kLarge).network.layers.empty());
}

// A fully connected layer walks an image's pixels as one row: no strip of the image's rows is one of
// its own.
TEST(CanBeInRegion, OnlyWhereAConvolutionWalksTheRowsOfTheImage) {
  Network network = Chain(8, 2);
  Conv conv;
  conv.x = network.layers[1].Inputs().front();
  const std::vector<int32_t> shape = network.value(conv.x).shape;
  conv.geometry.h = {.in = shape[1], .out = shape[1]};
  conv.geometry.w = {.in = shape[2], .out = shape[2]};
  network.layers[1].op = std::make_shared<Conv>(conv);
  EXPECT_TRUE(CanBeInRegion(network.layers[1], network));
  conv.geometry.w = {.in = shape[1] * shape[2], .out = shape[1] * shape[2]};
  conv.geometry.h = {.in = 1, .out = 1};
  network.layers[1].op = std::make_shared<Conv>(conv);
  EXPECT_FALSE(CanBeInRegion(network.layers[1], network));
}

TEST(MatMulRows, OfAProductWithItselfCanNotBeComputedApart) {
  MatMul product;
  product.a = 0;
  product.b = 1;
  product.row_elems = 16;
  product.a_row_elems = 16;
  EXPECT_NE(product.AsRowWise(), nullptr);
  product.b = 0;
  EXPECT_EQ(product.AsRowWise(), nullptr);
}

// What may not follow the first layer of a region.
struct JoinCase {
  const char* name;
  std::function<void(Network&)> change;
};

class CanNotJoin : public testing::TestWithParam<JoinCase> {};

TEST_P(CanNotJoin, WhereTheValueIsNeededAsAWhole) {
  Network network = Chain(8, 2);
  EXPECT_TRUE(CanJoin(1, 0, ValueUses(network), network));
  GetParam().change(network);
  EXPECT_FALSE(CanJoin(1, 0, ValueUses(network), network));
}

INSTANTIATE_TEST_SUITE_P(Cases, CanNotJoin,
                         testing::ValuesIn(std::vector<JoinCase>{
                             {"ReaderOfAllRows",
                              [](Network& n) {
                                n.layers[1].op = std::make_shared<StandInOp>(std::vector{1});
                              }},
                             {"ReaderUnderAnotherName",
                              [](Network& n) {
                                n.values.push_back(n.values[1]);
                                n.values[3].base = 1;
                                n.layers[1].op = std::make_shared<Halo>(std::vector<ValueId>{3}, 8);
                              }},
                             {"ThreeDimensions",
                              [](Network& n) {
                                n.values[2].shape = {8, 4, 2};
                              }},
                             {"SeveralImages",
                              [](Network& n) {
                                n.values[2].shape = {2, 8, 2, 2};
                              }},
                             {"OneRow",
                              [](Network& n) {
                                n.values[2].shape = {1, 1, 4, 2};
                              }},
                         }),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace acme::compiler
