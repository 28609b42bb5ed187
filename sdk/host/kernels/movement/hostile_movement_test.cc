// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Hostile nodes of operators that move elements: each is an error that names the operator, the tensor
// and what is wrong with it.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "sdk/host/kernels/testing/node_cases.h"
#include "sdk/host/kernels/testing/shorthand.h"

namespace npukit::kernels {
namespace {

using testing::Affine;
using testing::BytesOf;
using testing::ExpectErrors;
using testing::Ints;
using testing::kF32;
using testing::kI32;
using testing::kI8;
using testing::kNan;
using testing::kU8;
using testing::NodeBuilder;
using testing::Scalar;
using testing::Vector;

TEST(HostileMovement, OfReorderings) {
  ExpectErrors({
      {.name = "transpose_by_no_permutation",
       .code = kLiteRtOpCodeTflTranspose,
       .build =
           [](NodeBuilder& n) {
             n.Input(kI32, {2, 3});
             Vector(n, {1, 1});
             n.Output(kI32);
           },
       .says = {"TRANSPOSE", "'in1'", "permutation"}},
      {.name = "transpose_out_of_range",
       .code = kLiteRtOpCodeTflTranspose,
       .build =
           [](NodeBuilder& n) {
             n.Input(kI32, {2, 3});
             Vector(n, {0, 2});
             n.Output(kI32);
           },
       .says = {"TRANSPOSE", "'in1'", "2"}},
      {.name = "transpose_to_another_type",
       .code = kLiteRtOpCodeTflTranspose,
       .build =
           [](NodeBuilder& n) {
             n.Input(kI32, {2});
             Vector(n, {0});
             n.Output(kF32);
           },
       .says = {"TRANSPOSE", "'out0'", "'in0'"}},
      {.name = "reverse_axis_twice",
       .code = kLiteRtOpCodeTflReverseV2,
       .build =
           [](NodeBuilder& n) {
             n.Input(kI32, {2, 2});
             Vector(n, {1, -1});
             n.Output(kI32);
           },
       .says = {"REVERSE_V2", "'in1'"}},
      {.name = "product_of_dimensions_overflows",
       .code = kLiteRtOpCodeTflReverseV2,
       .build =
           [](NodeBuilder& n) {
             n.Input(kI32, {1 << 30, 1 << 30, 1 << 30});
             Vector(n, {0});
             n.Output(kI32);
           },
       .says = {"REVERSE_V2", "'in0'", "too large"}},
  });
}

TEST(HostileMovement, OfConcatenations) {
  ExpectErrors({
      {.name = "concatenation_axis",
       .code = kLiteRtOpCodeTflConcatenation,
       .options = ConcatenationOptions{.axis = 2},
       .build =
           [](NodeBuilder& n) {
             n.Input(kI32, {2, 3}).Input(kI32, {2, 3}).Output(kI32);
           },
       .says = {"CONCATENATION", "axis 2", "rank 2"}},
      {.name = "concatenation_of_shapes_that_do_not_fit",
       .code = kLiteRtOpCodeTflConcatenation,
       .options = ConcatenationOptions{.axis = 0},
       .build =
           [](NodeBuilder& n) {
             n.Input(kI32, {2, 3}).Input(kI32, {2, 4}).Output(kI32);
           },
       .says = {"CONCATENATION", "'in1'", "'in0'"}},
      {.name = "concatenation_overflow",
       .code = kLiteRtOpCodeTflConcatenation,
       .build = [](NodeBuilder& n) { n.Input(kI8, {1 << 30}).Input(kI8, {1 << 30}).Output(kI8); },
       .says = {"CONCATENATION", "2147483648"}},
      {.name = "concatenation_without_inputs",
       .code = kLiteRtOpCodeTflConcatenation,
       .build = [](NodeBuilder& n) { n.Output(kI8); },
       .says = {"CONCATENATION", "inputs"}},
      {.name = "concatenation_with_an_omitted_input",
       .code = kLiteRtOpCodeTflConcatenation,
       .build = [](NodeBuilder& n) { n.Input(kI8, {1}).Omitted().Output(kI8); },
       .says = {"CONCATENATION", "input 1 is missing"}},
      {.name = "concatenation_with_a_nan_scale",
       .code = kLiteRtOpCodeTflConcatenation,
       .build =
           [](NodeBuilder& n) { n.Input(kU8, {1}, Affine(kNan, 0)).Output(kU8, Affine(1, 0)); },
       .inputs = {{1}},
       .says = {"CONCATENATION", "'in0'", "scale"}},
      {.name = "concatenation_with_a_zero_scale",
       .code = kLiteRtOpCodeTflConcatenation,
       .build = [](NodeBuilder& n) { n.Input(kU8, {1}, Affine(1, 0)).Output(kU8, Affine(0, 0)); },
       .inputs = {{1}},
       .says = {"CONCATENATION", "'out0'", "scale"}},
      {.name = "concatenation_of_int8_scales",
       .code = kLiteRtOpCodeTflConcatenation,
       .build = [](NodeBuilder& n) { n.Input(kI8, {1}, Affine(1, 0)).Output(kI8, Affine(2, 0)); },
       .says = {"CONCATENATION", "'in0'", "'out0'"}},
  });
}

TEST(HostileMovement, OfDimensions) {
  ExpectErrors({
      {.name = "squeeze_of_two",
       .code = kLiteRtOpCodeTflSqueeze,
       .options = SqueezeOptions{.squeeze_dims = {1}},
       .build =
           [](NodeBuilder& n) {
             n.Input(kI32, {1, 2}).Output(kI32);
           },
       .says = {"SQUEEZE", "'in0'"}},
      {.name = "expand_dims_axis",
       .code = kLiteRtOpCodeTflExpandDims,
       .build =
           [](NodeBuilder& n) {
             n.Input(kI32, {1, 2});
             Scalar(n, 3);
             n.Output(kI32);
           },
       .says = {"EXPAND_DIMS", "axis 3"}},
      {.name = "expand_dims_beyond_8_dimensions",
       .code = kLiteRtOpCodeTflExpandDims,
       .build =
           [](NodeBuilder& n) {
             n.Input(kI32, {1, 1, 1, 1, 1, 1, 1, 1});
             Scalar(n, 0);
             n.Output(kI32);
           },
       .says = {"EXPAND_DIMS", "more than 8 dimensions"}},
      {.name = "pack_of_shapes_that_differ",
       .code = kLiteRtOpCodeTflPack,
       .options = PackOptions{.values_count = 2, .axis = 0},
       .build = [](NodeBuilder& n) { n.Input(kI32, {3}).Input(kI32, {4}).Output(kI32); },
       .says = {"PACK", "'in1'"}},
      {.name = "unpack_of_wrong_number",
       .code = kLiteRtOpCodeTflUnpack,
       .options = UnpackOptions{.num = 2, .axis = 0},
       .build = [](NodeBuilder& n) { n.Input(kI32, {3}).Output(kI32).Output(kI32); },
       .says = {"UNPACK", "'in0'"}},
  });
}

TEST(HostileMovement, OfSlices) {
  ExpectErrors({
      {.name = "slice_begins_outside",
       .code = kLiteRtOpCodeTflSlice,
       .build =
           [](NodeBuilder& n) {
             n.Input(kI32, {4});
             Vector(n, {5});
             Vector(n, {0});
             n.Output(kI32);
           },
       .says = {"SLICE", "'in1'", "5"}},
      {.name = "slice_is_too_long",
       .code = kLiteRtOpCodeTflSlice,
       .build =
           [](NodeBuilder& n) {
             n.Input(kI32, {4});
             Vector(n, {1});
             Vector(n, {std::numeric_limits<int32_t>::max()});
             n.Output(kI32);
           },
       .says = {"SLICE", "'in2'"}},
      {.name = "strided_slice_of_stride_0",
       .code = kLiteRtOpCodeTflStridedSlice,
       .build =
           [](NodeBuilder& n) {
             n.Input(kI32, {4});
             Vector(n, {0});
             Vector(n, {4});
             Vector(n, {0});
             n.Output(kI32);
           },
       .says = {"STRIDED_SLICE", "'in3'", "stride"}},
      {.name = "strided_slice_index_outside",
       .code = kLiteRtOpCodeTflStridedSlice,
       .options = StridedSliceOptions{.shrink_axis_mask = 1},
       .build =
           [](NodeBuilder& n) {
             n.Input(kI32, {4});
             Vector(n, {4});
             Vector(n, {5});
             Vector(n, {1});
             n.Output(kI32);
           },
       .says = {"STRIDED_SLICE", "'in1'", "index 4"}},
      {.name = "strided_slice_of_too_many_dimensions",
       .code = kLiteRtOpCodeTflStridedSlice,
       .options = StridedSliceOptions{.new_axis_mask = 4},
       .build =
           [](NodeBuilder& n) {
             n.Input(kI32, {4});
             for (int i = 0; i < 3; ++i) Vector(n, {1, 1, 1});
             n.Output(kI32);
           },
       .says = {"STRIDED_SLICE", "'in1'"}},
  });
}

TEST(HostileMovement, OfSplits) {
  ExpectErrors({
      {.name = "split_unevenly",
       .code = kLiteRtOpCodeTflSplit,
       .options = SplitOptions{.num_splits = 2},
       .build =
           [](NodeBuilder& n) {
             Scalar(n, 0);
             n.Input(kI32, {3}).Output(kI32).Output(kI32);
           },
       .says = {"SPLIT", "'in1'"}},
      {.name = "split_axis",
       .code = kLiteRtOpCodeTflSplit,
       .options = SplitOptions{.num_splits = 2},
       .build =
           [](NodeBuilder& n) {
             Scalar(n, -2);
             n.Input(kI32, {4}).Output(kI32).Output(kI32);
           },
       .says = {"SPLIT", "axis -2"}},
      {.name = "split_v_of_wrong_sum",
       .code = kLiteRtOpCodeTflSplitV,
       .options = SplitVOptions{.num_splits = 2},
       .build =
           [](NodeBuilder& n) {
             n.Input(kI32, {3});
             Vector(n, {1, 1});
             Scalar(n, 0);
             n.Output(kI32).Output(kI32);
           },
       .says = {"SPLIT_V", "'in1'"}},
  });
}

TEST(HostileMovement, OfRepetitions) {
  ExpectErrors({
      {.name = "tile_overflow",
       .code = kLiteRtOpCodeTflTile,
       .build =
           [](NodeBuilder& n) {
             n.Input(kI8, {1 << 20});
             Vector(n, {1 << 20});
             n.Output(kI8);
           },
       .says = {"TILE"}},
      {.name = "tile_negative",
       .code = kLiteRtOpCodeTflTile,
       .build =
           [](NodeBuilder& n) {
             n.Input(kI8, {2});
             Vector(n, {-1});
             n.Output(kI8);
           },
       .says = {"TILE", "'in1'"}},
      {.name = "broadcast_to_fewer",
       .code = kLiteRtOpCodeTflBroadcastTo,
       .build =
           [](NodeBuilder& n) {
             n.Input(kI8, {2});
             Vector(n, {3});
             n.Output(kI8);
           },
       .says = {"BROADCAST_TO", "'in0'"}},
  });
}

TEST(HostileMovement, OfBlocks) {
  ExpectErrors({
      {.name = "space_to_depth_block",
       .code = kLiteRtOpCodeTflSpaceToDepth,
       .options = SpaceToDepthOptions{.block_size = 0},
       .build =
           [](NodeBuilder& n) {
             n.Input(kI8, {1, 2, 2, 1}).Output(kI8);
           },
       .says = {"SPACE_TO_DEPTH", "block size 0"}},
      {.name = "depth_to_space_channels",
       .code = kLiteRtOpCodeTflDepthToSpace,
       .options = DepthToSpaceOptions{.block_size = 2},
       .build =
           [](NodeBuilder& n) {
             n.Input(kI8, {1, 2, 2, 3}).Output(kI8);
           },
       .says = {"DEPTH_TO_SPACE", "'in0'"}},
      {.name = "depth_to_space_of_a_huge_block",
       .code = kLiteRtOpCodeTflDepthToSpace,
       .options = DepthToSpaceOptions{.block_size = std::numeric_limits<int32_t>::max()},
       .build =
           [](NodeBuilder& n) {
             n.Input(kI8, {1, 2, 2, 3}).Output(kI8);
           },
       .says = {"DEPTH_TO_SPACE", "'in0'"}},
      {.name = "space_to_batch_of_block_0",
       .code = kLiteRtOpCodeTflSpaceToBatchNd,
       .build =
           [](NodeBuilder& n) {
             n.Input(kI8, {1, 3, 1});
             Vector(n, {0});
             n.Constant(kI32, {1, 2}, BytesOf(Ints{0, 0})).Output(kI8);
           },
       .says = {"SPACE_TO_BATCH_ND", "'in1'"}},
      {.name = "batch_to_space_crops_too_much",
       .code = kLiteRtOpCodeTflBatchToSpaceNd,
       .build =
           [](NodeBuilder& n) {
             n.Input(kI8, {2, 1, 1});
             Vector(n, {2});
             n.Constant(kI32, {1, 2}, BytesOf(Ints{2, 1})).Output(kI8);
           },
       .says = {"BATCH_TO_SPACE_ND", "'in2'"}},
  });
}

TEST(HostileMovement, OfPaddingAndResizing) {
  ExpectErrors({
      {.name = "mirror_pad_too_wide",
       .code = kLiteRtOpCodeTflMirrorPad,
       .build =
           [](NodeBuilder& n) {
             n.Input(kI32, {3}).Constant(kI32, {1, 2}, BytesOf(Ints{3, 0})).Output(kI32);
           },
       .says = {"MIRROR_PAD", "'in1'"}},
      {.name = "resize_of_nothing",
       .code = kLiteRtOpCodeTflResizeBilinear,
       .build =
           [](NodeBuilder& n) {
             n.Input(kI8, {1, 0, 2, 1});
             Vector(n, {2, 2});
             n.Output(kI8);
           },
       .says = {"RESIZE_BILINEAR", "'in0'"}},
      {.name = "resize_in_both_modes",
       .code = kLiteRtOpCodeTflResizeBilinear,
       .options = ResizeBilinearOptions{.align_corners = true, .half_pixel_centers = true},
       .build =
           [](NodeBuilder& n) {
             n.Input(kI8, {1, 1, 2, 1});
             Vector(n, {2, 2});
             n.Output(kI8);
           },
       .says = {"RESIZE_BILINEAR", "half-pixel"}},
      {.name = "resize_to_nothing",
       .code = kLiteRtOpCodeTflResizeNearestNeighbor,
       .build =
           [](NodeBuilder& n) {
             n.Input(kI8, {1, 2, 2, 1});
             Vector(n, {0, 2});
             n.Output(kI8);
           },
       .says = {"RESIZE_NEAREST_NEIGHBOR", "'in1'"}},
  });
}

}  // namespace
}  // namespace npukit::kernels
