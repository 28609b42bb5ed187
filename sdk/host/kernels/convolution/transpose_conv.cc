// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>

#include <array>
#include <string>

#include "sdk/host/kernels/convolution/convolution.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/oracle/oracle.h"
#include "sdk/host/kernels/shape_rules.h"

namespace npukit::kernels {
namespace {

// Inputs: 0 the output's shape, 1 weights [o, fh, fw, c], 2 activations [b, h, w, c], 3 bias [o],
// optional.
constexpr std::array<size_t, 3> kConvolutionOrder = {2, 1, 3};  // activations, weights, bias

// The node as a convolution's helpers read it.
Node Reordered(const Node& node) {
  Node view = node;
  view.inputs.clear();
  for (size_t index : kConvolutionOrder) view.inputs.push_back(node.input(index));
  return view;
}

// Where output windows start: as those of a forward convolution of the output. That need not give as
// many elements as the input has: TFLite leaves out what falls beside the output, and fills up with 0.
litert::Expected<Window> WindowOf(const Node& node, Padding padding, int64_t in, int64_t out,
                                  int64_t filter, int64_t stride) {
  LITERT_ASSIGN_OR_RETURN(Window forward,
                          MakeWindow(node, padding, out, filter, stride, /*dilation=*/1));
  forward.in = in;
  forward.out = out;
  return forward;
}

litert::Expected<Convolution> ConvolutionOf(const Node& node, const Shape& out) {
  const Operand& weights = *node.inputs[1];
  const Operand& in = *node.inputs[2];
  if (in.shape.size() != 4) return InvalidNode(node, &in, "must have 4 dimensions");
  if (weights.shape.size() != 4) return InvalidNode(node, &weights, "must have 4 dimensions");
  if (in.shape[3] != weights.shape[3]) {
    return InvalidNode(node, &weights,
                       fmt::format("must have the input's {} channels", in.shape[3]));
  }
  if (out[0] != in.shape[0] || out[3] != weights.shape[0]) {
    return InvalidNode(node, node.inputs[0],
                       fmt::format("asks for {}; batches and channels must be {} and {}",
                                   ShapeText(out), in.shape[0], weights.shape[0]));
  }
  const auto* options = node.op->OptionsAs<TransposeConvOptions>();
  if (options == nullptr) return InvalidNode(node, "has no options");
  Convolution convolution{.activation = options->fused_activation_function,
                          .asymmetric_hybrid = true,
                          .rounds_asymmetrically = true};
  ConvGeometry& geometry = convolution.geometry;
  geometry = TransposedGeometry(in.shape, weights.shape);
  LITERT_ASSIGN_OR_RETURN(geometry.height, WindowOf(node, options->padding, in.shape[1], out[1],
                                                    weights.shape[1], options->stride_h));
  LITERT_ASSIGN_OR_RETURN(geometry.width, WindowOf(node, options->padding, in.shape[2], out[2],
                                                   weights.shape[2], options->stride_w));
  return convolution;
}

litert::Expected<Inferred> Infer(const Node& node) {
  LITERT_RETURN_IF_ERROR(CheckWeights(Reordered(node)));
  if (IsUnknown(*node.inputs[0])) return Inferred::NeedsValueOf(0);
  LITERT_ASSIGN_OR_RETURN(const std::vector<int64_t> dims, IntegerValues(node, *node.inputs[0]));
  if (dims.size() != 4) return InvalidNode(node, node.inputs[0], "must have 4 elements");
  LITERT_ASSIGN_OR_RETURN(Shape shape, NarrowShape(node, dims));
  LITERT_RETURN_IF_ERROR(ConvolutionOf(node, shape));
  const Operand* bias = node.input(3);
  if (bias != nullptr && bias->elems() != node.inputs[1]->shape[0]) {
    return InvalidNode(node, bias, "must have one element per filter");
  }
  return Inferred{.shapes = {std::move(shape)}};
}

// Hands the inputs on in a convolution's order.
class ReorderedKernel final : public Kernel {
 public:
  explicit ReorderedKernel(std::unique_ptr<Kernel> kernel) : kernel_(std::move(kernel)) {
    scratch_bytes_ = kernel_->scratch_bytes();
    packed_bytes_ = kernel_->packed_bytes();
  }
  litert::Expected<void> Run(const RunContext& context) const override {
    std::array<std::span<const uint8_t>, 3> inputs;
    for (size_t i = 0; i < inputs.size(); ++i) {
      if (kConvolutionOrder[i] < context.inputs.size())
        inputs[i] = context.inputs[kConvolutionOrder[i]];
    }
    RunContext reordered = context;
    reordered.inputs = inputs;
    return kernel_->Run(reordered);
  }

 private:
  std::unique_ptr<Kernel> kernel_;
};

litert::Expected<std::unique_ptr<Kernel>> Prepare(const Node& node, const PrepareOptions& options) {
  LITERT_ASSIGN_OR_RETURN(const Convolution convolution,
                          ConvolutionOf(node, node.outputs[0]->shape));
  LITERT_ASSIGN_OR_RETURN(std::unique_ptr<Kernel> kernel,
                          PrepareConvolution(Reordered(node), convolution, options));
  return std::unique_ptr<Kernel>(std::make_unique<ReorderedKernel>(std::move(kernel)));
}

litert::Expected<void> Oracle(const Node& node, std::span<const OracleTensor* const> inputs,
                              std::span<OracleTensor> outputs) {
  LITERT_ASSIGN_OR_RETURN(const Convolution convolution,
                          ConvolutionOf(node, node.outputs[0]->shape));
  std::array<const OracleTensor*, 3> reordered = {};
  for (size_t i = 0; i < reordered.size(); ++i) {
    if (kConvolutionOrder[i] < inputs.size()) reordered[i] = inputs[kConvolutionOrder[i]];
  }
  return ConvolutionOracle(Reordered(node), convolution, reordered, outputs);
}

}  // namespace

NPUKIT_DEFINE_OPERATOR(TransposeConv) = {
    .doc =
        {.formula =
             "out[b,y,x,o] = activation(bias[o] + sum over fy,fx,c of in[b, (y + pad - fy) / s, (x "
             "+ pad - fx) / s, c] w[o,fy,fx,c] where the quotients are whole); integers as CONV_2D",
         .source = "TFLite TRANSPOSE_CONV, reference kernels"},
    .signature =
        "int32|int64, float32|int8|uint8|int4, float32, float32? -> float32; int32|int64, "
        "int8|int4, int8, int32? -> int8; int32|int64, uint8, uint8, int32? -> uint8; int32|int64, "
        "int8|int4, int16, int32|int64? -> int16",
    .infer = Infer,
    .prepare = Prepare,
    .oracle = Oracle,
    .tolerance = kRoundedFloats,
};

}  // namespace npukit::kernels
