// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/rewrite/byte_functions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <variant>
#include <vector>

#include "reference_plugin/compiler/lower/elementwise/binary.h"
#include "reference_plugin/compiler/lower/elementwise/map.h"
#include "reference_plugin/compiler/lower/products/conv.h"
#include "reference_plugin/compiler/tests/made_network.h"

namespace acme::compiler {
namespace {

std::shared_ptr<Map> TableMap(ValueId x, Dtype in, Dtype out,
                              const std::function<int32_t(int32_t)>& function) {
  auto map = std::make_shared<Map>();
  map->x = x;
  map->in = in;
  map->out = out;
  Map::Table table;
  const int32_t lowest = in == Dtype::kI8 ? -128 : 0;
  for (int32_t i = 0; i < 256; ++i) {
    const auto value = static_cast<uint32_t>(function(lowest + i));
    for (int64_t byte = 0; byte < SizeBytes(out); ++byte)
      table.bytes.push_back(static_cast<uint8_t>(value >> (8 * byte)));
  }
  map->function = table;
  return map;
}

int32_t Half(int32_t x) { return x / 2; }
int32_t FromHundred(int32_t x) { return 100 - x; }
int32_t ToBytes(int32_t x) { return x + 128; }

TEST(FuseByteFunctions, TwoTablesBecomeThatOfBoth) {
  struct Case {
    Dtype between, out;
    int32_t (*first)(int32_t);
    int32_t (*second)(int32_t);
  };
  for (const Case& c : {Case{Dtype::kI8, Dtype::kI8, Half, FromHundred},
                        Case{Dtype::kU8, Dtype::kU8, ToBytes, Half},
                        Case{Dtype::kI8, Dtype::kI16, Half, FromHundred}}) {
    Network network;
    const ValueId x = AddImage(network, Dtype::kI8);
    const ValueId a = AddImage(network, c.between, TableMap(x, Dtype::kI8, c.between, c.first));
    const ValueId y = AddImage(network, c.out, TableMap(a, c.between, c.out, c.second));
    FuseByteFunctions(network);
    ASSERT_EQ(network.layers.size(), 1u);
    EXPECT_EQ(network.layers[0].output, y);
    const auto* map = network.layers[0].As<Map>();
    EXPECT_EQ(map->x, x);
    EXPECT_EQ(map->in, Dtype::kI8);
    EXPECT_EQ(map->out, c.out);
    const auto both =
        TableMap(x, Dtype::kI8, c.out, [&](int32_t v) { return c.second(c.first(v)); });
    EXPECT_EQ(std::get<Map::Table>(map->function).bytes,
              std::get<Map::Table>(both->function).bytes);
  }
}

TEST(FuseByteFunctions, ManyTablesBecomeOne) {
  Network network;
  const ValueId x = AddImage(network, Dtype::kI8);
  ValueId y = x;
  for (int i = 0; i < 3; ++i)
    y = AddImage(network, Dtype::kI8, TableMap(y, Dtype::kI8, Dtype::kI8, Half));
  FuseByteFunctions(network);
  ASSERT_EQ(network.layers.size(), 1u);
  const auto* map = network.layers[0].As<Map>();
  EXPECT_EQ(map->x, x);
  EXPECT_EQ(static_cast<int8_t>(std::get<Map::Table>(map->function).bytes[0]), -128 / 8);
}

// The operation on bytes, of scales 1 that are exact in fixed point; its clamp is open.
std::shared_ptr<Binary> Bytes(ValueId a, ValueId b, BinaryOp op) {
  const FixedPoint one = QuantizeMultiplier(1.0);
  auto binary = std::make_shared<Binary>();
  binary->op = op;
  binary->extent = {32, 1, 1, 1};
  binary->a = {.value = a, .stride_elems = {1, 0, 0, 0}, .scale = one};
  binary->b = {.value = b, .stride_elems = {1, 0, 0, 0}, .scale = one};
  binary->out_scale = one;
  binary->clamp = {-128, 127};
  return binary;
}

// x and a constant, one for all elements, which the network gets.
std::shared_ptr<Binary> PlusThree(Network& network, ValueId x) {
  static const std::vector<uint8_t> three = {3};
  const ValueId c = AddImage(network, Dtype::kI8);
  network.values.back().constant = three;
  auto sum = Bytes(x, c, BinaryOp::kAdd);
  sum->b.stride_elems = {};
  return sum;
}

std::vector<uint8_t> TableBytes(const std::function<int32_t(int32_t)>& function) {
  return std::get<Map::Table>(TableMap(0, Dtype::kI8, Dtype::kI8, function)->function).bytes;
}

int32_t Clamped(int32_t x) { return std::clamp(x, -128, 127); }

TEST(FuseByteFunctions, AProductOfAByteAndItsFunction) {
  Network network;
  const ValueId x = AddImage(network, Dtype::kI8);
  const ValueId half = AddImage(network, Dtype::kI8, TableMap(x, Dtype::kI8, Dtype::kI8, Half));
  const ValueId y = AddImage(network, Dtype::kI8, Bytes(x, half, BinaryOp::kMul));
  FuseByteFunctions(network);
  ASSERT_EQ(network.layers.size(), 1u);
  EXPECT_EQ(network.layers[0].output, y);
  const auto* map = network.layers[0].As<Map>();
  ASSERT_NE(map, nullptr);
  EXPECT_EQ(map->x, x);
  EXPECT_EQ(std::get<Map::Table>(map->function).bytes,
            TableBytes([](int32_t v) { return Clamped(v * (v / 2)); }));
}

TEST(FuseByteFunctions, StepsWithConstants) {
  Network network;
  const ValueId x = AddImage(network, Dtype::kI8);
  auto sum = PlusThree(network, x);
  sum->clamp = {0, 6};
  const ValueId a = AddImage(network, Dtype::kI8, sum);
  const ValueId p = AddImage(network, Dtype::kI8, Bytes(x, a, BinaryOp::kMul));
  auto difference = Bytes(sum->b.value, p, BinaryOp::kSub);
  difference->a.stride_elems = {};
  AddImage(network, Dtype::kI8, difference);
  FuseByteFunctions(network);
  ASSERT_EQ(network.layers.size(), 1u);
  EXPECT_EQ(
      std::get<Map::Table>(network.layers[0].As<Map>()->function).bytes,
      TableBytes([](int32_t v) { return Clamped(3 - Clamped(v * std::clamp(v + 3, 0, 6))); }));
}

// What is computed in any case is where the functions behind it begin.
TEST(FuseByteFunctions, BeginWithWhatIsThere) {
  Network network;
  const ValueId x = AddImage(network, Dtype::kI8);
  const ValueId there = AddImage(network, Dtype::kI8, TableMap(x, Dtype::kI8, Dtype::kI8, Half));
  auto conv = std::make_shared<Conv>();
  conv->x = there;
  AddImage(network, Dtype::kI8, conv);
  const ValueId s = AddImage(network, Dtype::kI8, TableMap(there, Dtype::kI8, Dtype::kI8, Half));
  AddImage(network, Dtype::kI8, Bytes(there, s, BinaryOp::kAdd));
  FuseByteFunctions(network);
  ASSERT_EQ(network.layers.size(), 3u);
  EXPECT_EQ(network.layers[2].As<Map>()->x, there);
}

TEST(FuseByteFunctions, OneStepIsLeftAsItIs) {
  Network network;
  const ValueId x = AddImage(network, Dtype::kI8);
  auto sum = PlusThree(network, x);
  AddImage(network, Dtype::kI8, sum);
  AddImage(network, Dtype::kI8, Bytes(x, x, BinaryOp::kMul));
  FuseByteFunctions(network);
  EXPECT_NE(network.layers[0].As<Binary>(), nullptr);
  EXPECT_NE(network.layers[1].As<Binary>(), nullptr);
}

TEST(FuseByteFunctions, NotWithAnotherValueOrPlace) {
  struct Case {
    const char* name;
    std::function<void(Network& network, Binary& product)> change;
  };
  static const std::vector<uint8_t> per_channel = {1, 2};
  for (const Case& c : {Case{"another value",
                             [](Network&network, Binary&product) {
                               product.a.value = AddImage(network, Dtype::kI8);
                             }},
                        Case{"a constant for each channel",
                             [](Network&network, Binary&product) {
                               product.a.value = AddImage(network, Dtype::kI8);
                               network.values.back().constant = per_channel;
                               product.extent = {2, 16, 1, 1};
                               product.a.stride_elems = {1, 0, 0, 0};
                               product.b.stride_elems = {1, 2, 0, 0};
                             }},
                        Case{"elements in another order",
                             [](Network&, Binary&product) {
                               product.extent = {2, 16, 1, 1};
                               product.a.stride_elems = {16, 1, 0, 0};
                               product.b.stride_elems = {1, 2, 0, 0};
                             }},
                        Case{"more dimensions", [](Network&, Binary&product) {
                               product.outer = {{2, 16, 16}};
                             }}}) {
    Network network;
    const ValueId x = AddImage(network, Dtype::kI8);
    const ValueId half = AddImage(network, Dtype::kI8, TableMap(x, Dtype::kI8, Dtype::kI8, Half));
    auto product = Bytes(x, half, BinaryOp::kMul);
    c.change(network, *product);
    AddImage(network, Dtype::kI8, product);
    FuseByteFunctions(network);
    EXPECT_EQ(network.layers.size(), 2u) << c.name;
  }
}

TEST(FuseByteFunctions, NotWhatIsWider) {
  Network network;
  const ValueId x = AddImage(network, Dtype::kI8);
  const ValueId wide = AddImage(network, Dtype::kI16, TableMap(x, Dtype::kI8, Dtype::kI16, Half));
  auto interpolated = TableMap(wide, Dtype::kI16, Dtype::kI16, Half);
  std::get<Map::Table>(interpolated->function).kind = LutKind::kInterpolated;
  AddImage(network, Dtype::kI16, interpolated);
  FuseByteFunctions(network);
  EXPECT_EQ(network.layers.size(), 2u);
}

// A cache may be written to between the layers: a table of both would read it too late.
TEST(FuseByteFunctions, NotOfWhatHasOtherNames) {
  Network network;
  const ValueId x = AddImage(network, Dtype::kI8);
  const ValueId other = AddImage(network, Dtype::kI8);
  network.values[static_cast<size_t>(other)].base = x;
  const ValueId a = AddImage(network, Dtype::kI8, TableMap(x, Dtype::kI8, Dtype::kI8, Half));
  AddImage(network, Dtype::kI8, TableMap(a, Dtype::kI8, Dtype::kI8, Half));
  FuseByteFunctions(network);
  EXPECT_EQ(network.layers.size(), 2u);
}

TEST(FuseByteFunctions, WhatIsSeenStays) {
  Network network;
  const ValueId x = AddImage(network, Dtype::kI8);
  const ValueId a = AddImage(network, Dtype::kI8, TableMap(x, Dtype::kI8, Dtype::kI8, Half));
  network.values[static_cast<size_t>(a)].output_index = 0;
  AddImage(network, Dtype::kI8, TableMap(a, Dtype::kI8, Dtype::kI8, Half));
  FuseByteFunctions(network);
  ASSERT_EQ(network.layers.size(), 2u);
  EXPECT_EQ(network.layers[1].As<Map>()->x, a);
}

}  // namespace
}  // namespace acme::compiler
