// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Reductions of types whose arithmetic is not what their names say.

#include <gtest/gtest.h>

#include <vector>

#include "sdk/host/kernels/testing/node_cases.h"
#include "sdk/host/kernels/testing/shorthand.h"

namespace npukit::kernels {
namespace {

using testing::BytesOf;
using testing::ExpectResults;
using testing::kBool;
using testing::kU8;
using testing::NodeBuilder;
using testing::ResultCase;
using testing::Vector;

using Stored = std::vector<uint8_t>;

// Of each row of a matrix.
ResultCase OfRows(const char* name, LiteRtOpCode code, LiteRtElementType type, int32_t cols,
                  const Stored& in, const Stored& result) {
  const auto rows = static_cast<int32_t>(result.size());
  return {.name = name,
          .code = code,
          .options = ReducerOptions{},
          .build =
              [=](NodeBuilder& n) {
                n.Input(type, {rows, cols});
                Vector(n, {1});
                n.Output(type);
              },
          .inputs = {in},
          .shapes = {{rows}},
          .outputs = {result}};
}

// As TFLite, whose sums and products of bool are converted back to bool.
TEST(Reduction, BoolIsSomeOrAll) {
  const Stored in = {0, 0, 0, 1, 1, 1};
  ExpectResults({
      OfRows("sum", kLiteRtOpCodeTflSum, kBool, 2, in, {0, 1, 1}),
      OfRows("product", kLiteRtOpCodeTflReduceProd, kBool, 2, in, {0, 0, 1}),
      OfRows("largest", kLiteRtOpCodeTflReduceMax, kBool, 2, in, {0, 1, 1}),
      OfRows("smallest", kLiteRtOpCodeTflReduceMin, kBool, 2, in, {0, 0, 1}),
      OfRows("sum of nothing", kLiteRtOpCodeTflSum, kBool, 0, {}, {0}),
      OfRows("product of nothing", kLiteRtOpCodeTflReduceProd, kBool, 0, {}, {1}),
      OfRows("largest of nothing", kLiteRtOpCodeTflReduceMax, kBool, 0, {}, {0}),
      OfRows("smallest of nothing", kLiteRtOpCodeTflReduceMin, kBool, 0, {}, {1}),
  });
}

TEST(Reduction, ProductsOfPlainUint8Wrap) {
  ExpectResults({OfRows("product", kLiteRtOpCodeTflReduceProd, kU8, 3, {2, 3, 4, 200, 2, 1},
                        {24, 400 - 256})});
}

}  // namespace
}  // namespace npukit::kernels
