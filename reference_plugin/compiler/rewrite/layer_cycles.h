// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_REWRITE_LAYER_CYCLES_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_REWRITE_LAYER_CYCLES_H_

#include <vector>

#include "reference_plugin/compiler/network/network.h"
#include "reference_plugin/compiler/rewrite/region_costs.h"
#include "simulator/hw/hardware.h"

namespace acme::compiler {

// Busy cycles of each layer as a whole, if its engine had nothing to wait for.
std::vector<LayerCycles> EstimateLayers(const Network& network, const Hardware& hardware);

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_REWRITE_LAYER_CYCLES_H_
