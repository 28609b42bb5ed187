// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/search/strip_choices.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include "reference_plugin/compiler/rewrite/layer_cycles.h"
#include "reference_plugin/compiler/rewrite/region_rows.h"

namespace acme::compiler {
namespace {

// Shares of the scratchpad that are tried, too: small strips leave more for weights that come early.
constexpr std::array<int64_t, 2> kOtherStripPercents = {40, 25};
// Layers that are computed together, so many at most, in so many steps.
struct Pipeline {
  int32_t steps = 2;
  size_t most_layers = kMostRegionLayers;
};
// All layers that can be computed together in these are tried: one step's layers fill the engines
// while another's wait. Then fewer of them: rows that windows need twice become more with each layer.
constexpr size_t kBlock = 3;   // expanded, filtered and projected
constexpr size_t kBlocks = 6;  // two of these
constexpr std::array kPipelines = {Pipeline{2},          Pipeline{3},          Pipeline{4},
                                   Pipeline{6},          Pipeline{8},          Pipeline{2, kBlock},
                                   Pipeline{4, kBlock},  Pipeline{2, kBlocks}, Pipeline{4, kBlocks},
                                   Pipeline{6, kBlocks}, Pipeline{8, kBlocks}};
// Of the scratchpad, for the constants of layers that are computed in strips.
constexpr int64_t kStripWeightPercent = 20;

int64_t StripBytes(const Effort& effort, const Hardware& hardware) {
  return hardware.scratchpad_bytes * effort.strip_percent / 100;
}

}  // namespace

std::unique_ptr<RegionCosts> CostsOfRegions(const Network& network, const Hardware& hardware,
                                            bool results_beside) {
  return std::make_unique<RegionCosts>(
      network, EstimateLayers(network, hardware),
      RegionLimits{.value_bytes = LargeValueBytes(hardware),
                   .beside_bytes = results_beside ? LargeValueBytes(hardware) : INT64_MAX,
                   .weight_bytes = hardware.scratchpad_bytes * kStripWeightPercent / 100,
                   .dram_bytes_per_cycle = hardware.dram_bytes_per_cycle,
                   .copy_bytes_per_cycle = hardware.vector_lanes});
}

std::vector<StripRegion> RegionsFor(RegionCosts& costs, const Effort& effort,
                                    const Hardware& hardware) {
  return ChooseRegions(costs, StripBytes(effort, hardware));
}

std::vector<StripChoice> OtherChoices(RegionCosts& costs, const Effort& effort,
                                      const std::vector<StripRegion>& regions,
                                      const Hardware& hardware) {
  const int64_t bytes = StripBytes(effort, hardware);
  std::vector<StripChoice> choices;
  const auto add = [&](const Effort& of, std::vector<StripRegion> chosen) {
    const auto is_same = [&](const StripChoice& other) { return other.regions == chosen; };
    if (chosen == regions || std::ranges::any_of(choices, is_same)) return;
    const double cycles = EstimateCycles(costs, chosen, StripBytes(of, hardware));
    choices.push_back({of, std::move(chosen), cycles});
  };
  for (int64_t percent : kOtherStripPercents) {
    Effort other = effort;
    other.strip_percent = percent;
    add(other, RegionsFor(costs, other, hardware));
  }
  for (const Pipeline& pipeline : kPipelines)
    add(effort, ChoosePipelines(costs, pipeline.steps, bytes, pipeline.most_layers));
  add(effort, ChooseRegions(costs, bytes, StepsFor::kEngines));
  std::ranges::stable_sort(choices, {}, &StripChoice::cycles);
  return choices;
}

}  // namespace acme::compiler
