// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/rewrite/movement/channel_moves.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace acme::compiler {
namespace {

constexpr int32_t kElemsOfAccess = 16;  // about a word of the scratchpad
// Vectors are no images, though their one dimension is innermost, too.
constexpr int32_t kMostChannels = 1 << 14;

// Dimensions of a piece that stay within the result's pixels, and those that walk over these.
struct PixelWalk {
  std::vector<MoveDimension> within;
  std::vector<MoveDimension> over;
};

std::optional<PixelWalk> PixelWalkOf(const MovePiece& piece, int32_t to_channels) {
  PixelWalk walk;
  for (const MoveDimension& dim : piece.dims) {
    if (dim.extent == 1) continue;
    const int64_t stride = dim.to_stride_elems;
    if (stride <= 0) return std::nullopt;
    if (stride * (dim.extent - 1) < to_channels) {
      walk.within.push_back(dim);
    } else if (stride % to_channels == 0) {
      walk.over.push_back(dim);
    } else {
      const int64_t inner = to_channels / stride;
      if (to_channels % stride != 0 || dim.extent % inner != 0) return std::nullopt;
      walk.within.push_back({static_cast<int32_t>(inner), dim.from_stride_elems, stride});
      walk.over.push_back({static_cast<int32_t>(dim.extent / inner), dim.from_stride_elems * inner,
                           stride * inner});
    }
  }
  return walk;
}

// Whether each pixel comes from the one in the same place, and all of so many are walked over.
bool KeepsPixels(std::vector<MoveDimension> over, int32_t from_channels, int32_t to_channels,
                 int64_t pixels) {
  std::ranges::sort(over, {}, &MoveDimension::to_stride_elems);
  int64_t walked = 1;
  for (const MoveDimension& dim : over) {
    if (dim.to_stride_elems != walked * to_channels ||
        dim.from_stride_elems != walked * from_channels)
      return false;
    walked *= dim.extent;
  }
  return walked == pixels;
}

struct ChannelStep {
  int64_t from = 0;
  int64_t to = 0;
};

// All channels of the first pixel that the piece moves.
std::vector<ChannelStep> StepsOfPixel(const MovePiece& piece,
                                      const std::vector<MoveDimension>& within) {
  std::vector<ChannelStep> steps = {{piece.from_base_elems, piece.to_base_elems}};
  for (const MoveDimension& dim : within) {
    const std::vector<ChannelStep> before = std::exchange(steps, {});
    for (const ChannelStep& step : before) {
      for (int32_t i = 0; i < dim.extent; ++i)
        steps.push_back({step.from + i * dim.from_stride_elems, step.to + i * dim.to_stride_elems});
    }
  }
  return steps;
}

// How many of the sources from `first` on are of one value and as far apart as the first two.
size_t RunLength(const std::vector<ChannelSource>& sources, size_t first) {
  size_t end = first + 1;
  while (end < sources.size() && sources[end].value == sources[first].value &&
         sources[end].channel - sources[end - 1].channel ==
             sources[first + 1].channel - sources[first].channel)
    ++end;
  // A single one before a run of its own.
  if (end == first + 2 && sources[first + 1].channel != sources[first].channel + 1) return 1;
  return end - first;
}

}  // namespace

int32_t ChannelsOf(const Value& value) { return value.shape.empty() ? 1 : value.shape.back(); }

std::optional<std::vector<ChannelSource>> ChannelSources(const Move& move, ValueId output,
                                                         const Network& network) {
  const Value& result = network.value(output);
  const int32_t channels = ChannelsOf(result);
  if (channels > kMostChannels) return std::nullopt;
  const int64_t pixels = result.Elems() / channels;
  std::vector<ChannelSource> sources(static_cast<size_t>(channels));
  for (const MovePiece& piece : move.pieces) {
    if (piece.from == kNoValue) return std::nullopt;
    const Value& from = network.value(piece.from);
    const int32_t from_channels = ChannelsOf(from);
    const std::optional<PixelWalk> walk = PixelWalkOf(piece, channels);
    if (from.is_constant() || from_channels > kMostChannels ||
        from.Elems() != pixels * from_channels || !walk ||
        !KeepsPixels(walk->over, from_channels, channels, pixels))
      return std::nullopt;
    for (const ChannelStep& step : StepsOfPixel(piece, walk->within)) {
      if (step.from < 0 || step.from >= from_channels || step.to < 0 || step.to >= channels)
        return std::nullopt;
      sources[static_cast<size_t>(step.to)] = {piece.from, static_cast<int32_t>(step.from)};
    }
  }
  const bool all =
      std::ranges::all_of(sources, [](const auto& source) { return source.value != kNoValue; });
  return all ? std::optional(std::move(sources)) : std::nullopt;
}

Move MoveOfChannels(const std::vector<ChannelSource>& sources, ValueId output,
                    const Network& network) {
  const auto channels = static_cast<int32_t>(sources.size());
  const auto pixels = static_cast<int32_t>(network.value(output).Elems() / channels);
  Move move;
  for (size_t first = 0; first < sources.size();) {
    const size_t length = RunLength(sources, first);
    const ChannelSource& from = sources[first];
    const int32_t step = length > 1 ? sources[first + 1].channel - from.channel : 1;
    move.pieces.push_back({.from = from.value,
                           .from_base_elems = from.channel,
                           .to_base_elems = static_cast<int64_t>(first),
                           .dims = {{static_cast<int32_t>(length), step, 1},
                                    {pixels, ChannelsOf(network.value(from.value)), channels}}});
    first += length;
  }
  return move;
}

int64_t AccessesOfPixel(const Move& of_channels) {
  int64_t accesses = 0;
  for (const MovePiece& piece : of_channels.pieces) {
    const MoveDimension& run = piece.dims.front();
    accesses += run.from_stride_elems == 1 ? (run.extent + kElemsOfAccess - 1) / kElemsOfAccess
                                           : run.extent;
  }
  return accesses;
}

}  // namespace acme::compiler
