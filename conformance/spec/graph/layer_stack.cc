// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/spec/graph/layer_stack.h"

#include <fmt/format.h>
#include <cmath>

#include "litert/cc/litert_macros.h"

namespace npukit::conformance {
namespace {

constexpr float kInputScale = 0.05f;
constexpr float kWeightScale = 0.01f;
// Standard deviation of a uniform int8.
constexpr double kInt8Spread = 73.6;
// How many steps the standard deviation of a layer's output covers.
constexpr double kOutputSpread = 48;

int64_t Product(const std::vector<int32_t>& shape) {
  int64_t product = 1;
  for (int32_t dim : shape) product *= dim;
  return product;
}

int32_t CeilDiv(int32_t a, int32_t b) { return (a + b - 1) / b; }

float ScaleOf(const Tensor& tensor) {
  return tensor.quantization.scale.empty() ? 1.0f : tensor.quantization.scale[0];
}

}  // namespace

std::string LayerStack::NextName(const char* what) { return fmt::format("{}_{}", what, count_++); }

// splitmix64: the same on every machine.
uint64_t LayerStack::NextRandom() {
  uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

Tensor* LayerStack::Value(std::vector<int32_t> shape, float scale, int64_t zero_point) {
  const Quantization quantization =
      type_ == Type::kInt8 ? PerTensor(scale, zero_point) : Quantization{};
  return builder_.Value(NextName("value"), element_type(), std::move(shape), quantization);
}

Tensor* LayerStack::Input(std::vector<int32_t> shape) {
  const Quantization quantization =
      type_ == Type::kInt8 ? PerTensor(kInputScale, -3) : Quantization{};
  return builder_.Input(NextName("input"), element_type(), std::move(shape), quantization);
}

Tensor* LayerStack::Weights(std::vector<int32_t> shape, int32_t reduction, int32_t axis) {
  const int64_t elems = Product(shape);
  if (type_ == Type::kFloat32) {
    std::vector<float> values(elems);
    // Uniform in +-limit has the variance limit^2 / 3: outputs spread about as inputs do, in any
    // depth.
    const float limit = std::sqrt(3.0f / static_cast<float>(reduction));
    for (float& value : values) {
      value = limit * (static_cast<float>(NextRandom() >> 40) / static_cast<float>(1 << 23) - 1.0f);
    }
    return builder_.Constant<float>(NextName("weights"), std::move(shape), values);
  }
  std::vector<int8_t> values(elems);
  for (int8_t& value : values)
    value = static_cast<int8_t>(static_cast<int>(NextRandom() % 255) - 127);
  std::vector<float> scales(shape[axis]);
  for (float& scale : scales)
    scale = kWeightScale * (0.75f + 0.5f * static_cast<float>(NextRandom() % 1024) / 1024.0f);
  return builder_.Constant<int8_t>(NextName("weights"), std::move(shape), values,
                                   PerChannel(scales, axis));
}

Tensor* LayerStack::Bias(int32_t channels, const Tensor& input, const Tensor& weights) {
  if (type_ == Type::kFloat32) {
    std::vector<float> values(channels);
    for (float& value : values) value = static_cast<float>(NextRandom() % 2001) / 1000.0f - 1.0f;
    return builder_.Constant<float>(NextName("bias"), {channels}, values);
  }
  std::vector<int32_t> values(channels);
  for (int32_t& value : values) value = static_cast<int32_t>(NextRandom() % 8001) - 4000;
  std::vector<float> scales;
  for (float scale : weights.quantization.scale) scales.push_back(scale * ScaleOf(input));
  return builder_.Constant<int32_t>(NextName("bias"), {channels}, values, PerChannel(scales, 0));
}

Tensor* LayerStack::LayerOutput(std::vector<int32_t> shape, const Tensor& input,
                                const Tensor& weights, int32_t reduction, bool relu) {
  // Of a sum of `reduction` products of independent numbers around zero: the product of the
  // deviations, times the root of their number. With this scale outputs use the range and few of
  // them saturate.
  const double spread = ScaleOf(input) * ScaleOf(weights) *
                        std::sqrt(static_cast<double>(reduction)) * kInt8Spread * kInt8Spread;
  return Value(std::move(shape), static_cast<float>(spread / kOutputSpread), relu ? -128 : 2);
}

Tensor* LayerStack::Dense(Tensor* input, int32_t out, bool relu) {
  const int32_t in = input->shape.back();
  Tensor* weights = Weights({out, in}, in, 0);
  Tensor* bias = Bias(out, *input, *weights);
  std::vector<int32_t> shape = input->shape;
  shape.back() = out;
  Tensor* output = LayerOutput(shape, *input, *weights, in, relu);
  FullyConnectedOptions options;
  options.keep_num_dims = shape.size() > 2;
  options.fused_activation_function = Activation(relu);
  builder_.AddOp(kLiteRtOpCodeTflFullyConnected, options, {input, weights, bias}, {output});
  return output;
}

Tensor* LayerStack::Conv(Tensor* input, int32_t out, int32_t kernel_h, int32_t kernel_w,
                         int32_t stride, bool relu) {
  const int32_t in = input->shape[3];
  const int32_t reduction = kernel_h * kernel_w * in;
  Tensor* weights = Weights({out, kernel_h, kernel_w, in}, reduction, 0);
  Tensor* bias = Bias(out, *input, *weights);
  Tensor* output =
      LayerOutput({1, CeilDiv(input->shape[1], stride), CeilDiv(input->shape[2], stride), out},
                  *input, *weights, reduction, relu);
  Conv2DOptions options;
  options.stride_h = options.stride_w = stride;
  options.fused_activation_function = Activation(relu);
  builder_.AddOp(kLiteRtOpCodeTflConv2d, options, {input, weights, bias}, {output});
  return output;
}

Tensor* LayerStack::Depthwise(Tensor* input, int32_t kernel, int32_t stride, bool relu) {
  const int32_t channels = input->shape[3];
  Tensor* weights = Weights({1, kernel, kernel, channels}, kernel * kernel, 3);
  Tensor* bias = Bias(channels, *input, *weights);
  Tensor* output =
      LayerOutput({1, CeilDiv(input->shape[1], stride), CeilDiv(input->shape[2], stride), channels},
                  *input, *weights, kernel * kernel, relu);
  DepthwiseConv2DOptions options;
  options.stride_h = options.stride_w = stride;
  options.depth_multiplier = 1;
  options.fused_activation_function = Activation(relu);
  builder_.AddOp(kLiteRtOpCodeTflDepthwiseConv2d, options, {input, weights, bias}, {output});
  return output;
}

Tensor* LayerStack::Add(Tensor* a, Tensor* b, bool relu) {
  Tensor* output = Value(a->shape, 1.2f * (ScaleOf(*a) + ScaleOf(*b)) / 1.5f, relu ? -128 : -1);
  AddOptions options;
  options.fused_activation_function = Activation(relu);
  builder_.AddOp(kLiteRtOpCodeTflAdd, options, {a, b}, {output});
  return output;
}

Tensor* LayerStack::GlobalAveragePool(Tensor* input) {
  const bool quantized = type_ == Type::kInt8;
  Tensor* output = Value({1, 1, 1, input->shape[3]}, ScaleOf(*input),
                         quantized ? input->quantization.ZeroPointOf(0) : 0);
  Pool2DOptions options;
  options.padding = Padding::kValid;
  options.stride_h = options.filter_height = input->shape[1];
  options.stride_w = options.filter_width = input->shape[2];
  builder_.AddOp(kLiteRtOpCodeTflAveragePool2d, options, {input}, {output});
  return output;
}

Tensor* LayerStack::Flatten(Tensor* input) {
  const auto elems = static_cast<int32_t>(Product(input->shape));
  const bool quantized = type_ == Type::kInt8;
  Tensor* output =
      Value({1, elems}, ScaleOf(*input), quantized ? input->quantization.ZeroPointOf(0) : 0);
  Tensor* shape = builder_.Constant<int32_t>(NextName("shape"), {2}, {1, elems});
  builder_.AddOp(kLiteRtOpCodeTflReshape, ReshapeOptions{.new_shape = {1, elems}}, {input, shape},
                 {output});
  return output;
}

Tensor* LayerStack::Softmax(Tensor* input) {
  Tensor* output = Value(input->shape, 1.0f / 256, -128);
  builder_.AddOp(kLiteRtOpCodeTflSoftmax, SoftmaxOptions{.beta = 1.0f}, {input}, {output});
  return output;
}

Tensor* LayerStack::MatMul(Tensor* a, Tensor* b, bool transpose_b, float scale) {
  const int32_t reduction = a->shape[2];
  const double spread = ScaleOf(*a) * ScaleOf(*b) * std::sqrt(static_cast<double>(reduction)) *
                        kOutputSpread * kOutputSpread;
  if (scale == 0) scale = static_cast<float>(spread / kOutputSpread);
  Tensor* output = Value({1, a->shape[1], b->shape[transpose_b ? 1 : 2]}, scale, 3);
  BatchMatMulOptions options;
  options.adj_y = transpose_b;
  builder_.AddOp(kLiteRtOpCodeTflBatchMatmul, options, {a, b}, {output});
  return output;
}

Tensor* LayerStack::Rescale(Tensor* input, float scale) {
  constexpr int8_t kStored = 127;
  const float factor = scale / ScaleOf(*input);
  Tensor* constant =
      type_ == Type::kInt8
          ? builder_.Constant<int8_t>(NextName("factor"), {1}, {kStored},
                                      PerTensor(factor / static_cast<float>(kStored), 0))
          : builder_.Constant<float>(NextName("factor"), {1}, {scale});
  Tensor* output = Value(input->shape, scale, 0);
  builder_.AddOp(kLiteRtOpCodeTflMul, {input, constant}, {output});
  return output;
}

Tensor* LayerStack::Gelu(Tensor* input) {
  Tensor* output = Value(input->shape, ScaleOf(*input), -20);
  builder_.AddOp(kLiteRtOpCodeTflGelu, {input}, {output});
  return output;
}

Tensor* LayerStack::Binary(LiteRtOpCode code, Tensor* a, Tensor* b) {
  Tensor* output = Value(a->shape, ScaleOf(*a), 0);
  builder_.AddOp(code, {a, b}, {output});
  return output;
}

Tensor* LayerStack::Constant(const std::vector<int32_t>& shape) { return Weights(shape, 3, 0); }

litert::Expected<std::unique_ptr<Model>> LayerStack::Build() {
  builder_.AddSignature("serving_default");
  return builder_.Build();
}

}  // namespace npukit::conformance
