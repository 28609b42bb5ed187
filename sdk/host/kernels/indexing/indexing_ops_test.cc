// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Operators that select, index and number elements: results for small inputs by hand, the oracle held
// against the kernel on each. Larger shapes come from the corpus.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sdk/host/kernels/testing/node_cases.h"
#include "sdk/host/kernels/testing/shorthand.h"

namespace npukit::kernels {
namespace {

using ::testing::HasSubstr;

using testing::Affine;
using testing::BytesOf;
using testing::ExpectResults;
using testing::Floats;
using testing::Ints;
using testing::Iota;
using testing::kBool;
using testing::kF32;
using testing::kI32;
using testing::kI64;
using testing::kI8;
using testing::kNan;
using testing::Longs;
using testing::NodeBuilder;
using testing::Scalar;
using testing::Vector;

TEST(IndexingOps, Gather) {
  ExpectResults({
      {.name = "gather_with_batch_dimensions",
       .code = kLiteRtOpCodeTflGather,
       .options = GatherOptions{.axis = 1, .batch_dims = 1},
       .build =
           [](NodeBuilder& n) {
             n.Input(kI32, {2, 3}).Input(kI64, {2, 1}).Output(kI32);
           },
       .inputs = {BytesOf(Iota(6)), BytesOf(Longs{2, 0})},
       .shapes = {{2, 1}},
       .outputs = {BytesOf(Ints{2, 3})}},
      {.name = "gather_nd_of_slices",
       .code = kLiteRtOpCodeTflGatherNd,
       .build =
           [](NodeBuilder& n) {
             n.Input(kI32, {2, 3}).Input(kI32, {2, 1}).Output(kI32);
           },
       .inputs = {BytesOf(Iota(6)), BytesOf(Ints{1, 0})},
       .shapes = {{2, 3}},
       .outputs = {BytesOf(Ints{3, 4, 5, 0, 1, 2})}},
  });
}

// Of single elements TFLite leaves the output the shape that it has in the file.
TEST(IndexingOps, SelectOfSingleElements) {
  const auto single = [](LiteRtOpCode code, const Shape& condition, const Shape& value,
                         const Shape& out) {
    return testing::ResultCase{.name = "select",
                               .code = code,
                               .build =
                                   [=](NodeBuilder& n) {
                                     n.Input(kBool, condition).Input(kI32, value);
                                     n.Input(kI32, {1, 1}).Output(kI32);
                                     n.tensor_of_output(0).shape = out;
                                   },
                               .inputs = {{0}, BytesOf(Ints{3}), BytesOf(Ints{4})},
                               .shapes = {out},
                               .outputs = {BytesOf(Ints{4})}};
  };
  ExpectResults({single(kLiteRtOpCodeTflSelect, {1, 1, 1}, {1}, {1, 1}),
                 single(kLiteRtOpCodeTflSelect, {}, {1, 1}, {}),
                 single(kLiteRtOpCodeTflSelectV2, {1}, {}, {1}),
                 single(kLiteRtOpCodeTflSelectV2, {1, 1}, {}, {})});
  // A stated shape that is no single element does not count.
  ExpectResults({{.name = "select_of_unknown_rank",
                  .code = kLiteRtOpCodeTflSelectV2,
                  .build =
                      [](NodeBuilder& n) {
                        n.Input(kBool, {1}).Input(kI32, {1, 1}).Input(kI32, {}).Output(kI32);
                        n.tensor_of_output(0).shape = {7};
                      },
                  .inputs = {{1}, BytesOf(Ints{3}), BytesOf(Ints{4})},
                  .shapes = {{1, 1}},
                  .outputs = {BytesOf(Ints{3})}}});
}

TEST(IndexingOps, FindExtremes) {
  ExpectResults({
      {.name = "arg_max_takes_the_first_of_equals",
       .code = kLiteRtOpCodeTflArgMax,
       .build =
           [](NodeBuilder& n) {
             n.Input(kF32, {2, 2});
             Scalar(n, -1);
             n.Output(kI64);
           },
       .inputs = {BytesOf(Floats{1, 1, -2, 3})},
       .shapes = {{2}},
       .outputs = {BytesOf(Longs{0, 1})}},
      {.name = "top_k_takes_the_earlier_of_equals",
       .code = kLiteRtOpCodeTflTopkV2,
       .build =
           [](NodeBuilder& n) {
             n.Input(kF32, {4});
             Scalar(n, 2);
             n.Output(kF32).Output(kI32);
           },
       .inputs = {BytesOf(Floats{1, 3, 3, 2})},
       .shapes = {{2}, {2}},
       .outputs = {BytesOf(Floats{3, 3}), BytesOf(Ints{1, 2})}},
      {.name = "top_k_with_a_nan",
       .code = kLiteRtOpCodeTflTopkV2,
       .build =
           [](NodeBuilder& n) {
             n.Input(kF32, {2, 3});
             Scalar(n, 2);
             n.Output(kF32).Output(kI32);
           },
       .inputs = {BytesOf(Floats{1, kNan, 3, kNan, 3, 4})},
       .shapes = {{2, 2}, {2, 2}},
       .outputs = {BytesOf(Floats{kNan, 3, kNan, 4}), BytesOf(Ints{1, 2, 0, 2})}},
      {.name = "top_k_of_none",
       .code = kLiteRtOpCodeTflTopkV2,
       .build =
           [](NodeBuilder& n) {
             n.Input(kF32, {4});
             Scalar(n, 0);
             n.Output(kF32).Output(kI32);
           },
       .inputs = {BytesOf(Floats{1, 3, 3, 2})},
       .shapes = {{0}, {0}},
       .outputs = {{}, {}}},
  });
}

TEST(IndexingOps, LookUp) {
  ExpectResults({
      {.name = "one_hot_ignores_what_is_outside",
       .code = kLiteRtOpCodeTflOneHot,
       .options = OneHotOptions{.axis = -1},
       .build =
           [](NodeBuilder& n) {
             n.Input(kI32, {2});
             Scalar(n, 2);
             Scalar(n, 9);
             Scalar(n, 4);
             n.Output(kI32);
           },
       .inputs = {BytesOf(Ints{1, -1})},
       .shapes = {{2, 2}},
       .outputs = {BytesOf(Ints{4, 9, 4, 4})}},
      {.name = "embedding_lookup_of_int4_rows",
       .code = kLiteRtOpCodeTflEmbeddingLookup,
       .build =
           [](NodeBuilder& n) {
             n.Input(kI32, {1});
             n.Constant(kLiteRtElementTypeInt4, {2, 2}, {0x21, 0xF8}, Affine(0.5f, 0)).Output(kF32);
           },
       .inputs = {BytesOf(Ints{1})},
       .shapes = {{1, 2}},
       .outputs = {BytesOf(Floats{-4, -0.5f})}},
      {.name = "sparse_to_dense_with_values_to_spare",
       .code = kLiteRtOpCodeTflSparseToDense,
       .build =
           [](NodeBuilder& n) {
             n.Input(kI32, {2});
             Vector(n, {4});
             n.Input(kI32, {3});
             Scalar(n, -1);
             n.Output(kI32);
           },
       .inputs = {BytesOf(Ints{1, 3}), {}, BytesOf(Ints{7, 8, 9}), {}},
       .shapes = {{4}},
       .outputs = {BytesOf(Ints{-1, 7, -1, 8})}},
      {.name = "embedding_lookup_to_float16",
       .code = kLiteRtOpCodeTflEmbeddingLookup,
       .build =
           [](NodeBuilder& n) {
             n.Input(kI32, {1});
             n.Constant(kI8, {2, 2}, {1, 2, 3, 0xFC}, Affine(0.5f, 0))
                 .Output(kLiteRtElementTypeFloat16);
           },
       .inputs = {BytesOf(Ints{1})},
       .shapes = {{1, 2}},
       .outputs = {BytesOf(std::vector<uint16_t>{0x3E00, 0xC000})}},  // 1.5, -2
  });
}

TEST(IndexingOps, TellOfShapes) {
  ExpectResults({
      {.name = "shape",
       .code = kLiteRtOpCodeTflShape,
       .build =
           [](NodeBuilder& n) {
             n.Input(kF32, {2, 0, 3}).Output(kI64);
           },
       .inputs = {{}},
       .shapes = {{3}},
       .outputs = {BytesOf(Longs{2, 0, 3})}},
      {.name = "rank",
       .code = kLiteRtOpCodeTflRank,
       .build =
           [](NodeBuilder& n) {
             n.Input(kF32, {2, 0, 3}).Output(kI32);
           },
       .inputs = {{}},
       .shapes = {{}},
       .outputs = {BytesOf(Ints{3})}},
      {.name = "zeros_like",
       .code = kLiteRtOpCodeTflZerosLike,
       .build = [](NodeBuilder& n) { n.Input(kF32, {2}).Output(kF32); },
       .inputs = {BytesOf(Floats{1, 2})},
       .shapes = {{2}},
       .outputs = {BytesOf(Floats{0, 0})}},
  });
}

TEST(IndexingOps, MakeSeries) {
  ExpectResults({
      {.name = "cumsum_exclusive_and_reverse",
       .code = kLiteRtOpCodeTflCumsum,
       .options = CumsumOptions{.exclusive = true, .reverse = true},
       .build =
           [](NodeBuilder& n) {
             n.Input(kI32, {3});
             Scalar(n, 0);
             n.Output(kI32);
           },
       .inputs = {BytesOf(Ints{1, 2, std::numeric_limits<int32_t>::max()})},
       .shapes = {{3}},
       .outputs = {BytesOf(
           Ints{std::numeric_limits<int32_t>::min() + 1, std::numeric_limits<int32_t>::max(), 0})}},
      {.name = "fill",
       .code = kLiteRtOpCodeTflFill,
       .build =
           [](NodeBuilder& n) {
             Vector(n, {2, 2});
             n.Input(kI64, {}).Output(kI64);
           },
       .inputs = {{}, BytesOf(Longs{258})},
       .shapes = {{2, 2}},
       .outputs = {BytesOf(Longs{258, 258, 258, 258})}},
      {.name = "range_downwards",
       .code = kLiteRtOpCodeTflRange,
       .build =
           [](NodeBuilder& n) {
             Scalar(n, 5);
             Scalar(n, 0);
             Scalar(n, -2);
             n.Output(kI32);
           },
       .shapes = {{3}},
       .outputs = {BytesOf(Ints{5, 3, 1})}},
      {.name = "range_of_floats",
       .code = kLiteRtOpCodeTflRange,
       .build =
           [](NodeBuilder& n) {
             for (float v : {0.0f, 1.0f, 0.25f}) n.Constant(kF32, {}, BytesOf(Floats{v}));
             n.Output(kF32);
           },
       .shapes = {{4}},
       .outputs = {BytesOf(Floats{0, 0.25f, 0.5f, 0.75f})}},
  });
}

TEST(IndexingOps, Scatter) {
  ExpectResults({
      {.name = "where",
       .code = kLiteRtOpCodeTflWhere,
       .build =
           [](NodeBuilder& n) {
             n.Constant(kBool, {2, 2}, {0, 1, 1, 0}).Output(kI64);
           },
       .shapes = {{2, 2}},
       .outputs = {BytesOf(Longs{0, 1, 1, 0})}},
      {.name = "scatter_nd_adds_up",
       .code = kLiteRtOpCodeTflScatterNd,
       .build =
           [](NodeBuilder& n) {
             n.Input(kI32, {3, 1}).Input(kF32, {3});
             Vector(n, {4});
             n.Output(kF32);
           },
       .inputs = {BytesOf(Ints{1, 3, 1}), BytesOf(Floats{1, 2, 4})},
       .shapes = {{4}},
       .outputs = {BytesOf(Floats{0, 5, 0, 2})}},
      {.name = "dynamic_update_slice_stays_inside",
       .code = kLiteRtOpCodeTflDynamicUpdateSlice,
       .build =
           [](NodeBuilder& n) {
             n.Input(kI32, {2, 3}).Input(kI32, {1, 2}).Input(kI32, {2}).Output(kI32);
           },
       .inputs = {BytesOf(Iota(6)), BytesOf(Ints{8, 9}), BytesOf(Ints{-3, 7})},
       .shapes = {{2, 3}},
       .outputs = {BytesOf(Ints{0, 8, 9, 3, 4, 5})}},
  });
}

TEST(IndexingOps, ArgMaxDoubtsWhereIntervalsTouch) {
  NodeBuilder node(kLiteRtOpCodeTflArgMax);
  node.Input(kF32, {4});
  Scalar(node, 0);
  node.Output(kI32);
  ASSERT_TRUE(node.Infer());
  OracleTensor in{
      .type = kF32, .shape = {4}, .values = {1, 0, 5, 5.5}, .bounds = {0.5, 0.5, 0.5, 0.5}};
  const OracleTensor* const inputs[] = {&in, nullptr};
  const auto out = RunOracle(node.node(), inputs);
  ASSERT_TRUE(out) << out.Error().Message();
  EXPECT_EQ((*out)[0].bytes, BytesOf(Ints{3}));
  EXPECT_EQ((*out)[0].bounds, (std::vector<double>{1}));
}

TEST(IndexingOps, UncertainIndicesAreRefused) {
  NodeBuilder node(kLiteRtOpCodeTflGather);
  node.Input(kF32, {4}).Input(kI32, {1}).Output(kF32);
  ASSERT_TRUE(node.Infer());
  OracleTensor in{.type = kF32, .shape = {4}, .values = {1, 2, 3, 4}, .bounds = {0, 0, 0, 0}};
  OracleTensor at{.type = kI32, .shape = {1}, .bounds = {1}, .bytes = BytesOf(Ints{2})};
  const OracleTensor* const inputs[] = {&in, &at};
  const auto out = RunOracle(node.node(), inputs);
  ASSERT_FALSE(out);
  EXPECT_EQ(out.Error().Status(), kLiteRtStatusErrorUnsupported);
  EXPECT_THAT(out.Error().Message(), HasSubstr("'in1'"));
}

}  // namespace
}  // namespace npukit::kernels
