// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/rewrite/movement/join_resamplings.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "reference_plugin/compiler/lower/movement/resize.h"
#include "reference_plugin/compiler/tests/made_network.h"

namespace acme::compiler {
namespace {

std::vector<ResizeSample> Samples(const std::vector<int32_t>& from) {
  std::vector<ResizeSample> samples;
  for (int32_t at : from) samples.push_back({at, at, 0});
  return samples;
}

ValueId AddResize(Network& network, ValueId x, ResizeOp op, const std::vector<int32_t>& rows) {
  const Shape from = network.value(x).shape;
  auto resize = std::make_shared<Resize>();
  resize->x = x;
  resize->op = op;
  resize->in_h = from[1];
  resize->rows = Samples(rows);
  resize->cols = Samples({0});
  const ValueId y = AddValue(network, {1, static_cast<int32_t>(rows.size()), 1, 1});
  AddLayer(network, y, std::move(resize));
  return y;
}

// [1, 3, 1, 1], each row twice, then with two mirrored rows at each end.
Network Enlarged(ResizeOp first, ValueId& between) {
  Network network;
  const ValueId x = AddInput(network, {1, 3, 1, 1});
  between = AddResize(network, x, first, {0, 0, 1, 1, 2, 2});
  MakeOutput(network,
             AddResize(network, between, ResizeOp::kNearest, {2, 1, 0, 1, 2, 3, 4, 5, 4, 3}));
  return network;
}

TEST(JoinResamplings, SampleTheFirstOperandThroughBoth) {
  ValueId between = kNoValue;
  Network network = Enlarged(ResizeOp::kNearest, between);
  JoinResamplings(network);
  ASSERT_EQ(network.layers.size(), 1u);
  const auto* joined = network.layers[0].As<Resize>();
  EXPECT_EQ(joined->x, network.inputs[0]);
  EXPECT_EQ(joined->in_h, 3);
  std::vector<int32_t> rows;
  for (const ResizeSample& sample : joined->rows) rows.push_back(sample.lo);
  EXPECT_EQ(rows, (std::vector<int32_t>{1, 0, 0, 0, 1, 1, 2, 2, 2, 1}));
  EXPECT_EQ(joined->cols.size(), 1u);
}

TEST(JoinResamplings, LeaveWhatAnotherSeesOrWhatBlends) {
  ValueId between = kNoValue;
  Network output = Enlarged(ResizeOp::kNearest, between);
  MakeOutput(output, between);
  JoinResamplings(output);
  EXPECT_EQ(output.layers.size(), 2u);
  Network blended = Enlarged(ResizeOp::kBilinear, between);
  JoinResamplings(blended);
  EXPECT_EQ(blended.layers.size(), 2u);
  Network read_twice = Enlarged(ResizeOp::kNearest, between);
  MakeOutput(read_twice, AddResize(read_twice, between, ResizeOp::kNearest, {5, 0}));
  JoinResamplings(read_twice);
  EXPECT_EQ(read_twice.layers.size(), 3u);
}

}  // namespace
}  // namespace acme::compiler
