// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What passes that let conversions and moves change places have in common (narrow_moves.h).

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_REWRITE_MOVEMENT_CONVERSION_PASS_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_REWRITE_MOVEMENT_CONVERSION_PASS_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "reference_plugin/compiler/lower/elementwise/map.h"
#include "reference_plugin/compiler/network/network.h"
#include "reference_plugin/compiler/network/value_uses.h"

namespace acme::compiler {

// What the passes over a network share: its layers as they were, and those that take their place.
class ConversionPass {
 public:
  explicit ConversionPass(Network& network)
      : network_(network), uses_(network), old_(std::move(network.layers)) {
    network_.layers.clear();
  }

 protected:
  const Layer* WriterOf(ValueId id) const {
    const auto at = static_cast<size_t>(id);
    return at < uses_.writer.size() && uses_.writer[at] >= 0
               ? &old_[static_cast<size_t>(uses_.writer[at])]
               : nullptr;
  }
  const std::vector<int32_t>& ReadersOf(ValueId id) const {
    return uses_.readers[static_cast<size_t>(id)];
  }
  // The conversion that makes a value, if it is one of all of another value's elements.
  const Map* ConversionOf(ValueId id) const {
    const Layer* writer = WriterOf(id);
    const Map* map = writer != nullptr ? writer->As<Map>() : nullptr;
    return map != nullptr && Converts(*map, id) ? map : nullptr;
  }
  bool Converts(const Map& map, ValueId result) const {
    return !network_.value(map.x).is_constant() && Elems(map.x) == Elems(result);
  }
  // Whether one layer reads the value, and nobody else.
  bool IsReadOnce(ValueId id) const {
    return ReadersOf(id).size() == 1 && network_.value(id).output_index < 0;
  }
  int64_t Elems(ValueId id) const { return network_.value(id).Elems(); }

  ValueId AddValue(ValueId like, Dtype dtype) {
    Value value;
    value.name = network_.value(like).name;
    value.shape = network_.value(like).shape;
    value.dtype = dtype;
    network_.values.push_back(std::move(value));
    return static_cast<ValueId>(network_.values.size()) - 1;
  }

  // A layer that stands for `source`.
  ValueId Append(const Layer& source, ValueId output, std::shared_ptr<const LayerOp> op) {
    Layer layer = source;
    layer.output = output;
    layer.op = std::move(op);
    network_.layers.push_back(std::move(layer));
    return output;
  }

  // Layers that had readers and have none left.
  void EraseUnread() {
    std::vector<int32_t> count(network_.values.size());
    for (const Layer& layer : network_.layers) {
      for (ValueId id : layer.Inputs()) ++count[static_cast<size_t>(id)];
    }
    for (size_t i = network_.layers.size(); i-- > 0;) {
      const Layer& layer = network_.layers[i];
      const auto output = static_cast<size_t>(layer.output);
      if (count[output] > 0 || network_.values[output].output_index >= 0 ||
          output >= uses_.readers.size() || uses_.readers[output].empty())
        continue;
      for (ValueId id : layer.Inputs()) --count[static_cast<size_t>(id)];
      network_.layers.erase(network_.layers.begin() + static_cast<int64_t>(i));
    }
  }

  Network& network_;
  const ValueLinks uses_;
  const std::vector<Layer> old_;
};

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_REWRITE_MOVEMENT_CONVERSION_PASS_H_
