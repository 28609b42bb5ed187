// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// BATCH_MATMUL of integers with a scale for each column, by hand.

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "sdk/host/kernels/testing/node_cases.h"
#include "sdk/host/kernels/testing/shorthand.h"
#include "sdk/host/model/options/op_options.h"

namespace npukit::kernels {
namespace {

using testing::Affine;
using testing::Bytes;
using testing::BytesOf;
using testing::ExpectErrors;
using testing::ExpectResults;
using testing::kI16;
using testing::kI8;
using testing::NodeBuilder;
using testing::ResultCase;

// Scales 0.5 0.5 / 0.25 = 1 of the first column, 2 of the second.
Quantization Columns(int32_t dimension) {
  return {.scale = {0.5f, 1.0f}, .zero_point = {0, 0}, .quantized_dimension = dimension};
}

// (2, 4) times the columns (1, 3) and (2, 4): 14 and 20.
ResultCase Product(std::string name, LiteRtElementType type, bool b_transposed, bool constant,
                   std::vector<uint8_t> out) {
  const std::vector<uint8_t> a =
      type == kI8 ? BytesOf(Bytes{2, 4}) : BytesOf(std::vector<int16_t>{2, 4});
  const std::vector<uint8_t> b = BytesOf(b_transposed ? Bytes{1, 3, 2, 4} : Bytes{1, 2, 3, 4});
  return {.name = std::move(name),
          .code = kLiteRtOpCodeTflBatchMatmul,
          .options = BatchMatMulOptions{.adj_y = b_transposed},
          .build =
              [=](NodeBuilder& n) {
                n.Input(type, {1, 1, 2}, Affine(0.5f, 0));
                const Quantization columns = Columns(b_transposed ? 0 : 1);
                if (constant) {
                  n.Constant(kI8, {2, 2}, b, columns);
                } else {
                  n.Input(kI8, {2, 2}, columns);
                }
                n.Output(type, Affine(0.25f, type == kI8 ? 1 : 0));
              },
          .inputs = {a, constant ? std::vector<uint8_t>() : b},
          .shapes = {{1, 1, 2}},
          .outputs = {std::move(out)}};
}

TEST(BatchMatMul, OfIntegersHasAScaleForEachColumn) {
  const auto bytes = BytesOf(Bytes{15, 41});
  const auto wide = BytesOf(std::vector<int16_t>{14, 40});
  std::vector<ResultCase> cases;
  for (const bool b_transposed : {false, true}) {
    for (const bool constant : {false, true}) {
      cases.push_back(Product("int8", kI8, b_transposed, constant, bytes));
      cases.push_back(Product("int16 by int8", kI16, b_transposed, constant, wide));
    }
  }
  ExpectResults(cases);
  ExpectErrors({{.name = "scales along the depth",
                 .code = kLiteRtOpCodeTflBatchMatmul,
                 .build =
                     [](NodeBuilder& n) {
                       n.Input(kI8, {1, 2}, Affine(0.5f, 0)).Input(kI8, {2, 2}, Columns(0));
                       n.Output(kI8, Affine(0.25f, 1));
                     },
                 .inputs = {{2, 4}, {1, 2, 3, 4}},
                 .says = {"BATCH_MATMUL", "'in1'", "along dimension 0"}}});
}

}  // namespace
}  // namespace npukit::kernels
