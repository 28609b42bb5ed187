// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Conversions. In: a fused network. Out: one in which an elementwise operation of float32 takes what
// stands before and after it to convert bytes; and the larger, or the smaller, of bytes takes their
// requantisations:
//
//   x, bytes -> dequantise -> (a - b)^2 -> quantise -> y      x, bytes -> (a - b)^2, converting -> y
//   m, bytes -> dequantise ------'                            m, bytes ------'

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_REWRITE_ELEMENTWISE_CONVERSIONS_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_REWRITE_ELEMENTWISE_CONVERSIONS_H_

#include "reference_plugin/compiler/network/network.h"

namespace acme::compiler {

// Before operations are chained (chains.h), which the vector engine has no conversions with. Values
// stay what they are, to the last bit.
void FuseConversions(Network& network);

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_REWRITE_ELEMENTWISE_CONVERSIONS_H_
