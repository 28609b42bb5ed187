// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Emitting. In: tasks in their final order, loads of weights among them (tasks/weight_loads.h), and
// who waits for whom. Out: instructions: configuration only where it changes, debug marks where the
// layer changes, semaphores in the headers (and in extra no-operations where a header's two places
// are not enough).

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_EMIT_EMIT_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_EMIT_EMIT_H_

#include <span>
#include <vector>

#include "reference_plugin/compiler/emit/hazards.h"
#include "reference_plugin/compiler/tasks/task.h"
#include "simulator/isa/expected.h"

namespace acme::compiler {

// Ends with cp.halt. Errors: a value that its instruction field can't hold (a fault of the
// lowering).
Expected<std::vector<Word>> EmitCode(std::span<const Task> tasks, std::span<const TaskSync> syncs);

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_EMIT_EMIT_H_
