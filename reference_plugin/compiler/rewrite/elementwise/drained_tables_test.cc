// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/rewrite/elementwise/drained_tables.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "reference_plugin/compiler/lower/elementwise/map.h"
#include "reference_plugin/compiler/lower/products/conv.h"
#include "reference_plugin/compiler/lower/products/depthwise/depthwise.h"
#include "reference_plugin/compiler/tests/made_network.h"

namespace acme::compiler {
namespace {

constexpr int32_t kSize = 4;
constexpr int32_t kChannels = 8;
const std::vector<uint8_t> kTable(256, 7);

std::shared_ptr<Map> Lookup(ValueId x) {
  auto map = std::make_shared<Map>();
  map->x = x;
  map->function = Map::Table{.bytes = kTable};
  return map;
}

// v0 -> conv, or depthwise -> v1; v1 -> table -> v2, an output.
struct Pair {
  Network network;
  std::shared_ptr<Conv> conv = std::make_shared<Conv>();
  std::shared_ptr<Depthwise> depthwise = std::make_shared<Depthwise>();
  std::shared_ptr<Map> map = Lookup(1);

  explicit Pair(bool has_depthwise = false) {
    AddInput(network, {1, kSize, kSize, kChannels});
    for (int i = 0; i < 2; ++i) AddValue(network, {1, kSize, kSize, kChannels});
    conv->x = depthwise->x = 0;
    conv->in_c = conv->out_c = depthwise->in_c = kChannels;
    conv->geometry.h = conv->geometry.w = {.in = kSize, .out = kSize};
    depthwise->geometry = conv->geometry;
    if (has_depthwise) {
      AddLayer(network, 1, depthwise);
    } else {
      AddLayer(network, 1, conv);
    }
    AddLayer(network, 2, map);
    MakeOutput(network, 2);
  }
};

TEST(FuseDrainedTables, BecomeTheConvolutions) {
  Pair pair;
  FuseDrainedTables(pair.network);
  ASSERT_EQ(pair.network.layers.size(), 1u);
  EXPECT_EQ(pair.network.layers[0].output, 2);
  const auto* conv = pair.network.layers[0].As<Conv>();
  ASSERT_NE(conv, nullptr);
  EXPECT_EQ(conv->table, kTable);
  EXPECT_THAT(conv->Describe(), testing::EndsWith("then a table of 256 bytes"));
}

TEST(FuseDrainedTables, BecomeTheDepthwiseConvolutions) {
  Pair pair(/*has_depthwise=*/true);
  FuseDrainedTables(pair.network);
  ASSERT_EQ(pair.network.layers.size(), 1u);
  EXPECT_EQ(pair.network.layers[0].output, 2);
  EXPECT_EQ(pair.network.layers[0].As<Depthwise>()->table, kTable);
}

TEST(FuseDrainedTables, ComeAfterSums) {
  Pair pair;
  pair.conv->residual.emplace();
  pair.conv->residual->b.value = 0;
  FuseDrainedTables(pair.network);
  ASSERT_EQ(pair.network.layers.size(), 1u);
  const auto* conv = pair.network.layers[0].As<Conv>();
  EXPECT_TRUE(conv->residual);
  EXPECT_EQ(conv->table, kTable);
}

TEST(FuseDrainedTables, OneOnly) {
  Pair pair;
  AddValue(pair.network, {1, kSize, kSize, kChannels});
  pair.network.values[2].output_index = -1;
  AddLayer(pair.network, 3, Lookup(2));
  FuseDrainedTables(pair.network);
  ASSERT_EQ(pair.network.layers.size(), 2u);
  EXPECT_NE(pair.network.layers[0].As<Conv>(), nullptr);
  EXPECT_NE(pair.network.layers[1].As<Map>(), nullptr);
}

struct LeftCase {
  const char* name;
  std::function<void(Pair& pair)> change;
  bool has_depthwise = false;
};

class LeftAlone : public testing::TestWithParam<LeftCase> {};

TEST_P(LeftAlone, IsAsItWas) {
  Pair pair(GetParam().has_depthwise);
  GetParam().change(pair);
  const size_t layers = pair.network.layers.size();
  FuseDrainedTables(pair.network);
  EXPECT_EQ(pair.network.layers.size(), layers);
  EXPECT_NE(pair.network.layers[1].As<Map>(), nullptr);
}

INSTANTIATE_TEST_SUITE_P(
    Cases, LeftAlone,
    testing::ValuesIn(std::vector<LeftCase>{
        {"Output", [](Pair& pair) { pair.network.values[1].output_index = 1; }},
        {"TwoReaders",
         [](Pair& pair) {
           AddValue(pair.network, {1, kSize, kSize, kChannels});
           AddLayer(pair.network, 3, Lookup(1));
         }},
        {"Interpolated",
         [](Pair& pair) {
           std::get<Map::Table>(pair.map->function).kind = LutKind::kInterpolated;
         }},
        {"Wider", [](Pair& pair) { pair.map->out = Dtype::kI16; }},
        {"AnotherType", [](Pair& pair) { pair.map->out = Dtype::kU8; }},
        {"NoTable", [](Pair& pair) { pair.map->function = UnaryOp::kCopy; }},
        {"APart", [](Pair& pair) { pair.map->x_base_elems = 8; }},
        {"OnePixel",
         [](Pair& pair) {
           pair.conv->geometry.h = pair.conv->geometry.w = {.in = kSize, .kernel = kSize};
         }},
        {"Words", [](Pair& pair) { pair.conv->dtype = Dtype::kI16; }},
        {"Floats", [](Pair& pair) { pair.conv->sum_scales = 0; }},
        {"DepthwiseWords", [](Pair& pair) { pair.depthwise->dtype = Dtype::kI16; }, true},
    }),
    [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace acme::compiler
