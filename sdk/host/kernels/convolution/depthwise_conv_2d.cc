// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include <string>

#include "sdk/host/kernels/convolution/convolution.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/oracle/oracle.h"
#include "sdk/host/kernels/shape_rules.h"

namespace npukit::kernels::op_depthwise_conv_2d {
namespace {

// Activations [b, h, w, c], weights [1, fh, fw, c m], bias [c m], output [b, oh, ow, c m]; output
// channel o reads input channel o / m. The multiplier m follows from the shapes; the options' value
// is not looked at, as in TFLite.
litert::Expected<Convolution> See(const Node& node) {
  const Operand& in = *node.inputs[0];
  const Operand& weights = *node.inputs[1];
  if (in.shape.size() != 4) return InvalidNode(node, &in, "must have 4 dimensions");
  if (weights.shape.size() != 4 || weights.shape[0] != 1) {
    return InvalidNode(node, &weights, "must have 4 dimensions, of which the first is 1");
  }
  const int32_t channels = in.shape[3];
  if (channels < 1 || weights.shape[3] % channels != 0) {
    return InvalidNode(
        node, &weights,
        "must have a multiple of the input's " + std::to_string(channels) + " channels");
  }
  const auto* options = node.op->OptionsAs<DepthwiseConv2DOptions>();
  if (options == nullptr) return InvalidNode(node, "has no options");

  Convolution convolution{.activation = options->fused_activation_function,
                          .channel_dimension = 3,
                          .asymmetric_hybrid = true};
  ConvGeometry& geometry = convolution.geometry;
  geometry.batches = in.shape[0];
  geometry.in_channels = channels;
  geometry.out_channels = weights.shape[3];
  geometry.channels_per_filter = 1;
  geometry.filters_per_group = weights.shape[3] / channels;
  geometry.weight_stride = {
      .o = 1, .y = ElemsOf(weights.shape, 2, 4), .x = weights.shape[3], .c = 0};
  LITERT_ASSIGN_OR_RETURN(geometry.height,
                          MakeWindow(node, options->padding, in.shape[1], weights.shape[1],
                                     options->stride_h, options->dilation_h_factor));
  LITERT_ASSIGN_OR_RETURN(geometry.width,
                          MakeWindow(node, options->padding, in.shape[2], weights.shape[2],
                                     options->stride_w, options->dilation_w_factor));
  return convolution;
}

litert::Expected<Inferred> Infer(const Node& node) {
  LITERT_RETURN_IF_ERROR(CheckNode(node, {.min_inputs = 2, .max_inputs = 3}));
  LITERT_RETURN_IF_ERROR(CheckConvolutionTypes(node, /*wide_weights=*/false));
  LITERT_ASSIGN_OR_RETURN(const Convolution convolution, See(node));
  const ConvGeometry& geometry = convolution.geometry;
  const Operand* bias = node.input(2);
  if (bias != nullptr && bias->elems() != geometry.out_channels) {
    return InvalidNode(
        node, bias, "must have one element per channel: " + std::to_string(geometry.out_channels));
  }
  LITERT_ASSIGN_OR_RETURN(
      Shape shape,
      NarrowShape(node, std::vector<int64_t>{geometry.batches, geometry.height.out,
                                             geometry.width.out, geometry.out_channels}));
  return Inferred{.shapes = {std::move(shape)}};
}

litert::Expected<std::unique_ptr<Kernel>> Prepare(const Node& node, const PrepareOptions& options) {
  LITERT_ASSIGN_OR_RETURN(const Convolution convolution, See(node));
  return PrepareConvolution(node, convolution, options);
}

litert::Expected<void> Oracle(const Node& node, std::span<const OracleTensor* const> inputs,
                              std::span<OracleTensor> outputs) {
  LITERT_ASSIGN_OR_RETURN(const Convolution convolution, See(node));
  return ConvolutionOracle(node, convolution, inputs, outputs);
}

}  // namespace

NPUKIT_DEFINE_OPERATOR = {
    .doc = {.formula = "out[b,y,x,o] = activation(bias[o] + sum over fy,fx of in[b, y s - pad + fy "
                       "d, x s - pad + fx d, "
                       "o / m] w[0,fy,fx,o]); integers as CONV_2D",
            .source = "TFLite DEPTHWISE_CONV_2D, reference kernels",
            .types = "float32; int8 and int16 with int8 or int4 weights; uint8; float32 with int8, "
                     "uint8 or int4 weights"},
    .infer = Infer,
    .prepare = Prepare,
    .oracle = Oracle,
    .tolerance = BoundOrExactTolerance,
};

}  // namespace npukit::kernels::op_depthwise_conv_2d
