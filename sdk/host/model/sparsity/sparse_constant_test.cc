// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/model/sparsity/sparse_constant.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "sdk/host/model/graph/model_builder.h"

namespace npukit {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Format = Sparsity::DimensionFormat;

Sparsity::Dimension Dense(int32_t size) {
  return {.format = Format::kDense, .dense_size = size, .array_segments = {}, .array_indices = {}};
}
Sparsity::Dimension Csr(std::vector<int32_t> segments, std::vector<uint8_t> indices) {
  return {.format = Format::kSparseCsr,
          .dense_size = 0,
          .array_segments = std::move(segments),
          .array_indices = std::move(indices)};
}

// [[0, 1, 0, 2], [0, 0, 0, 0], [3, 0, 0, 4]], row by row.
Tensor* Rows(ModelBuilder& b) {
  Tensor* tensor = b.Constant<int8_t>("rows", {3, 4}, {1, 2, 3, 4});
  tensor->sparsity = Sparsity{.traversal_order = {0, 1},
                              .block_map = {},
                              .dimensions = {Dense(3), Csr({0, 2, 2, 4}, {1, 3, 0, 3})}};
  return tensor;
}

// The 4x4 [[1,0,2,3],[0,4,0,0],[0,0,5,0],[0,0,0,6]] in blocks of 2x2, of which the lower left is empty.
Tensor* Blocks(ModelBuilder& b) {
  Tensor* tensor = b.Constant<int8_t>("blocks", {4, 4}, {1, 0, 0, 4, 2, 3, 0, 0, 5, 0, 0, 6});
  tensor->sparsity =
      Sparsity{.traversal_order = {0, 1, 2, 3},
               .block_map = {0, 1},
               .dimensions = {Dense(2), Csr({0, 2, 3}, {0, 1, 1}), Dense(2), Dense(2)}};
  return tensor;
}

TEST(SparseConstant, RowsAreFilledWithZeros) {
  ModelBuilder b;
  const auto dense = DenseElements(*Rows(b));
  ASSERT_TRUE(dense) << dense.Error();
  EXPECT_THAT(*dense, ElementsAre(0, 1, 0, 2, 0, 0, 0, 0, 3, 0, 0, 4));
}

TEST(SparseConstant, BlocksLieWhereTheyBelong) {
  ModelBuilder b;
  const auto dense = DenseElements(*Blocks(b));
  ASSERT_TRUE(dense) << dense.Error();
  EXPECT_THAT(*dense, ElementsAre(1, 0, 2, 3, 0, 4, 0, 0, 0, 0, 5, 0, 0, 0, 0, 6));
}

TEST(SparseConstant, TheTraversalOrderCounts) {
  ModelBuilder b;
  Tensor* tensor = b.Constant<float>("columns", {2, 3}, {1, 2, 3});
  tensor->sparsity = Sparsity{.traversal_order = {1, 0},
                              .block_map = {},
                              .dimensions = {Dense(3), Csr({0, 1, 1, 3}, {1, 0, 1})}};
  const auto dense = DenseElements(*tensor);
  ASSERT_TRUE(dense) << dense.Error();
  std::vector<float> values(6);
  std::memcpy(values.data(), dense->data(), dense->size());
  EXPECT_THAT(values, ElementsAre(0, 0, 2, 1, 0, 3));
}

TEST(SparseConstant, ErrorsSayWhatDoesNotFit) {
  struct {
    std::function<void(Tensor&)> spoil;
    std::string says;
  } const kCases[] = {
      {[](Tensor& t) {
         t.sparsity->dimensions[1] = Csr({0, 2, 2, 3}, {1, 3, 0});
       },
       "does not describe the 4 bytes"},
      {[](Tensor& t) { t.sparsity->traversal_order = {0}; }, "found 1 and 2"},
      {[](Tensor& t) {
         t.sparsity->traversal_order = {0, 0};
       },
       "has 0 at 1"},
      {[](Tensor& t) {
         t.sparsity->traversal_order = {0, 7};
       },
       "has 7 at 1"},
      {[](Tensor& t) { t.sparsity->block_map = {5}; }, "found 2 and 2"},
      {[](Tensor& t) { t.sparsity->dimensions[0].dense_size = 4; }, "dense with 4 indices"},
      {[](Tensor& t) {
         t.sparsity->dimensions[1] = Csr({0, 2, 2, 9}, {1, 3, 0, 3});
       },
       "end at 9"},
      {[](Tensor& t) {
         t.sparsity->dimensions[1] = Csr({0, 2, 1, 4}, {1, 3, 0, 3});
       },
       "go down"},
      {[](Tensor& t) {
         t.sparsity->dimensions[1] = Csr({0, 2, 2, 4}, {1, 4, 0, 3});
       },
       "index 4, outside [0,4)"},
      {[](Tensor& t) {
         t.sparsity->dimensions[1] = Csr({0, 2}, {1, 3});
       },
       "4 bytes"},
      {[](Tensor& t) { t.sparsity->dimensions[1] = Csr({}, {}); }, "no segments"},
      {[](Tensor& t) { t.element_type = kLiteRtElementTypeInt4; }, "whole bytes"},
      {[](Tensor& t) { t.element_type = kLiteRtElementTypeInt32; }, "not describe the 4 bytes"},
  };
  for (const auto& c : kCases) {
    ModelBuilder b;
    Tensor* tensor = Rows(b);
    c.spoil(*tensor);
    const auto dense = DenseElements(*tensor);
    ASSERT_FALSE(dense) << c.says;
    EXPECT_THAT(dense.Error().Message(), AllOf(HasSubstr("'rows'"), HasSubstr(c.says)));
  }
  ModelBuilder b;
  Tensor* blocks = Blocks(b);
  blocks->sparsity->block_map = {0, 9};
  const auto outside = DenseElements(*blocks);
  ASSERT_FALSE(outside);
  EXPECT_THAT(outside.Error().Message(), HasSubstr("along dimension 9"));
  blocks->sparsity->block_map = {0, 1};
  blocks->sparsity->dimensions[2].dense_size = 3;
  const auto uneven = DenseElements(*blocks);
  ASSERT_FALSE(uneven);
  EXPECT_THAT(uneven.Error().Message(), HasSubstr("blocks of 3"));
}

}  // namespace
}  // namespace npukit
