// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Operators that move elements: reshape, pad, concatenate, slice, split, transpose, resize. One at
// a time, on every chip. The larger shapes do not fit the smaller chips' scratchpads.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "reference_plugin/tests/npu_and_cpu.h"
#include "reference_plugin/tests/random_constants.h"

namespace npukit {
namespace {

OpCase ReshapeCase(LiteRtElementType type, const Shape& from, const Shape& to) {
  return {"reshape_" + Name(type) + Name(from), [=](ModelBuilder& b) {
            Tensor* x = b.Input("x", type, from, Quant(type, 0.05f, 3));
            Tensor* y = b.Value("y", type, to, Quant(type, 0.05f, 3));
            Tensor* shape = b.Constant<int32_t>("shape", {static_cast<int32_t>(to.size())}, to);
            b.AddOp(kLiteRtOpCodeTflReshape, ReshapeOptions{.new_shape = to}, {x, shape}, {y});
            b.Output(y);
          }};
}

std::vector<OpCase> MovementCases() {
  return {
      ReshapeCase(kI8, {2, 3, 5}, {30}),
      ReshapeCase(kU8, {7, 1, 11}, {1, 77}),
      ReshapeCase(kI16, {1, 3, 3, 3}, {3, 9}),
      ReshapeCase(kI32, {5, 6}, {6, 5}),
      ReshapeCase(kF32, {2, 2, 3, 5, 1}, {2, 30}),
      ReshapeCase(kI8, {1, 500, 501, 3}, {751500}),
      ReshapeCase(kF32, {3, 401, 803}, {401, 2409}),
  };
}

OpCase PadCase(LiteRtElementType type, Shape x_shape, std::vector<int32_t> padding, bool value) {
  Shape y_shape;
  for (size_t d = 0; d < x_shape.size(); ++d)
    y_shape.push_back(x_shape[d] + padding[2 * d] + padding[2 * d + 1]);
  return {(value ? "padv2_" : "pad_") + Name(type) + Name(x_shape) + "_by" + Name(Shape(padding)),
          [=](ModelBuilder& b) {
            const auto rank = static_cast<int32_t>(x_shape.size());
            Tensor* x = b.Input("x", type, x_shape, Quant(type, 0.05f, 3));
            Tensor* y = b.Value("y", type, y_shape, Quant(type, 0.05f, 3));
            Tensor* amounts = b.Constant<int32_t>("padding", {rank, 2}, padding);
            const std::vector<uint8_t> fill = {0x41, 0x42, 0x43, 0x44};
            const size_t bytes = type == kF32 || type == kI32 ? 4 : type == kI16 ? 2 : 1;
            if (value) {
              Tensor* with = b.Constant("value", type, {1}, std::span(fill).first(bytes),
                                        Quant(type, 0.05f, 3));
              b.AddOp(kLiteRtOpCodeTflPadv2, {x, amounts, with}, {y}, 2);
            } else {
              b.AddOp(kLiteRtOpCodeTflPad, {x, amounts}, {y}, 2);
            }
            b.Output(y);
          }};
}

std::vector<OpCase> PadCases() {
  std::vector<OpCase> cases;
  for (bool value : {false, true}) {
    for (LiteRtElementType type : {kI8, kU8, kI16, kI32, kF32}) {
      cases.push_back(PadCase(type, {1, 5, 7, 3}, {0, 0, 1, 2, 3, 1, 0, 0}, value));
      cases.push_back(PadCase(type, {2, 3, 4}, {1, 1, 2, 0, 0, 5}, value));
    }
    cases.push_back(PadCase(kI8, {2, 3, 2, 3, 2}, {1, 0, 0, 1, 1, 1, 2, 0, 0, 2}, value));
    cases.push_back(PadCase(kI8, {4}, {0, 0}, value));
    cases.push_back(PadCase(kI8, {1, 301, 127, 67}, {0, 0, 1, 1, 1, 1, 0, 0}, value));
    cases.push_back(PadCase(kF32, {1, 301, 127, 17}, {0, 0, 3, 0, 0, 2, 0, 1}, value));
  }
  return cases;
}

OpCase ConcatCase(LiteRtElementType type, std::vector<Shape> xs, int32_t axis,
                  const std::vector<float>& scales = {}) {
  const auto rank = static_cast<int32_t>(xs[0].size());
  const auto at = static_cast<size_t>(axis < 0 ? axis + rank : axis);
  Shape y_shape = xs[0];
  y_shape[at] = 0;
  for (const Shape& x : xs) y_shape[at] += x[at];
  return {fmt::format("concatenation_{}{}_at_{}{}", Name(type), Name(y_shape), at,
                      scales.empty() ? "" : "_rescaled"),
          [=](ModelBuilder& b) {
            std::vector<Tensor*> inputs;
            for (size_t i = 0; i < xs.size(); ++i)
              inputs.push_back(b.Input(fmt::format("x{}", i), type, xs[i],
                                       Quant(type, scales.empty() ? 0.05f : scales[i], 3)));
            Tensor* y = b.Value("y", type, y_shape, Quant(type, 0.05f, 3));
            b.AddOp(kLiteRtOpCodeTflConcatenation, ConcatenationOptions{.axis = axis}, inputs, {y},
                    2);
            b.Output(y);
          }};
}

// An op whose further operands are constants.
OpCase MoveCase(LiteRtOpCode code, const std::string& name, LiteRtElementType type,
                const Shape& x_shape, const std::vector<std::vector<int32_t>>& constants,
                const std::vector<Shape>& y_shapes, const OpOptions& options = {},
                bool x_last = false) {
  OpCase test;
  test.name = name + "_" + Name(type) + Name(x_shape);
  for (const std::vector<int32_t>& values : constants) test.name += "_by" + Name(Shape(values));
  for (char& c : test.name) c = c == '-' ? 'm' : c;
  test.build = [=](ModelBuilder& b) {
    Tensor* x = b.Input("x", type, x_shape, Quant(type, 0.05f, 3));
    std::vector<Tensor*> inputs = {x};
    for (size_t i = 0; i < constants.size(); ++i) {
      const auto count = static_cast<int32_t>(constants[i].size());
      const bool scalar = code == kLiteRtOpCodeTflSplit || code == kLiteRtOpCodeTflExpandDims ||
                          (code == kLiteRtOpCodeTflSplitV && i == 1);
      inputs.push_back(b.Constant<int32_t>(fmt::format("constant{}", i),
                                           scalar ? Shape{} : Shape{count}, constants[i]));
    }
    if (x_last) std::rotate(inputs.begin(), inputs.begin() + 1, inputs.end());
    std::vector<Tensor*> outputs;
    for (size_t i = 0; i < y_shapes.size(); ++i)
      outputs.push_back(b.Value(fmt::format("y{}", i), type, y_shapes[i], Quant(type, 0.05f, 3)));
    b.AddOp(code, options, inputs, outputs, 2);
    for (Tensor* y : outputs) b.Output(y);
  };
  return test;
}

std::vector<OpCase> SliceCases() {
  constexpr auto kSlice = kLiteRtOpCodeTflSlice;
  constexpr auto kStrided = kLiteRtOpCodeTflStridedSlice;
  std::vector<OpCase> cases;
  for (LiteRtElementType type : {kI8, kU8, kI16, kI32, kF32}) {
    cases.push_back(ConcatCase(type, {{1, 3, 4, 5}, {1, 3, 4, 2}}, 3));
    cases.push_back(ConcatCase(type, {{2, 3, 4}, {2, 1, 4}, {2, 2, 4}}, -2));
    cases.push_back(
        MoveCase(kSlice, "slice", type, {5, 6, 7}, {{1, 0, 2}, {3, 6, -1}}, {{3, 6, 5}}));
    cases.push_back(MoveCase(kStrided, "strided_slice", type, {5, 6, 7},
                             {{0, 1, 6}, {5, 6, 0}, {2, 3, -2}}, {{3, 2, 3}},
                             StridedSliceOptions{}));
    cases.push_back(MoveCase(kLiteRtOpCodeTflSplit, "split", type, {4, 6, 3}, {{1}},
                             {{4, 2, 3}, {4, 2, 3}, {4, 2, 3}}, SplitOptions{.num_splits = 3},
                             /*x_last=*/true));
    cases.push_back(MoveCase(kLiteRtOpCodeTflSplitV, "split_v", type, {4, 6, 3}, {{1, 5}, {1}},
                             {{4, 1, 3}, {4, 5, 3}}, SplitVOptions{.num_splits = 2}));
    cases.push_back(MoveCase(kLiteRtOpCodeTflTranspose, "transpose", type, {3, 5, 7}, {{2, 0, 1}},
                             {{7, 3, 5}}, TransposeOptions{}));
    cases.push_back(MoveCase(kLiteRtOpCodeTflDepthToSpace, "depth_to_space", type, {2, 3, 5, 12},
                             {}, {{2, 6, 10, 3}}, DepthToSpaceOptions{.block_size = 2}));
    cases.push_back(MoveCase(kLiteRtOpCodeTflSpaceToDepth, "space_to_depth", type, {2, 6, 9, 4}, {},
                             {{2, 2, 3, 36}}, SpaceToDepthOptions{.block_size = 3}));
    cases.push_back(MoveCase(kLiteRtOpCodeTflExpandDims, "expand_dims", type, {3, 5}, {{1}},
                             {{3, 1, 5}}, ExpandDimsOptions{}));
    cases.push_back(MoveCase(kLiteRtOpCodeTflSqueeze, "squeeze", type, {1, 3, 1, 5}, {}, {{3, 5}},
                             SqueezeOptions{}));
  }
  cases.push_back(ConcatCase(kU8, {{2, 3}, {2, 5}}, 1, {0.05f, 0.021f}));
  cases.push_back(ConcatCase(kI8, {{1, 301, 127, 17}, {1, 301, 127, 31}}, 3));
  cases.push_back(MoveCase(kLiteRtOpCodeTflTranspose, "transpose", kI8, {2, 3, 4, 5, 6},
                           {{4, 2, 0, 3, 1}}, {{6, 4, 2, 5, 3}}, TransposeOptions{}));
  cases.push_back(MoveCase(kLiteRtOpCodeTflTranspose, "transpose", kI8, {1, 301, 127, 67},
                           {{0, 3, 1, 2}}, {{1, 67, 301, 127}}, TransposeOptions{}));
  cases.push_back(MoveCase(kLiteRtOpCodeTflTranspose, "transpose", kF32, {1009, 701}, {{1, 0}},
                           {{701, 1009}}, TransposeOptions{}));
  cases.push_back(MoveCase(kStrided, "strided_slice", kI8, {1, 301, 127, 67},
                           {{0, 1, 126, 0}, {1, 301, 0, 67}, {1, 2, -3, 1}}, {{1, 150, 42, 67}},
                           StridedSliceOptions{}));
  cases.push_back(MoveCase(
      kStrided, "strided_slice_shrink", kI8, {5, 6, 7}, {{0, 2, 0}, {0, 3, 5}, {1, 1, 1}}, {{5, 5}},
      StridedSliceOptions{.begin_mask = 1, .end_mask = 1, .shrink_axis_mask = 2}));
  cases.push_back(MoveCase(kLiteRtOpCodeTflDepthToSpace, "depth_to_space", kI8, {1, 150, 127, 68},
                           {}, {{1, 300, 254, 17}}, DepthToSpaceOptions{.block_size = 2}));
  return cases;
}

OpCase ResizeCase(bool bilinear, LiteRtElementType type, Shape x_shape, int32_t height,
                  int32_t width, bool align, bool half) {
  OpCase test;
  const Shape y_shape = {x_shape[0], height, width, x_shape[3]};
  const LiteRtOpCode code =
      bilinear ? kLiteRtOpCodeTflResizeBilinear : kLiteRtOpCodeTflResizeNearestNeighbor;
  const OpOptions options =
      bilinear
          ? OpOptions(ResizeBilinearOptions{.align_corners = align, .half_pixel_centers = half})
          : OpOptions(
                ResizeNearestNeighborOptions{.align_corners = align, .half_pixel_centers = half});
  test = MoveCase(code, bilinear ? "resize_bilinear" : "resize_nearest", type, x_shape,
                  {{height, width}}, {y_shape}, options);
  test.name += align ? "_aligned" : half ? "_half" : "";
  if (bilinear && type == kF32) test.absolute = 0x1p-20;
  return test;
}

std::vector<OpCase> ResizeCases() {
  std::vector<OpCase> cases;
  for (bool bilinear : {false, true}) {
    for (LiteRtElementType type : {kI8, kU8, kI16, kF32}) {
      if (bilinear && type == kU8) continue;
      for (int mode = 0; mode < 3; ++mode) {
        cases.push_back(ResizeCase(bilinear, type, {2, 5, 7, 3}, 11, 4, mode == 1, mode == 2));
        cases.push_back(ResizeCase(bilinear, type, {1, 4, 6, 33}, 8, 12, mode == 1, mode == 2));
      }
    }
    cases.push_back(ResizeCase(bilinear, kI8, {1, 151, 127, 67}, 200, 260, false, true));
    cases.push_back(ResizeCase(bilinear, kI8, {1, 301, 127, 67}, 50, 31, false, false));
  }
  return cases;
}

class AcmeMovementOps : public OnSoc {};

TEST_P(AcmeMovementOps, EqualTheCpu) { ExpectNpuEqualsCpu(); }

INSTANTIATE_TEST_SUITE_P(Movement, AcmeMovementOps, OnEverySoc(MovementCases()), OnSoc::Name);
INSTANTIATE_TEST_SUITE_P(Pad, AcmeMovementOps, OnEverySoc(PadCases()), OnSoc::Name);
INSTANTIATE_TEST_SUITE_P(Slice, AcmeMovementOps, OnEverySoc(SliceCases()), OnSoc::Name);
INSTANTIATE_TEST_SUITE_P(Resize, AcmeMovementOps, OnEverySoc(ResizeCases()), OnSoc::Name);

}  // namespace
}  // namespace npukit
