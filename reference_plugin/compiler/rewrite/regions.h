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

#include "reference_plugin/compiler/network/network.h"

namespace acme::compiler {

// Layers [first, last] in so many steps.
struct StripRegion {
  size_t first = 0;
  size_t last = 0;
  int32_t steps = 2;
  bool operator==(const StripRegion&) const = default;
};

struct RegionLimits {
  int64_t memory_bytes = 0;  // of all values that live while a region is computed
  int64_t value_bytes = 0;   // larger values do not stay whole between regions
  int64_t weight_bytes = 0;  // of constants that stay for all steps of a region
  int64_t dram_bytes_per_cycle = 1;
  int64_t copy_bytes_per_cycle = 1;  // within the scratchpad
};

// Busy cycles of a layer, as a whole.
struct LayerCycles {
  double matrix = 0;
  double vector = 0;
};

// Only regions of several layers.
std::vector<StripRegion> ChooseRegions(const Network& network, std::span<const LayerCycles> cycles,
                                       const RegionLimits& limits);

// All layers that can be computed together are, as far as memory goes, in so many steps: small
// networks are over sooner when one step's layers fill the engines while another's wait.
std::vector<StripRegion> ChoosePipelines(const Network& network, int32_t steps,
                                         const RegionLimits& limits);

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_REWRITE_REGIONS_H_
