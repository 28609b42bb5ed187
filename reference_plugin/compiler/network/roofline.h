// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The work of a network and cycles that no program for it goes below, whatever the compiler. What
// is counted, and why nothing less will do, stands in docs/timing.md.

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_NETWORK_ROOFLINE_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_NETWORK_ROOFLINE_H_

#include <cstdint>
#include <vector>

#include "reference_plugin/compiler/network/network.h"
#include "simulator/hw/hardware.h"

namespace acme::compiler {

struct Roofline {
  uint64_t macs = 0;  // for the utilisation: of all layers, with those of padding
  // Least busy cycles by Engine, kEngineCount long; loads and stores share the DRAM, so kLoad has
  // the bytes of both.
  std::vector<uint64_t> engine_cycles;
};

Roofline EstimateRoofline(const Network& network, const Hardware& hardware);

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_NETWORK_ROOFLINE_H_
