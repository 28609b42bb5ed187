// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/rewrite/activations.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "reference_plugin/compiler/lower/elementwise/binary.h"
#include "reference_plugin/compiler/lower/elementwise/map.h"
#include "reference_plugin/compiler/lower/products/conv.h"
#include "reference_plugin/compiler/lower/products/depthwise/depthwise.h"
#include "reference_plugin/compiler/lower/products/matmul.h"
#include "reference_plugin/compiler/network/erase_layers.h"
#include "reference_plugin/compiler/network/value_uses.h"

namespace acme::compiler {
namespace {

// lo and hi if the table leaves what is between them as it is.
std::optional<ClampRange> ClampOfTable(const std::vector<uint8_t>& bytes, Dtype dtype) {
  constexpr int32_t kEntries = 256;
  if (bytes.size() != kEntries) return std::nullopt;
  const int32_t lowest = dtype == Dtype::kI8 ? -128 : 0;
  const auto at = [&](int32_t index) {
    const uint8_t byte = bytes[static_cast<size_t>(index)];
    return dtype == Dtype::kI8 ? int32_t{static_cast<int8_t>(byte)} : int32_t{byte};
  };
  const ClampRange range{at(0), at(kEntries - 1)};
  for (int32_t i = 0; i < kEntries; ++i) {
    if (at(i) != std::min(std::max(lowest + i, range.lo), range.hi)) return std::nullopt;
  }
  return range;
}

// If the layer does nothing but clamp.
std::optional<ClampRange> ClampOf(const Map& map, ValueId output, const Network& network) {
  if (map.in != map.out || network.value(map.x).shape != network.value(output).shape)
    return std::nullopt;
  if (map.in == Dtype::kF32) {
    const auto* function = std::get_if<UnaryOp>(&map.function);
    if (function == nullptr || *function != UnaryOp::kCopy) return std::nullopt;
    return ClampRange{map.clamp.lo, map.clamp.hi};
  }
  const Map::Table* table = map.ByteTable();
  return table == nullptr ? std::nullopt : ClampOfTable(table->bytes, map.in);
}

// First one clamp, then the other.
ClampRange Joined(const ClampRange& first, const ClampRange& then, Dtype dtype) {
  if (dtype != Dtype::kF32) {
    const auto clamp = [&](int32_t x) { return std::min(std::max(x, then.lo), then.hi); };
    return {clamp(first.lo), clamp(first.hi)};
  }
  const auto clamp = [&](int32_t bits) {
    const auto x = std::bit_cast<float>(bits);
    const auto lo = std::bit_cast<float>(then.lo);
    const auto hi = std::bit_cast<float>(then.hi);
    return std::bit_cast<int32_t>(std::min(std::max(x, lo), hi));
  };
  return {clamp(first.lo), clamp(first.hi)};
}

// dtype: of the result, which may be another than the operands'.
template <class C>
std::shared_ptr<const LayerOp> WithProductClamp(const C& op, const ClampRange& clamp, Dtype dtype) {
  auto clamped = std::make_shared<C>(op);
  clamped->requantize.clamp = Joined(op.requantize.clamp, clamp, dtype);
  return clamped;
}

std::shared_ptr<const LayerOp> WithClamp(const Layer& layer, const ClampRange& clamp, Dtype dtype) {
  if (const auto* op = layer.As<Conv>()) return WithProductClamp(*op, clamp, dtype);
  if (const auto* op = layer.As<Depthwise>()) return WithProductClamp(*op, clamp, dtype);
  if (const auto* op = layer.As<MatMul>())
    return op->y_dtype == op->dtype ? WithProductClamp(*op, clamp, dtype) : nullptr;
  const auto* binary = layer.As<Binary>();
  if (binary == nullptr) return nullptr;
  auto clamped = std::make_shared<Binary>(*binary);
  clamped->clamp = Joined(binary->clamp, clamp, dtype);
  return clamped;
}

bool IsRelu(const Map& map) {
  const auto* function = std::get_if<UnaryOp>(&map.function);
  return map.in == Dtype::kF32 && function != nullptr && *function == UnaryOp::kCopy &&
         std::bit_cast<float>(map.clamp.lo) == 0.0f &&
         std::bit_cast<float>(map.clamp.hi) == std::numeric_limits<float>::infinity();
}

bool IsNegation(const Map& map) {
  const auto* function = std::get_if<UnaryOp>(&map.function);
  return map.in == Dtype::kF32 && function != nullptr && *function == UnaryOp::kNeg;
}

class PreluFinder {
 public:
  explicit PreluFinder(const Network& network) : network_(network), uses_(network) {}

  // The layer that does what the sum and those before it do; the layers before it.
  std::shared_ptr<const LayerOp> Find(const Layer& layer, std::vector<int32_t>& others) const {
    const auto* sum = layer.As<Binary>();
    if (sum == nullptr || sum->op != BinaryOp::kAdd ||
        network_.value(layer.output).dtype != Dtype::kF32)
      return nullptr;
    for (const auto& [left, right] : {std::pair(&sum->a, &sum->b), std::pair(&sum->b, &sum->a)}) {
      others.clear();
      const Map* positive = MapFor(left->value, others);
      const Binary* product = ProductFor(right->value, others);
      if (positive == nullptr || product == nullptr || !IsRelu(*positive)) continue;
      const bool negative_is_a = !network_.value(product->a.value).is_constant();
      const Binary::Operand& negative = negative_is_a ? product->a : product->b;
      const Binary::Operand& slope = negative_is_a ? product->b : product->a;
      const Map* outer = MapFor(negative.value, others);
      const Map* relu = outer == nullptr ? nullptr : MapFor(outer->x, others);
      const Map* inner = relu == nullptr ? nullptr : MapFor(relu->x, others);
      if (inner == nullptr || !IsNegation(*outer) || !IsRelu(*relu) || !IsNegation(*inner) ||
          inner->x != positive->x || !network_.value(slope.value).is_constant())
        continue;
      const auto& shape = network_.value(layer.output).shape;
      if (network_.value(inner->x).shape != shape || network_.value(left->value).shape != shape ||
          network_.value(right->value).shape != shape)
        continue;
      auto prelu = std::make_shared<Binary>(*product);
      prelu->op = BinaryOp::kPrelu;
      prelu->a = negative;
      prelu->a.value = inner->x;
      prelu->b = slope;
      prelu->clamp = sum->clamp;
      if (!negative_is_a) {
        for (OuterDimension& dimension : prelu->outer)
          std::swap(dimension.a_stride_elems, dimension.b_stride_elems);
      }
      return prelu;
    }
    return nullptr;
  }

 private:
  const Map* MapFor(ValueId id, std::vector<int32_t>& layers) const {
    const int32_t maker = uses_.WriterForOne(network_, id);
    if (maker < 0) return nullptr;
    layers.push_back(maker);
    return network_.layers[static_cast<size_t>(maker)].As<Map>();
  }
  const Binary* ProductFor(ValueId id, std::vector<int32_t>& layers) const {
    const int32_t maker = uses_.WriterForOne(network_, id);
    if (maker < 0) return nullptr;
    layers.push_back(maker);
    const auto* product = network_.layers[static_cast<size_t>(maker)].As<Binary>();
    const ClampRange open = OpenRange(Dtype::kF32);
    return product != nullptr && product->op == BinaryOp::kMul && product->clamp.lo == open.lo &&
                   product->clamp.hi == open.hi
               ? product
               : nullptr;
  }

  const Network& network_;
  ValueUses uses_;
};

}  // namespace

void FusePrelu(Network& network) {
  const PreluFinder finder(network);
  std::vector<std::pair<size_t, std::shared_ptr<const LayerOp>>> fused;
  std::vector<bool> gone(network.layers.size());
  for (size_t i = 0; i < network.layers.size(); ++i) {
    std::vector<int32_t> others;
    auto prelu = finder.Find(network.layers[i], others);
    if (prelu == nullptr) continue;
    for (int32_t other : others) gone[static_cast<size_t>(other)] = true;
    fused.emplace_back(i, std::move(prelu));
  }
  for (auto& [layer, op] : fused) network.layers[layer].op = std::move(op);
  EraseLayers(gone, network);
}

void FuseClamps(Network& network) {
  const ValueUses uses(network);
  std::vector<bool> gone(network.layers.size());
  for (size_t i = 0; i < network.layers.size(); ++i) {
    const auto* map = network.layers[i].As<Map>();
    if (map == nullptr || network.value(map->x).is_constant()) continue;
    const std::optional<ClampRange> clamp = ClampOf(*map, network.layers[i].output, network);
    const int32_t maker = clamp ? uses.WriterForOne(network, map->x) : -1;
    if (maker < 0) continue;
    Layer& before = network.layers[static_cast<size_t>(maker)];
    // A chain of clamps: the one before has moved on already.
    if (before.output != map->x) continue;
    auto op = WithClamp(before, *clamp, map->in);
    if (op == nullptr) continue;
    before.op = std::move(op);
    before.output = network.layers[i].output;
    gone[i] = true;
  }
  EraseLayers(gone, network);
}

}  // namespace acme::compiler
