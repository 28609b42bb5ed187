// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// A small graph for the tests of this folder:
//
//   x, y -> ADD(relu) -> sum; sum, w -> FULLY_CONNECTED(no bias) -> out
//
// with w a constant, quantised per channel without zero points.

#ifndef NPUKIT_SDK_HOST_C_API_GRAPH_TESTING_TEST_GRAPH_H_
#define NPUKIT_SDK_HOST_C_API_GRAPH_TESTING_TEST_GRAPH_H_

#include <cstdint>
#include <vector>

#include "sdk/host/model/graph/model.h"

namespace npukit {

struct TestGraph {
  Model model;
  Subgraph& subgraph = model.AddSubgraph();
  Tensor* x = Add("x", kLiteRtElementTypeInt8, {1, 4});
  Tensor* y = Add("y", kLiteRtElementTypeInt8, {1, 4});
  Tensor* sum = Add("sum", kLiteRtElementTypeInt8, {1, 4});
  Tensor* w = Add("w", kLiteRtElementTypeInt8, {2, 4});
  Tensor* out = Add("", kLiteRtElementTypeInt8, {1, 2});
  Op* add = nullptr;
  Op* fully_connected = nullptr;

  TestGraph() {
    x->quantization = {.scale = {0.5f}, .zero_point = {-3}};
    x->shape_signature = {-1, 4};
    y->quantization = {.scale = {0.25f}};
    w->quantization = {.scale = {1.0f, 2.0f}};
    w->weights.buffer_id = model.buffers().Add(SharedBytes::Take({1, 2, 3, 4, 5, 6, 7, 8}));
    add = &subgraph.AddOp();
    add->code = kLiteRtOpCodeTflAdd;
    add->options = AddOptions{.fused_activation_function = ActivationFunctionType::kRelu};
    Subgraph::AddInput(*add, x);
    Subgraph::AddInput(*add, y);
    Subgraph::AddOutput(*add, *sum);
    fully_connected = &subgraph.AddOp();
    fully_connected->code = kLiteRtOpCodeTflFullyConnected;
    fully_connected->options = FullyConnectedOptions{};
    Subgraph::AddInput(*fully_connected, sum);
    Subgraph::AddInput(*fully_connected, w);
    Subgraph::AddInput(*fully_connected, nullptr);
    Subgraph::AddOutput(*fully_connected, *out);
    subgraph.inputs = {x, y};
    subgraph.outputs = {out};
    auto signature = std::make_unique<Signature>();
    signature->key = "serving_default";
    signature->subgraph = &subgraph;
    signature->inputs = {{"left", x}, {"right", y}};
    signature->outputs = {{"result", out}};
    model.signatures.push_back(std::move(signature));
  }

  Tensor* Add(const char* name, LiteRtElementType type, std::vector<int32_t> shape) {
    Tensor& tensor = subgraph.AddTensor();
    tensor.name = name;
    tensor.element_type = type;
    tensor.shape = std::move(shape);
    return &tensor;
  }
};

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_C_API_GRAPH_TESTING_TEST_GRAPH_H_
