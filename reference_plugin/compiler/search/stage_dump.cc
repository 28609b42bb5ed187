// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/search/stage_dump.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <system_error>

namespace acme::compiler {

std::string PrintTasks(std::span<const Task> tasks, const Footprints& footprints,
                       std::span<const TaskSync> syncs) {
  std::string text;
  const auto print = [&text](char kind, const MemoryRange& range) {
    text += fmt::format(" {}{}:{}[{},{})", kind, static_cast<int>(range.space), range.binding,
                        range.begin, range.end);
  };
  for (size_t i = 0; i < tasks.size(); ++i) {
    text += fmt::format("{} {} handle {}", i, NameOf(tasks[i].engine()), tasks[i].handle);
    for (const MemoryRange& range : footprints[i].reads) print('r', range);
    for (const MemoryRange& range : footprints[i].writes) print('w', range);
    if (!syncs.empty()) {
      for (uint8_t semaphore : syncs[i].waits) text += fmt::format(" wait {}", semaphore);
      for (uint8_t semaphore : syncs[i].posts) text += fmt::format(" post {}", semaphore);
    }
    text += "\n";
  }
  return text;
}

std::string PrintSchedule(const Schedule& schedule) {
  std::string text;
  for (size_t i = 0; i < schedule.order.size(); ++i)
    text += fmt::format("task {} begins at {}\n", schedule.order[i], schedule.begin_cycle[i]);
  for (size_t i = 0; i < schedule.prefetches.size(); ++i) {
    text += fmt::format("prefetch task {}", schedule.prefetches[i]);
    if (schedule.first_use[i] < schedule.order.size())
      text += fmt::format(" before task {}", schedule.order[schedule.first_use[i]]);
    text += "\n";
  }
  return text;
}

Expected<void> WriteDump(const NetworkDump& dump, const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) return Error(ErrorCode::kIo, folder + ": " + error.message());
  for (size_t i = 0; i < dump.stages.size(); ++i) {
    const std::string path =
        fmt::format("{}/{}.{}-{}.txt", folder, dump.network, i + 1, dump.stages[i].stage);
    std::ofstream file(path, std::ios::binary);
    file << dump.stages[i].text;
    if (!file.flush()) return Error(ErrorCode::kIo, path + ": cannot be written");
  }
  return {};
}

}  // namespace acme::compiler
