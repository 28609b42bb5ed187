// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/rewrite/rows/split_reductions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "reference_plugin/compiler/lower/reduction/reduce.h"
#include "reference_plugin/compiler/tests/made_network.h"

namespace acme::compiler {
namespace {

using testing::ElementsAre;

constexpr bool kReduced = true;

// v0 (input) -> reduction -> v1 (output).
Network Reduction(Dtype in, Shape shape, ReduceOp op, std::vector<ReduceDimension> dims,
                  Dtype out) {
  Network network;
  AddInput(network, std::move(shape));
  network.values.back().dtype = in;
  auto reduce = std::make_shared<Reduce>();
  reduce->x = 0;
  reduce->op = op;
  reduce->in = in;
  reduce->out = out;
  reduce->dims = std::move(dims);
  reduce->in_zp = 3;
  reduce->out_zp = -4;
  reduce->scale = {5, -2};
  MakeOutput(network, AddValue(network, {5}));
  network.values.back().dtype = out;
  AddLayer(network, 1, std::move(reduce));
  network.layers.back().is_result = true;
  return network;
}

std::vector<std::string> LinesOf(const Network& network) {
  std::vector<std::string> lines;
  for (const Layer& layer : network.layers) lines.push_back(layer.op->Describe());
  return lines;
}

TEST(SplitReductions, TakeTheRowsOfALargeImageFirst) {
  Network network =
      Reduction(Dtype::kI8, {1, 20, 30, 5}, ReduceOp::kMean, {{5}, {600, kReduced}}, Dtype::kI8);
  SplitReductions(network, 3000);
  ASSERT_EQ(network.layers.size(), 1u) << "an image of 3000 bytes is small";
  SplitReductions(network, 2999);
  EXPECT_THAT(LinesOf(network),
              ElementsAre("reduce sum v0 i8 to i32 5 30r 20 zp 3 out zp 0 scale 0p0",
                          "reduce sum v2 i32 to i8 5 20r zp 0 out zp -4 scale 5p-2"));
  EXPECT_EQ(network.layers[0].output, 2);
  EXPECT_EQ(network.value(2).shape, (Shape{1, 20, 1, 5}));
  EXPECT_EQ(network.value(2).dtype, Dtype::kI32);
  EXPECT_FALSE(network.layers[0].is_result);
  EXPECT_EQ(network.layers[1].output, 1);
  EXPECT_TRUE(network.layers[1].is_result);
}

struct SplitCase {
  const char* name;
  Dtype in;
  ReduceOp op;
  std::vector<ReduceDimension> dims;
  std::vector<std::string> lines;  // up to the zero points
};

class SplitReductionsOf : public testing::TestWithParam<SplitCase> {};

TEST_P(SplitReductionsOf, KeepWhatIsComputed) {
  const SplitCase& c = GetParam();
  Network network = Reduction(c.in, {1, 20, 30, 5}, c.op, c.dims, c.in);
  SplitReductions(network, 0);
  std::vector<std::string> lines = LinesOf(network);
  for (std::string& line : lines) line.resize(line.find(" zp"));
  EXPECT_EQ(lines, c.lines);
}

INSTANTIATE_TEST_SUITE_P(
    Cases, SplitReductionsOf,
    testing::ValuesIn(std::vector<SplitCase>{
        {"MeansOfFloats",
         Dtype::kF32,
         ReduceOp::kMean,
         {{5}, {600, kReduced}},
         {"reduce mean v0 f32 to f32 5 30r 20", "reduce mean v2 f32 to f32 5 20r"}},
        {"MeansOfSquares",
         Dtype::kF32,
         ReduceOp::kMeanSquares,
         {{5}, {600, kReduced}},
         {"reduce meansq v0 f32 to f32 5 30r 20", "reduce mean v2 f32 to f32 5 20r"}},
        {"SumsOfSquares",
         Dtype::kI8,
         ReduceOp::kSumSquares,
         {{5}, {600, kReduced}},
         {"reduce sumsq v0 i8 to i32 5 30r 20", "reduce sum v2 i32 to i8 5 20r"}},
        {"AllOfAnImage",
         Dtype::kU8,
         ReduceOp::kSum,
         {{3000, kReduced}},
         {"reduce sum v0 u8 to i32 150r 20", "reduce sum v2 i32 to u8 20r"}},
        {"RowsAndChannels",
         Dtype::kI16,
         ReduceOp::kMax,
         {{5, kReduced}, {30}, {20, kReduced}},
         {"reduce max v0 i16 to i16 5r 30 20r"}},  // five of a row are too few
    }),
    [](const auto& info) { return info.param.name; });

struct KeptCase {
  const char* name;
  Dtype in;
  Shape shape;
  ReduceOp op;
  std::vector<ReduceDimension> dims;
  bool place = false;
};

class SplitReductionsLeave : public testing::TestWithParam<KeptCase> {};

TEST_P(SplitReductionsLeave, WhatIsBestDoneAtOnce) {
  const KeptCase& c = GetParam();
  Network network = Reduction(c.in, c.shape, c.op, c.dims, Dtype::kI32);
  auto reduce = std::make_shared<Reduce>(*network.layers[0].As<Reduce>());
  reduce->place = c.place;
  network.layers[0].op = reduce;
  SplitReductions(network, 0);
  EXPECT_EQ(network.layers.size(), 1u);
  EXPECT_EQ(network.layers[0].op, reduce);
}

INSTANTIATE_TEST_SUITE_P(
    Cases, SplitReductionsLeave,
    testing::ValuesIn(std::vector<KeptCase>{
        {"SeveralImages", Dtype::kI8, {2, 20, 30, 5}, ReduceOp::kSum, {{5}, {600, kReduced}, {2}}},
        {"OneRow", Dtype::kI8, {1, 1, 600, 5}, ReduceOp::kSum, {{5}, {600, kReduced}}},
        {"Matrices", Dtype::kI8, {20, 30, 5}, ReduceOp::kSum, {{5}, {600, kReduced}}},
        {"NarrowImages", Dtype::kI8, {1, 40, 15, 5}, ReduceOp::kSum, {{5}, {600, kReduced}}},
        {"RowsThatAreKept", Dtype::kI8, {1, 20, 30, 5}, ReduceOp::kSum, {{150, kReduced}, {20}}},
        {"Places", Dtype::kI8, {1, 20, 30, 5}, ReduceOp::kMax, {{5}, {600, kReduced}}, true},
        {"SumsOf64Bits", Dtype::kI16, {1, 300, 300, 5}, ReduceOp::kSum, {{5}, {90000, kReduced}}},
        {"SumsOf32Bits", Dtype::kI32, {1, 20, 30, 5}, ReduceOp::kSum, {{5}, {600, kReduced}}},
    }),
    [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace acme::compiler
