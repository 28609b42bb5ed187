// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/rewrite/fuse.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <utility>
#include <vector>

#include "reference_plugin/compiler/arithmetic/fixed_point.h"
#include "reference_plugin/compiler/lower/elementwise/binary.h"
#include "reference_plugin/compiler/lower/elementwise/map.h"
#include "reference_plugin/compiler/lower/movement/move.h"
#include "reference_plugin/compiler/lower/reduction/reduce.h"
#include "reference_plugin/compiler/tests/made_network.h"
#include "reference_plugin/compiler/tests/stand_in_op.h"

namespace acme::compiler {
namespace {

ValueId Compute(Network& network, Shape shape, std::vector<ValueId> operands) {
  const ValueId id = AddValue(network, std::move(shape));
  AddLayer(network, id, std::make_shared<StandInOp>(std::move(operands)));
  return id;
}

ValueId Reshape(Network& network, ValueId from, Shape shape) {
  auto move = std::make_shared<Move>();
  move->pieces = {
      {.from = from, .dims = {{static_cast<int32_t>(network.value(from).Elems()), 1, 1}}}};
  const ValueId id = AddValue(network, std::move(shape));
  AddLayer(network, id, std::move(move));
  return id;
}

// -- Changes of shape ----------------------------------------------------------------------------

enum class Operand { kInput, kComputed, kConstant, kOutput };

struct ReshapeCase {
  const char* name;
  Operand operand;
  bool result_is_output;
  ValueId operand_base;  // afterwards; values are: 0 input, 1 operand, 2 result
  ValueId result_base;
  bool copied;  // the layer stays
};

class FuseReshapes : public testing::TestWithParam<ReshapeCase> {};

TEST_P(FuseReshapes, ShareStorageWhereTheyMay) {
  const ReshapeCase& c = GetParam();
  Network network;
  const ValueId input = AddInput(network, {2, 8});
  ValueId operand = kNoValue;
  switch (c.operand) {
    case Operand::kInput:
      operand = AddInput(network, {2, 8});
      break;
    case Operand::kConstant:
      operand = AddConstant(network, {2, 8});
      break;
    case Operand::kComputed:
    case Operand::kOutput:
      operand = Compute(network, {2, 8}, {input});
      if (c.operand == Operand::kOutput) MakeOutput(network, operand);
      break;
  }
  const ValueId result = Reshape(network, operand, {16});
  if (c.result_is_output) {
    MakeOutput(network, result);
  } else {
    MakeOutput(network, Compute(network, {16}, {result}));
  }
  const Network fused = Fuse(network);
  EXPECT_EQ(fused.value(operand).base, c.operand_base);
  EXPECT_EQ(fused.value(result).base, c.result_base);
  EXPECT_EQ(fused.layers.size(), network.layers.size() - (c.copied ? 0 : 1));
  EXPECT_EQ(fused.values.size(), network.values.size()) << "values keep their numbers";
}

INSTANTIATE_TEST_SUITE_P(
    Cases, FuseReshapes,
    testing::ValuesIn(std::vector<ReshapeCase>{
        {"OfAComputedValue", Operand::kComputed, false, kNoValue, 1, false},
        {"OfAnInput", Operand::kInput, false, kNoValue, 1, false},
        {"OfAnOutput", Operand::kOutput, false, kNoValue, 1, false},
        // The operand is computed where the output stands.
        {"ToAnOutput", Operand::kComputed, true, 2, kNoValue, false},
        // Two buffers of the host's.
        {"OfAnInputToAnOutput", Operand::kInput, true, kNoValue, kNoValue, true},
        {"OfAnOutputToAnOutput", Operand::kOutput, true, kNoValue, kNoValue, true},
        {"OfAConstant", Operand::kConstant, false, kNoValue, kNoValue, true},
    }),
    [](const auto& info) { return info.param.name; });

TEST(FuseReshapes, OneValueCannotStandInTwoOutputs) {
  Network network;
  const ValueId operand = Compute(network, {16}, {AddInput(network, {16})});
  const ValueId first = Reshape(network, operand, {2, 8});
  const ValueId second = Reshape(network, operand, {4, 4});
  MakeOutput(network, first);
  MakeOutput(network, second);
  const Network fused = Fuse(network);
  EXPECT_EQ(fused.value(operand).base, first);
  ASSERT_EQ(fused.layers.size(), 2u);
  EXPECT_EQ(fused.layers[1].output, second);
}

TEST(FuseReshapes, AMoveThatTurnsElementsAroundStays) {
  Network network;
  const ValueId x = AddInput(network, {2, 8});
  const ValueId y = AddValue(network, {8, 2});
  auto move = std::make_shared<Move>();
  move->pieces = {{.from = x, .dims = {{2, 8, 1}, {8, 1, 2}}}};
  AddLayer(network, y, std::move(move));
  MakeOutput(network, Compute(network, {8, 2}, {y}));
  EXPECT_EQ(Fuse(network).layers.size(), 2u);
}

// -- Squares -------------------------------------------------------------------------------------

// Means of a * b of [4, 6], over each row.
Network MeansOfProducts(ValueId b) {
  Network network;
  AddInput(network, {4, 6});
  AddInput(network, {4, 6});
  AddValue(network, {4, 6});
  AddValue(network, {4, 1});
  auto product = std::make_shared<Binary>();
  product->op = BinaryOp::kMul;
  product->extent = {24, 1, 1, 1};
  product->a = {.value = 0, .stride_elems = {1, 0, 0, 0}};
  product->b = {.value = b, .stride_elems = {1, 0, 0, 0}};
  product->clamp = FloatActivationRange(Activation::kNone);
  AddLayer(network, 2, std::move(product));
  auto mean = std::make_shared<Reduce>();
  mean->x = 2;
  mean->op = ReduceOp::kMean;
  mean->in = Dtype::kF32;
  mean->out = Dtype::kF32;
  mean->dims = {{6, true}, {4, false}};
  AddLayer(network, 3, std::move(mean));
  MakeOutput(network, 3);
  for (Value& value : network.values) value.dtype = Dtype::kF32;
  return network;
}

TEST(FuseSquares, RideOnTheirMeanOrSum) {
  for (const ReduceOp op : {ReduceOp::kMean, ReduceOp::kSum}) {
    Network network = MeansOfProducts(0);
    auto reduce = std::make_shared<Reduce>(*network.layers[1].As<Reduce>());
    reduce->op = op;
    network.layers[1].op = reduce;
    const Network fused = Fuse(network);
    ASSERT_EQ(fused.layers.size(), 1u);
    const auto* squares = fused.layers[0].As<Reduce>();
    EXPECT_EQ(squares->x, 0);
    EXPECT_EQ(squares->op, op == ReduceOp::kMean ? ReduceOp::kMeanSquares : ReduceOp::kSumSquares);
  }
}

TEST(FuseSquares, OfAFunctionToo) {
  Network network = MeansOfProducts(0);
  auto square = std::make_shared<Map>();
  square->x = 0;
  square->in = Dtype::kF32;
  square->out = Dtype::kF32;
  square->function = UnaryOp::kSquare;
  const ClampRange open = FloatActivationRange(Activation::kNone);
  square->clamp = {.lo = open.lo, .hi = open.hi};
  network.layers[0].op = square;
  EXPECT_EQ(Fuse(network).layers.size(), 1u);
}

struct NoSquaresCase {
  const char* name;
  void (*change)(Network& network, Binary& product);
};

class FuseNoSquares : public testing::TestWithParam<NoSquaresCase> {};

TEST_P(FuseNoSquares, StayByThemselves) {
  Network network = MeansOfProducts(0);
  auto product = std::make_shared<Binary>(*network.layers[0].As<Binary>());
  GetParam().change(network, *product);
  network.layers[0].op = product;
  EXPECT_GE(Fuse(network).layers.size(), 2u);
}

INSTANTIATE_TEST_SUITE_P(
    Cases, FuseNoSquares,
    testing::ValuesIn(std::vector<NoSquaresCase>{
        {"OfTwoValues", [](Network&, Binary& product) { product.b.value = 1; }},
        {"OfSums", [](Network&, Binary& product) { product.op = BinaryOp::kAdd; }},
        {"Clamped",
         [](Network&, Binary& product) {
           product.clamp = FloatActivationRange(Activation::kRelu6);
         }},
        {"OfOneElement", [](Network&, Binary& product) { product.b.stride_elems = {}; }},
        {"ReadByOthers",
         [](Network& network, Binary&) {
           Compute(network, {4, 6}, {2});
         }},
        {"AnOutput", [](Network& network, Binary&) { MakeOutput(network, 2); }},
        {"OfIntegers",
         [](Network& network, Binary&) {
           for (Value& value : network.values) value.dtype = Dtype::kI8;
         }},
    }),
    [](const auto& info) { return info.param.name; });

TEST(Fuse, OfAnEmptyNetworkIsEmpty) {
  const Network fused = Fuse({});
  EXPECT_TRUE(fused.layers.empty());
  EXPECT_TRUE(fused.values.empty());
}

}  // namespace
}  // namespace acme::compiler
