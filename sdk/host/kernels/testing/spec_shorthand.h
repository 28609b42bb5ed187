// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Nodes as values, in few words: sound ones, and the ways to change them.

#ifndef NPUKIT_SDK_HOST_KERNELS_TESTING_SPEC_SHORTHAND_H_
#define NPUKIT_SDK_HOST_KERNELS_TESTING_SPEC_SHORTHAND_H_

#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "sdk/host/kernels/testing/node_builder.h"
#include "sdk/host/kernels/testing/node_spec.h"

namespace npukit::kernels::testing {

inline constexpr auto kFloat = kLiteRtElementTypeFloat32;
inline constexpr auto kInt8 = kLiteRtElementTypeInt8;
inline constexpr auto kInt16 = kLiteRtElementTypeInt16;
inline constexpr auto kInt32 = kLiteRtElementTypeInt32;
inline constexpr int32_t kHuge = std::numeric_limits<int32_t>::max();

inline TensorSpec Float(Shape shape) { return {.type = kFloat, .shape = std::move(shape)}; }
inline TensorSpec Int8(Shape shape, float scale = 0.5f, int64_t zero_point = 3) {
  return {.type = kInt8, .shape = std::move(shape), .quantization = Affine(scale, zero_point)};
}
inline TensorSpec Int16(Shape shape, float scale = 0.5f) {
  return {.type = kInt16, .shape = std::move(shape), .quantization = Affine(scale, 0)};
}
inline TensorSpec Indices(const std::vector<int32_t>& values) {
  return {
      .type = kInt32, .shape = {static_cast<int32_t>(values.size())}, .constant = BytesOf(values)};
}
// Weights or a bias: all bytes 1.
inline TensorSpec Constant(TensorSpec spec) {
  spec.constant.assign(DenseBytes(spec.type, spec.shape).value_or(0), 1);
  return spec;
}
inline TensorSpec Bias(int32_t count) { return Constant({.type = kInt32, .shape = {count}}); }
inline TensorSpec Weights8(Shape shape) { return Constant(Int8(std::move(shape), 0.25f, 0)); }
inline TensorSpec WithScale(TensorSpec spec, std::vector<float> scales, int32_t dimension = 0) {
  spec.quantization = {.scale = std::move(scales), .quantized_dimension = dimension};
  return spec;
}

inline Conv2DOptions Conv(int32_t stride = 1, int32_t dilation = 1,
                          Padding padding = Padding::kSame) {
  return {.padding = padding,
          .stride_w = stride,
          .stride_h = stride,
          .dilation_w_factor = dilation,
          .dilation_h_factor = dilation};
}
inline Pool2DOptions Pool(int32_t filter, int32_t stride, Padding padding = Padding::kValid) {
  return {.padding = padding,
          .stride_w = stride,
          .stride_h = stride,
          .filter_width = filter,
          .filter_height = filter};
}

inline NodeSpec ConvFloat(Conv2DOptions options = Conv()) {
  return {.code = kLiteRtOpCodeTflConv2d,
          .options = options,
          .inputs = {Float({1, 5, 5, 4}), Constant(Float({6, 3, 3, 4})), Constant(Float({6}))},
          .outputs = {Float({})}};
}
inline NodeSpec ConvInt8(Conv2DOptions options = Conv()) {
  return {.code = kLiteRtOpCodeTflConv2d,
          .options = options,
          .inputs = {Int8({1, 5, 5, 4}), Weights8({6, 3, 3, 4}), Bias(6)},
          .outputs = {Int8({})}};
}
inline NodeSpec DepthwiseInt8() {
  return {.code = kLiteRtOpCodeTflDepthwiseConv2d,
          .options = DepthwiseConv2DOptions{.stride_w = 1, .stride_h = 2, .depth_multiplier = 2},
          .inputs = {Int8({1, 6, 5, 4}), Weights8({1, 3, 3, 8}), Bias(8)},
          .outputs = {Int8({})}};
}
inline NodeSpec FullyConnected() {
  return {.code = kLiteRtOpCodeTflFullyConnected,
          .options = FullyConnectedOptions{},
          .inputs = {Int8({3, 8}), Weights8({5, 8}), Bias(5)},
          .outputs = {Int8({})}};
}
inline NodeSpec Unary(LiteRtOpCode code, TensorSpec in, TensorSpec out, OpOptions options = {}) {
  return {.code = code,
          .options = std::move(options),
          .inputs = {std::move(in)},
          .outputs = {std::move(out)}};
}
inline NodeSpec Binary(LiteRtOpCode code, TensorSpec a, TensorSpec b, TensorSpec out,
                       OpOptions options = {}) {
  return {.code = code,
          .options = std::move(options),
          .inputs = {std::move(a), std::move(b)},
          .outputs = {std::move(out)}};
}
inline NodeSpec Reduce(LiteRtOpCode code, TensorSpec in, const std::vector<int32_t>& axes) {
  TensorSpec out = in;
  return Binary(code, std::move(in), Indices(axes), std::move(out), ReducerOptions{});
}
inline TensorSpec Paddings(const std::vector<int32_t>& values, int32_t rank) {
  TensorSpec paddings = Indices(values);
  paddings.shape = {rank, 2};
  return paddings;
}
inline NodeSpec Pad(const std::vector<int32_t>& paddings) {
  return Binary(kLiteRtOpCodeTflPad, Int8({2, 3}), Paddings(paddings, 2), Int8({}));
}
inline NodeSpec Reshape(const std::vector<int32_t>& shape) {
  return Binary(kLiteRtOpCodeTflReshape, Float({2, 6}), Indices(shape), Float({}));
}

// A copy with one change.
template <typename Edit>
inline NodeSpec With(NodeSpec spec, const Edit& edit) {
  edit(spec);
  return spec;
}
inline NodeSpec WithInput(NodeSpec spec, size_t index, TensorSpec tensor) {
  spec.inputs[index] = std::move(tensor);
  return spec;
}
inline NodeSpec WithOutput(NodeSpec spec, TensorSpec tensor) {
  spec.outputs[0] = std::move(tensor);
  return spec;
}
inline NodeSpec Without(NodeSpec spec, size_t index) {
  spec.inputs[index].is_omitted = true;
  return spec;
}

}  // namespace npukit::kernels::testing

#endif  // NPUKIT_SDK_HOST_KERNELS_TESTING_SPEC_SHORTHAND_H_
