// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Layers for networks.cc, in float32 or int8, weights from a fixed generator. Output scales are
// chosen so that values keep their spread from layer to layer: a network whose activations die out
// or saturate would judge nothing.

#ifndef NPUKIT_CONFORMANCE_SPEC_GRAPH_LAYER_STACK_H_
#define NPUKIT_CONFORMANCE_SPEC_GRAPH_LAYER_STACK_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "litert/cc/litert_expected.h"
#include "sdk/host/model/graph/model_builder.h"

namespace npukit::conformance {

class LayerStack {
 public:
  enum class Type { kFloat32, kInt8 };

  LayerStack(Type type, uint64_t seed) : type_(type), state_(seed) {}

  Tensor* Input(std::vector<int32_t> shape);
  void Output(Tensor* tensor) { builder_.Output(tensor); }

  // input [batch, in] or [1, steps, in], weights [out, in] -> [batch, out] or [1, steps, out]
  Tensor* Dense(Tensor* input, int32_t out, bool relu);
  // input [1, h, w, in], weights [out, kernel_h, kernel_w, in], SAME padding -> [1, ceil(h /
  // stride), ceil(w / stride), out]
  Tensor* Conv(Tensor* input, int32_t out, int32_t kernel_h, int32_t kernel_w, int32_t stride,
               bool relu);
  // input [1, h, w, c], weights [1, kernel, kernel, c], SAME padding
  Tensor* Depthwise(Tensor* input, int32_t kernel, int32_t stride, bool relu);
  Tensor* Add(Tensor* a, Tensor* b, bool relu);
  // Averages the whole of height and width: [1, h, w, c] -> [1, 1, 1, c].
  Tensor* GlobalAveragePool(Tensor* input);
  Tensor* Flatten(Tensor* input);  // [1, h, w, c] -> [1, h * w * c]
  Tensor* Softmax(Tensor* input);
  // a [1, m, k], b [1, k, n] (with `transpose_b` [1, n, k]) -> [1, m, n]. `scale` of an int8
  // output; 0: as for sums of independent products.
  Tensor* MatMul(Tensor* a, Tensor* b, bool transpose_b, float scale);
  // Times a constant, such that an int8 output has this scale and its input's spread in steps.
  Tensor* Rescale(Tensor* input, float scale);
  Tensor* Gelu(Tensor* input);
  // An elementwise op of two tensors of one shape, or with a constant of that shape.
  Tensor* Binary(LiteRtOpCode code, Tensor* a, Tensor* b);
  Tensor* Constant(const std::vector<int32_t>& shape);

  litert::Expected<std::unique_ptr<Model>> Build();

 private:
  ActivationFunctionType Activation(bool relu) const {
    return relu ? ActivationFunctionType::kRelu : ActivationFunctionType::kNone;
  }
  std::string NextName(const char* what);
  uint64_t NextRandom();
  LiteRtElementType element_type() const {
    return type_ == Type::kInt8 ? kLiteRtElementTypeInt8 : kLiteRtElementTypeFloat32;
  }
  Tensor* Value(std::vector<int32_t> shape, float scale, int64_t zero_point);
  // Weights and bias of a layer whose outputs are sums of `reduction` products; scales per channel
  // along `axis`.
  Tensor* Weights(std::vector<int32_t> shape, int32_t reduction, int32_t axis);
  Tensor* Bias(int32_t channels, const Tensor& input, const Tensor& weights);
  // Scale and zero point of such a layer's output.
  Tensor* LayerOutput(std::vector<int32_t> shape, const Tensor& input, const Tensor& weights,
                      int32_t reduction, bool relu);

  Type type_;
  uint64_t state_;
  int count_ = 0;
  ModelBuilder builder_;
};

}  // namespace npukit::conformance

#endif  // NPUKIT_CONFORMANCE_SPEC_GRAPH_LAYER_STACK_H_
