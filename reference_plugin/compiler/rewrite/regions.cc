// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/rewrite/regions.h"

#include <algorithm>
#include <limits>
#include <optional>

namespace acme::compiler {
namespace {

constexpr double kNoLimit = std::numeric_limits<double>::infinity();

// One past the last layer that a region beginning with `first` can have.
size_t EndOfJoinable(size_t first, const RegionCosts& costs, size_t most_layers) {
  const Network& network = costs.network();
  const size_t most = std::min(network.layers.size(), first + most_layers);
  if (!CanBeInRegion(network.layers[first], network)) return first + 1;
  size_t end = first + 1;
  while (end < most && CanJoin(end, first, costs.uses(), network)) ++end;
  return end;
}

}  // namespace

std::vector<StripRegion> ChooseRegions(RegionCosts& costs, int64_t memory_bytes,
                                       StepsFor steps_for) {
  const size_t count = costs.network().layers.size();
  std::vector<double> best(count + 1, kNoLimit);
  std::vector<StripRegion> from(count + 1);
  best[0] = 0;
  for (size_t first = 0; first < count; ++first) {
    const auto take = [&](size_t last, int32_t steps, double cycles) {
      if (best[first] + cycles >= best[last + 1]) return;
      best[last + 1] = best[first] + cycles;
      from[last + 1] = {first, last, steps};
    };
    take(first, 1, costs.Alone(first, memory_bytes));
    const size_t end = EndOfJoinable(first, costs, kMostRegionLayers);
    for (size_t last = first + 1; last < end; ++last) {
      const double limit = best[last + 1] - best[first];
      const auto strips = steps_for == StepsFor::kMemory
                              ? costs.Together(first, last, 2, memory_bytes, limit)
                              : costs.SideBySide(first, last, memory_bytes, limit);
      if (strips) take(last, strips->steps, strips->cycles);
    }
  }
  std::vector<StripRegion> regions;
  for (size_t end = count; end > 0; end = from[end].first) {
    if (from[end].steps > 1) regions.push_back(from[end]);
  }
  std::reverse(regions.begin(), regions.end());
  return regions;
}

std::vector<StripRegion> ChoosePipelines(RegionCosts& costs, int32_t steps, int64_t memory_bytes,
                                         size_t most_layers) {
  std::vector<StripRegion> regions;
  const size_t count = costs.network().layers.size();
  for (size_t first = 0; first + 1 < count;) {
    size_t end = first + 1;
    const size_t joinable = EndOfJoinable(first, costs, most_layers);
    for (size_t last = first + 1; last < joinable; ++last) {
      const auto strips = costs.Together(first, last, steps, memory_bytes, kNoLimit);
      if (strips && strips->steps == steps) end = last + 1;
    }
    if (end > first + 1) regions.push_back({first, end - 1, steps});
    first = end;
  }
  return regions;
}

double EstimateCycles(RegionCosts& costs, std::span<const StripRegion> regions,
                      int64_t memory_bytes) {
  double cycles = 0;
  size_t next = 0;
  const auto alone = [&](size_t end) {
    for (; next < end; ++next) cycles += costs.Alone(next, memory_bytes);
  };
  for (const StripRegion& region : regions) {
    alone(region.first);
    cycles += costs.CyclesSideBySide(region.first, region.last, region.steps);
    next = region.last + 1;
  }
  alone(costs.network().layers.size());
  return cycles;
}

}  // namespace acme::compiler
