// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/rewrite/activations.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <functional>
#include <limits>
#include <memory>
#include <variant>
#include <vector>

#include "reference_plugin/compiler/lower/elementwise/binary.h"
#include "reference_plugin/compiler/lower/elementwise/map.h"
#include "reference_plugin/compiler/lower/products/conv.h"
#include "reference_plugin/compiler/tests/made_network.h"

namespace acme::compiler {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
int32_t Bits(float value) { return std::bit_cast<int32_t>(value); }

std::shared_ptr<Map> FloatMap(ValueId x, UnaryOp op, float lo, float hi) {
  auto map = std::make_shared<Map>();
  map->x = x;
  map->in = map->out = Dtype::kF32;
  map->function = op;
  map->clamp = {.lo = Bits(lo), .hi = Bits(hi)};
  return map;
}

std::shared_ptr<Binary> Floats(ValueId a, ValueId b, BinaryOp op) {
  auto binary = std::make_shared<Binary>();
  binary->op = op;
  binary->extent = {32, 1, 1, 1};
  binary->a.value = a;
  binary->b.value = b;
  binary->a.stride_elems = binary->b.stride_elems = {1, 0, 0, 0};
  binary->clamp = OpenRange(Dtype::kF32);
  return binary;
}

TEST(FuseClamps, ARectifierBecomesTheSumsClamp) {
  Network network;
  const ValueId x = AddImage(network, Dtype::kF32);
  const ValueId z = AddImage(network, Dtype::kF32);
  const ValueId sum = AddImage(network, Dtype::kF32, Floats(x, z, BinaryOp::kAdd));
  const ValueId y = AddImage(network, Dtype::kF32, FloatMap(sum, UnaryOp::kCopy, 0, 6));
  FuseClamps(network);
  ASSERT_EQ(network.layers.size(), 1u);
  EXPECT_EQ(network.layers[0].output, y);
  EXPECT_EQ(network.layers[0].As<Binary>()->clamp, (ClampRange{Bits(0), Bits(6)}));
}

// The sums of a hybrid product are bytes' and its results are not: -1 is no integer then.
TEST(FuseClamps, AProductThatScalesItsSumsIsClampedAsFloats) {
  Network network;
  auto conv = std::make_shared<Conv>();
  conv->x = AddImage(network, Dtype::kI8);
  conv->sum_scales = AddImage(network, Dtype::kF32);
  conv->requantize.clamp = OpenRange(Dtype::kF32);
  const ValueId sums = AddImage(network, Dtype::kF32, conv);
  AddImage(network, Dtype::kF32, FloatMap(sums, UnaryOp::kCopy, -1, 1));
  FuseClamps(network);
  ASSERT_EQ(network.layers.size(), 1u);
  EXPECT_EQ(network.layers[0].As<Conv>()->requantize.clamp, (ClampRange{Bits(-1), Bits(1)}));
}

struct ClampCase {
  const char* name;
  ClampRange conv;
  std::function<int32_t(int32_t)> table;
  bool fused;
  ClampRange clamp;  // then
};

class FuseTable : public testing::TestWithParam<ClampCase> {};

TEST_P(FuseTable, IfItOnlyClamps) {
  Network network;
  auto conv = std::make_shared<Conv>();
  conv->x = AddImage(network, Dtype::kI8);
  conv->requantize.clamp = GetParam().conv;
  auto map = std::make_shared<Map>();
  map->x = AddImage(network, Dtype::kI8, conv);
  Map::Table table;
  for (int32_t x = -128; x < 128; ++x)
    table.bytes.push_back(static_cast<uint8_t>(GetParam().table(x)));
  map->function = table;
  AddImage(network, Dtype::kI8, map);
  FuseClamps(network);
  EXPECT_EQ(network.layers.size(), GetParam().fused ? 1u : 2u);
  EXPECT_EQ(network.layers[0].As<Conv>()->requantize.clamp,
            GetParam().fused ? GetParam().clamp : GetParam().conv);
}

INSTANTIATE_TEST_SUITE_P(
    Cases, FuseTable,
    testing::ValuesIn(std::vector<ClampCase>{
        {"Below", {-128, 127}, [](int32_t x) { return std::max(x, -3); }, true, {-3, 127}},
        {"Within", {-100, 50}, [](int32_t x) { return std::max(x, -3); }, true, {-3, 50}},
        {"Apart", {-100, -50}, [](int32_t x) { return std::max(x, -3); }, true, {-3, -3}},
        {"Nothing", {-7, 9}, [](int32_t x) { return x; }, true, {-7, 9}},
        {"Scales", {-128, 127}, [](int32_t x) { return x / 2; }, false, {}},
    }),
    [](const auto& info) { return info.param.name; });

TEST(FuseClamps, NotWhereTheValueBetweenIsSeen) {
  for (const bool output : {false, true}) {
    Network network;
    const ValueId x = AddImage(network, Dtype::kF32);
    const ValueId sum = AddImage(network, Dtype::kF32, Floats(x, x, BinaryOp::kAdd));
    AddImage(network, Dtype::kF32, FloatMap(sum, UnaryOp::kCopy, 0, kInfinity));
    if (output) {
      network.values[static_cast<size_t>(sum)].output_index = 0;
    } else {
      AddImage(network, Dtype::kF32, FloatMap(sum, UnaryOp::kNeg, -kInfinity, kInfinity));
    }
    const size_t layers = network.layers.size();
    FuseClamps(network);
    EXPECT_EQ(network.layers.size(), layers);
  }
}

// relu(x) + (-relu(-x)) * c, with one thing changed.
Network Prelu(const std::function<void(Network&)>& change = nullptr) {
  Network network;
  const ValueId x = AddImage(network, Dtype::kF32);
  const ValueId c = AddImage(network, Dtype::kF32);
  static const std::vector<uint8_t> bytes(32 * 4, 1);
  network.values[static_cast<size_t>(c)].constant = bytes;
  const auto add = [&](std::shared_ptr<const LayerOp> op) {
    return AddImage(network, Dtype::kF32, std::move(op));
  };
  const ValueId p = add(FloatMap(x, UnaryOp::kCopy, 0, kInfinity));
  const ValueId n = add(FloatMap(x, UnaryOp::kNeg, -kInfinity, kInfinity));
  const ValueId r = add(FloatMap(n, UnaryOp::kCopy, 0, kInfinity));
  const ValueId m = add(FloatMap(r, UnaryOp::kNeg, -kInfinity, kInfinity));
  const ValueId s = add(Floats(c, m, BinaryOp::kMul));
  add(Floats(p, s, BinaryOp::kAdd));
  if (change) change(network);
  return network;
}

TEST(FusePrelu, SixLayersAreOne) {
  Network network = Prelu();
  FusePrelu(network);
  ASSERT_EQ(network.layers.size(), 1u);
  const auto* prelu = network.layers[0].As<Binary>();
  ASSERT_NE(prelu, nullptr);
  EXPECT_EQ(prelu->op, BinaryOp::kPrelu);
  EXPECT_EQ(prelu->a.value, 0);
  EXPECT_EQ(prelu->b.value, 1);
  EXPECT_EQ(network.layers[0].output, 7);
}

TEST(FusePrelu, NothingElseIs) {
  const std::vector<std::function<void(Network&)>> changes = {
      [](Network& n) { n.values[3].output_index = 0; },
      [](Network& n) { n.layers[2].op = FloatMap(3, UnaryOp::kCopy, 0, 6); },
      [](Network& n) { n.layers[3].op = FloatMap(4, UnaryOp::kAbs, 0, kInfinity); },
      [](Network& n) { n.layers[5].op = Floats(2, 6, BinaryOp::kSub); },
      [](Network& n) { n.layers[4].op = Floats(0, 5, BinaryOp::kMul); },
  };
  for (const auto& change : changes) {
    Network network = Prelu(change);
    FusePrelu(network);
    EXPECT_EQ(network.layers.size(), 6u);
  }
}

}  // namespace
}  // namespace acme::compiler
