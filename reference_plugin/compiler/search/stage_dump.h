// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The stages' values as text, in the order of the stages, and as files of a folder: what the
// compile spec "dump_dir" asks for.

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_SEARCH_STAGE_DUMP_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_SEARCH_STAGE_DUMP_H_

#include <span>
#include <string>
#include <vector>

#include "reference_plugin/compiler/emit/hazards.h"
#include "reference_plugin/compiler/schedule/schedule.h"
#include "reference_plugin/compiler/tasks/footprints.h"
#include "reference_plugin/compiler/tasks/task.h"
#include "simulator/isa/expected.h"

namespace acme::compiler {

struct StageDump {
  std::string stage;  // "fuse"
  std::string text;
};

// Of one network.
struct NetworkDump {
  std::string network;
  std::vector<StageDump> stages;
};

// A line a task: its number, engine, debug handle, what it reads and writes, and, where `syncs` is
// not empty, its semaphores.
std::string PrintTasks(std::span<const Task> tasks, const Footprints& footprints,
                       std::span<const TaskSync> syncs = {});
// A line a task in the new order, with the cycle where it is estimated to begin; then the
// prefetches.
std::string PrintSchedule(const Schedule& schedule);

// Writes FOLDER/NETWORK.N-STAGE.txt, N counting from 1. Creates the folder; files of the same name
// are replaced. kIo names the file.
Expected<void> WriteDump(const NetworkDump& dump, const std::string& folder);

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_SEARCH_STAGE_DUMP_H_
