// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Which layers are computed together, some rows at a time, so that what passes between them stays
// in the scratchpad. In: a fused network and what memory there is. Out: regions, in order.
//
// Layers between two cuts make a region; where cuts stand is chosen by cost, the sum over regions of
// the larger of computing and of moving what the scratchpad does not hold: the classic shortest way
// over layers, from the first to the last.

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_REWRITE_REGIONS_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_REWRITE_REGIONS_H_

#include <cstdint>
#include <span>
#include <vector>

#include "reference_plugin/compiler/rewrite/region_costs.h"

namespace acme::compiler {

// Layers [first, last] in so many steps.
struct StripRegion {
  size_t first = 0;
  size_t last = 0;
  int32_t steps = 2;
  bool operator==(const StripRegion&) const = default;
};

// Of a region at most: looking at all keeps the time linear in layers.
inline constexpr size_t kMostRegionLayers = 48;

// What a region's steps are for: that it fits, or that one step's layers keep an engine busy while another's wait.
enum class StepsFor : uint8_t { kMemory, kEngines };

// Only regions of several layers. `memory_bytes`: as RegionCosts has it.
std::vector<StripRegion> ChooseRegions(RegionCosts& costs, int64_t memory_bytes,
                                       StepsFor steps_for = StepsFor::kMemory);

// All layers that can be computed together are, as far as memory goes, but no more than
// `most_layers`, in so many steps: small networks are over sooner when one step's layers fill the
// engines while another's wait.
std::vector<StripRegion> ChoosePipelines(RegionCosts& costs, int32_t steps, int64_t memory_bytes,
                                         size_t most_layers = kMostRegionLayers);

// Of all layers, where those of regions are computed together.
double EstimateCycles(RegionCosts& costs, std::span<const StripRegion> regions,
                      int64_t memory_bytes);

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_REWRITE_REGIONS_H_
