// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/model/graph/fixed_shapes.h"

#include <algorithm>

namespace npukit {
namespace {

bool HasKnownShape(const Tensor& tensor) {
  return tensor.shape.size() == tensor.shape_signature.size() &&
         std::all_of(tensor.shape.begin(), tensor.shape.end(),
                     [](int32_t dim) { return dim >= 0; });
}

std::string NameAndShape(const Tensor& tensor) {
  std::string text = tensor.name + " [";
  for (size_t i = 0; i < tensor.shape.size(); ++i) {
    text += (i == 0 ? "" : ",") + std::to_string(tensor.shape[i]);
  }
  return text + "]";
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
