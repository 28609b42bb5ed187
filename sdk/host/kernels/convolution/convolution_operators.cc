// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// CONV_2D and DEPTHWISE_CONV_2D: each is a view of its node as a Convolution.

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <vector>

#include "sdk/host/kernels/convolution/convolution.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/oracle/oracle.h"
#include "sdk/host/kernels/shape_rules.h"

namespace npukit::kernels {
namespace {

using ConvolutionView = litert::Expected<Convolution> (*)(const Node& node);

// Windows over the height and width of activations [b, h, w, c] and weights [., fh, fw, .].
template <typename Options>
litert::Expected<void> SetWindows(const Node& node, const Options& options,
                                  ConvGeometry& geometry) {
  const Shape& in = node.inputs[0]->shape;
  const Shape& weights = node.inputs[1]->shape;
  LITERT_ASSIGN_OR_RETURN(geometry.height, MakeWindow(node, options.padding, in[1], weights[1],
                                                      options.stride_h, options.dilation_h_factor));
  LITERT_ASSIGN_OR_RETURN(geometry.width, MakeWindow(node, options.padding, in[2], weights[2],
                                                     options.stride_w, options.dilation_w_factor));
  return {};
}

// Activations [b, h, w, c], weights [o, fh, fw, c / groups], bias [o], output [b, oh, ow, o].
litert::Expected<Convolution> Conv2dOf(const Node& node) {
  const Operand& in = *node.inputs[0];
  const Operand& weights = *node.inputs[1];
  if (in.shape.size() != 4) return InvalidNode(node, &in, "must have 4 dimensions");
  if (weights.shape.size() != 4) return InvalidNode(node, &weights, "must have 4 dimensions");
  const int32_t channels = in.shape[3];
  const int32_t per_filter = weights.shape[3];
  if (per_filter < 1 || channels % per_filter != 0) {
    return InvalidNode(node, &weights,
                       fmt::format("must have a divisor of the input's {} channels", channels));
  }
  const int32_t groups = channels / per_filter;
  if (groups < 1 || weights.shape[0] % groups != 0) {
    return InvalidNode(node, &weights, fmt::format("must have a multiple of {} filters", groups));
  }
  const auto* options = node.op->OptionsAs<Conv2DOptions>();
  if (options == nullptr) return InvalidNode(node, "has no options");

  const std::vector<float>& scales = weights.quantization().scale;
  const bool scales_differ =
      std::adjacent_find(scales.begin(), scales.end(), std::not_equal_to<>()) != scales.end();
  Convolution convolution{.activation = options->fused_activation_function,
                          .asymmetric_hybrid = true,
                          .rounds_asymmetrically = scales_differ || groups > 1};
  ConvGeometry& geometry = convolution.geometry;
  geometry.batches = in.shape[0];
  geometry.in_channels = channels;
  geometry.out_channels = weights.shape[0];
  geometry.channels_per_filter = per_filter;
  geometry.filters_per_group = weights.shape[0] / groups;
  geometry.weight_stride = {.o = ElemsOf(weights.shape, 1, 4),
                            .y = ElemsOf(weights.shape, 2, 4),
                            .x = per_filter,
                            .c = 1};
  LITERT_RETURN_IF_ERROR(SetWindows(node, *options, geometry));
  return convolution;
}

// Activations [b, h, w, c], weights [1, fh, fw, c m], bias [c m], output [b, oh, ow, c m]; output
// channel o reads input channel o / m. The multiplier m follows from the shapes; the options' value
// is not looked at, as in TFLite.
litert::Expected<Convolution> DepthwiseConv2dOf(const Node& node) {
  const Operand& in = *node.inputs[0];
  const Operand& weights = *node.inputs[1];
  if (in.shape.size() != 4) return InvalidNode(node, &in, "must have 4 dimensions");
  if (weights.shape.size() != 4 || weights.shape[0] != 1) {
    return InvalidNode(node, &weights, "must have 4 dimensions, of which the first is 1");
  }
  const int32_t channels = in.shape[3];
  if (channels < 1 || weights.shape[3] % channels != 0) {
    return InvalidNode(node, &weights,
                       fmt::format("must have a multiple of the input's {} channels", channels));
  }
  const auto* options = node.op->OptionsAs<DepthwiseConv2DOptions>();
  if (options == nullptr) return InvalidNode(node, "has no options");

  Convolution convolution{.activation = options->fused_activation_function,
                          .channel_dimension = 3,
                          .asymmetric_hybrid = true,
                          .rounds_asymmetrically = true};
  ConvGeometry& geometry = convolution.geometry;
  geometry.batches = in.shape[0];
  geometry.in_channels = channels;
  geometry.out_channels = weights.shape[3];
  geometry.channels_per_filter = 1;
  geometry.filters_per_group = weights.shape[3] / channels;
  geometry.weight_stride = {
      .o = 1, .y = ElemsOf(weights.shape, 2, 4), .x = weights.shape[3], .c = 0};
  LITERT_RETURN_IF_ERROR(SetWindows(node, *options, geometry));
  return convolution;
}

template <ConvolutionView kView>
litert::Expected<Inferred> InferWindows(const Node& node) {
  LITERT_RETURN_IF_ERROR(CheckWeights(node));
  LITERT_ASSIGN_OR_RETURN(const Convolution convolution, kView(node));
  const ConvGeometry& geometry = convolution.geometry;
  LITERT_RETURN_IF_ERROR(CheckBias(node, geometry.out_channels));
  LITERT_ASSIGN_OR_RETURN(
      Shape shape,
      NarrowShape(node, std::vector<int64_t>{geometry.batches, geometry.height.out,
                                             geometry.width.out, geometry.out_channels}));
  return Inferred{.shapes = {std::move(shape)}};
}

template <ConvolutionView kView>
litert::Expected<std::unique_ptr<Kernel>> Prepare(const Node& node, const PrepareOptions& options) {
  LITERT_ASSIGN_OR_RETURN(const Convolution convolution, kView(node));
  return PrepareConvolution(node, convolution, options);
}

template <ConvolutionView kView>
litert::Expected<void> Oracle(const Node& node, std::span<const OracleTensor* const> inputs,
                              std::span<OracleTensor> outputs) {
  LITERT_ASSIGN_OR_RETURN(const Convolution convolution, kView(node));
  return ConvolutionOracle(node, convolution, inputs, outputs);
}

template <ConvolutionView kView>
constexpr OperatorParts ConvolutionOperator(const Documentation& doc, std::string_view signature,
                                            litert::Expected<Inferred> (*infer)(const Node& node)) {
  return {.doc = doc,
          .signature = signature,
          .infer = infer,
          .prepare = Prepare<kView>,
          .oracle = Oracle<kView>,
          .tolerance = kRoundedFloats};
}

constexpr std::string_view kWindowSignature =
    "float32, float32|int8|uint8|int4, float32? -> float32; int8, int8|int4, int32? -> int8; "
    "uint8, uint8, int32? -> uint8; int16, int8|int4, int32|int64? -> int16";

}  // namespace

NPUKIT_DEFINE_OPERATOR(Conv2d) = ConvolutionOperator<Conv2dOf>(
    {.formula = "out[b,y,x,o] = activation(bias[o] + sum over fy,fx,c of in[b, y s - pad + fy d, x "
                "s - pad + fx d, c] w[o,fy,fx,c]); int8: accumulated in int32, scaled by "
                "fixed(s_in s_w[o] / s_out)",
     .source = "TFLite CONV_2D, reference kernels"},
    kWindowSignature, InferWindows<Conv2dOf>);

NPUKIT_DEFINE_OPERATOR(DepthwiseConv2d) = ConvolutionOperator<DepthwiseConv2dOf>(
    {.formula = "out[b,y,x,o] = activation(bias[o] + sum over fy,fx of in[b, y s - pad + fy d, x s "
                "- pad + fx d, o / m] w[0,fy,fx,o]); integers as CONV_2D",
     .source = "TFLite DEPTHWISE_CONV_2D, reference kernels"},
    kWindowSignature, InferWindows<DepthwiseConv2dOf>);

}  // namespace npukit::kernels
