// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// FULLY_CONNECTED: y = x w^T + b with int8 activations and int8 constant weights, per tensor or per
// output channel. TFLite's reference scales the sums in float64
// (tflite/kernels/internal/reference/integer_ops/fully_connected.h); see exact_requantizer.h for
// how the NPU's fixed point equals it.

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "litert/c/litert_op_options.h"

#include "reference_plugin/compiler/exact_requantizer.h"
#include "reference_plugin/compiler/legalize.h"
#include "reference_plugin/compiler/lower/conv.h"

namespace acme::compiler {
namespace {

struct Operands {
  TensorInfo x;
  TensorInfo w;
  TensorInfo y;
};

Expected<void> CheckTypes(const Operands& operands) {
  if (operands.x.value.dtype != Dtype::kI8 || operands.w.value.dtype != Dtype::kI8 ||
      operands.y.value.dtype != Dtype::kI8) {
    return Unsupported("activations, weights and result must be int8, they are " +
                       DtypeName(operands.x.value.dtype) + ", " +
                       DtypeName(operands.w.value.dtype) + " and " +
                       DtypeName(operands.y.value.dtype));
  }
  if (operands.x.scales.size() != 1 || operands.y.scales.size() != 1) {
    return Unsupported("activations and result must be quantised per tensor");
  }
  return {};
}

Expected<void> CheckWeights(const Operands& operands) {
  const TensorInfo& w = operands.w;
  if (!w.value.is_constant()) return Unsupported("the weights must be constant");
  if (w.value.shape.size() != 2)
    return Unsupported("the weights must have two dimensions, they have " +
                       ShapeName(w.value.shape));
  if (operands.x.value.Elems() % w.value.shape[1] != 0) {
    return Unsupported("activations " + ShapeName(operands.x.value.shape) +
                       " do not divide into rows of " + std::to_string(w.value.shape[1]));
  }
  if (operands.y.value.Elems() != operands.x.value.Elems() / w.value.shape[1] * w.value.shape[0]) {
    return Unsupported("the result " + ShapeName(operands.y.value.shape) +
                       " does not fit activations " + ShapeName(operands.x.value.shape) +
                       " and weights " + ShapeName(w.value.shape));
  }
  if (w.scales.empty() ||
      (w.scales.size() != 1 &&
       (w.quantized_dimension != 0 || w.scales.size() != static_cast<size_t>(w.value.shape[0])))) {
    return Unsupported("the weights must be quantised per tensor or per output channel");
  }
  for (int64_t zero_point : w.zero_points) {
    if (zero_point != w.zero_points.front() || (w.scales.size() > 1 && zero_point != 0)) {
      return Unsupported("weights that are quantised per channel must have zero points of 0");
    }
  }
  return {};
}

int64_t LargestBias(const Value& bias) {
  int64_t largest = 0;
  for (size_t i = 0; i + sizeof(int32_t) <= bias.constant.size(); i += sizeof(int32_t)) {
    int32_t value = 0;
    std::memcpy(&value, bias.constant.data() + i, sizeof(value));
    largest = std::max(largest, std::abs(int64_t{value}));
  }
  return largest;
}

// One entry, or one per output channel.
Expected<std::vector<FixedPoint>> ReadScales(const Operands& operands, const Conv& product,
                                             int64_t largest_bias) {
  constexpr int64_t kLargestStep = 255;  // of an int8 value less its zero point
  const int64_t max_sum = int64_t{product.in_c} * kLargestStep * kLargestStep + largest_bias;
  std::vector<FixedPoint> scales;
  for (float w_scale : operands.w.scales) {
    const double real = static_cast<double>(operands.x.scales[0]) * static_cast<double>(w_scale) /
                        static_cast<double>(operands.y.scales[0]);
    const auto scale =
        FindExactRequantizer(real, product.requantize.out_zp, product.requantize.clamp, max_sum);
    if (!scale)
      return Unsupported("no multiplier of 31 bits is exact for the scale " + std::to_string(real));
    scales.push_back(*scale);
  }
  return scales;
}

Expected<ValueId> AddBias(const litert::Tensor& tensor, int32_t n, NetworkBuilder& builder) {
  ACME_ASSIGN_OR_RETURN(const TensorInfo bias, ReadTensor(tensor));
  if (bias.value.dtype != Dtype::kI32 || !bias.value.is_constant() || bias.value.Elems() != n) {
    return Unsupported("the bias must be a constant of " + std::to_string(n) +
                       " int32 elements, it is " + (bias.value.is_constant() ? "" : "computed ") +
                       DtypeName(bias.value.dtype) + ShapeName(bias.value.shape));
  }
  return builder.AddTensor(tensor);
}

}  // namespace

Expected<void> LegalizeFullyConnected(const litert::Op& op, const Hardware& hardware,
                                      NetworkBuilder& builder) {
  uint32_t activation_option = 0;
  uint32_t weights_format = 0;
  if (LiteRtGetFullyConnectedFusedActivationOption(op.Get(), &activation_option) !=
          kLiteRtStatusOk ||
      LiteRtGetFullyConnectedWeightsFormatOption(op.Get(), &weights_format) != kLiteRtStatusOk) {
    return Unsupported("the op has no FullyConnectedOptions");
  }
  if (weights_format != 0) return Unsupported("shuffled weights are not supported");
  const auto inputs = op.Inputs();
  const auto outputs = op.Outputs();
  if (inputs.size() < 2 || inputs.size() > 3 || outputs.size() != 1) {
    return Unsupported("it must have two or three inputs and one output");
  }
  ACME_ASSIGN_OR_RETURN(const Activation activation, ReadActivation(activation_option));
  Operands operands;
  ACME_ASSIGN_OR_RETURN(operands.x, ReadTensor(inputs[0]));
  ACME_ASSIGN_OR_RETURN(operands.w, ReadTensor(inputs[1]));
  ACME_ASSIGN_OR_RETURN(operands.y, ReadTensor(outputs[0]));
  ACME_RETURN_IF_ERROR(CheckTypes(operands));
  ACME_RETURN_IF_ERROR(CheckWeights(operands));

  // Rows are the pixels of one image with one row, multiplied by a kernel of one pixel.
  Conv product;
  product.out_c = operands.w.value.shape[0];
  product.in_c = operands.w.value.shape[1];
  const auto rows = static_cast<int32_t>(operands.x.value.Elems() / product.in_c);
  product.geometry.w = {.in = rows, .out = rows};
  product.act_zp = static_cast<int32_t>(operands.x.zero_points[0]);
  product.weight_zp =
      static_cast<int32_t>(operands.w.zero_points.empty() ? 0 : operands.w.zero_points[0]);
  Requantization& requantize = product.requantize;
  requantize.rounding = Rounding::kSingle;
  requantize.out_zp = static_cast<int32_t>(operands.y.zero_points[0]);
  requantize.clamp =
      ActivationRange(activation, Dtype::kI8, operands.y.scales[0], requantize.out_zp);
  int64_t largest_bias = 0;
  if (inputs.size() == 3) {
    ACME_ASSIGN_OR_RETURN(product.bias, AddBias(inputs[2], product.out_c, builder));
    largest_bias = LargestBias(builder.network().value(product.bias));
  }
  ACME_ASSIGN_OR_RETURN(requantize.scales, ReadScales(operands, product, largest_bias));
  if (!ConvFits(product, hardware))
    return Unsupported("its smallest tile does not fit the scratchpad of " + hardware.name);
  ACME_ASSIGN_OR_RETURN(product.x, builder.AddTensor(inputs[0]));
  ACME_ASSIGN_OR_RETURN(product.w, builder.AddTensor(inputs[1]));
  return builder.AddLayer(outputs[0], std::make_shared<Conv>(std::move(product)));
}

}  // namespace acme::compiler
