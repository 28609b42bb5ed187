// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// CONV_2D, without groups.

#include "litert/c/litert_op_options.h"
#include "reference_plugin/compiler/legalize.h"
#include "reference_plugin/compiler/lower/conv.h"
#include "reference_plugin/compiler/ops/convolution.h"

namespace acme::compiler {
namespace {

struct Options {
  uint32_t padding = 0;
  uint32_t activation = 0;
  int32_t stride_h = 1;
  int32_t stride_w = 1;
  int32_t dilation_h = 1;
  int32_t dilation_w = 1;
};

Expected<Options> ReadOptions(const litert::Op& op) {
  Options o;
  if (LiteRtGetConv2dPaddingOption(op.Get(), &o.padding) != kLiteRtStatusOk ||
      LiteRtGetConv2dStrideHOption(op.Get(), &o.stride_h) != kLiteRtStatusOk ||
      LiteRtGetConv2dStrideWOption(op.Get(), &o.stride_w) != kLiteRtStatusOk ||
      LiteRtGetConv2dDilationHOption(op.Get(), &o.dilation_h) != kLiteRtStatusOk ||
      LiteRtGetConv2dDilationWOption(op.Get(), &o.dilation_w) != kLiteRtStatusOk ||
      LiteRtGetConv2dFusedActivationOption(op.Get(), &o.activation) != kLiteRtStatusOk) {
    return Unsupported("the op has no Conv2DOptions");
  }
  return o;
}

}  // namespace

Expected<void> LegalizeConv2d(const litert::Op& op, const Hardware& hardware,
                              NetworkBuilder& builder) {
  ACME_ASSIGN_OR_RETURN(const Options options, ReadOptions(op));
  ACME_ASSIGN_OR_RETURN(const Activation activation, ReadActivation(options.activation));
  ACME_ASSIGN_OR_RETURN(const ConvolutionOperands operands, ReadConvolution(op, {}));
  const std::vector<int32_t>& x = operands.x.value.shape;
  const std::vector<int32_t>& w = operands.w.value.shape;
  const std::vector<int32_t>& y = operands.y.value.shape;
  if (w[3] != x[3]) {
    return Unsupported("grouped convolution: filters have " + std::to_string(w[3]) +
                       " channels, activations " + std::to_string(x[3]));
  }
  if (w[0] != y[3]) {
    return Unsupported("the result has " + std::to_string(y[3]) + " channels, there are " +
                       std::to_string(w[0]) + " filters");
  }
  Conv conv;
  conv.dtype = operands.dtype();
  conv.geometry.batches = x[0];
  ACME_ASSIGN_OR_RETURN(conv.geometry.h, ReadAxis({x[1], y[1], w[1], options.stride_h,
                                                   options.dilation_h, options.padding}));
  ACME_ASSIGN_OR_RETURN(conv.geometry.w, ReadAxis({x[2], y[2], w[2], options.stride_w,
                                                   options.dilation_w, options.padding}));
  conv.in_c = x[3];
  conv.out_c = w[0];
  conv.act_zp = operands.act_zp();
  conv.weight_zp = operands.weight_zp();
  ACME_ASSIGN_OR_RETURN(conv.requantize, ReadRequantization(operands, 0, activation));
  if (!ConvFits(conv, hardware))
    return Unsupported("its smallest tile does not fit the scratchpad of " + hardware.name);
  const auto inputs = op.Inputs();
  ACME_ASSIGN_OR_RETURN(conv.x, builder.AddTensor(inputs[0]));
  ACME_ASSIGN_OR_RETURN(conv.w, builder.AddTensor(inputs[1]));
  if (operands.has_bias) {
    ACME_ASSIGN_OR_RETURN(conv.bias, builder.AddTensor(inputs[2]));
  }
  return builder.AddLayer(op.Outputs()[0], std::make_shared<Conv>(std::move(conv)));
}

}  // namespace acme::compiler
