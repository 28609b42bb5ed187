// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Operators that move elements: results for small inputs by hand, the oracle held against the kernel on
// each. Larger shapes come from the corpus.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "sdk/host/kernels/testing/node_cases.h"
#include "sdk/host/kernels/testing/shorthand.h"

namespace npukit::kernels {
namespace {

using testing::Affine;
using testing::Bytes;
using testing::BytesOf;
using testing::ExpectResults;
using testing::Floats;
using testing::Ints;
using testing::Iota;
using testing::kF32;
using testing::kI32;
using testing::kI64;
using testing::kI8;
using testing::kU8;
using testing::Longs;
using testing::NodeBuilder;
using testing::Scalar;
using testing::Vector;

TEST(MovementOps, Reorder) {
  ExpectResults({
      {.name = "transpose",
       .code = kLiteRtOpCodeTflTranspose,
       .build =
           [](NodeBuilder& n) {
             n.Input(kI32, {2, 3});
             Vector(n, {1, 0});
             n.Output(kI32);
           },
       .inputs = {BytesOf(Ints{0, 1, 2, 3, 4, 5})},
       .shapes = {{3, 2}},
       .outputs = {BytesOf(Ints{0, 3, 1, 4, 2, 5})}},
      {.name = "transpose_with_negative_dimensions",
       .code = kLiteRtOpCodeTflTranspose,
       .build =
           [](NodeBuilder& n) {
             n.Input(kI8, {1, 2, 2});
             Vector(n, {-1, 0, 1});
             n.Output(kI8);
           },
       .inputs = {BytesOf(Bytes{0, 1, 2, 3})},
       .shapes = {{2, 1, 2}},
       .outputs = {BytesOf(Bytes{0, 2, 1, 3})}},
      {.name = "reverse",
       .code = kLiteRtOpCodeTflReverseV2,
       .build =
           [](NodeBuilder& n) {
             n.Input(kI32, {2, 2});
             Vector(n, {-1, 0});
             n.Output(kI32);
           },
       .inputs = {BytesOf(Iota(4))},
       .shapes = {{2, 2}},
       .outputs = {BytesOf(Ints{3, 2, 1, 0})}},
  });
}

// Two to a byte, the first in the lower half.
TEST(MovementOps, MoveHalvesOfBytes) {
  constexpr auto kI4 = kLiteRtElementTypeInt4;
  ExpectResults({
      {.name = "concatenation",
       .code = kLiteRtOpCodeTflConcatenation,
       .options = ConcatenationOptions{.axis = 0},
       .build = [](NodeBuilder& n) { n.Input(kI4, {3}).Input(kI4, {2}).Output(kI4); },
       .inputs = {{0x21, 0x03}, {0x8F}},
       .shapes = {{5}},
       .outputs = {{0x21, 0xF3, 0x08}}},
      {.name = "slice",
       .code = kLiteRtOpCodeTflSlice,
       .build =
           [](NodeBuilder& n) {
             n.Input(kI4, {5});
             Vector(n, {1});
             Vector(n, {3});
             n.Output(kI4);
           },
       .inputs = {{0x21, 0xF3, 0x08}},
       .shapes = {{3}},
       .outputs = {{0x32, 0x0F}}},
      {.name = "gather",
       .code = kLiteRtOpCodeTflGather,
       .options = GatherOptions{.axis = 0},
       .build =
           [](NodeBuilder& n) {
             n.Input(kI4, {2, 2}).Input(kI32, {3}).Output(kI4);
           },
       .inputs = {{0x21, 0x43}, BytesOf(Ints{1, 0, 1})},
       .shapes = {{3, 2}},
       .outputs = {{0x43, 0x21, 0x43}}},
      {.name = "dynamic_update_slice",
       .code = kLiteRtOpCodeTflDynamicUpdateSlice,
       .build =
           [](NodeBuilder& n) { n.Input(kI4, {5}).Input(kI4, {1}).Input(kI32, {1}).Output(kI4); },
       .inputs = {{0x21, 0x43, 0x05}, {0x09}, BytesOf(Ints{2})},
       .shapes = {{5}},
       .outputs = {{0x21, 0x49, 0x05}}},
      {.name = "transpose",
       .code = kLiteRtOpCodeTflTranspose,
       .build =
           [](NodeBuilder& n) {
             n.Input(kI4, {2, 3});
             Vector(n, {1, 0});
             n.Output(kI4);
           },
       .inputs = {{0x21, 0x43, 0x65}},
       .shapes = {{3, 2}},
       .outputs = {{0x41, 0x52, 0x63}}},
      {.name = "squeeze",
       .code = kLiteRtOpCodeTflSqueeze,
       .options = SqueezeOptions{},
       .build =
           [](NodeBuilder& n) {
             n.Input(kI4, {1, 3}).Output(kI4);
           },
       .inputs = {{0x21, 0x03}},
       .shapes = {{3}},
       .outputs = {{0x21, 0x03}}},
  });
}

TEST(MovementOps, TakeParametersOfAnyWidth) {
  ExpectResults({
      {.name = "pad_by_int8",
       .code = kLiteRtOpCodeTflPad,
       .build =
           [](NodeBuilder& n) {
             n.Input(kI32, {2}).Constant(kI8, {1, 2}, BytesOf(Bytes{1, 2})).Output(kI32);
           },
       .inputs = {BytesOf(Ints{7, 8})},
       .shapes = {{5}},
       .outputs = {BytesOf(Ints{0, 7, 8, 0, 0})}},
      {.name = "expand_dims_at_int16",
       .code = kLiteRtOpCodeTflExpandDims,
       .build =
           [](NodeBuilder& n) {
             n.Input(kI32, {2})
                 .Constant(kLiteRtElementTypeInt16, {}, BytesOf(std::vector<int16_t>{-1}))
                 .Output(kI32);
           },
       .inputs = {BytesOf(Ints{7, 8})},
       .shapes = {{2, 1}},
       .outputs = {BytesOf(Ints{7, 8})}},
  });
}

TEST(MovementOps, Concatenate) {
  ExpectResults({
      {.name = "concatenation_of_scalars",
       .code = kLiteRtOpCodeTflConcatenation,
       .build = [](NodeBuilder& n) { n.Input(kI64, {}).Input(kI64, {}).Output(kI64); },
       .inputs = {BytesOf(Longs{7}), BytesOf(Longs{9})},
       .shapes = {{2}},
       .outputs = {BytesOf(Longs{7, 9})}},
      {.name = "concatenation_with_an_empty_input",
       .code = kLiteRtOpCodeTflConcatenation,
       .options = ConcatenationOptions{.axis = 1},
       .build =
           [](NodeBuilder& n) {
             n.Input(kI32, {2, 1}).Input(kI32, {2, 0}).Output(kI32);
           },
       .inputs = {BytesOf(Ints{1, 2}), {}},
       .shapes = {{2, 1}},
       .outputs = {BytesOf(Ints{1, 2})}},
      {.name = "concatenation_rescales_uint8",
       .code = kLiteRtOpCodeTflConcatenation,
       .build =
           [](NodeBuilder& n) {
             n.Input(kU8, {2}, Affine(1.0f, 0)).Input(kU8, {1}, Affine(0.5f, 10));
             n.Output(kU8, Affine(0.5f, 10));
           },
       .inputs = {{3, 200}, {77}},
       .shapes = {{3}},
       .outputs = {{16, 255, 77}}},
  });
}

TEST(MovementOps, Slice) {
  ExpectResults({
      {.name = "slice_of_the_rest",
       .code = kLiteRtOpCodeTflSlice,
       .build =
           [](NodeBuilder& n) {
             n.Input(kI32, {2, 3});
             Vector(n, {0, 1});
             Vector(n, {-1, -1});
             n.Output(kI32);
           },
       .inputs = {BytesOf(Iota(6))},
       .shapes = {{2, 2}},
       .outputs = {BytesOf(Ints{1, 2, 4, 5})}},
      {.name = "strided_slice_backwards",
       .code = kLiteRtOpCodeTflStridedSlice,
       .build =
           [](NodeBuilder& n) {
             n.Input(kI32, {5});
             Vector(n, {-1});
             Vector(n, {0});
             Vector(n, {-2});
             n.Output(kI32);
           },
       .inputs = {BytesOf(Iota(5))},
       .shapes = {{2}},
       .outputs = {BytesOf(Ints{4, 2})}},
      {.name = "strided_slice_with_ellipsis_new_and_shrunk_dimensions",
       .code = kLiteRtOpCodeTflStridedSlice,
       .options =
           StridedSliceOptions{.ellipsis_mask = 1, .new_axis_mask = 2, .shrink_axis_mask = 4},
       .build =
           [](NodeBuilder& n) {
             n.Input(kI32, {2, 1, 3});
             Vector(n, {0, 0, 1});
             Vector(n, {0, 0, 2});
             Vector(n, {1, 1, 1});
             n.Output(kI32);
           },
       .inputs = {BytesOf(Iota(6))},
       .shapes = {{2, 1, 1}},
       .outputs = {BytesOf(Ints{1, 4})}},
      {.name = "strided_slice_with_more_ranges_than_dimensions",
       .code = kLiteRtOpCodeTflStridedSlice,
       .build =
           [](NodeBuilder& n) {
             n.Input(kI32, {5});
             Vector(n, {1, 7, 7});
             Vector(n, {4, 7, 7});
             Vector(n, {2, 1, 1});
             n.Output(kI32);
           },
       .inputs = {BytesOf(Iota(5))},
       .shapes = {{2}},
       .outputs = {BytesOf(Ints{1, 3})}},
      {.name = "strided_slice_of_nothing",
       .code = kLiteRtOpCodeTflStridedSlice,
       .build =
           [](NodeBuilder& n) {
             n.Input(kI32, {5});
             Vector(n, {3});
             Vector(n, {3});
             Vector(n, {1});
             n.Output(kI32);
           },
       .inputs = {BytesOf(Iota(5))},
       .shapes = {{0}},
       .outputs = {{}}},
      {.name = "split_v_with_a_rest",
       .code = kLiteRtOpCodeTflSplitV,
       .options = SplitVOptions{.num_splits = 2},
       .build =
           [](NodeBuilder& n) {
             n.Input(kI32, {2, 3});
             Vector(n, {1, -1});
             Scalar(n, 1);
             n.Output(kI32).Output(kI32);
           },
       .inputs = {BytesOf(Iota(6))},
       .shapes = {{2, 1}, {2, 2}},
       .outputs = {BytesOf(Ints{0, 3}), BytesOf(Ints{1, 2, 4, 5})}},
  });
}

TEST(MovementOps, PadAndRearrangeBlocks) {
  ExpectResults({
      {.name = "mirror_pad_reflects",
       .code = kLiteRtOpCodeTflMirrorPad,
       .options = MirrorPadOptions{.mode = MirrorPadMode::kReflect},
       .build =
           [](NodeBuilder& n) {
             n.Input(kI32, {3}).Constant(kI32, {1, 2}, BytesOf(Ints{2, 1})).Output(kI32);
           },
       .inputs = {BytesOf(Iota(3))},
       .shapes = {{6}},
       .outputs = {BytesOf(Ints{2, 1, 0, 1, 2, 1})}},
      {.name = "mirror_pad_repeats_the_edge",
       .code = kLiteRtOpCodeTflMirrorPad,
       .options = MirrorPadOptions{.mode = MirrorPadMode::kSymmetric},
       .build =
           [](NodeBuilder& n) {
             n.Input(kI32, {3}).Constant(kI32, {1, 2}, BytesOf(Ints{2, 1})).Output(kI32);
           },
       .inputs = {BytesOf(Iota(3))},
       .shapes = {{6}},
       .outputs = {BytesOf(Ints{1, 0, 0, 1, 2, 2})}},
      {.name = "space_to_batch_pads_with_the_zero_point",
       .code = kLiteRtOpCodeTflSpaceToBatchNd,
       .build =
           [](NodeBuilder& n) {
             n.Input(kI8, {1, 3, 1}, Affine(1, 5));
             Vector(n, {2});
             n.Constant(kI32, {1, 2}, BytesOf(Ints{1, 0})).Output(kI8, Affine(1, 5));
           },
       .inputs = {BytesOf(Bytes{1, 2, 3})},
       .shapes = {{2, 2, 1}},
       .outputs = {BytesOf(Bytes{5, 2, 1, 3})}},
      {.name = "batch_to_space_crops",
       .code = kLiteRtOpCodeTflBatchToSpaceNd,
       .build =
           [](NodeBuilder& n) {
             n.Input(kI8, {2, 2, 1});
             Vector(n, {2});
             n.Constant(kI32, {1, 2}, BytesOf(Ints{1, 0})).Output(kI8);
           },
       .inputs = {BytesOf(Bytes{5, 2, 1, 3})},
       .shapes = {{1, 3, 1}},
       .outputs = {BytesOf(Bytes{1, 2, 3})}},
  });
}

TEST(MovementOps, RepeatAndResize) {
  ExpectResults({
      {.name = "tile_of_a_broadcast",
       .code = kLiteRtOpCodeTflTile,
       .build =
           [](NodeBuilder& n) {
             n.Input(kI32, {2, 1});
             Vector(n, {2, 2});
             n.Output(kI32);
           },
       .inputs = {BytesOf(Ints{1, 2})},
       .shapes = {{4, 2}},
       .outputs = {BytesOf(Ints{1, 1, 2, 2, 1, 1, 2, 2})}},
      {.name = "resize_bilinear_at_half_pixels",
       .code = kLiteRtOpCodeTflResizeBilinear,
       .options = ResizeBilinearOptions{.half_pixel_centers = true},
       .build =
           [](NodeBuilder& n) {
             n.Input(kF32, {1, 1, 2, 1});
             Vector(n, {1, 4});
             n.Output(kF32);
           },
       .inputs = {BytesOf(Floats{0, 4})},
       .shapes = {{1, 1, 4, 1}},
       .outputs = {BytesOf(Floats{0, 1, 3, 4})}},
  });
}

// Each element of each permutation of a tensor whose dimensions are no multiples of anything.
TEST(MovementOps, TransposeMovesEachElement) {
  const Shape shape = {3, 17, 2, 19};
  const Ints values = Iota(3 * 17 * 2 * 19);
  Ints perm = {0, 1, 2, 3};
  do {
    NodeBuilder node(kLiteRtOpCodeTflTranspose);
    node.Input(kI32, shape);
    Vector(node, perm);
    node.Output(kI32);
    const auto outputs = node.Run({BytesOf(values)});
    ASSERT_TRUE(outputs) << outputs.Error().Message();
    const auto moved = testing::ValuesOf<int32_t>((*outputs)[0]);
    const Shape& out = node.node().outputs[0]->shape;
    for (int32_t i = 0; i < static_cast<int32_t>(moved.size()); ++i) {
      Ints index(4);
      int32_t rest = i;
      for (size_t d = 4; d-- > 0;) {
        index[static_cast<size_t>(perm[d])] = rest % out[d];
        rest /= out[d];
      }
      int32_t from = 0;
      for (size_t d = 0; d < 4; ++d) from = from * shape[d] + index[d];
      ASSERT_EQ(moved[static_cast<size_t>(i)], from) << ::testing::PrintToString(perm);
    }
  } while (std::next_permutation(perm.begin(), perm.end()));
}

TEST(MovementOps, BoundsMoveWithTheirElements) {
  NodeBuilder node(kLiteRtOpCodeTflReverseV2);
  node.Input(kF32, {2});
  Vector(node, {0});
  node.Output(kF32);
  ASSERT_TRUE(node.Infer());
  OracleTensor in{.type = kF32, .shape = {2}, .values = {1, 2}, .bounds = {0.25, 0}};
  const OracleTensor* const inputs[] = {&in, nullptr};
  const auto out = RunOracle(node.node(), inputs);
  ASSERT_TRUE(out) << out.Error().Message();
  EXPECT_EQ((*out)[0].values, (std::vector<double>{2, 1}));
  EXPECT_EQ((*out)[0].bounds, (std::vector<double>{0, 0.25}));
}

}  // namespace
}  // namespace npukit::kernels
