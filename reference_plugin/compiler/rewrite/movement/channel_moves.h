// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Moves that take some channels of every pixel to others.

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_REWRITE_MOVEMENT_CHANNEL_MOVES_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_REWRITE_MOVEMENT_CHANNEL_MOVES_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "reference_plugin/compiler/lower/movement/move.h"
#include "reference_plugin/compiler/network/network.h"

namespace acme::compiler {

// Where a channel of a result comes from.
struct ChannelSource {
  ValueId value = kNoValue;
  int32_t channel = 0;
  bool operator==(const ChannelSource&) const = default;
};

// The innermost dimension.
int32_t ChannelsOf(const Value& value);

// Where each of the result's channels comes from, of every pixel of as many; nothing if it is something else, or if
// some of the channels are filled.
std::optional<std::vector<ChannelSource>> ChannelSources(const Move& move, ValueId output,
                                                         const Network& network);

// The move that does so, in runs of channels that are as far apart on either side.
Move MoveOfChannels(const std::vector<ChannelSource>& sources, ValueId output,
                    const Network& network);

// Accesses that a pixel takes: one for some neighbours, one for each channel of other runs.
int64_t AccessesOfPixel(const Move& of_channels);

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_REWRITE_MOVEMENT_CHANNEL_MOVES_H_
