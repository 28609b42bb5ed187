// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/rewrite/movement/channel_order.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "reference_plugin/compiler/rewrite/movement/channel_moves.h"
#include "reference_plugin/compiler/rewrite/movement/tests/evaluate.h"
#include "reference_plugin/compiler/tests/made_network.h"
#include "reference_plugin/compiler/tests/stand_in_op.h"

namespace acme::compiler {
namespace {

using testing::ElementsAre;

constexpr int32_t kPixels = 5;

ValueId AddBytes(Network& network, Shape shape, std::mt19937& random) {
  const ValueId id = AddConstant(network, std::move(shape));
  Value& value = network.values.back();
  std::vector<uint8_t> bytes(value.owned->size());
  for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(random() % 7);
  value.owned = std::make_shared<const std::vector<uint8_t>>(std::move(bytes));
  value.constant = *value.owned;
  return id;
}

// A convolution of single pixels to so many channels, each with a scale of its own.
ValueId AddConv(Network& network, ValueId x, int32_t out_c, std::mt19937& random) {
  auto conv = std::make_shared<Conv>();
  conv->x = x;
  conv->in_c = ChannelsOf(network.value(x));
  conv->out_c = out_c;
  conv->w = AddBytes(network, {out_c, 1, 1, conv->in_c}, random);
  conv->bias = AddBytes(network, {out_c}, random);
  for (int32_t i = 0; i < out_c; ++i) conv->requantize.scales.push_back({i + 1, 0});
  const ValueId y = AddValue(network, {1, 1, kPixels, out_c});
  AddLayer(network, y, std::move(conv));
  return y;
}

ValueId AddChannels(Network& network, const std::vector<ChannelSource>& sources) {
  const ValueId y = AddValue(network, {1, 1, kPixels, static_cast<int32_t>(sources.size())});
  AddLayer(network, y, std::make_shared<Move>(MoveOfChannels(sources, y, network)));
  return y;
}

std::vector<ChannelSource> Joined(const Network& network, const std::vector<ValueId>& values) {
  std::vector<ChannelSource> sources;
  for (ValueId id : values) {
    for (int32_t c = 0; c < ChannelsOf(network.value(id)); ++c) sources.push_back({id, c});
  }
  return sources;
}

std::vector<ChannelSource> EverySecond(const Network& network, ValueId value, int32_t first) {
  std::vector<ChannelSource> sources;
  for (int32_t c = first; c < ChannelsOf(network.value(value)); c += 2)
    sources.push_back({value, c});
  return sources;
}

std::vector<std::string> Moves(const Network& network) {
  std::vector<std::string> lines;
  for (const Layer& layer : network.layers) {
    if (layer.As<Move>() != nullptr) lines.push_back(layer.op->Describe());
  }
  return lines;
}

Elements Numbers(const Network& network, ValueId id) {
  Elements values(static_cast<size_t>(network.value(id).Elems()));
  std::iota(values.begin(), values.end(), 1);
  return values;
}

// Two convolutions' channels, of which every second goes through another one and the others past it, twice.
struct Units {
  Network network;
  std::mt19937 random{3};
  ValueId x = AddInput(network, {1, 1, kPixels, 6});
  ValueId joined = kNoValue;

  Units() {
    const ValueId a = AddConv(network, x, 8, random);
    const ValueId b = AddConv(network, x, 8, random);
    joined = AddChannels(network, Joined(network, {a, b}));
    for (int unit = 0; unit < 2; ++unit) {
      const ValueId through =
          AddConv(network, AddChannels(network, EverySecond(network, joined, 1)), 8, random);
      std::vector<ChannelSource> sources = EverySecond(network, joined, 0);
      for (const ChannelSource& source : Joined(network, {through})) sources.push_back(source);
      joined = AddChannels(network, sources);
    }
  }
};

TEST(OrderChannels, ThoseThatGoTheSameWayStandSideBySide) {
  Units units;
  Network& network = units.network;
  MakeOutput(network, AddConv(network, units.joined, 4, units.random));
  const auto before = Evaluate(network, {{units.x, Numbers(network, units.x)}});
  OrderChannels(network);
  EXPECT_EQ(Evaluate(network, {{units.x, Numbers(network, units.x)}}), before);
  // Of each convolution's eight: four go through the first unit, two through the second, two past both.
  EXPECT_THAT(
      Moves(network),
      ElementsAre("move v3+0 to 0 (4:1:1 5:8:16) v6+0 to 4 (4:1:1 5:8:16) v3+4 to 8 (2:1:1 5:8:16) "
                  "v6+4 to 10 (2:1:1 5:8:16) v3+6 to 12 (2:1:1 5:8:16) v6+6 to 14 (2:1:1 5:8:16)",
                  "move v7+0 to 0 (8:1:1 5:16:8)",
                  "move v7+8 to 0 (4:1:1 5:16:16) v11+0 to 4 (4:1:1 5:8:16) v7+12 to 8 (4:1:1 "
                  "5:16:16) v11+4 to 12 (4:1:1 5:8:16)",
                  "move v12+0 to 0 (8:1:1 5:16:8)",
                  "move v12+8 to 0 (8:1:1 5:16:16) v16+0 to 8 (8:1:1 5:8:16)"));
}

struct FixedCase {
  const char* name;
  void (*use)(Units& units);
};

class OrderChannelsKeeps : public testing::TestWithParam<FixedCase> {};

TEST_P(OrderChannelsKeeps, WhatOthersReadInItsOrder) {
  Units units;
  GetParam().use(units);
  Network& network = units.network;
  const auto before = Evaluate(network, {{units.x, Numbers(network, units.x)}});
  OrderChannels(network);
  EXPECT_EQ(Evaluate(network, {{units.x, Numbers(network, units.x)}}), before);
}

INSTANTIATE_TEST_SUITE_P(
    Cases, OrderChannelsKeeps,
    testing::ValuesIn(std::vector<FixedCase>{
        {"AnOutput", [](Units& u) { MakeOutput(u.network, u.joined); }},
        {"AndItsConvolution",
         [](Units& u) {
           MakeOutput(u.network, AddConv(u.network, u.joined, 4, u.random));
           MakeOutput(u.network, u.network.layers[0].output);
         }},
        {"AnotherName",
         [](Units& u) {
           const ValueId name = AddValue(u.network, {kPixels, 16});
           u.network.values.back().base = u.joined;
           MakeOutput(u.network, AddConv(u.network, name, 4, u.random));
         }},
        {"ChannelsTwice",
         [](Units& u) {
           const ValueId twice = AddChannels(u.network, Joined(u.network, {u.joined, u.joined}));
           MakeOutput(u.network, AddConv(u.network, twice, 4, u.random));
         }},
    }),
    [](const auto& info) { return info.param.name; });

// Joins, choices and shuffles of channels, in any order, between convolutions.
TEST(OrderChannels, KeepsWhatIsComputed) {
  std::mt19937 random(11);
  const auto below = [&](size_t n) { return static_cast<int32_t>(random() % n); };
  int reordered = 0;
  for (int round = 0; round < 200; ++round) {
    Network network;
    const ValueId x = AddInput(network, {1, 1, kPixels, 4});
    std::vector<ValueId> made = {x};
    const auto any = [&] { return made[static_cast<size_t>(below(made.size()))]; };
    for (int i = 0; i < 8; ++i) {
      if (below(2) == 0) {
        made.push_back(AddConv(network, any(), 2 + below(5), random));
        continue;
      }
      std::vector<ChannelSource> sources = Joined(network, {any(), any()});
      if (below(2) == 0) std::ranges::shuffle(sources, random);
      sources.resize(1 + static_cast<size_t>(below(sources.size())));
      made.push_back(AddChannels(network, sources));
    }
    MakeOutput(network, AddConv(network, made.back(), 3, random));
    if (below(4) == 0) MakeOutput(network, made[made.size() - 2]);
    const std::vector<std::string> moves = Moves(network);
    const auto before = Evaluate(network, {{x, Numbers(network, x)}});
    OrderChannels(network);
    reordered += Moves(network) != moves;
    EXPECT_EQ(Evaluate(network, {{x, Numbers(network, x)}}), before) << "round " << round;
  }
  EXPECT_GT(reordered, 20);
}

}  // namespace
}  // namespace acme::compiler
