// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/legalize/broadcast.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <vector>

#include "reference_plugin/compiler/tests/made_network.h"

namespace acme::compiler {
namespace {

// A mask beside a row and a number, as after a comparison of every pixel's channels.
struct Rows {
  explicit Rows(Shape mask_shape) : mask(AddValue(builder.network(), std::move(mask_shape))) {}

  Walk Repeated(const Shape& result) {
    const std::array<ValueId*, 3> operands = {&mask, &row, &number};
    const std::vector<Shape> shapes = {builder.network().value(mask).shape,
                                       builder.network().value(row).shape,
                                       builder.network().value(number).shape};
    return RepeatConstantRows(PlanWalk(shapes, result), operands, result, builder);
  }

  NetworkBuilder builder;
  ValueId mask;
  ValueId row = builder.AddConstant("row", Dtype::kU8, {3}, {7, 8, 9});
  ValueId number = builder.AddConstant("number", Dtype::kU8, {1}, {5});
};

TEST(RepeatConstantRows, PixelsBecomeOneRow) {
  Rows rows({1, 4, 2, 3});
  EXPECT_EQ(ToString(rows.Repeated({1, 4, 2, 3})), "walk 6(1 1 0) 4(6 0 0)");
  const Value& row = rows.builder.network().value(rows.row);
  EXPECT_EQ(std::vector<uint8_t>(row.constant.begin(), row.constant.end()),
            (std::vector<uint8_t>{7, 8, 9, 7, 8, 9}));
  EXPECT_EQ(rows.mask, 0);
  EXPECT_EQ(rows.builder.network().value(rows.number).Elems(), 1);
}

TEST(RepeatConstantRows, AsManyAsDivideTheImagesRow) {
  Rows rows({1, 2, 1000, 3});
  // 1024 elements hold 341 pixels of three channels; 250 divides 1000.
  EXPECT_EQ(ToString(rows.Repeated({1, 2, 1000, 3})), "walk 750(1 1 0) 8(750 0 0)");
}

TEST(RepeatConstantRows, OtherWalksStay) {
  Rows columns({1, 4, 2, 1});
  EXPECT_EQ(ToString(columns.Repeated({1, 4, 2, 3})), "walk 3(0 1 0) 8(1 0 0)");
  Rows one_row({3});
  EXPECT_EQ(ToString(one_row.Repeated({3})), "walk 3(1 1 0)");
  Rows computed({1, 4, 2, 3});
  computed.row = AddValue(computed.builder.network(), {3});
  EXPECT_EQ(ToString(computed.Repeated({1, 4, 2, 3})), "walk 3(1 1 0) 8(3 0 0)");
}

}  // namespace
}  // namespace acme::compiler
