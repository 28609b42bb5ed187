// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The work of a network and the fewest cycles in which a chip could do it, whatever the compiler:
// for each engine its minimal busy cycles. The largest of them is a lower bound of any program's
// cycles.

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_ROOFLINE_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_ROOFLINE_H_

#include <cstdint>
#include <vector>

#include "reference_plugin/compiler/network.h"
#include "simulator/hw/hardware.h"

namespace acme::compiler {

struct Roofline {
  uint64_t macs = 0;
  // By Engine, kEngineCount long. Matrix: all multiply-accumulates at the array's peak. Vector: all
  // element operations at peak lanes. Load: constants, inputs and outputs once at the DRAM's
  // bandwidth, which loads and stores share. Store: outputs.
  std::vector<uint64_t> engine_cycles;
};

Roofline EstimateRoofline(const Network& network, const Hardware& hardware);

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_ROOFLINE_H_
