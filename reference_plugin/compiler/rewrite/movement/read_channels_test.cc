// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/rewrite/movement/read_channels.h"

#include <gtest/gtest.h>

#include <memory>
#include <utility>
#include <vector>

#include "reference_plugin/compiler/lower/products/conv.h"
#include "reference_plugin/compiler/rewrite/movement/channel_moves.h"
#include "reference_plugin/compiler/tests/made_network.h"
#include "reference_plugin/compiler/tests/stand_in_op.h"

namespace acme::compiler {
namespace {

// v0 (input) of eight channels -> v1 of three -> a convolution -> v2.
Network Some(const std::vector<int32_t>& channels) {
  Network network;
  AddInput(network, {1, 2, 2, 8});
  AddValue(network, {1, 2, 2, 3});
  AddValue(network, {1, 2, 2, 4});
  std::vector<ChannelSource> sources;
  for (int32_t channel : channels) sources.push_back({0, channel});
  AddLayer(network, 1, std::make_shared<Move>(MoveOfChannels(sources, 1, network)));
  auto conv = std::make_shared<Conv>();
  conv->x = 1;
  conv->in_c = 3;
  conv->out_c = 4;
  conv->w = AddConstant(network, {4, 1, 1, 3});
  AddLayer(network, 2, std::move(conv));
  MakeOutput(network, 2);
  return network;
}

TEST(ReadChannels, NeighboursAreReadWhereTheyStand) {
  Network network = Some({4, 5, 6});
  ReadChannels(network);
  ASSERT_EQ(network.layers.size(), 1u);
  const auto* conv = network.layers[0].As<Conv>();
  EXPECT_EQ(conv->x, 0);
  EXPECT_EQ(conv->in_c, 3);
  EXPECT_EQ(conv->part.x_channels, 8);
  EXPECT_EQ(conv->part.first_x_channel, 4);
}

TEST(ReadChannels, OthersAreMoved) {
  Network network = Some({4, 6, 7});
  ReadChannels(network);
  EXPECT_EQ(network.layers.size(), 2u);
}

TEST(ReadChannels, WhatAnotherLayerReadsIsMoved) {
  Network network = Some({4, 5, 6});
  AddLayer(network, AddValue(network, {1}), std::make_shared<StandInOp>(std::vector{1}));
  ReadChannels(network);
  EXPECT_EQ(network.layers.size(), 3u);
  EXPECT_EQ(network.layers[1].As<Conv>()->x, 1);
}

// What writes to another name of the image stands between the move and the convolution.
TEST(ReadChannels, WhatIsWrittenBetweenIsMoved) {
  Network network = Some({4, 5, 6});
  const ValueId name = AddValue(network, {32});
  network.values.back().base = 0;
  network.layers.insert(
      network.layers.begin() + 1,
      Layer{.output = name, .op = std::make_shared<StandInOp>(std::vector<ValueId>{})});
  ReadChannels(network);
  EXPECT_EQ(network.layers.size(), 3u);
}

// Of [1, 3, 4, 2]: every second pixel is no choice of channels, nor is a row of each.
Move MoveOf(std::vector<MovePiece> pieces) {
  Move move;
  move.pieces = std::move(pieces);
  return move;
}

TEST(ChannelSources, AreOfEveryPixel) {
  Network network;
  AddInput(network, {1, 3, 4, 2});
  AddValue(network, {1, 3, 2, 2});
  AddValue(network, {1, 3, 4, 2});
  const Move pixels = MoveOf({{.from = 0, .dims = {{2, 1, 1}, {6, 4, 2}}}});
  EXPECT_FALSE(ChannelSources(pixels, 1, network));
  const Move turned = MoveOf({{.from = 0, .dims = {{2, 1, 1}, {3, 8, 2}, {4, 2, 6}}}});
  EXPECT_FALSE(ChannelSources(turned, 2, network));
  const Move swapped =
      MoveOf({{.from = 0, .from_base_elems = 1, .dims = {{2, -1, 1}, {12, 2, 2}}}});
  EXPECT_EQ(ChannelSources(swapped, 2, network), (std::vector<ChannelSource>{{0, 1}, {0, 0}}));
  const Move joined = MoveOf({{.from = 0, .dims = {{12, 2, 2}}}});
  EXPECT_FALSE(ChannelSources(joined, 2, network)) << "of the second channel nothing is said";
  Move filled = swapped;
  filled.pieces.push_back({.fill = 7, .dims = {{1, 0, 1}}});
  EXPECT_FALSE(ChannelSources(filled, 2, network));
}

}  // namespace
}  // namespace acme::compiler
