// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// TFLite's reference convolutions scale int32 sums by a 31-bit multiplier with two roundings, int64
// sums of int16 activations by a 16-bit one (tflite/kernels/internal/reference/integer_ops). The
// bias decides which of the two int16 activations have.

#include "reference_plugin/compiler/legalize/products/convolution.h"

#include <fmt/format.h>

#include <algorithm>

#include "reference_plugin/compiler/legalize/support.h"

namespace acme::compiler {
namespace {

Expected<void> CheckTypes(LiteRtOpCode code, const ConvolutionOperands& o) {
  const Dtype x = o.dtype();
  const Dtype w = o.w.value.dtype;
  const Dtype y = o.y.value.dtype;
  if (!TakesTypes(code, {x, y, w})) {
    return Unsupported(fmt::format(
        "activations, weights and result of the types {}, {} and {} are not supported together",
        DtypeName(x), DtypeName(w), DtypeName(y)));
  }
  if (!o.has_bias) return {};
  const Dtype bias = x == Dtype::kF32 ? Dtype::kF32 : Dtype::kI32;
  const bool wide = x == Dtype::kI16 && o.bias.value.dtype == Dtype::kI64;
  if (o.bias.value.dtype != bias && !wide) {
    return Unsupported(fmt::format(
        "the bias of a {} convolution must be {}{}, it is {}", DtypeName(x), DtypeName(bias),
        x == Dtype::kI16 ? " or int64" : "", DtypeName(o.bias.value.dtype)));
  }
  return {};
}

Expected<void> CheckBias(const ConvolutionOperands& o) {
  if (!o.has_bias) return {};
  if (o.bias.value.Elems() != o.y.value.shape[3]) {
    return Unsupported(fmt::format("the bias must have {} elements, it has {}", o.y.value.shape[3],
                                   ShapeName(o.bias.value.shape)));
  }
  return CheckWideBias(o.bias.value);
}

// A reader that must have them while it compiles.
Expected<void> CheckConstants(const ConvolutionOperands& o, bool may_be_computed) {
  if (may_be_computed && o.w.value.dtype == Dtype::kF32) return {};
  if (!o.w.value.is_constant()) return Unsupported("the weights must be constant");
  if (may_be_computed || !o.has_bias || o.bias.value.is_constant()) return {};
  return Unsupported("the bias must be constant");
}

Expected<void> CheckQuantization(const ConvolutionOperands& o) {
  if (o.dtype() == Dtype::kF32) return {};
  if (o.x.scales.size() != 1 || o.y.scales.size() != 1)
    return Unsupported("activations and result must be quantised per tensor");
  if (o.w.scales.empty()) return Unsupported("the weights are not quantised");
  const bool zero_points = o.dtype() == Dtype::kU8;
  for (int64_t zero_point : o.w.zero_points) {
    if (zero_point != o.w.zero_points.front() || (!zero_points && zero_point != 0))
      return Unsupported("the weights' zero points must be 0, those of uint8 all alike");
  }
  for (const TensorInfo* info : {&o.x, &o.y}) {
    const ClampRange range = TypeRange(o.dtype());
    const int64_t zero_point = info->zero_points.front();
    if (zero_point < range.lo || zero_point > range.hi)
      return Unsupported("a zero point is outside its type");
    if (o.dtype() == Dtype::kI16 && zero_point != 0)
      return Unsupported("int16 tensors must have the zero point 0");
  }
  return {};
}

}  // namespace

int32_t ConvolutionOperands::act_zp() const {
  return x.zero_points.empty() || dtype() == Dtype::kF32 ? 0
                                                         : static_cast<int32_t>(x.zero_points[0]);
}

int32_t ConvolutionOperands::weight_zp() const {
  return w.zero_points.empty() || dtype() == Dtype::kF32 ? 0
                                                         : static_cast<int32_t>(w.zero_points[0]);
}

Expected<void> CheckWideBias(const Value& bias) {
  if (bias.dtype != Dtype::kI64) return {};
  constexpr int64_t kLargest = (int64_t{1} << 39) - 1;  // what a record holds
  for (size_t i = 0; i + sizeof(int64_t) <= bias.constant.size(); i += sizeof(int64_t)) {
    int64_t value = 0;
    std::copy_n(bias.constant.data() + i, sizeof(value), reinterpret_cast<uint8_t*>(&value));
    if (value > kLargest || value < -kLargest) return Unsupported("the bias is beyond 40 bits");
  }
  return {};
}

Expected<ConvolutionOperands> ReadConvolution(const litert::Op& op, const OperandIndices& indices,
                                              bool may_be_computed) {
  const auto inputs = op.Inputs();
  const auto outputs = op.Outputs();
  if (inputs.size() <= std::max(indices.x, indices.w) || inputs.size() > indices.bias + 1 ||
      outputs.size() != 1) {
    return Unsupported(
        fmt::format("it has {} inputs and {} outputs", inputs.size(), outputs.size()));
  }
  ConvolutionOperands operands;
  ACME_ASSIGN_OR_RETURN(operands.x, ReadTensor(inputs[indices.x]));
  ACME_ASSIGN_OR_RETURN(operands.w, ReadTensor(inputs[indices.w]));
  ACME_ASSIGN_OR_RETURN(operands.y, ReadTensor(outputs[0]));
  operands.has_bias = inputs.size() == indices.bias + 1;
  if (operands.has_bias) {
    ACME_ASSIGN_OR_RETURN(operands.bias, ReadTensor(inputs[indices.bias]));
  }
  for (const TensorInfo* info : {&operands.x, &operands.w, &operands.y}) {
    if (info->value.shape.size() != 4) {
      return Unsupported(
          fmt::format("activations, weights and result must have four dimensions, one has {}",
                      ShapeName(info->value.shape)));
    }
  }
  ACME_RETURN_IF_ERROR(
      CheckConstants(operands, may_be_computed && operands.dtype() == Dtype::kF32));
  if (operands.x.value.shape[0] != operands.y.value.shape[0])
    return Unsupported("activations and result must be of as many images");
  ACME_RETURN_IF_ERROR(CheckTypes(op.Code(), operands));
  ACME_RETURN_IF_ERROR(CheckBias(operands));
  ACME_RETURN_IF_ERROR(CheckQuantization(operands));
  return operands;
}

Expected<Requantization> ReadRequantization(const ConvolutionOperands& o, int32_t channel_dimension,
                                            Activation activation) {
  Requantization result;
  if (o.dtype() == Dtype::kF32) {
    result.clamp = FloatActivationRange(activation);
    return result;
  }
  const size_t channels = o.w.scales.size();
  if (channels != 1 &&
      (o.w.quantized_dimension != channel_dimension ||
       channels != static_cast<size_t>(o.w.value.shape[static_cast<size_t>(channel_dimension)]))) {
    return Unsupported("the weights must be quantised per tensor or per output channel");
  }
  result.out_zp = static_cast<int32_t>(o.y.zero_points[0]);
  result.clamp = ActivationRange(activation, o.dtype(), o.y.scales[0], result.out_zp);
  // With an int32 bias int16 sums, too, are int32, and wrap around.
  const bool wide = o.dtype() == Dtype::kI16 && !(o.has_bias && o.bias.value.dtype == Dtype::kI32);
  result.rounding = wide ? Rounding::kWide : Rounding::kDouble;
  // Of the two roundings (docs/isa.md, MBQM).
  const int32_t largest_shift = wide ? 7 : 30;
  for (float scale : o.w.scales) {
    // The legacy uint8 kernels multiply the two scales in float32.
    const double product = o.dtype() == Dtype::kU8
                               ? static_cast<double>(o.x.scales[0] * scale)
                               : static_cast<double>(o.x.scales[0]) * static_cast<double>(scale);
    result.scales.push_back(QuantizeMultiplier(product / static_cast<double>(o.y.scales[0])));
    if (result.scales.back().shift > largest_shift)
      return Unsupported("the scales of operands and result are too far apart");
  }
  return result;
}

Expected<WindowAxis> ReadAxis(const AxisOptions& o) {
  constexpr int32_t kLargestKernel = 255;  // of the instructions' fields
  if (o.stride < 1 || o.dilation < 1 || o.kernel < 1)
    return Unsupported("strides, dilations and kernels must be positive");
  if (o.stride > kLargestKernel || o.dilation > kLargestKernel || o.kernel > kLargestKernel)
    return Unsupported(fmt::format("a stride, dilation or kernel is above {}", kLargestKernel));
  if (o.padding > 1) return Unsupported("the padding is neither SAME nor VALID");
  const int32_t reach = (o.kernel - 1) * o.dilation + 1;
  const int32_t out =
      o.padding == 0 ? (o.in + o.stride - 1) / o.stride : (o.in + o.stride - reach) / o.stride;
  if (out != o.out || out < 1) {
    return Unsupported(
        fmt::format("windows of {} over {} elements do not give {}", reach, o.in, o.out));
  }
  // What is odd goes behind the image, as in TFLite's ComputePadding.
  const int64_t pad = std::max<int64_t>(0, (int64_t{out - 1} * o.stride + reach - o.in) / 2);
  if (pad > 1000 || reach > 1000) return Unsupported("the windows are too large");
  return WindowAxis{.in = o.in,
                    .out = out,
                    .kernel = o.kernel,
                    .stride = o.stride,
                    .dilation = o.dilation,
                    .pad = static_cast<int32_t>(pad)};
}

Expected<void> ReadGeometry(const ConvolutionOperands& operands, const ConvolutionOptions& options,
                            WindowGeometry& geometry) {
  const std::vector<int32_t>& x = operands.x.value.shape;
  const std::vector<int32_t>& w = operands.w.value.shape;
  const std::vector<int32_t>& y = operands.y.value.shape;
  geometry.batches = x[0];
  ACME_ASSIGN_OR_RETURN(geometry.h, ReadAxis({x[1], y[1], w[1], options.stride_h,
                                              options.dilation_h, options.padding}));
  ACME_ASSIGN_OR_RETURN(geometry.w, ReadAxis({x[2], y[2], w[2], options.stride_w,
                                              options.dilation_w, options.padding}));
  return {};
}

}  // namespace acme::compiler
