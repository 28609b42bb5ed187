// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// CONV_2D. Of several groups, each reads some channels of the image and writes some of the result;
// groups of few channels are computed several at a time, by kernels that weigh the other groups'
// channels with nothing, where that takes the array fewer rows.

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "litert/c/litert_op_options.h"
#include "reference_plugin/compiler/legalize/legalize.h"
#include "reference_plugin/compiler/legalize/products/computed_product.h"
#include "reference_plugin/compiler/legalize/products/convolution.h"
#include "reference_plugin/compiler/legalize/products/hybrid_convolution.h"
#include "reference_plugin/compiler/lower/products/conv_parts.h"
#include "reference_plugin/compiler/lower/products/conv_tile.h"
#include "reference_plugin/compiler/lower/products/pixel_plan.h"

namespace acme::compiler {
namespace {

Expected<ConvolutionOptions> ReadConv2dOptions(const litert::Op& op) {
  ConvolutionOptions o;
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

// Consecutive groups as one convolution, without its constants.
struct Groups {
  int32_t first = 0;
  int32_t count = 1;
};

// Channels of one group.
struct GroupSize {
  int32_t in = 1;
  int32_t out = 1;
};

// `whole` as a convolution of some of its groups.
Conv MakePart(const Conv& whole, const GroupSize& size, const Groups& groups) {
  Conv conv = whole;
  conv.in_c = groups.count * size.in;
  conv.out_c = groups.count * size.out;
  // Other groups' channels, which are float32, must not make a NaN of an infinity
  // (docs/adr/0017-cells-without-a-weight.md).
  conv.holes = groups.count > 1;
  conv.part.x_channels = whole.in_c;
  conv.part.first_x_channel = groups.first * size.in;
  conv.part.y_rows = whole.geometry.h.out;
  conv.part.y_cols = whole.geometry.w.out;
  conv.part.y_channels = whole.out_c;
  conv.part.first_channel = groups.first * size.out;
  std::vector<FixedPoint>& scales = conv.requantize.scales;
  if (scales.size() > 1) {
    const auto first = whole.requantize.scales.begin() + conv.part.first_channel;
    scales.assign(first, first + conv.out_c);
  }
  return conv;
}

std::vector<Groups> CutGroups(int32_t groups, int32_t together) {
  std::vector<Groups> cuts;
  for (int32_t first = 0; first < groups; first += together)
    cuts.push_back({first, std::min(together, groups - first)});
  return cuts;
}

// As many groups together as take the array the fewest rows.
std::vector<Groups> ChooseGroups(const Conv& whole, const GroupSize& size,
                                 const Hardware& hardware) {
  const int32_t groups = whole.in_c / size.in;
  int64_t best_rows = INT64_MAX;
  int32_t best = 1;
  for (int32_t together = 1; together <= groups; ++together) {
    // More than fill the array only add rows.
    if (together > 1 && int64_t{together} * size.in > 2 * hardware.array_rows) break;
    int64_t rows = 0;
    for (const Groups& cut : CutGroups(groups, together))
      rows += ConvEngineCycles(MakePart(whole, size, cut), hardware);
    if (rows >= best_rows) continue;
    best_rows = rows;
    best = together;
  }
  return CutGroups(groups, best);
}

// Kernels of [out_c, h, w, in_c] of the groups; those of other groups' channels weigh nothing.
std::vector<uint8_t> MakeKernel(const Conv& part, const GroupSize& size, const Value& w) {
  const auto elem = static_cast<size_t>(SizeBytes(w.dtype));
  const auto run_bytes = static_cast<size_t>(size.in) * elem;
  const auto pixel_bytes = static_cast<size_t>(part.in_c) * elem;
  const auto taps =
      static_cast<size_t>(part.geometry.h.kernel) * static_cast<size_t>(part.geometry.w.kernel);
  std::vector<uint8_t> kernel =
      NoWeights(static_cast<size_t>(part.out_c) * taps * pixel_bytes, part.dtype, part.weight_zp);
  for (int32_t out = 0; out < part.out_c; ++out) {
    const auto filter = static_cast<size_t>(part.part.first_channel) + static_cast<size_t>(out);
    const auto group = static_cast<size_t>(out) / static_cast<size_t>(size.out);
    for (size_t tap = 0; tap < taps; ++tap) {
      CopyWeights(w.constant.data() + (filter * taps + tap) * run_bytes, run_bytes, part.dtype,
                  kernel.data() + (static_cast<size_t>(out) * taps + tap) * pixel_bytes +
                      group * run_bytes);
    }
  }
  return kernel;
}

Expected<void> AddGroups(const litert::Op& op, const Conv& whole, const GroupSize& size,
                         const Hardware& hardware, NetworkBuilder& builder) {
  ConvParts layer;
  layer.name = "grouped_conv";
  layer.w = whole.w;
  layer.bias = whole.bias;
  for (const Groups& groups : ChooseGroups(whole, size, hardware)) {
    Conv conv = MakePart(whole, size, groups);
    if (!ConvFits(conv, hardware)) return DoesNotFit(hardware);
    const Value w = builder.network().value(whole.w);
    conv.w = builder.AddConstant(
        w.name, w.dtype, {conv.out_c, conv.geometry.h.kernel, conv.geometry.w.kernel, conv.in_c},
        MakeKernel(conv, size, w));
    if (whole.bias != kNoValue) {
      const Value bias = builder.network().value(whole.bias);
      const int64_t elem_bytes = SizeBytes(bias.dtype);
      const auto first = bias.constant.begin() + conv.part.first_channel * elem_bytes;
      conv.bias = builder.AddConstant(bias.name, bias.dtype, {conv.out_c},
                                      std::vector<uint8_t>(first, first + conv.out_c * elem_bytes));
    }
    layer.macs += static_cast<uint64_t>(conv.geometry.batches) *
                  static_cast<uint64_t>(conv.geometry.h.out * conv.geometry.w.out) *
                  static_cast<uint64_t>(conv.geometry.h.kernel * conv.geometry.w.kernel) *
                  static_cast<uint64_t>(conv.out_c) * static_cast<uint64_t>(size.in);
    layer.parts.push_back(std::move(conv));
  }
  return builder.AddLayer(op.Outputs()[0], std::make_shared<ConvParts>(std::move(layer)));
}

}  // namespace

Expected<void> LegalizeConv2d(const litert::Op& op, const Hardware& hardware,
                              NetworkBuilder& builder) {
  ACME_ASSIGN_OR_RETURN(const ConvolutionOptions options, ReadConv2dOptions(op));
  ACME_ASSIGN_OR_RETURN(const ConvolutionOperands operands,
                        ReadConvolution(op, {}, builder.of_partition()));
  const std::vector<int32_t>& x = operands.x.value.shape;
  const std::vector<int32_t>& w = operands.w.value.shape;
  const std::vector<int32_t>& y = operands.y.value.shape;
  const int32_t groups = x[3] / w[3];
  if (groups * w[3] != x[3] || groups == 0 || w[0] % groups != 0 || w[0] != y[3]) {
    return Unsupported(fmt::format(
        "{} filters of {} channels do not divide into groups of {} channels of the image "
        "and {} of the result",
        w[0], w[3], x[3], y[3]));
  }
  if (IsHybrid(operands)) ACME_RETURN_IF_ERROR(CheckHybrid(operands, 0));
  Conv conv;
  ACME_RETURN_IF_ERROR(ReadGeometry(operands, options, conv.geometry));
  ACME_ASSIGN_OR_RETURN(const Activation activation, ReadActivation(options.activation));
  const ComputedProduct computed{.h = SeenBy(conv.geometry.h),
                                 .w = SeenBy(conv.geometry.w),
                                 .batches = x[0],
                                 .groups = groups,
                                 .in_c = w[3],
                                 .out_c = w[0] / groups,
                                 .activation = activation};
  if (operands.computed() && !IsHybrid(operands))
    return AddComputedProduct(op, {}, computed, hardware, builder);
  if (MayBeComputed(operands.w, operands.Bias()))
    ACME_RETURN_IF_ERROR(CheckComputedProduct(computed, hardware));
  ACME_RETURN_IF_ERROR(ReadLayer(op, operands, options, /*channel_dimension=*/0, builder, conv));
  conv.in_c = x[3];
  conv.out_c = w[0];
  if (IsHybrid(operands)) {
    if (groups == 1) return AddHybridConvolution(op, operands, conv, hardware, builder);
    ACME_ASSIGN_OR_RETURN(const RealOperands real, AddRealOperands(op, operands, 0, builder));
    conv.x = real.x;
    conv.w = real.w;
  }
  if (groups > 1) return AddGroups(op, conv, {w[3], w[0] / groups}, hardware, builder);
  if (!ConvFits(conv, hardware)) return DoesNotFit(hardware);
  return builder.AddLayer(op.Outputs()[0], std::make_shared<Conv>(std::move(conv)));
}

}  // namespace acme::compiler
