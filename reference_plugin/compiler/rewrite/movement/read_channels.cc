// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/rewrite/movement/read_channels.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "reference_plugin/compiler/lower/products/conv.h"
#include "reference_plugin/compiler/network/erase_layers.h"
#include "reference_plugin/compiler/network/value_uses.h"
#include "reference_plugin/compiler/rewrite/elementwise/passes.h"
#include "reference_plugin/compiler/rewrite/movement/channel_moves.h"

namespace acme::compiler {
namespace {

// The first of the neighbouring channels of one value that the layer moves; nothing if it does something else.
std::optional<ChannelSource> FirstOfNeighbours(const Layer& layer, const Network& network) {
  const auto* move = layer.As<Move>();
  if (move == nullptr || move->pieces.size() != 1) return std::nullopt;
  const auto sources = ChannelSources(*move, layer.output, network);
  if (!sources) return std::nullopt;
  for (size_t i = 0; i < sources->size(); ++i) {
    const ChannelSource& first = sources->front();
    if ((*sources)[i] != ChannelSource{first.value, first.channel + static_cast<int32_t>(i)})
      return std::nullopt;
  }
  return sources->front();
}

bool CanReadPart(const Layer& layer, ValueId x, const Network& network) {
  const auto* conv = layer.As<Conv>();
  if (conv == nullptr) return false;
  const std::vector<ValueId> operands = conv->Operands();
  return conv->x == x && std::ranges::count(operands, x) == 1 && conv->part.is_whole() &&
         conv->part.x_channels == 0 && conv->in_c == ChannelsOf(network.value(x));
}

}  // namespace

void ReadChannels(Network& network) {
  const ValueUses uses(network);
  std::vector<bool> is_gone(network.layers.size());
  for (size_t i = 0; i < network.layers.size(); ++i) {
    const ValueId moved = network.layers[i].output;
    const std::optional<ChannelSource> first = FirstOfNeighbours(network.layers[i], network);
    if (!first || !uses.AreLayersAlone(network, moved)) continue;
    const std::vector<int32_t>& readers = uses.readers[static_cast<size_t>(moved)];
    const bool all_can = std::ranges::all_of(readers, [&](int32_t reader) {
      const auto at = static_cast<size_t>(reader);
      return CanReadPart(network.layers[at], moved, network) &&
             !IsOperandWrittenBetween(i, at, network);
    });
    if (!all_can) continue;
    for (const int32_t reader : readers) {
      Layer& layer = network.layers[static_cast<size_t>(reader)];
      auto conv = std::make_shared<Conv>(*layer.As<Conv>());
      conv->x = first->value;
      conv->part.x_channels = ChannelsOf(network.value(first->value));
      conv->part.first_x_channel = first->channel;
      layer.op = std::move(conv);
    }
    is_gone[i] = true;
  }
  EraseLayers(is_gone, network);
}

}  // namespace acme::compiler
