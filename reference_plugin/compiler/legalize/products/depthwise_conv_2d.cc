// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// DEPTHWISE_CONV_2D. The depth multiplier follows from the shapes; the option of that name is not
// looked at, as in TFLite.

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "litert/c/litert_op_options.h"
#include "reference_plugin/compiler/legalize/legalize.h"
#include "reference_plugin/compiler/legalize/products/computed_product.h"
#include "reference_plugin/compiler/legalize/products/convolution.h"
#include "reference_plugin/compiler/legalize/products/hybrid_convolution.h"
#include "reference_plugin/compiler/lower/lowering.h"
#include "reference_plugin/compiler/lower/products/conv.h"
#include "reference_plugin/compiler/lower/products/conv_tile.h"
#include "reference_plugin/compiler/lower/products/depthwise/depthwise.h"
#include "reference_plugin/compiler/lower/products/pixel_plan.h"

namespace acme::compiler {
namespace {

Expected<ConvolutionOptions> ReadDepthwiseOptions(const litert::Op& op) {
  ConvolutionOptions o;
  if (LiteRtGetDepthwiseConv2dPaddingOption(op.Get(), &o.padding) != kLiteRtStatusOk ||
      LiteRtGetDepthwiseConv2dStrideHOption(op.Get(), &o.stride_h) != kLiteRtStatusOk ||
      LiteRtGetDepthwiseConv2dStrideWOption(op.Get(), &o.stride_w) != kLiteRtStatusOk ||
      LiteRtGetDepthwiseConv2dDilationHOption(op.Get(), &o.dilation_h) != kLiteRtStatusOk ||
      LiteRtGetDepthwiseConv2dDilationWOption(op.Get(), &o.dilation_w) != kLiteRtStatusOk ||
      LiteRtGetDepthwiseConv2dFusedActivationOption(op.Get(), &o.activation) != kLiteRtStatusOk) {
    return Unsupported("the op has no DepthwiseConv2DOptions");
  }
  return o;
}

Expected<void> CheckFits(const Depthwise& op, const Hardware& hardware) {
  const int64_t bytes = GuaranteedStepBytes(hardware);
  const DepthwiseTile tile = ChooseDepthwiseTile(op, true, true, bytes, hardware);
  if (DepthwiseTileBytes(op, tile, true, true) > bytes) return DoesNotFit(hardware);
  return {};
}

// Without its weights.
Conv AsConv(const Depthwise& op) {
  Conv conv;
  conv.dtype = op.dtype;
  conv.geometry = op.geometry;
  conv.out_c = op.out_c();
  conv.x = op.x;
  conv.bias = op.bias;
  conv.act_zp = op.act_zp;
  conv.weight_zp = op.weight_zp;
  conv.requantize = op.requantize;
  return conv;
}

// Kernels of [h, w, channels] become one of [h, w] for each channel.
ValueId AddWeightsByChannel(const Depthwise& op, NetworkBuilder& builder) {
  const Value w = builder.network().value(op.w);
  const auto elem = static_cast<size_t>(SizeBytes(w.dtype));
  const auto channels = static_cast<size_t>(op.out_c());
  const size_t taps = w.constant.size() / elem / channels;
  std::vector<uint8_t> kernels(w.constant.size());
  for (size_t tap = 0; tap < taps; ++tap) {
    for (size_t channel = 0; channel < channels; ++channel) {
      std::copy_n(w.constant.data() + (tap * channels + channel) * elem, elem,
                  kernels.data() + (channel * taps + tap) * elem);
    }
  }
  return builder.AddConstant(w.name, w.dtype,
                             {op.out_c(), op.geometry.h.kernel, op.geometry.w.kernel, 1},
                             std::move(kernels));
}

}  // namespace

Expected<void> LegalizeDepthwiseConv2d(const litert::Op& op, const Hardware& hardware,
                                       NetworkBuilder& builder) {
  ACME_ASSIGN_OR_RETURN(const ConvolutionOptions options, ReadDepthwiseOptions(op));
  ACME_ASSIGN_OR_RETURN(const ConvolutionOperands operands,
                        ReadConvolution(op, {}, builder.of_partition()));
  const std::vector<int32_t>& x = operands.x.value.shape;
  const std::vector<int32_t>& w = operands.w.value.shape;
  const std::vector<int32_t>& y = operands.y.value.shape;
  if (w[0] != 1 || w[3] != y[3] || w[3] % x[3] != 0) {
    return Unsupported(fmt::format("weights {} do not fit activations {} and result {}",
                                   ShapeName(w), ShapeName(x), ShapeName(y)));
  }
  if (IsHybrid(operands)) ACME_RETURN_IF_ERROR(CheckHybrid(operands, 3));
  Depthwise conv;
  ACME_RETURN_IF_ERROR(ReadGeometry(operands, options, conv.geometry));
  ACME_ASSIGN_OR_RETURN(const Activation activation, ReadActivation(options.activation));
  const ComputedProduct computed{.h = SeenBy(conv.geometry.h),
                                 .w = SeenBy(conv.geometry.w),
                                 .batches = x[0],
                                 .groups = x[3],
                                 .out_c = w[3] / x[3],
                                 .taps_first = true,
                                 .activation = activation};
  if (operands.computed()) return AddComputedProduct(op, {}, computed, hardware, builder);
  if (MayBeComputed(operands.w, operands.Bias()))
    ACME_RETURN_IF_ERROR(CheckComputedProduct(computed, hardware));
  ACME_RETURN_IF_ERROR(ReadLayer(op, operands, options, /*channel_dimension=*/3, builder, conv));
  conv.in_c = x[3];
  conv.multiplier = w[3] / x[3];
  if (IsHybrid(operands) && RoundsDepthwise(conv, hardware)) {
    ACME_ASSIGN_OR_RETURN(conv, AddRoundedDepthwise(op, operands, conv, builder));
  } else if (IsHybrid(operands)) {
    ACME_ASSIGN_OR_RETURN(const RealOperands real, AddRealOperands(op, operands, 3, builder));
    conv.x = real.x;
    conv.w = real.w;
  }
  // Windows of one channel are products that the array does as well, so that the vector engine has but
  // their sums to read.
  if (conv.in_c == 1 && conv.dtype != Dtype::kI16 && !conv.ScalesSums() &&
      !builder.network().value(conv.w).int4) {
    Conv products = AsConv(conv);
    // They are told doubled.
    const int64_t cycles = ConvEngineCycles(products, hardware) / 2;
    if (cycles < DepthwiseLaneCycles(conv, hardware) && ConvFits(products, hardware)) {
      products.w = AddWeightsByChannel(conv, builder);
      return builder.AddLayer(op.Outputs()[0], std::make_shared<Conv>(std::move(products)));
    }
  }
  ACME_RETURN_IF_ERROR(CheckFits(conv, hardware));
  return builder.AddLayer(op.Outputs()[0], std::make_shared<Depthwise>(std::move(conv)));
}

}  // namespace acme::compiler
