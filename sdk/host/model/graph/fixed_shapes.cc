// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/model/graph/fixed_shapes.h"

#include <fmt/format.h>

#include <algorithm>

#include "sdk/host/model/graph/tensor_text.h"

namespace npukit {
namespace {

bool HasKnownShape(const Tensor& tensor) {
  return tensor.shape.size() == tensor.shape_signature.size() &&
         std::all_of(tensor.shape.begin(), tensor.shape.end(),
                     [](int32_t dim) { return dim >= 0; });
}

std::string NameAndShape(const Tensor& tensor) {
  return fmt::format("{} {}", tensor.name, ShapeText(tensor.shape));
}

}  // namespace

std::vector<std::string> FixDynamicShapes(Model& model) {
  std::vector<std::string> fixed_inputs;
  for (const auto& subgraph : model.subgraphs()) {
    for (const auto& tensor : subgraph->tensors()) {
      if (!tensor->is_dynamic() || !HasKnownShape(*tensor)) continue;
      tensor->shape_signature.clear();
      if (subgraph->IsInput(*tensor)) fixed_inputs.push_back(NameAndShape(*tensor));
    }
  }
  return fixed_inputs;
}

}  // namespace npukit
