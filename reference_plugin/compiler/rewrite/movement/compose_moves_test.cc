// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/rewrite/movement/compose_moves.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "reference_plugin/compiler/rewrite/movement/tests/evaluate.h"
#include "reference_plugin/compiler/tests/made_network.h"
#include "reference_plugin/compiler/tests/stand_in_op.h"

namespace acme::compiler {
namespace {

using testing::ElementsAre;

ValueId AddMove(Network& network, Shape shape, std::vector<MovePiece> pieces) {
  const ValueId id = AddValue(network, std::move(shape));
  auto move = std::make_shared<Move>();
  move->pieces = std::move(pieces);
  AddLayer(network, id, std::move(move));
  return id;
}

ValueId Reshape(Network& network, ValueId from, Shape shape) {
  const auto elems = static_cast<int32_t>(network.value(from).Elems());
  return AddMove(network, std::move(shape), {{.from = from, .dims = {{elems, 1, 1}}}});
}

// Dimension i of the result is dimension order[i] of the operand, from `begin` of its `extent` elements on.
ValueId TransposedPart(Network& network, ValueId from, const std::vector<size_t>& order,
                       const Shape& begin, const Shape& extent) {
  const Shape& in = network.value(from).shape;
  std::vector<int64_t> stride(in.size(), 1);
  for (size_t d = in.size() - 1; d-- > 0;) stride[d] = stride[d + 1] * in[d + 1];
  MovePiece piece{.from = from};
  Shape out;
  for (size_t d = 0; d < in.size(); ++d) piece.from_base_elems += begin[d] * stride[d];
  int64_t to = 1;
  for (size_t i = order.size(); i-- > 0;) {
    piece.dims.push_back({extent[order[i]], stride[order[i]], to});
    to *= extent[order[i]];
    out.insert(out.begin(), extent[order[i]]);
  }
  return AddMove(network, std::move(out), {std::move(piece)});
}

ValueId Transposed(Network& network, ValueId from, const std::vector<size_t>& order) {
  const Shape shape = network.value(from).shape;
  return TransposedPart(network, from, order, Shape(shape.size()), shape);
}

std::vector<std::string> LinesOf(const Network& network) {
  std::vector<std::string> lines;
  for (const Layer& layer : network.layers) lines.push_back(layer.op->Describe());
  return lines;
}

// Of 2 x 3 pixels of 8 channels, by way of [8, 2, 3] and two groups of 4.
TEST(ComposeMoves, AShuffleOfChannelsBecomesTwoMoves) {
  Network network;
  const ValueId x = AddInput(network, {1, 2, 3, 8});
  const ValueId planes = Transposed(network, x, {0, 3, 1, 2});
  const ValueId groups = Reshape(network, planes, {2, 4, 6});
  const ValueId turned = Transposed(network, groups, {1, 0, 2});
  const ValueId halves = Reshape(network, turned, {2, 4, 2, 3});
  for (const int32_t half : {0, 1}) {
    const ValueId some =
        TransposedPart(network, halves, {0, 1, 2, 3}, {half, 0, 0, 0}, {1, 4, 2, 3});
    MakeOutput(network, Transposed(network, some, {0, 2, 3, 1}));
  }
  ComposeMoves(network);
  EXPECT_THAT(LinesOf(network), ElementsAre("move v0+0 to 0 (2:4:1 2:1:2 6:8:4)",
                                            "move v0+2 to 0 (2:4:1 2:1:2 6:8:4)"));
}

struct LeftCase {
  const char* name;
  void (*add)(Network& network, ValueId moved);
};

class ComposeMovesLeaves : public testing::TestWithParam<LeftCase> {};

TEST_P(ComposeMovesLeaves, AMoveThatOthersNeed) {
  Network network;
  const ValueId x = AddInput(network, {4, 3, 2});
  const ValueId moved = Transposed(network, x, {1, 0, 2});
  GetParam().add(network, moved);
  const std::vector<std::string> before = LinesOf(network);
  ComposeMoves(network);
  EXPECT_EQ(LinesOf(network), before);
}

INSTANTIATE_TEST_SUITE_P(
    Cases, ComposeMovesLeaves,
    testing::ValuesIn(std::vector<LeftCase>{
        {"AsAnOutput", [](Network& n, ValueId v) { MakeOutput(n, v); }},
        {"ForAnotherLayer",
         [](Network& n, ValueId v) {
           MakeOutput(n, Transposed(n, v, {2, 0, 1}));
           const ValueId y = AddValue(n, {4, 3, 2});
           AddLayer(n, y, std::make_shared<StandInOp>(std::vector{v}));
         }},
        {"TwiceAsOften",
         [](Network& n, ValueId v) {
           MakeOutput(n, Transposed(n, v, {2, 0, 1}));
           MakeOutput(n, Transposed(n, v, {2, 1, 0}));
         }},
        {"WithABorder",
         [](Network& n, ValueId v) {
           MakeOutput(n, AddMove(n, {25},
                                 {{.fill = 7, .dims = {{1, 0, 1}}},
                                  {.from = v, .to_base_elems = 1, .dims = {{24, 1, 1}}}}));
         }},
        {"Repeated",
         [](Network& n, ValueId v) {
           MakeOutput(n, AddMove(n, {2, 12}, {{.from = v, .dims = {{12, 1, 1}, {2, 0, 12}}}}));
         }},
        {"AcrossDimensions",
         [](Network& n, ValueId v) {
           MakeOutput(n, AddMove(n, {4}, {{.from = v, .from_base_elems = 2, .dims = {{4, 5, 1}}}}));
         }},
    }),
    [](const auto& info) { return info.param.name; });

// One layer reads what was moved under both of its names.
TEST(ComposeMoves, KeepsAMoveThatIsReadUnderTwoNamesAtOnce) {
  Network network;
  const ValueId x = AddInput(network, {4, 6});
  const ValueId moved = Transposed(network, x, {1, 0});
  const ValueId name = Reshape(network, moved, {24});
  MakeOutput(
      network,
      AddMove(network, {24},
              {{.from = moved, .dims = {{12, 1, 1}}},
               {.from = name, .from_base_elems = 12, .to_base_elems = 12, .dims = {{12, 1, 1}}}}));
  Elements values(24);
  std::iota(values.begin(), values.end(), 1);
  const auto before = Evaluate(network, {{x, values}});
  ComposeMoves(network);
  EXPECT_EQ(Evaluate(network, {{x, values}}), before);
}

// Moves of all kinds behind each other give what they gave.
TEST(ComposeMoves, KeepsWhereElementsGo) {
  std::mt19937 random(7);
  const auto below = [&](int32_t n) {
    return static_cast<int32_t>(random() % static_cast<uint32_t>(n));
  };
  int composed = 0;
  for (int round = 0; round < 300; ++round) {
    Network network;
    const ValueId x = AddInput(network, {below(3) + 1, below(4) + 1, below(5) + 1, below(4) + 1});
    std::vector<ValueId> made = {x};
    for (int i = 0; i < 5; ++i) {
      const ValueId from =
          below(3) > 0 ? made.back()
                       : made[static_cast<size_t>(below(static_cast<int32_t>(made.size())))];
      const Shape shape = network.value(from).shape;
      std::vector<size_t> order(shape.size());
      std::iota(order.begin(), order.end(), size_t{0});
      std::ranges::shuffle(order, random);
      Shape begin(shape.size());
      Shape extent = shape;
      if (below(3) == 0) {
        for (size_t d = 0; d < shape.size(); ++d) {
          begin[d] = below(shape[d]);
          extent[d] = below(shape[d] - begin[d]) + 1;
        }
      }
      if (below(3) == 0) {
        const auto elems = static_cast<int32_t>(network.value(from).Elems());
        const int32_t outer = elems % 2 == 0 ? 2 : 1;
        made.push_back(Reshape(network, from, {1, outer, 1, elems / outer}));
      } else {
        made.push_back(TransposedPart(network, from, order, begin, extent));
      }
    }
    MakeOutput(network, made.back());
    Elements values(static_cast<size_t>(network.value(x).Elems()));
    std::iota(values.begin(), values.end(), 1);
    const auto before = Evaluate(network, {{x, values}});
    const size_t layers = network.layers.size();
    ComposeMoves(network);
    composed += network.layers.size() < layers;
    EXPECT_EQ(Evaluate(network, {{x, values}}), before) << "round " << round;
  }
  EXPECT_GT(composed, 100);
}

}  // namespace
}  // namespace acme::compiler
