// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/rewrite/columns/columns.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "reference_plugin/compiler/lower/elementwise/binary.h"
#include "reference_plugin/compiler/lower/elementwise/map.h"
#include "reference_plugin/compiler/lower/movement/move.h"
#include "reference_plugin/compiler/lower/products/conv.h"
#include "reference_plugin/compiler/lower/reduction/reduce.h"
#include "reference_plugin/compiler/tests/made_network.h"
#include "reference_plugin/compiler/tests/stand_in_op.h"

namespace acme::compiler {
namespace {

using testing::ElementsAre;

constexpr int32_t kRows = 4;
constexpr int32_t kCols = 8;
constexpr int32_t kDepth = 1;

std::shared_ptr<Binary> Times(ValueId a, ValueId b, const std::array<int32_t, 4>& b_strides,
                              int32_t cols = kCols) {
  auto op = std::make_shared<Binary>();
  op->op = BinaryOp::kMul;
  op->extent = {cols, kRows, 1, 1};
  op->a = {.value = a, .stride_elems = {1, cols, 0, 0}};
  op->b = {.value = b, .stride_elems = b_strides};
  return op;
}

std::shared_ptr<Map> Exp(ValueId x) {
  auto op = std::make_shared<Map>();
  op->x = x;
  op->function = UnaryOp::kExp;
  return op;
}

std::shared_ptr<Conv> Product(ValueId x, ValueId w, int32_t cols = kCols) {
  auto op = std::make_shared<Conv>();
  op->x = x;
  op->w = w;
  op->in_c = kDepth;
  op->out_c = cols;
  op->geometry.w = {.in = kRows, .out = kRows};
  return op;
}

// v0 [4, 1], v1 for their product, v2 (one a row)
Network Operands(int32_t cols = kCols) {
  Network network;
  AddInput(network, {kRows, kDepth});
  AddConstant(network, {cols, 1, 1, kDepth});
  AddInput(network, {kRows, 1});
  return network;
}

// v0 [4, 1] * v1 -> v4, times v2 (one a row) -> v5, exp -> v6, times v3 (one a column) -> v7
Network Chain(int32_t cols = kCols) {
  Network network = Operands(cols);
  const ValueId by_col = AddConstant(network, {cols});
  for (int i = 0; i < 4; ++i) AddValue(network, {kRows, cols});
  AddLayer(network, 4, Product(0, 1, cols));
  AddLayer(network, 5, Times(4, 2, {0, 1, 0, 0}, cols));
  AddLayer(network, 6, Exp(5));
  AddLayer(network, 7, Times(6, by_col, {1, 0, 0, 0}, cols));
  MakeOutput(network, 7);
  for (Layer& layer : network.layers) layer.handle = 9;
  return network;
}

// v0 [4, 1] * v1 -> v3, times v2 -> v4, the largest magnitudes of its rows -> v5, v4 times v5 -> v6,
// exp -> v7
Network TwoChains() {
  Network network = Operands();
  for (const int32_t cols : {kCols, kCols, 1, kCols, kCols}) AddValue(network, {kRows, cols});
  AddLayer(network, 3, Product(0, 1));
  AddLayer(network, 4, Times(3, 2, {0, 1, 0, 0}));
  auto largest = std::make_shared<Reduce>();
  largest->x = 4;
  largest->op = ReduceOp::kMaxMagnitude;
  largest->dims = {{kCols, true}, {kRows, false}};
  AddLayer(network, 5, std::move(largest));
  AddLayer(network, 6, Times(4, 5, {0, 1, 0, 0}));
  AddLayer(network, 7, Exp(6));
  MakeOutput(network, 7);
  return network;
}

// "v8 [4, 4]: ..." or, in place, "v7+4 [4, 4]: ..."
std::vector<std::string> LinesOf(const Network& network) {
  std::vector<std::string> lines;
  for (const Layer& layer : network.layers) {
    const Value& y = network.value(layer.output);
    const std::string to = y.base == kNoValue ? fmt::format("v{}", layer.output)
                                              : fmt::format("v{}+{}", y.base, y.base_offset_bytes);
    std::string text;
    if (const auto* conv = layer.As<Conv>()) {
      text = fmt::format("columns {}..{} of v{} by v{}, pitch {} from {}", conv->first_out,
                         conv->end_out, conv->x, conv->w, conv->part.y_channels,
                         conv->part.first_channel);
    } else if (const auto* map = layer.As<Map>()) {
      text = fmt::format("exp of v{} from {}, {} of {}, pitch {}", map->x, map->x_base_elems,
                         map->cols, map->x_pitch, map->y_pitch);
    } else if (const auto* move = layer.As<Move>()) {
      std::vector<std::string> dims;
      for (const MoveDimension& dim : move->pieces.at(0).dims)
        dims.push_back(
            fmt::format("{} {} {}", dim.extent, dim.from_stride_elems, dim.to_stride_elems));
      text = fmt::format("{} of v{}", fmt::join(dims, " and "), move->pieces[0].from);
    } else if (const auto* reduce = layer.As<Reduce>()) {
      text = fmt::format("{} of v{} from {}, {} of {}", NameOf(reduce->op), reduce->x,
                         reduce->x_base_elems, reduce->dims[0].extent, reduce->x_pitch);
    } else if (const auto* binary = layer.As<Binary>()) {
      text = fmt::format("v{} {} {} times v{} from {}, pitch {}", binary->a.value,
                         binary->a.stride_elems[0], binary->a.stride_elems[1], binary->b.value,
                         binary->b.base_elems, binary->y_pitch);
    }
    lines.push_back(fmt::format("{} [{}]: {}", to, fmt::join(y.shape, ", "), text));
  }
  return lines;
}

TEST(SplitIntoColumns, InnerValuesHaveAStepsColumnsAlone) {
  const Network split = SplitIntoColumns(Chain(), {{0, 3, 4}});
  EXPECT_THAT(LinesOf(split), ElementsAre("v8 [4, 4]: columns 0..4 of v0 by v1, pitch 4 from 0",
                                          "v9 [4, 4]: v8 1 4 times v2 from 0, pitch 4",
                                          "v10 [4, 4]: exp of v9 from 0, 4 of 4, pitch 4",
                                          "v7+0 [4, 4]: v10 1 4 times v3 from 0, pitch 8",
                                          "v12 [4, 4]: columns 4..8 of v0 by v1, pitch 4 from -4",
                                          "v13 [4, 4]: v12 1 4 times v2 from 0, pitch 4",
                                          "v14 [4, 4]: exp of v13 from 0, 4 of 4, pitch 4",
                                          "v7+4 [4, 4]: v14 1 4 times v3 from 4, pitch 8"));
  for (const Layer& layer : split.layers) {
    EXPECT_EQ(layer.handle, 9u);
    EXPECT_EQ(layer.strips, split.layers.front().strips);
    EXPECT_GE(layer.strips, 0);
  }
}

TEST(SplitIntoColumns, WhatOthersReadIsWrittenToItsPlace) {
  Network network = Chain();
  MakeOutput(network, 5);
  const std::vector<std::string> lines = LinesOf(SplitIntoColumns(network, {{0, 3, 4}}));
  EXPECT_EQ(lines[1], "v5+0 [4, 4]: v8 1 4 times v2 from 0, pitch 8");
  EXPECT_EQ(lines[2], "v10 [4, 4]: exp of v5 from 0, 4 of 8, pitch 4");
  EXPECT_EQ(lines[6], "v14 [4, 4]: exp of v5 from 4, 4 of 8, pitch 4");
}

TEST(SplitIntoColumns, TheLargestOfRowsIsLookedForInSteps) {
  EXPECT_THAT(LinesOf(SplitIntoColumns(TwoChains(), {{0, 2, 4, true}, {3, 4, 4}})),
              ElementsAre("v8 [4, 4]: columns 0..4 of v0 by v1, pitch 4 from 0",
                          "v9 [4, 4]: v8 1 4 times v2 from 0, pitch 4",
                          "v10+0 [4]: maxabs of v9 from 0, 4 of 0",
                          "v12 [4, 4]: columns 4..8 of v0 by v1, pitch 4 from -4",
                          "v13 [4, 4]: v12 1 4 times v2 from 0, pitch 4",
                          "v10+4 [4]: maxabs of v13 from 0, 4 of 0",  //
                          "v5 [4, 1]: max of v10 from 0, 4 of 0",
                          "v15 [4, 4]: v9 1 4 times v5 from 0, pitch 4",
                          "v7+0 [4, 4]: exp of v15 from 0, 4 of 4, pitch 8",
                          "v17 [4, 4]: v13 1 4 times v5 from 0, pitch 4",
                          "v7+4 [4, 4]: exp of v17 from 0, 4 of 4, pitch 8"));
}

TEST(SplitIntoColumns, WhatIsNotHandedOnIsOneValue) {
  const std::vector<std::string> lines =
      LinesOf(SplitIntoColumns(TwoChains(), {{0, 2, 4}, {3, 4, 4}}));
  EXPECT_EQ(lines[1], "v4+0 [4, 4]: v8 1 4 times v2 from 0, pitch 8");
  EXPECT_EQ(lines[5], "v10+4 [4]: maxabs of v4 from 4, 4 of 8");
  EXPECT_EQ(lines[9], "v17 [4, 4]: v4 1 8 times v5 from 0, pitch 4");
}

TEST(SplitIntoColumns, WhatIsCopiedIsLookedThroughWhereItWasMade) {
  const std::vector<std::string> lines =
      LinesOf(SplitIntoColumns(TwoChains(), {{.last = 2, .cols = 4, .copies = true}, {3, 4, 4}}));
  EXPECT_EQ(lines[1], "v9 [4, 4]: v8 1 4 times v2 from 0, pitch 4");
  EXPECT_EQ(lines[2], "v4+0 [4, 4]: 4 1 1 and 4 4 8 of v9");
  EXPECT_EQ(lines[3], "v11+0 [4]: maxabs of v9 from 0, 4 of 0");
  EXPECT_EQ(lines[6], "v4+4 [4, 4]: 4 1 1 and 4 4 8 of v14");
  EXPECT_EQ(lines[9], "v17 [4, 4]: v4 1 8 times v5 from 0, pitch 4") << "a later chain's step";
}

Hardware Chip(int64_t scratchpad_bytes) {
  Hardware hardware = *BuiltinHardware("acme_a1");
  hardware.scratchpad_bytes = scratchpad_bytes;
  hardware.array_cols = 1;
  hardware.vector_lanes = 1;
  return hardware;
}

// Two values of 32 bytes live at a time. A tenth of the scratchpad is for those of a step.
TEST(ChooseColumns, TakesTheChainsThatDoNotStay) {
  EXPECT_THAT(ChooseColumns(Chain(), Chip(160), {.hand_on = true}), testing::IsEmpty());
  EXPECT_THAT(ChooseColumns(Chain(), Chip(159), {.hand_on = true}),
              ElementsAre(ColumnRegion{0, 3, 1}));
  EXPECT_THAT(ChooseColumns(Chain(), Chip(28), {.hand_on = true}), testing::IsEmpty())
      << "not even a column of each would stay";
}

TEST(ChooseColumns, HandsOnWhatStays) {
  EXPECT_THAT(ChooseColumns(TwoChains(), Chip(60), {.hand_on = true}),
              ElementsAre(ColumnRegion{0, 2, 1, true}, ColumnRegion{3, 4, 1}));
  EXPECT_THAT(ChooseColumns(TwoChains(), Chip(60), {}),
              ElementsAre(ColumnRegion{0, 1, 1}, ColumnRegion{3, 4, 1}));
}

// 32 bytes are more than 60 percent.
TEST(ChooseColumns, CopiesWhatDoesNotStayButIsSearched) {
  for (const bool hand_on : {false, true}) {
    EXPECT_THAT(ChooseColumns(TwoChains(), Chip(50), {.hand_on = hand_on}),
                ElementsAre(ColumnRegion{.last = 2, .cols = 1, .copies = true},
                            ColumnRegion{.first = 3, .last = 4, .cols = 1}));
  }
}

TEST(ChooseColumns, OneLayerTakesWhatIsHandedOn) {
  Network network = TwoChains();
  network.layers.pop_back();
  MakeOutput(network, 6);
  EXPECT_THAT(ChooseColumns(network, Chip(60), {.hand_on = true}),
              ElementsAre(ColumnRegion{0, 2, 1, true}, ColumnRegion{3, 3, 1}));
  EXPECT_THAT(ChooseColumns(network, Chip(60), {}), ElementsAre(ColumnRegion{0, 1, 1}));
}

TEST(ChooseColumns, LeavesOutProductsOfLargeImages) {
  Network network = Chain();
  network.values[0].shape = {kRows, 7};
  EXPECT_THAT(ChooseColumns(network, Chip(112), {.hand_on = true}),
              ElementsAre(ColumnRegion{0, 3, 1}));
  EXPECT_THAT(ChooseColumns(network, Chip(111), {.hand_on = true}),
              ElementsAre(ColumnRegion{1, 3, 1}))
      << "28 bytes are more than a quarter";
}

TEST(ChooseColumns, TakesChainsThatStayIfEnginesWouldWorkSideBySide) {
  constexpr int32_t kLongCols = 1 << 18;
  const Network network = Chain(kLongCols);
  const Hardware hardware = Chip(int64_t{1} << 40);
  EXPECT_THAT(ChooseColumns(network, hardware, {.hand_on = true}), testing::IsEmpty());
  EXPECT_THAT(ChooseColumns(network, hardware, {.hand_on = true, .side_by_side = true}),
              ElementsAre(ColumnRegion{0, 3, kLongCols / 8}));
  EXPECT_THAT(ChooseColumns(Chain(), hardware, {.hand_on = true, .side_by_side = true}),
              testing::IsEmpty())
      << "steps cost more than a small chain";
}

TEST(ChooseColumns, EndsBeforeAReaderOfTheWhole) {
  Network network = Chain();
  network.layers[2].op = std::make_shared<StandInOp>(std::vector<ValueId>{5});
  EXPECT_THAT(ChooseColumns(network, Chip(40), {.hand_on = true}),
              ElementsAre(ColumnRegion{0, 1, 1}));
}

TEST(ChooseColumns, AnotherNameOfAValueIsTheWhole) {
  Network network = Chain();
  AddValue(network, {kRows * kCols});
  network.values.back().base = 5;
  network.layers[2].op = Exp(8);
  EXPECT_THAT(ChooseColumns(network, Chip(40), {.hand_on = true}),
              ElementsAre(ColumnRegion{0, 1, 1}, ColumnRegion{2, 3, 1}));
}

}  // namespace
}  // namespace acme::compiler
