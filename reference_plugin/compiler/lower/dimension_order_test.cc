// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/lower/dimension_order.h"

#include <gtest/gtest.h>

#include "reference_plugin/compiler/lower/vector_task.h"

namespace acme::compiler {
namespace {

Hardware A1() {
  auto hardware = BuiltinHardware("acme_a1");
  EXPECT_TRUE(hardware);
  return *hardware;
}

Task Reduce(const Extent4& extent, const Extent4& a, const Extent4& dst, uint32_t dims) {
  return {.config = {OpenClamp(Dtype::kF32), ShapeConfig(extent), ViewConfig(View::kDst, dst),
                     ViewConfig(View::kA, a)},
          .work = isa::VReduce{.op = ReduceOp::kMax,
                               .dims = dims,
                               .dtype = Dtype::kF32,
                               .out = Dtype::kF32,
                               .dst = 65536,
                               .a = 64}};
}

// Of 4096 pixels in three planes the largest ones: a row of pixels at a time, not of planes.
TEST(OrderDimensions, FillsLanesAlongTheLongDimension) {
  Task task = Reduce({3, 4096, 1, 1}, {16384, 4, 0, 0}, {4, 4, 0, 0}, 1);
  OrderDimensions(task, A1());
  EXPECT_EQ(task.config[1], AnyInstr(ShapeConfig({4096, 3, 1, 1})));
  EXPECT_EQ(task.config[2], AnyInstr(ViewConfig(View::kDst, {4, 4, 0, 0})));
  EXPECT_EQ(task.config[3], AnyInstr(ViewConfig(View::kA, {4, 16384, 0, 0})));
  EXPECT_EQ(std::get<isa::VReduce>(task.work).dims, 2u);
}

TEST(OrderDimensions, ReducedDimensionsDoNotOvertakeEachOther) {
  Task task = Reduce({3, 2, 4096, 1}, {32768, 16384, 4, 0}, {4, 4, 4, 0}, 3);
  OrderDimensions(task, A1());
  EXPECT_EQ(task.config[1], AnyInstr(ShapeConfig({4096, 3, 2, 1})));
  EXPECT_EQ(std::get<isa::VReduce>(task.work).dims, 6u);
}

// Its results would stand in another order.
TEST(OrderDimensions, WhatHasAnEpilogueStays) {
  for (const bool epilogue : {false, true}) {
    Task task = Reduce({3, 4096, 1, 1}, {16384, 4, 0, 0}, {16384, 4, 0, 0}, 1);
    task.work = isa::VBinary{.dtype = Dtype::kF32, .a = 64, .epilogue = epilogue};
    OrderDimensions(task, A1());
    EXPECT_EQ(task.config[1] == AnyInstr(ShapeConfig({3, 4096, 1, 1})), epilogue);
  }
}

TEST(OrderDimensions, LongRowsStay) {
  Task task = Reduce({1024, 64, 1, 1}, {4, 4096, 0, 0}, {4, 4, 0, 0}, 1);
  const Task before = task;
  OrderDimensions(task, A1());
  EXPECT_EQ(task.config[1], before.config[1]);
}

TEST(OrderDimensions, AStrideThatTheFirstDimensionDoesNotHoldStaysBehind) {
  Task task = Reduce({3, 4096, 1, 1}, {4, 1 << 21, 0, 0}, {4, 4, 0, 0}, 1);
  const Task before = task;
  OrderDimensions(task, A1());
  EXPECT_EQ(task.config[1], before.config[1]);
}

}  // namespace
}  // namespace acme::compiler
