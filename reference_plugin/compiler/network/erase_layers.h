// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_NETWORK_ERASE_LAYERS_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_NETWORK_ERASE_LAYERS_H_

#include <cstddef>
#include <vector>

#include "reference_plugin/compiler/network/network.h"

namespace acme::compiler {

// Takes the layers out that are gone, one bit each; the others keep their order. How many it took.
inline size_t EraseLayers(const std::vector<bool>& gone, Network& network) {
  size_t at = 0;
  return std::erase_if(network.layers, [&](const Layer&) { return gone[at++]; });
}

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_NETWORK_ERASE_LAYERS_H_
