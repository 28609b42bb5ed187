// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Layers that together are a function of one byte become its table, which has 256 entries whatever
// they compute:
//
//   x -> table -> a -> table -> y                      x -> table -> y
//   x -> table -> s, x * s -> y                        x -> table -> y    (SiLU)
//   x + 3 -> a, x * a -> p, p * 1/6 -> y               x -> table -> y    (hard-swish in parts)

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_REWRITE_BYTE_FUNCTIONS_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_REWRITE_BYTE_FUNCTIONS_H_

#include "reference_plugin/compiler/network/network.h"

namespace acme::compiler {

// Only where some value between is needed no more.
void FuseByteFunctions(Network& network);

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_REWRITE_BYTE_FUNCTIONS_H_
