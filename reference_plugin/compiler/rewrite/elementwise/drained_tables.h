// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Tables of results become the convolution's that makes them, which looks its results up as it writes
// them (v.lookup):
//
//   x -> conv -> a -> table -> y                     x -> conv with a table -> y
//   x -> depthwise -> a -> table -> y                x -> depthwise with a table -> y

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_REWRITE_ELEMENTWISE_DRAINED_TABLES_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_REWRITE_ELEMENTWISE_DRAINED_TABLES_H_

#include "reference_plugin/compiler/network/network.h"

namespace acme::compiler {

// Only where nobody else sees the values between. After FuseResiduals, which has sums before tables.
void FuseDrainedTables(Network& network);

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_REWRITE_ELEMENTWISE_DRAINED_TABLES_H_
