// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Searching. In: a network whose layers will not change, maybe in several forms. Out: the program of it
// that takes the fewest cycles by the compiler's estimate, of those that were tried: chains by columns
// (columns/) or not, layers together in strips (regions.h) of one size or another, one effort or a more
// careful one.
//
//   each form --> as it is      --> first effort that fits --.
//             '-> some by columns -> first effort that fits --+--> the best --> other strips, pipelines
//                      --> the next best, and the best with other windows, if the simulator says so

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_SEARCH_PLAN_PROGRAM_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_SEARCH_PLAN_PROGRAM_H_

#include <span>

#include "reference_plugin/compiler/network/network.h"
#include "reference_plugin/compiler/placement/constant_pool.h"
#include "reference_plugin/compiler/search/compile_options.h"
#include "reference_plugin/compiler/search/effort.h"
#include "simulator/hw/hardware.h"
#include "simulator/isa/expected.h"

namespace acme::compiler {

// `forms`: networks that compute the same, at least one. The first is the likeliest: lower levels of
// optimisation look at no other. Adds the program's constants to `constants`; it is emitted. Error if no tiling fits the
// scratchpad.
Expected<PlannedTasks> PlanProgram(std::span<const Network> forms, const Hardware& hardware,
                                   ConstantPool& constants, const CompileOptions& options);

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_SEARCH_PLAN_PROGRAM_H_
