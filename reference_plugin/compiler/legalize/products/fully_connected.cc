// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// FULLY_CONNECTED: y = x w^T + b with constant weights: float32, uint8 per tensor, int8, int16 by
// int8, and float32 by int8 (hybrid_product.h) per tensor or per output channel; int4 in the place of
// int8 weights, beside float32 also scaled block by block. TFLite's reference scales integer sums in float64
// (tflite/kernels/internal/reference/integer_ops/fully_connected.h). For 8-bit results a multiplier
// of 31 bits mostly does the same for every sum that there can be (exact_requantizer.h), at a
// quarter of the cost; where it does not, and for int16, whose results have too many steps, the NPU
// scales in float64, too (Rounding::kReal).

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <optional>

#include "litert/c/litert_op_options.h"

#include "reference_plugin/compiler/arithmetic/exact_requantizer.h"
#include "reference_plugin/compiler/legalize/legalize.h"
#include "reference_plugin/compiler/legalize/operands.h"
#include "reference_plugin/compiler/legalize/products/computed_product.h"
#include "reference_plugin/compiler/legalize/products/convolution.h"
#include "reference_plugin/compiler/legalize/products/hybrid_product.h"
#include "reference_plugin/compiler/lower/products/conv.h"
#include "reference_plugin/compiler/lower/products/conv_tile.h"

namespace acme::compiler {
namespace {

struct FullyConnectedOperands {
  TensorInfo x;
  TensorInfo w;
  TensorInfo y;
};

Expected<void> CheckTypes(LiteRtOpCode code, const FullyConnectedOperands& operands) {
  const Dtype x = operands.x.value.dtype;
  const Dtype w = operands.w.value.dtype;
  const Dtype y = operands.y.value.dtype;
  const bool int4 = operands.w.value.int4;
  if (!TakesTypes(code, {x, y, w, int4})) {
    return Unsupported(fmt::format(
        "activations, weights and result must all be int8, uint8 or float32, or the weights int8 "
        "or int4 and the others int8, int16 or float32; they are {}, {} and {}",
        DtypeName(x), int4 ? "int4" : DtypeName(w), DtypeName(y)));
  }
  if (x == Dtype::kF32) return {};
  ACME_RETURN_IF_ERROR(CheckPerTensor(operands.x));
  return CheckPerTensor(operands.y);
}

// Of the weights: one, or one per output channel or, beside float32, per block.
Expected<void> CheckWeightScales(const TensorInfo& w, Dtype activations) {
  if (w.value.dtype == Dtype::kF32) return {};
  if (w.block_elems > 0) {
    if (activations == Dtype::kF32) return {};
    return Unsupported("weights that are quantised blockwise must meet float32 activations");
  }
  if (w.scales.size() == 1) {
    if ((w.value.int4 || activations == Dtype::kI16 || activations == Dtype::kF32) &&
        ZeroPointOf(w) != 0) {
      return Unsupported(
          "weights of int4, and those of int16 and float32 activations, must have the zero point "
          "0");
    }
    return CheckPerTensor(w);
  }
  if (w.value.dtype == Dtype::kU8 || w.scales.empty() || w.quantized_dimension != 0 ||
      w.scales.size() != static_cast<size_t>(w.value.shape[0])) {
    return Unsupported(
        "the weights must be quantised per tensor or, if they are int8, per output channel");
  }
  for (int64_t zero_point : w.zero_points) {
    if (zero_point != 0)
      return Unsupported("weights that are quantised per channel must have zero points of 0");
  }
  return {};
}

Expected<void> CheckWeights(const FullyConnectedOperands& operands, bool may_be_computed) {
  const TensorInfo& w = operands.w;
  if (!w.value.is_constant() && !(may_be_computed && w.value.dtype == Dtype::kF32))
    return Unsupported("the weights must be constant");
  if (w.value.shape.size() != 2)
    return Unsupported(fmt::format("the weights must have two dimensions, they have {}",
                                   ShapeName(w.value.shape)));
  if (operands.x.value.Elems() % w.value.shape[1] != 0) {
    return Unsupported(fmt::format("activations {} do not divide into rows of {}",
                                   ShapeName(operands.x.value.shape), w.value.shape[1]));
  }
  if (operands.y.value.Elems() != operands.x.value.Elems() / w.value.shape[1] * w.value.shape[0]) {
    return Unsupported(fmt::format("the result {} does not fit activations {} and weights {}",
                                   ShapeName(operands.y.value.shape),
                                   ShapeName(operands.x.value.shape), ShapeName(w.value.shape)));
  }
  return CheckWeightScales(w, operands.x.value.dtype);
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

// The largest sum of |weight| over an output channel; of int4, no less than it.
int64_t LargestWeightSum(const Value& w) {
  const auto depth = static_cast<size_t>(w.shape[1]);
  constexpr int64_t kLargestInt4 = 8;
  if (w.int4) return kLargestInt4 * w.shape[1];
  int64_t largest = 0;
  for (size_t row = 0; row + depth <= w.constant.size(); row += depth) {
    int64_t sum = 0;
    for (size_t i = 0; i < depth; ++i)
      sum += std::abs(int{static_cast<int8_t>(w.constant[row + i])});
    largest = std::max(largest, sum);
  }
  return largest;
}

std::vector<double> RealScales(const FullyConnectedOperands& operands) {
  std::vector<double> scales;
  for (float w_scale : operands.w.scales) {
    scales.push_back(static_cast<double>(operands.x.scales[0]) * static_cast<double>(w_scale) /
                     static_cast<double>(operands.y.scales[0]));
  }
  return scales;
}

// One entry, or one per output channel: multipliers that are exact for every sum; none if one has
// none.
std::vector<FixedPoint> FindMultipliers(const std::vector<double>& reals, const Conv& product,
                                        int64_t largest_bias) {
  constexpr int64_t kLargestStep = 255;  // of a value of 8 bits less its zero point
  const int64_t max_sum = int64_t{product.in_c} * kLargestStep * kLargestStep + largest_bias;
  std::vector<FixedPoint> scales;
  for (double real : reals) {
    const auto scale =
        FindExactRequantizer(real, product.requantize.out_zp, product.requantize.clamp, max_sum);
    if (!scale) return {};
    scales.push_back(*scale);
  }
  return scales;
}

// With an int32 bias the CPU's sums have 32 bits, the NPU's 64: they must not differ.
Expected<void> CheckInt16Sums(const FullyConnectedOperands& operands, const Value& bias) {
  if (bias.dtype == Dtype::kI64) return CheckWideBias(bias);
  constexpr int64_t kLargestActivation = 32768;
  const int64_t largest = LargestWeightSum(operands.w.value) * kLargestActivation;
  if (largest + LargestBias(bias) > INT32_MAX) {
    return Unsupported(
        "its sums may exceed 32 bits, where those that the CPU has with an int32 bias wrap around");
  }
  return {};
}

Expected<TensorInfo> ReadBias(const litert::Tensor& tensor, const Conv& product,
                              bool may_be_computed) {
  ACME_ASSIGN_OR_RETURN(TensorInfo bias, ReadTensor(tensor));
  const Dtype dtype = product.dtype == Dtype::kF32 ? Dtype::kF32 : Dtype::kI32;
  const bool wide = product.dtype == Dtype::kI16 && bias.value.dtype == Dtype::kI64;
  const bool computed = may_be_computed && dtype == Dtype::kF32;
  if ((bias.value.dtype != dtype && !wide) || (!bias.value.is_constant() && !computed) ||
      bias.value.Elems() != product.out_c) {
    return Unsupported(fmt::format("the bias must be a constant of {} {}{} elements, it is {}{}{}",
                                   product.out_c, DtypeName(dtype),
                                   product.dtype == Dtype::kI16 ? " or int64" : "",
                                   bias.value.is_constant() ? "" : "computed ",
                                   DtypeName(bias.value.dtype), ShapeName(bias.value.shape)));
  }
  return bias;
}

// Zero points, scales and limits of integers; limits of float32.
Expected<void> ReadQuantization(const FullyConnectedOperands& operands, Activation activation,
                                NetworkBuilder& builder, Conv& product) {
  Requantization& requantize = product.requantize;
  if (product.dtype == Dtype::kF32) {
    requantize.clamp = FloatActivationRange(activation);
    return {};
  }
  product.act_zp = ZeroPointOf(operands.x);
  product.weight_zp = operands.w.zero_points.empty() ? 0 : ZeroPointOf(operands.w);
  requantize.out_zp = ZeroPointOf(operands.y);
  requantize.clamp =
      ActivationRange(activation, product.dtype, ScaleOf(operands.y), requantize.out_zp);
  const std::vector<double> reals = RealScales(operands);
  if (product.dtype == Dtype::kI16) {
    if (product.bias != kNoValue)
      ACME_RETURN_IF_ERROR(CheckInt16Sums(operands, builder.network().value(product.bias)));
  } else {
    const int64_t largest_bias =
        product.bias == kNoValue ? 0 : LargestBias(builder.network().value(product.bias));
    requantize.rounding = Rounding::kSingle;
    requantize.scales = FindMultipliers(reals, product, largest_bias);
    if (!requantize.scales.empty()) return {};
  }
  requantize.rounding = Rounding::kReal;
  requantize.reals = reals;
  return {};
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
  FullyConnectedOperands operands;
  ACME_ASSIGN_OR_RETURN(operands.x, ReadTensor(inputs[0]));
  ACME_ASSIGN_OR_RETURN(operands.w, ReadTensor(inputs[1], Int4::kTakenInBlocks));
  ACME_ASSIGN_OR_RETURN(operands.y, ReadTensor(outputs[0]));
  ACME_RETURN_IF_ERROR(CheckTypes(op.Code(), operands));
  ACME_RETURN_IF_ERROR(CheckWeights(operands, builder.of_partition()));

  if (operands.x.value.dtype == Dtype::kF32 && operands.w.value.dtype != Dtype::kF32)
    return AddHybridProduct(op, operands.x, operands.w, activation, hardware, builder);

  // Rows are the pixels of one image with one row, multiplied by a kernel of one pixel.
  Conv product;
  product.dtype = operands.x.value.dtype;
  product.out_c = operands.w.value.shape[0];
  product.in_c = operands.w.value.shape[1];
  const auto rows = static_cast<int32_t>(operands.x.value.Elems() / product.in_c);
  product.geometry.w = {.in = rows, .out = rows};
  std::optional<TensorInfo> bias;
  if (inputs.size() == 3) {
    ACME_ASSIGN_OR_RETURN(bias, ReadBias(inputs[2], product, builder.of_partition()));
  }
  const ComputedProduct computed{
      .batches = rows, .in_c = product.in_c, .out_c = product.out_c, .activation = activation};
  const bool has_bias = bias.has_value();
  if (!operands.w.value.is_constant() || (has_bias && !bias->value.is_constant()))
    return AddComputedProduct(op, {}, computed, hardware, builder);
  if (MayBeComputed(operands.w, has_bias ? &*bias : nullptr))
    ACME_RETURN_IF_ERROR(CheckComputedProduct(computed, hardware));
  if (has_bias) {
    ACME_ASSIGN_OR_RETURN(product.bias, builder.AddTensor(inputs[2]));
  }
  ACME_RETURN_IF_ERROR(ReadQuantization(operands, activation, builder, product));
  if (!ConvFits(product, hardware)) return DoesNotFit(hardware);
  ACME_ASSIGN_OR_RETURN(product.x, builder.AddTensor(inputs[0]));
  ACME_ASSIGN_OR_RETURN(product.w, builder.AddTensor(inputs[1], Int4::kTaken));
  return builder.AddLayer(outputs[0], std::make_shared<Conv>(std::move(product)));
}

}  // namespace acme::compiler
