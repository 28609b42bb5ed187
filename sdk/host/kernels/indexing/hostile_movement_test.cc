// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Hostile nodes of operators that move, select and index elements: each is an error that names the
// operator, the tensor and what is wrong with it.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <string>

#include "sdk/host/kernels/testing/node_builder.h"
#include "sdk/host/kernels/testing/shorthand.h"
#include "sdk/host/model/options/op_options.h"

namespace npukit::kernels {
namespace {

using testing::Affine;
using testing::BytesOf;
using ::testing::HasSubstr;
using testing::NodeBuilder;

using testing::Bytes;
using testing::Floats;
using testing::Ints;
using testing::Iota;
using testing::kBool;
using testing::kF32;
using testing::kI32;
using testing::kI64;
using testing::kI8;
using testing::kNan;
using testing::kU8;
using testing::Longs;
using testing::Scalar;
using testing::Vector;

struct HostileCase {
  std::string name;
  LiteRtOpCode code;
  OpOptions options;
  std::function<void(NodeBuilder&)> build;
  std::vector<std::vector<uint8_t>> inputs;
  std::vector<std::string> says;  // beside the operator's name
};

std::vector<HostileCase> HostileCases() {
  return {
      {"transpose_by_no_permutation",
       kLiteRtOpCodeTflTranspose,
       {},
       [](NodeBuilder& n) {
         n.Input(kI32, {2, 3});
         Vector(n, {1, 1});
         n.Output(kI32);
       },
       {},
       {"TRANSPOSE", "'in1'", "permutation"}},
      {"transpose_out_of_range",
       kLiteRtOpCodeTflTranspose,
       {},
       [](NodeBuilder& n) {
         n.Input(kI32, {2, 3});
         Vector(n, {0, 2});
         n.Output(kI32);
       },
       {},
       {"TRANSPOSE", "'in1'", "2"}},
      {"transpose_to_another_type",
       kLiteRtOpCodeTflTranspose,
       {},
       [](NodeBuilder& n) {
         n.Input(kI32, {2});
         Vector(n, {0});
         n.Output(kF32);
       },
       {},
       {"TRANSPOSE", "'out0'", "'in0'"}},
      {"concatenation_axis",
       kLiteRtOpCodeTflConcatenation,
       ConcatenationOptions{.axis = 2},
       [](NodeBuilder& n) {
         n.Input(kI32, {2, 3}).Input(kI32, {2, 3}).Output(kI32);
       },
       {},
       {"CONCATENATION", "axis 2", "rank 2"}},
      {"concatenation_of_shapes_that_do_not_fit",
       kLiteRtOpCodeTflConcatenation,
       ConcatenationOptions{.axis = 0},
       [](NodeBuilder& n) {
         n.Input(kI32, {2, 3}).Input(kI32, {2, 4}).Output(kI32);
       },
       {},
       {"CONCATENATION", "'in1'", "'in0'"}},
      {"concatenation_overflow",
       kLiteRtOpCodeTflConcatenation,
       {},
       [](NodeBuilder& n) { n.Input(kI8, {1 << 30}).Input(kI8, {1 << 30}).Output(kI8); },
       {},
       {"CONCATENATION", "2147483648"}},
      {"concatenation_without_inputs",
       kLiteRtOpCodeTflConcatenation,
       {},
       [](NodeBuilder& n) { n.Output(kI8); },
       {},
       {"CONCATENATION", "inputs"}},
      {"concatenation_with_an_omitted_input",
       kLiteRtOpCodeTflConcatenation,
       {},
       [](NodeBuilder& n) { n.Input(kI8, {1}).Omitted().Output(kI8); },
       {},
       {"CONCATENATION", "input 1 is missing"}},
      {"concatenation_with_a_nan_scale",
       kLiteRtOpCodeTflConcatenation,
       {},
       [](NodeBuilder& n) { n.Input(kU8, {1}, Affine(kNan, 0)).Output(kU8, Affine(1, 0)); },
       {{1}},
       {"CONCATENATION", "'in0'", "scale"}},
      {"concatenation_with_a_zero_scale",
       kLiteRtOpCodeTflConcatenation,
       {},
       [](NodeBuilder& n) { n.Input(kU8, {1}, Affine(1, 0)).Output(kU8, Affine(0, 0)); },
       {{1}},
       {"CONCATENATION", "'out0'", "scale"}},
      {"concatenation_of_int8_scales",
       kLiteRtOpCodeTflConcatenation,
       {},
       [](NodeBuilder& n) { n.Input(kI8, {1}, Affine(1, 0)).Output(kI8, Affine(2, 0)); },
       {},
       {"CONCATENATION", "'in0'", "'out0'"}},
      {"squeeze_of_two",
       kLiteRtOpCodeTflSqueeze,
       SqueezeOptions{.squeeze_dims = {1}},
       [](NodeBuilder& n) {
         n.Input(kI32, {1, 2}).Output(kI32);
       },
       {},
       {"SQUEEZE", "'in0'"}},
      {"expand_dims_axis",
       kLiteRtOpCodeTflExpandDims,
       {},
       [](NodeBuilder& n) {
         n.Input(kI32, {1, 2});
         Scalar(n, 3);
         n.Output(kI32);
       },
       {},
       {"EXPAND_DIMS", "axis 3"}},
      {"slice_begins_outside",
       kLiteRtOpCodeTflSlice,
       {},
       [](NodeBuilder& n) {
         n.Input(kI32, {4});
         Vector(n, {5});
         Vector(n, {0});
         n.Output(kI32);
       },
       {},
       {"SLICE", "'in1'", "5"}},
      {"slice_is_too_long",
       kLiteRtOpCodeTflSlice,
       {},
       [](NodeBuilder& n) {
         n.Input(kI32, {4});
         Vector(n, {1});
         Vector(n, {std::numeric_limits<int32_t>::max()});
         n.Output(kI32);
       },
       {},
       {"SLICE", "'in2'"}},
      {"strided_slice_of_stride_0",
       kLiteRtOpCodeTflStridedSlice,
       {},
       [](NodeBuilder& n) {
         n.Input(kI32, {4});
         Vector(n, {0});
         Vector(n, {4});
         Vector(n, {0});
         n.Output(kI32);
       },
       {},
       {"STRIDED_SLICE", "'in3'", "stride"}},
      {"strided_slice_index_outside",
       kLiteRtOpCodeTflStridedSlice,
       StridedSliceOptions{.shrink_axis_mask = 1},
       [](NodeBuilder& n) {
         n.Input(kI32, {4});
         Vector(n, {4});
         Vector(n, {5});
         Vector(n, {1});
         n.Output(kI32);
       },
       {},
       {"STRIDED_SLICE", "'in1'", "index 4"}},
      {"strided_slice_of_too_many_dimensions",
       kLiteRtOpCodeTflStridedSlice,
       {},
       [](NodeBuilder& n) {
         n.Input(kI32, {4});
         for (int i = 0; i < 3; ++i) Vector(n, {1, 1});
         n.Output(kI32);
       },
       {},
       {"STRIDED_SLICE", "'in1'"}},
      {"split_unevenly",
       kLiteRtOpCodeTflSplit,
       SplitOptions{.num_splits = 2},
       [](NodeBuilder& n) {
         Scalar(n, 0);
         n.Input(kI32, {3}).Output(kI32).Output(kI32);
       },
       {},
       {"SPLIT", "'in1'"}},
      {"split_axis",
       kLiteRtOpCodeTflSplit,
       SplitOptions{.num_splits = 2},
       [](NodeBuilder& n) {
         Scalar(n, -2);
         n.Input(kI32, {4}).Output(kI32).Output(kI32);
       },
       {},
       {"SPLIT", "axis -2"}},
      {"split_v_of_wrong_sum",
       kLiteRtOpCodeTflSplitV,
       SplitVOptions{.num_splits = 2},
       [](NodeBuilder& n) {
         n.Input(kI32, {3});
         Vector(n, {1, 1});
         Scalar(n, 0);
         n.Output(kI32).Output(kI32);
       },
       {},
       {"SPLIT_V", "'in1'"}},
      {"unpack_of_wrong_number",
       kLiteRtOpCodeTflUnpack,
       UnpackOptions{.num = 2, .axis = 0},
       [](NodeBuilder& n) { n.Input(kI32, {3}).Output(kI32).Output(kI32); },
       {},
       {"UNPACK", "'in0'"}},
      {"pack_of_shapes_that_differ",
       kLiteRtOpCodeTflPack,
       PackOptions{.values_count = 2, .axis = 0},
       [](NodeBuilder& n) { n.Input(kI32, {3}).Input(kI32, {4}).Output(kI32); },
       {},
       {"PACK", "'in1'"}},
      {"gather_index_outside",
       kLiteRtOpCodeTflGather,
       {},
       [](NodeBuilder& n) { n.Input(kI32, {3}).Input(kI32, {2}).Output(kI32); },
       {BytesOf(Iota(3)), BytesOf(Ints{0, 3})},
       {"GATHER", "'in1'", "index 3 at element 1"}},
      {"gather_negative_index",
       kLiteRtOpCodeTflGather,
       {},
       [](NodeBuilder& n) { n.Input(kI32, {3}).Input(kI64, {1}).Output(kI32); },
       {BytesOf(Iota(3)), BytesOf(Longs{-1})},
       {"GATHER", "'in1'", "index -1"}},
      {"gather_from_nothing",
       kLiteRtOpCodeTflGather,
       {},
       [](NodeBuilder& n) { n.Input(kI32, {0}).Input(kI32, {1}).Output(kI32); },
       {{}, BytesOf(Ints{0})},
       {"GATHER", "'in1'", "index 0"}},
      {"gather_axis",
       kLiteRtOpCodeTflGather,
       GatherOptions{.axis = 1},
       [](NodeBuilder& n) { n.Input(kI32, {3}).Input(kI32, {1}).Output(kI32); },
       {},
       {"GATHER", "axis 1"}},
      {"gather_batch_dims",
       kLiteRtOpCodeTflGather,
       GatherOptions{.axis = 0, .batch_dims = 1},
       [](NodeBuilder& n) { n.Input(kI32, {3}).Input(kI32, {3}).Output(kI32); },
       {},
       {"GATHER", "batch_dims 1"}},
      {"gather_nd_index_outside",
       kLiteRtOpCodeTflGatherNd,
       {},
       [](NodeBuilder& n) {
         n.Input(kI32, {2, 2}).Input(kI32, {1, 2}).Output(kI32);
       },
       {BytesOf(Iota(4)), BytesOf(Ints{0, 2})},
       {"GATHER_ND", "'in1'", "index 2 at element 1"}},
      {"gather_nd_too_deep",
       kLiteRtOpCodeTflGatherNd,
       {},
       [](NodeBuilder& n) {
         n.Input(kI32, {2}).Input(kI32, {1, 2}).Output(kI32);
       },
       {},
       {"GATHER_ND", "'in1'"}},
      {"tile_overflow",
       kLiteRtOpCodeTflTile,
       {},
       [](NodeBuilder& n) {
         n.Input(kI8, {1 << 20});
         Vector(n, {1 << 20});
         n.Output(kI8);
       },
       {},
       {"TILE"}},
      {"tile_negative",
       kLiteRtOpCodeTflTile,
       {},
       [](NodeBuilder& n) {
         n.Input(kI8, {2});
         Vector(n, {-1});
         n.Output(kI8);
       },
       {},
       {"TILE", "'in1'"}},
      {"broadcast_to_fewer",
       kLiteRtOpCodeTflBroadcastTo,
       {},
       [](NodeBuilder& n) {
         n.Input(kI8, {2});
         Vector(n, {3});
         n.Output(kI8);
       },
       {},
       {"BROADCAST_TO", "'in0'"}},
      {"space_to_depth_block",
       kLiteRtOpCodeTflSpaceToDepth,
       SpaceToDepthOptions{.block_size = 0},
       [](NodeBuilder& n) {
         n.Input(kI8, {1, 2, 2, 1}).Output(kI8);
       },
       {},
       {"SPACE_TO_DEPTH", "block size 0"}},
      {"depth_to_space_channels",
       kLiteRtOpCodeTflDepthToSpace,
       DepthToSpaceOptions{.block_size = 2},
       [](NodeBuilder& n) {
         n.Input(kI8, {1, 2, 2, 3}).Output(kI8);
       },
       {},
       {"DEPTH_TO_SPACE", "'in0'"}},
      {"depth_to_space_of_a_huge_block",
       kLiteRtOpCodeTflDepthToSpace,
       DepthToSpaceOptions{.block_size = std::numeric_limits<int32_t>::max()},
       [](NodeBuilder& n) {
         n.Input(kI8, {1, 2, 2, 3}).Output(kI8);
       },
       {},
       {"DEPTH_TO_SPACE", "'in0'"}},
      {"space_to_batch_of_block_0",
       kLiteRtOpCodeTflSpaceToBatchNd,
       {},
       [](NodeBuilder& n) {
         n.Input(kI8, {1, 3, 1});
         Vector(n, {0});
         n.Constant(kI32, {1, 2}, BytesOf(Ints{0, 0})).Output(kI8);
       },
       {},
       {"SPACE_TO_BATCH_ND", "'in1'"}},
      {"batch_to_space_crops_too_much",
       kLiteRtOpCodeTflBatchToSpaceNd,
       {},
       [](NodeBuilder& n) {
         n.Input(kI8, {2, 1, 1});
         Vector(n, {2});
         n.Constant(kI32, {1, 2}, BytesOf(Ints{2, 1})).Output(kI8);
       },
       {},
       {"BATCH_TO_SPACE_ND", "'in2'"}},
      {"mirror_pad_too_wide",
       kLiteRtOpCodeTflMirrorPad,
       {},
       [](NodeBuilder& n) {
         n.Input(kI32, {3}).Constant(kI32, {1, 2}, BytesOf(Ints{3, 0})).Output(kI32);
       },
       {},
       {"MIRROR_PAD", "'in1'"}},
      {"arg_max_of_nothing",
       kLiteRtOpCodeTflArgMax,
       {},
       [](NodeBuilder& n) {
         n.Input(kF32, {2, 0});
         Scalar(n, 1);
         n.Output(kI32);
       },
       {},
       {"ARG_MAX", "'in0'"}},
      {"arg_min_axis",
       kLiteRtOpCodeTflArgMin,
       {},
       [](NodeBuilder& n) {
         n.Input(kF32, {2});
         Scalar(n, 1);
         n.Output(kI32);
       },
       {},
       {"ARG_MIN", "axis 1"}},
      {"top_k_of_too_many",
       kLiteRtOpCodeTflTopkV2,
       {},
       [](NodeBuilder& n) {
         n.Input(kF32, {2});
         Scalar(n, 3);
         n.Output(kF32).Output(kI32);
       },
       {},
       {"TOPK_V2", "'in1'"}},
      {"one_hot_of_negative_depth",
       kLiteRtOpCodeTflOneHot,
       OneHotOptions{.axis = -1},
       [](NodeBuilder& n) {
         n.Input(kI32, {2});
         Scalar(n, -1);
         Scalar(n, 1);
         Scalar(n, 0);
         n.Output(kI32);
       },
       {},
       {"ONE_HOT", "-1"}},
      {"cumsum_axis",
       kLiteRtOpCodeTflCumsum,
       {},
       [](NodeBuilder& n) {
         n.Input(kI32, {});
         Scalar(n, 0);
         n.Output(kI32);
       },
       {},
       {"CUMSUM", "axis 0"}},
      {"embedding_lookup_outside",
       kLiteRtOpCodeTflEmbeddingLookup,
       {},
       [](NodeBuilder& n) {
         n.Input(kI32, {1}).Input(kF32, {2, 1}).Output(kF32);
       },
       {BytesOf(Ints{2}), BytesOf(Floats{1, 2})},
       {"EMBEDDING_LOOKUP", "'in0'", "index 2"}},
      {"embedding_lookup_with_scale_0",
       kLiteRtOpCodeTflEmbeddingLookup,
       {},
       [](NodeBuilder& n) {
         n.Input(kI32, {1}).Input(kI8, {2, 1}, Affine(0, 0)).Output(kF32);
       },
       {BytesOf(Ints{0}), {1, 2}},
       {"EMBEDDING_LOOKUP", "'in1'", "scale"}},
      {"resize_to_nothing",
       kLiteRtOpCodeTflResizeNearestNeighbor,
       {},
       [](NodeBuilder& n) {
         n.Input(kI8, {1, 2, 2, 1});
         Vector(n, {0, 2});
         n.Output(kI8);
       },
       {},
       {"RESIZE_NEAREST_NEIGHBOR", "'in1'"}},
      {"resize_of_nothing",
       kLiteRtOpCodeTflResizeBilinear,
       {},
       [](NodeBuilder& n) {
         n.Input(kI8, {1, 0, 2, 1});
         Vector(n, {2, 2});
         n.Output(kI8);
       },
       {},
       {"RESIZE_BILINEAR", "'in0'"}},
      {"resize_in_both_modes",
       kLiteRtOpCodeTflResizeBilinear,
       ResizeBilinearOptions{.align_corners = true, .half_pixel_centers = true},
       [](NodeBuilder& n) {
         n.Input(kI8, {1, 1, 2, 1});
         Vector(n, {2, 2});
         n.Output(kI8);
       },
       {},
       {"RESIZE_BILINEAR", "half-pixel"}},
      {"fill_of_negative_size",
       kLiteRtOpCodeTflFill,
       {},
       [](NodeBuilder& n) {
         Vector(n, {-1});
         n.Input(kI32, {}).Output(kI32);
       },
       {},
       {"FILL", "-1"}},
      {"range_that_never_arrives",
       kLiteRtOpCodeTflRange,
       {},
       [](NodeBuilder& n) {
         Scalar(n, 0);
         Scalar(n, 5);
         Scalar(n, 0);
         n.Output(kI32);
       },
       {},
       {"RANGE", "'in2'"}},
      {"range_of_nan",
       kLiteRtOpCodeTflRange,
       {},
       [](NodeBuilder& n) {
         for (float v : {0.0f, kNan, 1.0f}) n.Constant(kF32, {}, BytesOf(Floats{v}));
         n.Output(kF32);
       },
       {},
       {"RANGE"}},
      {"reverse_axis_twice",
       kLiteRtOpCodeTflReverseV2,
       {},
       [](NodeBuilder& n) {
         n.Input(kI32, {2, 2});
         Vector(n, {1, -1});
         n.Output(kI32);
       },
       {},
       {"REVERSE_V2", "'in1'"}},
      {"where_of_what_is_not_known",
       kLiteRtOpCodeTflWhere,
       {},
       [](NodeBuilder& n) { n.Input(kBool, {2}).Output(kI64); },
       {},
       {"input 0"}},
      {"scatter_nd_outside",
       kLiteRtOpCodeTflScatterNd,
       {},
       [](NodeBuilder& n) {
         n.Input(kI32, {1, 1}).Input(kF32, {1});
         Vector(n, {4});
         n.Output(kF32);
       },
       {BytesOf(Ints{4}), BytesOf(Floats{1})},
       {"SCATTER_ND", "'in0'", "index 4"}},
      {"scatter_nd_updates_that_do_not_fit",
       kLiteRtOpCodeTflScatterNd,
       {},
       [](NodeBuilder& n) {
         n.Input(kI32, {1, 1}).Input(kF32, {2});
         Vector(n, {4});
         n.Output(kF32);
       },
       {},
       {"SCATTER_ND", "'in1'"}},
      {"dynamic_update_slice_that_does_not_fit",
       kLiteRtOpCodeTflDynamicUpdateSlice,
       {},
       [](NodeBuilder& n) { n.Input(kI32, {2}).Input(kI32, {3}).Input(kI32, {1}).Output(kI32); },
       {},
       {"DYNAMIC_UPDATE_SLICE", "'in1'"}},
      {"expand_dims_beyond_8_dimensions",
       kLiteRtOpCodeTflExpandDims,
       {},
       [](NodeBuilder& n) {
         n.Input(kI32, {1, 1, 1, 1, 1, 1, 1, 1});
         Scalar(n, 0);
         n.Output(kI32);
       },
       {},
       {"EXPAND_DIMS", "more than 8 dimensions"}},
      {"product_of_dimensions_overflows",
       kLiteRtOpCodeTflReverseV2,
       {},
       [](NodeBuilder& n) {
         n.Input(kI32, {1 << 30, 1 << 30, 1 << 30});
         Vector(n, {0});
         n.Output(kI32);
       },
       {},
       {"REVERSE_V2", "'in0'", "too large"}},
  };
}

TEST(HostileMovement, NodesAreErrorsThatSayWhatIsWrong) {
  for (const HostileCase& c : HostileCases()) {
    SCOPED_TRACE(c.name);
    NodeBuilder node(c.code, c.options);
    c.build(node);
    const auto outputs = node.Run(c.inputs);
    ASSERT_FALSE(outputs);
    for (const std::string& part : c.says) EXPECT_THAT(outputs.Error().Message(), HasSubstr(part));
  }
}

}  // namespace
}  // namespace npukit::kernels
