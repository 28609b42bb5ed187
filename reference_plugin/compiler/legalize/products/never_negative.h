// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What is known of signs before anything runs: what comes out of a ReLU is never negative, nor is what
// only moves, pools, resizes or adds such numbers.

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_LEGALIZE_PRODUCTS_NEVER_NEGATIVE_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_LEGALIZE_PRODUCTS_NEVER_NEGATIVE_H_

#include "reference_plugin/compiler/network/network.h"

namespace acme::compiler {

// Whether no element of a float32 value can be below 0; false where it is not known, as of what comes
// into the partition.
bool IsNeverNegative(const Network& network, ValueId value);

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_LEGALIZE_PRODUCTS_NEVER_NEGATIVE_H_
