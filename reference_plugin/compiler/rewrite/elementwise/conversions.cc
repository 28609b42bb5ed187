// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/rewrite/elementwise/conversions.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <variant>
#include <vector>

#include "reference_plugin/compiler/arithmetic/fixed_point.h"
#include "reference_plugin/compiler/arithmetic/tables.h"
#include "reference_plugin/compiler/lower/elementwise/binary.h"
#include "reference_plugin/compiler/lower/elementwise/map.h"
#include "reference_plugin/compiler/network/erase_layers.h"
#include "reference_plugin/compiler/network/value_uses.h"
#include "reference_plugin/compiler/rewrite/elementwise/passes.h"

namespace acme::compiler {
namespace {

// The multiplier as an operation of two operands is given it.
FixedPoint ScaleOf(const isa::VQuant& quant) {
  return {std::bit_cast<int32_t>(quant.mult), quant.shift};
}

// The layer's operation if it converts all of a value of one type to the other, without a limit.
const Map* ConversionOf(const Layer& layer, ConvertOp op, Dtype in, Dtype out,
                        const Network& network) {
  const auto* map = layer.As<Map>();
  if (map == nullptr || map->in != in || map->out != out || !map->IsOfAll(network, layer.output))
    return nullptr;
  const auto* conversion = std::get_if<ConvertOp>(&map->function);
  const bool is_open = ClampRange{map->clamp.lo, map->clamp.hi} == OpenRange(out);
  return conversion != nullptr && *conversion == op && is_open ? map : nullptr;
}

class ResultConversions {
 public:
  explicit ResultConversions(Network& network)
      : network_(network), uses_(network), is_gone_(network.layers.size()) {}

  void Run() {
    for (size_t i = 0; i < network_.layers.size(); ++i) {
      const Map* map =
          ConversionOf(network_.layers[i], ConvertOp::kQuantize, Dtype::kF32, Dtype::kI8, network_);
      if (map != nullptr) TakeMaker(*map, i);
    }
    EraseLayers(is_gone_, network_);
  }

 private:
  // The operation that made the layer's operand, if there is one, now makes its result.
  void TakeMaker(const Map& map, size_t at) {
    const int32_t writer = uses_.WriterForOne(network_, map.x);
    if (writer < 0) return;
    const auto maker = static_cast<size_t>(writer);
    const Binary* pass = PassOf(network_.layers[maker]);
    if (pass == nullptr || pass->then || IsOperandWrittenBetween(maker, at, network_)) return;
    auto converting = std::make_shared<Binary>(*pass);
    converting->converts_result = true;
    converting->out_zp = map.dst.zp;
    converting->out_scale = ScaleOf(map.dst);
    network_.layers[at].op = std::move(converting);
    is_gone_[maker] = true;
  }

  Network& network_;
  ValueUses uses_;
  std::vector<bool> is_gone_;
};

// Whether the table is what a requantisation by the map's scale gives.
bool IsRequantisation(const Map& map, const Map::Table& table) {
  const FixedPoint scale = ScaleOf(map.dst);
  const ClampRange type = TypeRange(Dtype::kI8);
  for (int32_t x = type.lo; x <= type.hi; ++x) {
    const int64_t exact = int64_t{MultiplyByFixedPoint(x - map.a.zp, scale)} + map.dst.zp;
    const auto value = static_cast<int8_t>(std::clamp<int64_t>(exact, type.lo, type.hi));
    if (static_cast<int8_t>(table.bytes[static_cast<size_t>(x - type.lo)]) != value) return false;
  }
  return true;
}

// Of what a conversion makes, all who read it convert themselves.
class OperandConversions {
 public:
  explicit OperandConversions(Network& network)
      : network_(network), uses_(network), is_gone_(network.layers.size()) {}

  void Run() {
    for (size_t i = 0; i < network_.layers.size(); ++i) {
      const Layer& layer = network_.layers[i];
      if (ConversionOf(layer, ConvertOp::kDequantize, Dtype::kI8, Dtype::kF32, network_) != nullptr)
        is_gone_[i] = Take(i, Dtype::kF32);
      if (Requantises(layer)) is_gone_[i] = Take(i, Dtype::kI8);
    }
    EraseLayers(is_gone_, network_);
  }

 private:
  bool Requantises(const Layer& layer) const {
    const auto* map = layer.As<Map>();
    if (map == nullptr || map->in != Dtype::kI8 || map->out != Dtype::kI8 ||
        !map->IsOfAll(network_, layer.output))
      return false;
    const Map::Table* table = map->ByteTable();
    return table != nullptr && IsRequantisation(*map, *table);
  }

  // Whether the layer, the `at`-th, is no longer needed.
  bool Take(size_t at, Dtype made) {
    const ValueId value = network_.layers[at].output;
    // One number is converted in no time, and chains take it then.
    if (network_.value(value).Elems() == 1) return false;
    const Map& map = *network_.layers[at].As<Map>();
    const std::vector<int32_t>& readers = uses_.readers[static_cast<size_t>(value)];
    const bool all = uses_.AreLayersAlone(network_, value) && !readers.empty() &&
                     std::ranges::all_of(readers, [&](int32_t reader) {
                       return CanTake(static_cast<size_t>(reader), at, map, made);
                     });
    if (!all) return false;
    for (const int32_t reader : readers) Convert(static_cast<size_t>(reader), value, map, made);
    return true;
  }

  bool CanTake(size_t reader, size_t at, const Map& map, Dtype made) const {
    const Layer& layer = network_.layers[reader];
    const auto* op = layer.As<Binary>();
    if (op == nullptr || op->then || IsWrittenBetween(map.x, at, reader, network_)) return false;
    if (op->ComputedIn(network_.value(layer.output).dtype) != made) return false;
    if (made == Dtype::kF32) return true;
    // Both operands have the result's zero point.
    const bool compares = op->op == BinaryOp::kMax || op->op == BinaryOp::kMin;
    const bool has_another = op->a.is_converted || op->b.is_converted;
    return compares && (!has_another || op->out_zp == map.dst.zp);
  }

  void Convert(size_t reader, ValueId value, const Map& map, Dtype made) {
    auto converting = std::make_shared<Binary>(*network_.layers[reader].As<Binary>());
    for (Binary::Operand* side : converting->Sides()) {
      if (side->value != value) continue;
      side->value = map.x;
      side->is_converted = true;
      side->zero_point = map.a.zp;
      side->scale = ScaleOf(made == Dtype::kF32 ? map.a : map.dst);
    }
    if (made == Dtype::kI8) converting->out_zp = map.dst.zp;
    network_.layers[reader].op = std::move(converting);
  }

  Network& network_;
  ValueUses uses_;
  std::vector<bool> is_gone_;
};

}  // namespace

void FuseConversions(Network& network) {
  ResultConversions(network).Run();
  OperandConversions(network).Run();
}

}  // namespace acme::compiler
