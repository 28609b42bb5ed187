// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Attention to the part of a cache that holds tokens.
//
// In: a fused network whose attention reads caches of a whole context, most of it hidden by a mask.
// Out: the same network for calls whose tokens stand at the first positions, and what must be so of the
// inputs for that. Hidden positions have a share of 0 in products, so that leaving them out changes
// nothing:
//
//   q by all keys (S) --- + mask --- softmax of S --- by all values (S)
//   q by B keys       --- + mask --- softmax of B --- by B values          if positions are below B
//
// int16's SOFTMAX gives hidden positions a share above 0, the same to each. It stays in the sum; where
// shares become int8 for the products it is rounded away, and where they do not nothing is left out.

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_REWRITE_CONTEXT_VALID_CONTEXT_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_REWRITE_CONTEXT_VALID_CONTEXT_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "reference_plugin/compiler/network/network.h"
#include "simulator/module/module.h"

namespace acme::compiler {

// Lengths of context that are worth a program of their own, in rising order.
std::vector<int32_t> ContextLengths(const Network& network);

struct ShorterContext {
  Network network;
  std::vector<ModuleGuard> guards;  // bindings are the network's inputs
};

// Nothing if no attention can be cut to so many positions.
std::optional<ShorterContext> CutContext(const Network& network, int32_t length);

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_REWRITE_CONTEXT_VALID_CONTEXT_H_
