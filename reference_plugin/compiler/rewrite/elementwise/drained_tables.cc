// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/rewrite/elementwise/drained_tables.h"

#include <memory>
#include <utility>
#include <vector>

#include "reference_plugin/compiler/lower/elementwise/map.h"
#include "reference_plugin/compiler/lower/products/conv.h"
#include "reference_plugin/compiler/lower/products/depthwise/depthwise.h"
#include "reference_plugin/compiler/network/erase_layers.h"
#include "reference_plugin/compiler/network/value_uses.h"
#include "reference_plugin/compiler/rewrite/elementwise/passes.h"

namespace acme::compiler {
namespace {

// The map's table if bytes become others of the same type, each in its place.
const Map::Table* TableToDrain(const Map& map, ValueId output, const Network& network) {
  return map.out == map.in && map.IsOfAll(network, output) ? map.ByteTable() : nullptr;
}

// The layer's operation with the table; nothing if it can't have one.
std::shared_ptr<const LayerOp> WithTable(const Layer& layer, const std::vector<uint8_t>& table) {
  if (const auto* conv = layer.As<Conv>()) {
    if (!conv->TakesTable()) return nullptr;
    auto fused = std::make_shared<Conv>(*conv);
    fused->table = table;
    return fused;
  }
  const auto* depthwise = layer.As<Depthwise>();
  if (depthwise == nullptr || !depthwise->table.empty() || SizeBytes(depthwise->YDtype()) != 1)
    return nullptr;
  auto fused = std::make_shared<Depthwise>(*depthwise);
  fused->table = table;
  return fused;
}

}  // namespace

void FuseDrainedTables(Network& network) {
  const ValueUses uses(network);
  std::vector<bool> is_gone(network.layers.size());
  for (size_t i = 0; i < network.layers.size(); ++i) {
    Layer& layer = network.layers[i];
    const auto* map = layer.As<Map>();
    const Map::Table* table = map == nullptr ? nullptr : TableToDrain(*map, layer.output, network);
    const int32_t maker = table == nullptr ? -1 : uses.WriterForOne(network, map->x);
    if (maker < 0 || is_gone[static_cast<size_t>(maker)]) continue;
    if (IsOperandWrittenBetween(static_cast<size_t>(maker), i, network)) continue;
    auto fused = WithTable(network.layers[static_cast<size_t>(maker)], table->bytes);
    if (fused == nullptr) continue;
    layer.op = std::move(fused);
    is_gone[static_cast<size_t>(maker)] = true;
  }
  EraseLayers(is_gone, network);
}

}  // namespace acme::compiler
