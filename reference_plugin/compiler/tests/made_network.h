// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Networks made value by value and layer by layer, for tests of the stages that rewrite them.

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_TESTS_MADE_NETWORK_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_TESTS_MADE_NETWORK_H_

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "reference_plugin/compiler/network/network.h"

namespace acme::compiler {

using Shape = std::vector<int32_t>;

inline ValueId AddValue(Network& network, Shape shape) {
  Value value;
  value.shape = std::move(shape);
  network.values.push_back(std::move(value));
  return static_cast<ValueId>(network.values.size()) - 1;
}

inline ValueId AddInput(Network& network, Shape shape) {
  const ValueId id = AddValue(network, std::move(shape));
  network.values.back().input_index = static_cast<int32_t>(network.inputs.size());
  network.inputs.push_back(id);
  return id;
}

inline ValueId AddConstant(Network& network, Shape shape) {
  const ValueId id = AddValue(network, std::move(shape));
  Value& value = network.values.back();
  value.owned = std::make_shared<const std::vector<uint8_t>>(value.Bytes());
  value.constant = *value.owned;
  return id;
}

inline void MakeOutput(Network& network, ValueId id) {
  network.values[static_cast<size_t>(id)].output_index =
      static_cast<int32_t>(network.outputs.size());
  network.outputs.push_back(id);
}

inline void AddLayer(Network& network, ValueId output, std::shared_ptr<const LayerOp> op) {
  network.layers.push_back(Layer{.output = output, .op = std::move(op)});
}

// For tests to which shapes do not matter: an image of that type, or one that the operation makes.
inline ValueId AddImage(Network& network, Dtype dtype) {
  const ValueId id = AddValue(network, {1, 4, 4, 2});
  network.values.back().dtype = dtype;
  return id;
}

inline ValueId AddImage(Network& network, Dtype dtype, std::shared_ptr<const LayerOp> op) {
  const ValueId id = AddImage(network, dtype);
  AddLayer(network, id, std::move(op));
  return id;
}

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_TESTS_MADE_NETWORK_H_
