// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/model/graph/tensor_text.h"

#include <fmt/format.h>

namespace npukit {

std::string TensorText(const Tensor& tensor) {
  return fmt::format("tensor {} ('{}')", tensor.index, tensor.name);
}

std::string ShapeText(std::span<const int32_t> shape) {
  return fmt::format("[{}]", fmt::join(shape, ","));
}

}  // namespace npukit
