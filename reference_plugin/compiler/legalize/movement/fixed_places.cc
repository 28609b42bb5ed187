// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/legalize/movement/fixed_places.h"

#include <algorithm>

namespace acme::compiler {
namespace {

constexpr size_t kMostSegments = 8;

}  // namespace

std::vector<Segment> FewSegments(std::span<const int64_t> places, int64_t along) {
  const auto is_inside = [&](int64_t place) { return place >= 0 && place < along; };
  if (!std::ranges::all_of(places, is_inside)) return {};
  std::vector<Segment> segments;
  for (size_t begin = 0; begin < places.size();) {
    size_t end = begin + 1;
    const int64_t step = end < places.size() ? places[end] - places[begin] : 0;
    if (step != 0) {
      while (end < places.size() && places[end] - places[end - 1] == step) ++end;
    }
    if (segments.size() == kMostSegments) return {};
    const auto extent = static_cast<int64_t>(end - begin);
    segments.push_back({.extent = extent,
                        .from_begin = places[begin],
                        .to_begin = static_cast<int64_t>(begin),
                        .from_step = extent > 1 ? step : 1});
    begin = end;
  }
  return segments;
}

std::shared_ptr<Move> FixedSlices(std::span<const int64_t> places, const Gather& gather) {
  const std::vector<Segment> along = FewSegments(places, gather.along);
  if (along.empty()) return nullptr;
  const std::vector<Segment> dims[] = {{{.extent = gather.outer}}, along, {{.extent = gather.run}}};
  auto move = std::make_shared<Move>();
  move->pieces = PiecesOf(gather.table, {gather.outer, gather.along, gather.run},
                          {gather.outer, gather.count, gather.run}, dims);
  return move;
}

}  // namespace acme::compiler
