// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>

#include "sdk/host/kernels/convolution/convolution.h"
#include "sdk/host/kernels/mediapipe/stored_params.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/oracle/oracle.h"
#include "sdk/host/kernels/shape_rules.h"

namespace npukit::kernels {
namespace {

// As large as the input's pixels, `stride` apart, with all that the filter reaches; SAME cuts off so
// much of it that `stride` times the input remains, half of it in front.
litert::Expected<Window> SpreadWindow(const Node& node, Padding padding, int64_t in, int64_t filter,
                                      int64_t stride) {
  if (stride < 1 || filter < 1 || in < 1)
    return InvalidNode(node, "has a stride, a filter or an input of no size");
  const int64_t cut =
      padding == Padding::kSame ? std::max<int64_t>(0, filter - (in - 1) % stride - 1) : 0;
  const int64_t out = stride * (in - 1) + filter - cut;
  return Window{.in = in, .out = out, .filter = filter, .stride = stride, .pad_before = cut / 2};
}

// Inputs: 0 activations [b, h, w, c], 1 weights [o, fh, fw, c], 2 bias [o].
litert::Expected<Convolution> SpreadConvolution(const Node& node) {
  const Operand& in = *node.inputs[0];
  const Operand& weights = *node.inputs[1];
  for (const Operand* operand : {&in, &weights}) {
    if (operand->shape.size() != 4) return InvalidNode(node, operand, "must have 4 dimensions");
  }
  if (in.shape[3] != weights.shape[3])
    return InvalidNode(node, &weights, "must have the input's channels");
  if (node.inputs[2]->shape != Shape{weights.shape[0]})
    return InvalidNode(node, node.inputs[2], "must have one element per filter");
  LITERT_ASSIGN_OR_RETURN(const StoredWindow stored, StoredWindowOf(node, 3));
  Convolution convolution;
  ConvGeometry& geometry = convolution.geometry;
  geometry = TransposedGeometry(in.shape, weights.shape);
  LITERT_ASSIGN_OR_RETURN(geometry.height, SpreadWindow(node, stored.padding, in.shape[1],
                                                        weights.shape[1], stored.stride_h));
  LITERT_ASSIGN_OR_RETURN(geometry.width, SpreadWindow(node, stored.padding, in.shape[2],
                                                       weights.shape[2], stored.stride_w));
  return convolution;
}

litert::Expected<Inferred> InferSpread(const Node& node) {
  LITERT_ASSIGN_OR_RETURN(const Convolution convolution, SpreadConvolution(node));
  const ConvGeometry& geometry = convolution.geometry;
  LITERT_ASSIGN_OR_RETURN(
      Shape shape,
      NarrowShape(node, std::vector<int64_t>{geometry.batches, geometry.height.out,
                                             geometry.width.out, geometry.out_channels}));
  return Inferred{.shapes = {std::move(shape)}};
}

litert::Expected<std::unique_ptr<Kernel>> PrepareSpread(const Node& node,
                                                        const PrepareOptions& options) {
  LITERT_ASSIGN_OR_RETURN(const Convolution convolution, SpreadConvolution(node));
  return PrepareConvolution(node, convolution, options);
}

litert::Expected<void> SpreadOracle(const Node& node, std::span<const OracleTensor* const> inputs,
                                    std::span<OracleTensor> outputs) {
  LITERT_ASSIGN_OR_RETURN(const Convolution convolution, SpreadConvolution(node));
  return ConvolutionOracle(node, convolution, inputs, outputs);
}

}  // namespace

NPUKIT_DEFINE_OPERATOR(Convolution2dTransposeBias) = {
    .doc = {.formula =
                "as TRANSPOSE_CONV with a bias; the output is stride times the input (SAME), "
                "or all that the filters reach (VALID)",
            .source = "MediaPipe Convolution2DTransposeBias"},
    .signature = "float32, float32, float32 -> float32",
    .infer = InferSpread,
    .prepare = PrepareSpread,
    .oracle = SpreadOracle,
    .tolerance = kRoundedFloats,
};

}  // namespace npukit::kernels
