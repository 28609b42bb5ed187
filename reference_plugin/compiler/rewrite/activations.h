// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Activations that stand as layers of their own ride on the layer before:
//
//   x -> conv -> a -> relu -> y                         x -> conv with a clamp -> y
//   x -> add -> a -> table that only clamps -> y        x -> add with a clamp -> y
//   x -> relu -------------------------> p
//   x -> neg -> relu -> neg -> mul c --> m, p + m -> y  x -> prelu by c -> y

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_REWRITE_ACTIVATIONS_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_REWRITE_ACTIVATIONS_H_

#include "reference_plugin/compiler/network/network.h"

namespace acme::compiler {

// Only where nobody else sees the values between.
void FusePrelu(Network& network);
void FuseClamps(Network& network);

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_REWRITE_ACTIVATIONS_H_
