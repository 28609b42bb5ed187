// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What every operator that gathers is declined for.

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_LEGALIZE_MOVEMENT_GATHER_SUPPORT_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_LEGALIZE_MOVEMENT_GATHER_SUPPORT_H_

#include "reference_plugin/compiler/legalize/operands.h"
#include "reference_plugin/compiler/lower/movement/gather.h"
#include "simulator/isa/expected.h"

namespace acme::compiler {

// Indices of another type than int32.
Expected<void> CheckGatherIndices(const TensorInfo& indices);

// A slice that no buffer holds; `dtype` is the result's.
Expected<void> CheckGatherFits(const Gather& gather, Dtype dtype);

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_LEGALIZE_MOVEMENT_GATHER_SUPPORT_H_
