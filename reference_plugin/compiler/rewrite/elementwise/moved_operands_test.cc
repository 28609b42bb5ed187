// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/rewrite/elementwise/moved_operands.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "reference_plugin/compiler/arithmetic/fixed_point.h"
#include "reference_plugin/compiler/lower/elementwise/binary.h"
#include "reference_plugin/compiler/lower/movement/move.h"
#include "reference_plugin/compiler/tests/made_network.h"

namespace acme::compiler {
namespace {

using testing::ElementsAre;
using Strides = std::array<int32_t, 4>;

constexpr int32_t kRows = 6;
constexpr int32_t kHalf = 32;
constexpr int32_t kCols = 2 * kHalf;

Hardware Chip() { return *BuiltinHardware("acme_a1"); }

std::shared_ptr<Binary> Mul(const Strides& extent, const Binary::Operand& a,
                            const Binary::Operand& b) {
  auto mul = std::make_shared<Binary>();
  mul->op = BinaryOp::kMul;
  mul->extent = extent;
  mul->a = a;
  mul->b = b;
  mul->clamp = FloatActivationRange(Activation::kNone);
  return mul;
}

std::shared_ptr<Move> MoveOf(std::vector<MovePiece> pieces) {
  auto move = std::make_shared<Move>();
  move->pieces = std::move(pieces);
  return move;
}

// Half of the columns of v0 (v1), times v2, a number a column (v3).
struct HalfTimes {
  Network network;
  std::shared_ptr<Move> slice = MoveOf(
      {{.from = 0, .from_base_elems = kHalf, .dims = {{kHalf, 1, 1}, {kRows, kCols, kHalf}}}});
  std::shared_ptr<Binary> mul = Mul({kHalf, kRows, 1, 1}, {.value = 1, .stride_elems = {1, kHalf}},
                                    {.value = 2, .stride_elems = {1, 0}});

  HalfTimes() {
    AddInput(network, {kRows, kCols});
    AddValue(network, {kRows, kHalf});
    AddConstant(network, {kHalf});
    AddValue(network, {kRows, kHalf});
    AddLayer(network, 1, slice);
    AddLayer(network, 3, mul);
    MakeOutput(network, 3);
    for (Value& value : network.values) value.dtype = Dtype::kF32;
  }
};

// "v3: v0 from 32 (1 64), v2 from 0 (1 0) pitch 0"; of a move "v1: moved"
std::vector<std::string> LinesOf(const Network& network) {
  std::vector<std::string> lines;
  for (const Layer& layer : network.layers) {
    const auto* op = layer.As<Binary>();
    if (op == nullptr) {
      lines.push_back(fmt::format("v{}: moved", layer.output));
      continue;
    }
    std::vector<std::string> sides;
    for (const Binary::Operand* side : std::as_const(*op).Sides()) {
      sides.push_back(fmt::format("v{} from {} ({} {})", side->value, side->base_elems,
                                  side->stride_elems[0], side->stride_elems[1]));
    }
    lines.push_back(
        fmt::format("v{}: {} pitch {}", layer.output, fmt::join(sides, ", "), op->y_pitch));
  }
  return lines;
}

TEST(ReadMovedOperands, ReadsASliceWhereItStands) {
  HalfTimes half;
  ReadMovedOperands(half.network, Chip());
  EXPECT_THAT(LinesOf(half.network), ElementsAre("v3: v0 from 32 (1 64), v2 from 0 (1 0) pitch 0"));
}

TEST(ReadMovedOperands, WalksAsTheMoveDoesWhereTheOperationWalksOnce) {
  HalfTimes half;
  half.mul->extent = {kHalf * kRows, 1, 1, 1};
  half.mul->a.stride_elems = {1, 0};
  half.mul->b = {.value = 1, .stride_elems = {1, 0}};
  ReadMovedOperands(half.network, Chip());
  EXPECT_THAT(LinesOf(half.network),
              ElementsAre("v3: v0 from 32 (1 64), v0 from 32 (1 64) pitch 0"));
}

TEST(ReadMovedOperands, FollowsOneMoveThroughAnother) {
  HalfTimes half;
  // Rows 2 and 3 of the slice, which is v1.
  const ValueId rows = AddValue(half.network, {2, kHalf});
  half.network.values.back().dtype = Dtype::kF32;
  half.mul->extent = {kHalf, 2, 1, 1};
  half.mul->a.value = rows;
  half.network.layers.insert(half.network.layers.begin() + 1,
                             Layer{.output = rows,
                                   .op = MoveOf({{.from = 1,
                                                  .from_base_elems = 2 * kHalf,
                                                  .dims = {{kHalf, 1, 1}, {2, kHalf, kHalf}}}})});
  ReadMovedOperands(half.network, Chip());
  EXPECT_THAT(LinesOf(half.network),
              ElementsAre("v3: v0 from 160 (1 64), v2 from 0 (1 0) pitch 0"));
}

// The operation walks the rows as one run; of the slice's walk, which has more of them, it takes as much.
TEST(ReadMovedOperands, WalksNoFurtherThanThePartThatItReads) {
  HalfTimes half;
  const ValueId rows = AddValue(half.network, {2, kHalf});
  half.network.values.back().dtype = Dtype::kF32;
  half.mul->extent = {2 * kHalf, 1, 1, 1};
  half.mul->a = {.value = rows, .stride_elems = {1, 0}};
  half.mul->b = half.mul->a;
  half.network.layers.insert(
      half.network.layers.begin() + 1,
      Layer{.output = rows, .op = MoveOf({{.from = 1, .dims = {{2 * kHalf, 1, 1}}}})});
  ReadMovedOperands(half.network, Chip());
  EXPECT_THAT(LinesOf(half.network),
              ElementsAre("v3: v0 from 32 (1 64), v0 from 32 (1 64) pitch 0"));
  EXPECT_EQ(half.network.layers[0].As<Binary>()->extent, (Strides{kHalf, 2, 1, 1}));
}

TEST(ReadMovedOperands, RepeatedElementsAreBroadcast) {
  HalfTimes half;
  // The first row of v0, again and again.
  half.slice->pieces[0].from_base_elems = 0;
  half.slice->pieces[0].dims[1].from_stride_elems = 0;
  ReadMovedOperands(half.network, Chip());
  EXPECT_THAT(LinesOf(half.network), ElementsAre("v3: v0 from 0 (1 0), v2 from 0 (1 0) pitch 0"));
}

TEST(ReadMovedOperands, KeepsWhatOthersReadToo) {
  HalfTimes half;
  MakeOutput(half.network, 1);
  ReadMovedOperands(half.network, Chip());
  EXPECT_THAT(LinesOf(half.network),
              ElementsAre("v1: moved", "v3: v1 from 0 (1 32), v2 from 0 (1 0) pitch 0"));
}

TEST(ReadMovedOperands, KeepsWhatIsTooLargeToStay) {
  HalfTimes half;
  half.network.values[0].shape = {1 << 20, kCols};
  ReadMovedOperands(half.network, Chip());
  EXPECT_EQ(half.network.layers.size(), 2);
}

TEST(ReadMovedOperands, KeepsWhatRunsBackwards) {
  HalfTimes half;
  half.slice->pieces[0].from_base_elems = kCols - 1;
  half.slice->pieces[0].dims[0].from_stride_elems = -1;
  ReadMovedOperands(half.network, Chip());
  EXPECT_EQ(half.network.layers.size(), 2);
}

// A column of every tenth would be read by words that hold nothing else.
TEST(ReadMovedOperands, KeepsWhatStridesMakeSlower) {
  constexpr int32_t kMany = 4096;
  HalfTimes half;
  half.network.values[0].shape = {kMany, 10};
  half.network.values[1].shape = half.network.values[3].shape = {kMany};
  half.slice->pieces = {{.from = 0, .dims = {{kMany, 10, 1}}}};
  const Binary::Operand moved = {.value = 1, .stride_elems = {1}};
  half.mul->extent = {kMany, 1, 1, 1};
  half.mul->a = half.mul->b = moved;
  ReadMovedOperands(half.network, Chip());
  EXPECT_EQ(half.network.layers.size(), 2);
}

// A cache that is written in place meanwhile.
TEST(ReadMovedOperands, KeepsWhatIsWrittenBeforeItIsRead) {
  HalfTimes half;
  const ValueId name = AddValue(half.network, {kRows, kCols});
  half.network.values.back().dtype = Dtype::kF32;
  half.network.values.back().base = 0;
  const auto over = Mul({kCols, kRows, 1, 1}, {.value = 0, .stride_elems = {1, kCols}},
                        {.value = 2, .stride_elems = {0, 0}});
  half.network.layers.insert(half.network.layers.begin() + 1, Layer{.output = name, .op = over});
  ReadMovedOperands(half.network, Chip());
  EXPECT_EQ(half.network.layers.size(), 3);
}

// v0 times v1 (v2) and v0 times v0 (v3), beside each other (v4), times v1 (v5).
struct TwoHalves {
  Network network;
  std::shared_ptr<Move> join =
      MoveOf({{.from = 2, .dims = {{kHalf, 1, 1}, {kRows, kHalf, kCols}}},
              {.from = 3, .to_base_elems = kHalf, .dims = {{kHalf, 1, 1}, {kRows, kHalf, kCols}}}});

  TwoHalves() {
    AddInput(network, {kRows, kHalf});
    AddConstant(network, {1});
    AddValue(network, {kRows, kHalf});
    AddValue(network, {kRows, kHalf});
    AddValue(network, {kRows, kCols});
    AddValue(network, {kRows, kCols});
    const Binary::Operand x = {.value = 0, .stride_elems = {1}};
    AddLayer(network, 2, Mul({kHalf * kRows, 1, 1, 1}, x, {.value = 1}));
    AddLayer(network, 3, Mul({kHalf * kRows, 1, 1, 1}, x, x));
    AddLayer(network, 4, join);
    AddLayer(network, 5,
             Mul({kCols * kRows, 1, 1, 1}, {.value = 4, .stride_elems = {1}}, {.value = 1}));
    MakeOutput(network, 5);
    for (Value& value : network.values) value.dtype = Dtype::kF32;
  }
};

TEST(WriteJoinedResults, WritesPartsWhereTheyBelong) {
  TwoHalves halves;
  WriteJoinedResults(halves.network, Chip());
  EXPECT_THAT(LinesOf(halves.network),
              ElementsAre("v2: v0 from 0 (1 32), v1 from 0 (0 0) pitch 64",
                          "v3: v0 from 0 (1 32), v0 from 0 (1 32) pitch 64",
                          "v5: v4 from 0 (1 0), v1 from 0 (0 0) pitch 0"));
  EXPECT_EQ(halves.network.value(2).base, 4);
  EXPECT_EQ(halves.network.value(2).base_offset_bytes, 0);
  EXPECT_EQ(halves.network.value(3).base, 4);
  EXPECT_EQ(halves.network.value(3).base_offset_bytes, kHalf * 4);
}

TEST(WriteJoinedResults, KeepsWhatIsJoinedTwice) {
  TwoHalves halves;
  halves.join->pieces[1].from = 2;
  WriteJoinedResults(halves.network, Chip());
  EXPECT_EQ(halves.network.layers.size(), 4);
}

TEST(WriteJoinedResults, KeepsInputsAndOutputs) {
  TwoHalves inputs;
  inputs.join->pieces[1].from = 0;
  WriteJoinedResults(inputs.network, Chip());
  EXPECT_EQ(inputs.network.layers.size(), 4);
  TwoHalves outputs;
  MakeOutput(outputs.network, 4);
  WriteJoinedResults(outputs.network, Chip());
  EXPECT_EQ(outputs.network.layers.size(), 4);
}

TEST(WriteJoinedResults, KeepsBorders) {
  TwoHalves padded;
  padded.join->pieces[1].from = kNoValue;
  WriteJoinedResults(padded.network, Chip());
  EXPECT_EQ(padded.network.layers.size(), 4);
}

}  // namespace
}  // namespace acme::compiler
