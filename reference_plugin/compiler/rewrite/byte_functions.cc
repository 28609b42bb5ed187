// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/rewrite/byte_functions.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "reference_plugin/compiler/lower/elementwise/binary.h"
#include "reference_plugin/compiler/lower/elementwise/binary_value.h"
#include "reference_plugin/compiler/lower/elementwise/map.h"
#include "reference_plugin/compiler/lower/elementwise/map_value.h"
#include "reference_plugin/compiler/network/erase_layers.h"
#include "reference_plugin/compiler/network/value_uses.h"

namespace acme::compiler {
namespace {

int32_t Stored(uint32_t byte, Dtype dtype) {
  return dtype == Dtype::kI8 ? int32_t{static_cast<int8_t>(byte)} : static_cast<int32_t>(byte);
}

// Each element of a value by that of `x` in the same place; of a constant all are one.
struct ByteFunction {
  ValueId x = kNoValue;  // kNoValue: a constant
  ElementOfByte elements = {};
};

class ByteFunctions {
 public:
  explicit ByteFunctions(const Network& network)
      : network_(network), uses_(network), functions_(network.values.size()) {
    for (const Layer& layer : network.layers) {
      auto& function = functions_[static_cast<size_t>(layer.output)];
      if (const auto* map = layer.As<Map>()) function = Of(*map, layer.output);
      if (const auto* binary = layer.As<Binary>()) function = Of(*binary, layer.output);
    }
  }

  // What the layer computes.
  const std::optional<ByteFunction>& Of(const Layer& layer) const {
    return functions_[static_cast<size_t>(layer.output)];
  }

  // Whether the layer reads a computed value that nobody needs once all who read it are tables.
  bool SparesAnOperand(const Layer& layer) const {
    return std::ranges::any_of(layer.Inputs(), [&](ValueId id) { return IsSpared(id); });
  }
  // Nobody but layers that can be tables reads it.
  bool IsSpared(ValueId id) const {
    const auto at = static_cast<size_t>(id);
    return functions_[at] && uses_.AreLayersAlone(network_, id) &&
           std::ranges::all_of(uses_.readers[at], [&](int32_t reader) {
             return Of(network_.layers[static_cast<size_t>(reader)]).has_value();
           });
  }

 private:
  // Whether the value has to be there in any case.
  bool IsNeeded(ValueId id) const {
    return !uses_.AreLayersAlone(network_, id) ||
           std::ranges::any_of(uses_.readers[static_cast<size_t>(id)], [&](int32_t reader) {
             const Layer& layer = network_.layers[static_cast<size_t>(reader)];
             return layer.As<Map>() == nullptr && layer.As<Binary>() == nullptr;
           });
  }

  // A value as an operand: what layers computed, or the byte itself.
  std::optional<ByteFunction> Operand(ValueId id) const {
    const Value& value = network_.value(id);
    const auto& computed = functions_[static_cast<size_t>(id)];
    if (computed && !IsNeeded(id)) return computed;
    // What has other names may be written to before it is read later than now.
    if (!IsByte(value.dtype) || value.is_constant() || uses_.shared[static_cast<size_t>(id)])
      return std::nullopt;
    ByteFunction itself{.x = id};
    for (size_t byte = 0; byte < kBytes; ++byte)
      itself.elements[byte] = static_cast<uint32_t>(byte);
    return itself;
  }

  std::optional<ByteFunction> Of(const Map& map, ValueId output) const {
    if (!map.IsOfAll(network_, output)) return std::nullopt;
    std::optional<ByteFunction> function = Operand(map.x);
    if (!function) return std::nullopt;
    for (uint32_t& element : function->elements) {
      const std::optional<uint32_t> value = ValueOf(map, element);
      if (!value) return std::nullopt;
      element = *value;
    }
    return function;
  }

  std::optional<ByteFunction> Side(const Binary::Operand& side, const Binary& op,
                                   Dtype dtype) const {
    const Value& value = network_.value(side.value);
    if (value.dtype != dtype) return std::nullopt;
    if (!value.is_constant()) return IsWhole(side, op.extent) ? Operand(side.value) : std::nullopt;
    if (value.int4) return std::nullopt;
    for (size_t d = 0; d < op.extent.size(); ++d) {
      if (op.extent[d] > 1 && side.stride_elems[d] != 0) return std::nullopt;
    }
    ByteFunction constant;
    constant.elements.fill(value.constant[static_cast<size_t>(side.base_elems)]);
    return constant;
  }

  std::optional<ByteFunction> Of(const Binary& op, ValueId output) const {
    const Dtype dtype = network_.value(output).dtype;
    if (!IsByte(dtype) || !op.outer.empty() || op.y_pitch != 0) return std::nullopt;
    const std::optional<ByteFunction> a = Side(op.a, op, dtype);
    const std::optional<ByteFunction> b = a ? Side(op.b, op, dtype) : std::nullopt;
    if (!b || (a->x != b->x && a->x != kNoValue && b->x != kNoValue)) return std::nullopt;
    ByteFunction function{.x = a->x == kNoValue ? b->x : a->x};
    if (function.x == kNoValue) return std::nullopt;
    for (size_t byte = 0; byte < kBytes; ++byte) {
      const std::optional<int32_t> value =
          ValueOf(op, dtype, Stored(a->elements[byte], dtype), Stored(b->elements[byte], dtype));
      if (!value) return std::nullopt;
      function.elements[byte] = static_cast<uint8_t>(*value);
    }
    return function;
  }

  const Network& network_;
  ValueUses uses_;
  std::vector<std::optional<ByteFunction>> functions_;
};

Map AsTable(const ByteFunction& function, Dtype in, Dtype out) {
  Map map;
  map.x = function.x;
  map.in = in;
  map.out = out;
  map.function = TableOf(function.elements, in, out);
  return map;
}

}  // namespace

void FuseByteFunctions(Network& network) {
  const ByteFunctions functions(network);
  std::vector<bool> is_gone(network.layers.size());
  std::vector<std::shared_ptr<const LayerOp>> tables(network.layers.size());
  for (size_t i = 0; i < network.layers.size(); ++i) {
    const Layer& layer = network.layers[i];
    const std::optional<ByteFunction>& function = functions.Of(layer);
    if (!function) continue;
    if (functions.IsSpared(layer.output)) {
      is_gone[i] = true;
    } else if (functions.SparesAnOperand(layer)) {
      tables[i] = std::make_shared<Map>(
          AsTable(*function, network.value(function->x).dtype, network.value(layer.output).dtype));
    }
  }
  for (size_t i = 0; i < network.layers.size(); ++i) {
    if (tables[i] != nullptr) network.layers[i].op = std::move(tables[i]);
  }
  EraseLayers(is_gone, network);
}

}  // namespace acme::compiler
