// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/rewrite/elementwise/conversions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <functional>
#include <memory>
#include <vector>

#include "reference_plugin/compiler/arithmetic/tables.h"
#include "reference_plugin/compiler/lower/elementwise/binary.h"
#include "reference_plugin/compiler/lower/elementwise/map.h"
#include "reference_plugin/compiler/tests/made_network.h"

namespace acme::compiler {
namespace {

constexpr float kScale = 0.037F;
constexpr FixedPoint kFactor{1739461754, 0};  // 0.81

std::shared_ptr<Map> Converting(ConvertOp op, ValueId x, Dtype in, Dtype out) {
  auto map = std::make_shared<Map>();
  map->x = x;
  map->in = in;
  map->out = out;
  map->function = op;
  map->clamp = {.lo = OpenRange(out).lo, .hi = OpenRange(out).hi};
  isa::VQuant& quant = op == ConvertOp::kQuantize ? map->dst : map->a;
  quant.zp = -3;
  quant.mult = std::bit_cast<uint32_t>(kScale);
  return map;
}

std::shared_ptr<Map> Requantising(ValueId x, int32_t zero_out) {
  auto map = std::make_shared<Map>();
  map->x = x;
  map->a.zp = 9;
  map->dst.zp = zero_out;
  map->dst.mult = std::bit_cast<uint32_t>(kFactor.mult);
  map->dst.shift = kFactor.shift;
  map->function = Map::Table{LutKind::kDirect, ByteTable(Dtype::kI8, Dtype::kI8, [&](int32_t byte) {
                               return MultiplyByFixedPoint(byte - 9, kFactor) + zero_out;
                             })};
  return map;
}

std::shared_ptr<Binary> Pass(BinaryOp op, ValueId a, ValueId b) {
  auto pass = std::make_shared<Binary>();
  pass->op = op;
  pass->extent = {32, 1, 1, 1};
  pass->a = {.value = a, .stride_elems = {1, 0, 0, 0}};
  pass->b = {.value = b, .stride_elems = {1, 0, 0, 0}};
  return pass;
}

// v0 and v1, of bytes, each converted to v2 and v3; v2 op v3 is v4; converted again, v5, an output.
struct BetweenBytes {
  Network network;
  std::shared_ptr<Map> a = Converting(ConvertOp::kDequantize, 0, Dtype::kI8, Dtype::kF32);
  std::shared_ptr<Map> b = Converting(ConvertOp::kDequantize, 1, Dtype::kI8, Dtype::kF32);
  std::shared_ptr<Binary> pass = Pass(BinaryOp::kSquaredDifference, 2, 3);
  std::shared_ptr<Map> y = Converting(ConvertOp::kQuantize, 4, Dtype::kF32, Dtype::kI8);

  BetweenBytes() {
    for (const Dtype dtype :
         {Dtype::kI8, Dtype::kI8, Dtype::kF32, Dtype::kF32, Dtype::kF32, Dtype::kI8})
      AddImage(network, dtype);
    AddLayer(network, 2, a);
    AddLayer(network, 3, b);
    AddLayer(network, 4, pass);
    AddLayer(network, 5, y);
    MakeOutput(network, 5);
  }
};

TEST(FuseConversions, BecomeTheOperations) {
  BetweenBytes between;
  FuseConversions(between.network);
  ASSERT_EQ(between.network.layers.size(), 1u);
  EXPECT_EQ(between.network.layers[0].output, 5);
  const auto* pass = between.network.layers[0].As<Binary>();
  ASSERT_NE(pass, nullptr);
  EXPECT_TRUE(pass->converts_result);
  EXPECT_EQ(pass->out_zp, -3);
  for (const Binary::Operand* side : {&pass->a, &pass->b}) {
    EXPECT_TRUE(side->is_converted);
    EXPECT_EQ(side->zero_point, -3);
    EXPECT_EQ(side->scale.mult, std::bit_cast<int32_t>(kScale));
  }
  EXPECT_EQ(pass->Operands(), (std::vector<ValueId>{0, 1}));
  EXPECT_EQ(pass->ComputedIn(Dtype::kI8), Dtype::kF32);
  EXPECT_EQ(pass->StoredAs(pass->a, Dtype::kI8), Dtype::kI8);
  EXPECT_THAT(pass->Describe(), testing::HasSubstr("converted"));
}

struct PartCase {
  const char* name;
  std::function<void(BetweenBytes& between)> change;
  bool a = true;
  bool b = true;
  bool result = true;
};

class PartOfConversions : public testing::TestWithParam<PartCase> {};

TEST_P(PartOfConversions, Stays) {
  BetweenBytes between;
  GetParam().change(between);
  FuseConversions(between.network);
  for (const Layer& layer : between.network.layers) {
    const auto* pass = layer.As<Binary>();
    if (pass == nullptr) continue;
    EXPECT_EQ(pass->a.is_converted, GetParam().a);
    EXPECT_EQ(pass->b.is_converted, GetParam().b);
    EXPECT_EQ(pass->converts_result, GetParam().result);
    return;
  }
  FAIL() << "no operation of two operands is left";
}

INSTANTIATE_TEST_SUITE_P(
    Cases, PartOfConversions,
    testing::ValuesIn(std::vector<PartCase>{
        {"OperandIsAnOutput",
         [](BetweenBytes& between) { between.network.values[2].output_index = 1; }, false},
        {"OperandHasAnotherReader",
         [](BetweenBytes& between) {
           const ValueId copy = AddImage(between.network, Dtype::kF32);
           auto map = std::make_shared<Map>();
           map->x = 3;
           map->in = map->out = Dtype::kF32;
           AddLayer(between.network, copy, map);
         },
         true, false},
        {"ResultIsAnOutput",
         [](BetweenBytes& between) { between.network.values[4].output_index = 1; }, true, true,
         false},
        {"UnsignedBytes", [](BetweenBytes& between) { between.a->in = Dtype::kU8; }, false},
        {"ToWords", [](BetweenBytes& between) { between.y->out = Dtype::kI16; }, true, true, false},
        {"LimitedOperand", [](BetweenBytes& between) { between.b->clamp.lo = 0; }, true, false},
        {"LimitedResult", [](BetweenBytes& between) { between.y->clamp.lo = 0; }, true, true,
         false},
        {"PartOfAnOperand", [](BetweenBytes& between) { between.a->x_base_elems = 1; }, false},
        {"Truncated", [](BetweenBytes& between) { between.y->function = ConvertOp::kCast; }, true,
         true, false},
    }),
    [](const auto& info) { return info.param.name; });

// v0 requantised to v1 and to v2, of which v3 is the larger.
struct Larger {
  Network network;
  std::shared_ptr<Map> a;
  std::shared_ptr<Map> b;
  std::shared_ptr<Binary> pass = Pass(BinaryOp::kMax, 1, 2);

  explicit Larger(int32_t zero_b = 20) : a(Requantising(0, 20)), b(Requantising(0, zero_b)) {
    for (int i = 0; i < 4; ++i) AddImage(network, Dtype::kI8);
    AddLayer(network, 1, a);
    AddLayer(network, 2, b);
    AddLayer(network, 3, pass);
    MakeOutput(network, 3);
  }
};

TEST(FuseConversions, RequantisationsBecomeTheLargers) {
  Larger larger;
  FuseConversions(larger.network);
  ASSERT_EQ(larger.network.layers.size(), 1u);
  const auto* pass = larger.network.layers[0].As<Binary>();
  EXPECT_EQ(pass->Operands(), (std::vector<ValueId>{0, 0}));
  EXPECT_EQ(pass->out_zp, 20);
  for (const Binary::Operand* side : {&pass->a, &pass->b}) {
    EXPECT_TRUE(side->is_converted);
    EXPECT_EQ(side->zero_point, 9);
    EXPECT_EQ(side->scale, kFactor);
  }
}

TEST(FuseConversions, OfOneZeroPoint) {
  Larger larger(/*zero_b=*/21);
  FuseConversions(larger.network);
  EXPECT_EQ(larger.network.layers.size(), 2u);
}

TEST(FuseConversions, SumsHaveStepsOfTheirOwn) {
  Larger larger;
  larger.pass->op = BinaryOp::kAdd;
  FuseConversions(larger.network);
  EXPECT_EQ(larger.network.layers.size(), 3u);
}

TEST(FuseConversions, OtherTablesStay) {
  Larger larger;
  std::get<Map::Table>(larger.a->function).bytes[7] ^= 1;
  FuseConversions(larger.network);
  EXPECT_EQ(larger.network.layers.size(), 2u);
}

}  // namespace
}  // namespace acme::compiler
