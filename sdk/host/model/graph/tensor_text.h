// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// How messages call a tensor and its shape.

#ifndef NPUKIT_SDK_HOST_MODEL_GRAPH_TENSOR_TEXT_H_
#define NPUKIT_SDK_HOST_MODEL_GRAPH_TENSOR_TEXT_H_

#include <cstdint>
#include <span>
#include <string>

#include "sdk/host/model/graph/tensor.h"

namespace npukit {

// "tensor 5 ('x')".
std::string TensorText(const Tensor& tensor);

// "[1,4,-1]".
std::string ShapeText(std::span<const int32_t> shape);

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_MODEL_GRAPH_TENSOR_TEXT_H_
