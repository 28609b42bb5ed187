// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/faulty_plugins/planted_graphs.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <utility>
#include <vector>

#include "conformance/faulty_plugins/fault.h"

namespace npukit::conformance::mimic {
namespace {

using Activation = ActivationFunctionType;

bool Is(const Op& op, LiteRtOpCode code) { return op.code == code; }

bool IsConvolution(const Op& op) {
  return Is(op, kLiteRtOpCodeTflConv2d) || Is(op, kLiteRtOpCodeTflDepthwiseConv2d);
}

void ReplaceActivation(Op& op, Activation from, Activation to) {
  ChangeOption<Activation>(op, "fused_activation_function", [&](Activation activation) {
    return activation == from ? to : activation;
  });
}

void DropActivation(Op& op) {
  ChangeOption<Activation>(op, "fused_activation_function",
                           [](Activation) { return Activation::kNone; });
}

void PlantInActivations(Op& op, bool is_last) {
  const bool is_int8 = op.outputs[0]->element_type == kLiteRtElementTypeInt8;
  if (Has(Fault::int8_relu6_is_relu) && is_int8)
    ReplaceActivation(op, Activation::kRelu6, Activation::kRelu);
  if (Has(Fault::relu_is_relu6)) ReplaceActivation(op, Activation::kRelu, Activation::kRelu6);
  if (Has(Fault::max_pool_inactive) && Is(op, kLiteRtOpCodeTflMaxPool2d)) DropActivation(op);
  if (Has(Fault::mul_inactive) && Is(op, kLiteRtOpCodeTflMul)) DropActivation(op);
  if (Has(Fault::inner_activations_lost) && !is_last) DropActivation(op);
}

void SetOption(Op& op, std::string_view name, int32_t value) {
  ChangeOption<int32_t>(op, name, [&](int32_t) { return value; });
}

void PlantInWindows(Op& op) {
  if (Has(Fault::pool_window_square) && IsPool(op))
    SetOption(op, "filter_width", OptionOf(op, "filter_height"));
  if (Has(Fault::strides_swapped) && IsConvolution(op)) {
    const int32_t down = OptionOf(op, "stride_h");
    SetOption(op, "stride_h", OptionOf(op, "stride_w"));
    SetOption(op, "stride_w", down);
  }
  const bool undilated =
      (Has(Fault::depthwise_undilated) && Is(op, kLiteRtOpCodeTflDepthwiseConv2d)) ||
      (Has(Fault::conv_undilated) && Is(op, kLiteRtOpCodeTflConv2d));
  if (undilated) {
    SetOption(op, "dilation_h_factor", 1);
    SetOption(op, "dilation_w_factor", 1);
  }
}

// The elements of a constant, changed.
template <typename T>
void ChangeElements(Tensor& tensor, const std::function<void(std::vector<T>&)>& change) {
  const std::span<const uint8_t> bytes = tensor.weights.bytes();
  std::vector<T> values(bytes.size() / sizeof(T));
  std::memcpy(values.data(), bytes.data(), values.size() * sizeof(T));
  change(values);
  std::vector<uint8_t> changed(bytes.begin(), bytes.end());
  std::memcpy(changed.data(), values.data(), values.size() * sizeof(T));
  if (std::equal(bytes.begin(), bytes.end(), changed.begin())) return;
  tensor.weights.buffer_id = tensor.weights.store->Add(SharedBytes::Take(std::move(changed)));
}

template <typename T>
void SpoilBiases(std::vector<T>& biases) {
  if (Has(Fault::bias_of_last_channel) && !biases.empty()) biases.back() = 0;
  if (Has(Fault::biases_past_16) && biases.size() > 16)
    std::fill(biases.begin() + 16, biases.end(), T{0});
  if (!Has(Fault::biases_positive)) return;
  for (T& bias : biases) bias = bias < 0 ? -bias : bias;
}

template <typename T>
void SpoilWeights(std::vector<T>& weights) {
  if (Has(Fault::last_weight_lost) && !weights.empty()) weights.back() = 0;
  if (Has(Fault::weights_past_1024) && weights.size() > 1024)
    std::fill(weights.begin() + 1024, weights.end(), T{0});
  if (Has(Fault::weights_above_minus_128)) {
    for (T& weight : weights) weight = weight == T(-128) ? T(-127) : weight;
  }
}

void PlantInConstants(Op& op) {
  const bool is_product = IsConvolution(op) || Is(op, kLiteRtOpCodeTflFullyConnected);
  for (size_t i = 1; is_product && i < op.inputs.size(); ++i) {
    if (op.inputs[i] == nullptr || !op.inputs[i]->is_constant()) continue;
    Tensor& constant = *op.inputs[i];
    if (constant.element_type == kLiteRtElementTypeInt32)
      ChangeElements<int32_t>(constant, SpoilBiases<int32_t>);
    if (constant.element_type == kLiteRtElementTypeFloat32)
      ChangeElements<float>(constant, i == 1 ? SpoilWeights<float> : SpoilBiases<float>);
    if (constant.element_type == kLiteRtElementTypeInt8)
      ChangeElements<int8_t>(constant, SpoilWeights<int8_t>);
  }
}

void DropZeroPoints(Tensor& tensor) {
  ZeroPoints& points = tensor.quantization.zero_point;
  points = ZeroPoints(points.size(), 0);
}

void PlantInQuantization(Op& op) {
  if (Has(Fault::ignores_first_zero_point)) DropZeroPoints(*op.inputs[0]);
  if (Has(Fault::ignores_output_zero_point)) DropZeroPoints(*op.outputs[0]);
  if (op.inputs.size() < 2 || op.inputs[1] == nullptr || !op.inputs[1]->is_constant()) return;
  std::vector<float>& scales = op.inputs[1]->quantization.scale;
  if (Has(Fault::scale_of_last_channel) && scales.size() > 1) scales.back() = scales.front();
  if (!Has(Fault::scales_of_16_bits)) return;
  for (float& scale : scales) {
    uint32_t bits;
    std::memcpy(&bits, &scale, sizeof bits);
    bits &= 0xffff0000U;
    std::memcpy(&scale, &bits, sizeof bits);
  }
}

}  // namespace

bool IsPool(const Op& op) {
  return Is(op, kLiteRtOpCodeTflAveragePool2d) || Is(op, kLiteRtOpCodeTflMaxPool2d);
}

int32_t OptionOf(Op& op, std::string_view name) {
  int32_t found = 0;
  ChangeOption<int32_t>(op, name, [&](int32_t value) { return found = value; });
  return found;
}

void PlantInGraphs(Model& model) {
  for (const auto& subgraph : model.subgraphs()) {
    for (const auto& op : subgraph->ops()) {
      PlantInActivations(*op, op.get() == subgraph->ops().back().get());
      PlantInWindows(*op);
      PlantInConstants(*op);
      PlantInQuantization(*op);
    }
  }
}

}  // namespace npukit::conformance::mimic
