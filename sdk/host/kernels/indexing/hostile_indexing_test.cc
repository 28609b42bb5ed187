// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Hostile nodes of operators that select, index and number elements: each is an error that names the
// operator, the tensor and what is wrong with it.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sdk/host/kernels/testing/node_cases.h"
#include "sdk/host/kernels/testing/shorthand.h"

namespace npukit::kernels {
namespace {

using testing::Affine;
using testing::BytesOf;
using testing::ExpectErrors;
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

TEST(HostileIndexing, OfGathering) {
  ExpectErrors({
      {.name = "gather_index_outside",
       .code = kLiteRtOpCodeTflGather,
       .build = [](NodeBuilder& n) { n.Input(kI32, {3}).Input(kI32, {2}).Output(kI32); },
       .inputs = {BytesOf(Iota(3)), BytesOf(Ints{0, 3})},
       .says = {"GATHER", "'in1'", "index 3 at element 1"}},
      {.name = "gather_negative_index",
       .code = kLiteRtOpCodeTflGather,
       .build = [](NodeBuilder& n) { n.Input(kI32, {3}).Input(kI64, {1}).Output(kI32); },
       .inputs = {BytesOf(Iota(3)), BytesOf(Longs{-1})},
       .says = {"GATHER", "'in1'", "index -1"}},
      {.name = "gather_from_nothing",
       .code = kLiteRtOpCodeTflGather,
       .build = [](NodeBuilder& n) { n.Input(kI32, {0}).Input(kI32, {1}).Output(kI32); },
       .inputs = {{}, BytesOf(Ints{0})},
       .says = {"GATHER", "'in1'", "index 0"}},
      {.name = "gather_axis",
       .code = kLiteRtOpCodeTflGather,
       .options = GatherOptions{.axis = 1},
       .build = [](NodeBuilder& n) { n.Input(kI32, {3}).Input(kI32, {1}).Output(kI32); },
       .says = {"GATHER", "axis 1"}},
      {.name = "gather_batch_dims",
       .code = kLiteRtOpCodeTflGather,
       .options = GatherOptions{.axis = 0, .batch_dims = 1},
       .build = [](NodeBuilder& n) { n.Input(kI32, {3}).Input(kI32, {3}).Output(kI32); },
       .says = {"GATHER", "batch_dims 1"}},
      {.name = "stablehlo_gather_maps_a_dimension_twice",
       .code = kLiteRtOpCodeShloGather,
       .options =
           StablehloGatherOptions{
               .start_index_map = {0, 0}, .index_vector_dim = 1, .slice_sizes = {1}},
       .build =
           [](NodeBuilder& n) {
             n.Input(kI32, {10}).Input(kI32, {1, 2}).Output(kI32);
           },
       .inputs = {BytesOf(Iota(10)), BytesOf(Ints{9, 9})},
       .says = {"STABLEHLO_GATHER", "names a dimension twice"}},
      {.name = "gather_nd_index_outside",
       .code = kLiteRtOpCodeTflGatherNd,
       .build =
           [](NodeBuilder& n) {
             n.Input(kI32, {2, 2}).Input(kI32, {1, 2}).Output(kI32);
           },
       .inputs = {BytesOf(Iota(4)), BytesOf(Ints{0, 2})},
       .says = {"GATHER_ND", "'in1'", "index 2 at element 1"}},
      {.name = "gather_nd_too_deep",
       .code = kLiteRtOpCodeTflGatherNd,
       .build =
           [](NodeBuilder& n) {
             n.Input(kI32, {2}).Input(kI32, {1, 2}).Output(kI32);
           },
       .says = {"GATHER_ND", "'in1'"}},
  });
}

TEST(HostileIndexing, OfExtremes) {
  ExpectErrors({
      {.name = "arg_max_of_nothing",
       .code = kLiteRtOpCodeTflArgMax,
       .build =
           [](NodeBuilder& n) {
             n.Input(kF32, {2, 0});
             Scalar(n, 1);
             n.Output(kI32);
           },
       .says = {"ARG_MAX", "'in0'"}},
      {.name = "arg_min_axis",
       .code = kLiteRtOpCodeTflArgMin,
       .build =
           [](NodeBuilder& n) {
             n.Input(kF32, {2});
             Scalar(n, 1);
             n.Output(kI32);
           },
       .says = {"ARG_MIN", "axis 1"}},
      {.name = "top_k_of_too_many",
       .code = kLiteRtOpCodeTflTopkV2,
       .build =
           [](NodeBuilder& n) {
             n.Input(kF32, {2});
             Scalar(n, 3);
             n.Output(kF32).Output(kI32);
           },
       .says = {"TOPK_V2", "'in1'"}},
  });
}

TEST(HostileIndexing, OfLookups) {
  ExpectErrors({
      {.name = "one_hot_of_negative_depth",
       .code = kLiteRtOpCodeTflOneHot,
       .options = OneHotOptions{.axis = -1},
       .build =
           [](NodeBuilder& n) {
             n.Input(kI32, {2});
             Scalar(n, -1);
             Scalar(n, 1);
             Scalar(n, 0);
             n.Output(kI32);
           },
       .says = {"ONE_HOT", "-1"}},
      {.name = "where_of_a_scalar",
       .code = kLiteRtOpCodeTflWhere,
       .build = [](NodeBuilder& n) { n.Input(kBool, {}).Output(kI64); },
       .inputs = {{1}},
       .says = {"WHERE", "'in0'", "at least one dimension"}},
      {.name = "embedding_lookup_outside",
       .code = kLiteRtOpCodeTflEmbeddingLookup,
       .build =
           [](NodeBuilder& n) {
             n.Input(kI32, {1}).Input(kF32, {2, 1}).Output(kF32);
           },
       .inputs = {BytesOf(Ints{2}), BytesOf(Floats{1, 2})},
       .says = {"EMBEDDING_LOOKUP", "'in0'", "index 2"}},
      {.name = "embedding_lookup_with_scale_0",
       .code = kLiteRtOpCodeTflEmbeddingLookup,
       .build =
           [](NodeBuilder& n) {
             n.Input(kI32, {1}).Input(kI8, {2, 1}, Affine(0, 0)).Output(kF32);
           },
       .inputs = {BytesOf(Ints{0}), {1, 2}},
       .says = {"EMBEDDING_LOOKUP", "'in1'", "scale"}},
  });
}

TEST(HostileIndexing, OfSeries) {
  ExpectErrors({
      {.name = "cumsum_axis",
       .code = kLiteRtOpCodeTflCumsum,
       .build =
           [](NodeBuilder& n) {
             n.Input(kI32, {});
             Scalar(n, 0);
             n.Output(kI32);
           },
       .says = {"CUMSUM", "axis 0"}},
      {.name = "fill_of_negative_size",
       .code = kLiteRtOpCodeTflFill,
       .build =
           [](NodeBuilder& n) {
             Vector(n, {-1});
             n.Input(kI32, {}).Output(kI32);
           },
       .says = {"FILL", "-1"}},
      {.name = "range_that_never_arrives",
       .code = kLiteRtOpCodeTflRange,
       .build =
           [](NodeBuilder& n) {
             Scalar(n, 0);
             Scalar(n, 5);
             Scalar(n, 0);
             n.Output(kI32);
           },
       .says = {"RANGE", "'in2'"}},
      {.name = "range_of_nan",
       .code = kLiteRtOpCodeTflRange,
       .build =
           [](NodeBuilder& n) {
             for (float v : {0.0f, kNan, 1.0f}) n.Constant(kF32, {}, BytesOf(Floats{v}));
             n.Output(kF32);
           },
       .says = {"RANGE"}},
  });
}

TEST(HostileIndexing, OfScattering) {
  ExpectErrors({
      {.name = "where_of_what_is_not_known",
       .code = kLiteRtOpCodeTflWhere,
       .build = [](NodeBuilder& n) { n.Input(kBool, {2}).Output(kI64); },
       .says = {"input 0"}},
      {.name = "scatter_nd_outside",
       .code = kLiteRtOpCodeTflScatterNd,
       .build =
           [](NodeBuilder& n) {
             n.Input(kI32, {1, 1}).Input(kF32, {1});
             Vector(n, {4});
             n.Output(kF32);
           },
       .inputs = {BytesOf(Ints{4}), BytesOf(Floats{1})},
       .says = {"SCATTER_ND", "'in0'", "index 4"}},
      {.name = "scatter_nd_updates_that_do_not_fit",
       .code = kLiteRtOpCodeTflScatterNd,
       .build =
           [](NodeBuilder& n) {
             n.Input(kI32, {1, 1}).Input(kF32, {2});
             Vector(n, {4});
             n.Output(kF32);
           },
       .says = {"SCATTER_ND", "'in1'"}},
      {.name = "dynamic_update_slice_that_does_not_fit",
       .code = kLiteRtOpCodeTflDynamicUpdateSlice,
       .build =
           [](NodeBuilder& n) {
             n.Input(kI32, {2}).Input(kI32, {3}).Input(kI32, {1}).Output(kI32);
           },
       .says = {"DYNAMIC_UPDATE_SLICE", "'in1'"}},
  });
}

}  // namespace
}  // namespace npukit::kernels
