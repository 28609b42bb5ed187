// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The compiler: networks in, one module out. Stages, each a pure function with a printable value; a
// folder each:
//
//   legalize/               LiteRT's ops -> Network, before this file
//   rewrite/movement/       Network -> Network that moves elements in narrow types, and once
//   rewrite/fuse.h          Network -> Network with fewer layers
//   rewrite/transpositions.h  Network -> Network whose products read and write transposed values
//   rewrite/context/        Network -> the same for calls of which the first positions alone hold tokens
//   rewrite/elementwise/    Network -> Network with two elementwise operations in one layer, which read
//                           and write by strides what was moved before
//   rewrite/rows/           Network -> Network that says which layers can be computed some rows at a time
//   rewrite/ordering/       Network -> Network with images one after the other
//   rewrite/columns/        Network -> Network in which wide matrices are computed by columns
//   rewrite/strips.h        Network -> Network in which chains of large values are computed in strips
//   placement/placement.h   Network -> Placement: where values live, at symbolic addresses
//   lower/lowering.h        Network, Placement -> LoweredNetwork: tasks and buffers
//   tasks/task_cost.h       Task -> the cycles that it takes
//   tasks/footprints.h      tasks -> the memory that they touch
//   tasks/weight_loads.h    tasks -> tasks in which loads of weights stand apart
//   tasks/conflicts.h       tasks -> which touch the same memory
//   schedule/schedule.h     tasks -> Schedule: the order in which engines take them
//   scratchpad/             Schedule, buffers -> ScratchpadPlan: real addresses, when loads run ahead
//   search/                 the stages from columns on, several times: the PlannedTasks that take the least
//   emit/hazards.h          tasks -> TaskSync: which waits for which
//   emit/emit.h             tasks, TaskSync -> instructions
//
// The module is verified before it is handed out. From columns to the scratchpad plan the stages are
// run several times, more and more carefully, since only the last of them knows whether all fits.

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_COMPILE_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_COMPILE_H_

#include <span>
#include <string>
#include <vector>

#include "reference_plugin/compiler/network/network.h"
#include "reference_plugin/compiler/search/compile_options.h"
#include "reference_plugin/compiler/search/stage_dump.h"
#include "simulator/hw/hardware.h"
#include "simulator/isa/expected.h"
#include "simulator/module/module.h"

namespace acme::compiler {

struct CompiledModule {
  Module module;
  std::vector<NetworkDump> dumps;  // with CompileOptions::dump, one an entry point
};

// Inputs and outputs that one program can address: its instructions have so many bits for them.
size_t MaxBindings();

// One entry point per network, named as it is, with variants for shorter contexts. Debug handles number
// all layers of the module. Errors are faults of the compiler (a program that does not verify), names that occur twice, or more
// inputs and outputs than MaxBindings.
Expected<CompiledModule> CompileNetworks(std::span<Network> networks, const Hardware& hardware,
                                         const CompileOptions& options = {});

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_COMPILE_H_
