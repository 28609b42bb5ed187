// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Which of a network's layers are computed together, in strips of how many rows: the choices that a
// search has, and which of them it should try first.

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_SEARCH_STRIP_CHOICES_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_SEARCH_STRIP_CHOICES_H_

#include <memory>
#include <vector>

#include "reference_plugin/compiler/network/network.h"
#include "reference_plugin/compiler/rewrite/region_costs.h"
#include "reference_plugin/compiler/rewrite/regions.h"
#include "reference_plugin/compiler/search/effort.h"
#include "simulator/hw/hardware.h"

namespace acme::compiler {

// `results_beside`: as an effort has it. The network must live as long.
std::unique_ptr<RegionCosts> CostsOfRegions(const Network& network, const Hardware& hardware,
                                            bool results_beside = true);

// What an effort's share of the scratchpad asks for.
std::vector<StripRegion> RegionsFor(RegionCosts& costs, const Effort& effort,
                                    const Hardware& hardware);

struct StripChoice {
  Effort effort;
  std::vector<StripRegion> regions;
  double cycles = 0;  // as RegionCosts estimates them
};

// Others than `regions`, each of them once, with the effort or other shares of the scratchpad. The fewest
// estimated cycles come first: estimates of layers are far off those of programs (schedule.h), but seldom in
// which of them are better.
std::vector<StripChoice> OtherChoices(RegionCosts& costs, const Effort& effort,
                                      const std::vector<StripRegion>& regions,
                                      const Hardware& hardware);

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_SEARCH_STRIP_CHOICES_H_
