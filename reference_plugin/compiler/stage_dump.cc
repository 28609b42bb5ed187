// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/stage_dump.h"

#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>

namespace acme::compiler {

std::string PrintTasks(std::span<const Task> tasks, std::span<const TaskSync> syncs) {
  std::ostringstream out;
  for (size_t i = 0; i < tasks.size(); ++i) {
    out << i << " " << NameOf(tasks[i].engine()) << " handle " << tasks[i].handle;
    for (const Region& region : tasks[i].reads) {
      out << " r" << static_cast<int>(region.space) << ":" << region.binding << "[" << region.begin
          << "," << region.end << ")";
    }
    for (const Region& region : tasks[i].writes) {
      out << " w" << static_cast<int>(region.space) << ":" << region.binding << "[" << region.begin
          << "," << region.end << ")";
    }
    if (!syncs.empty()) {
      for (uint8_t semaphore : syncs[i].waits) out << " wait " << int{semaphore};
      for (uint8_t semaphore : syncs[i].posts) out << " post " << int{semaphore};
    }
    out << "\n";
  }
  return out.str();
}

std::string PrintSchedule(const Schedule& schedule) {
  std::ostringstream out;
  for (size_t i = 0; i < schedule.order.size(); ++i)
    out << "task " << schedule.order[i] << " begins at " << schedule.begin_cycle[i] << "\n";
  for (size_t i = 0; i < schedule.prefetches.size(); ++i) {
    out << "prefetch task " << schedule.prefetches[i];
    if (schedule.first_use[i] < schedule.order.size())
      out << " before task " << schedule.order[schedule.first_use[i]];
    out << "\n";
  }
  return out.str();
}

Expected<void> WriteDump(const NetworkDump& dump, const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) return Error(ErrorCode::kIo, folder + ": " + error.message());
  for (size_t i = 0; i < dump.stages.size(); ++i) {
    const std::string path = folder + "/" + dump.network + "." + std::to_string(i + 1) + "-" +
                             dump.stages[i].stage + ".txt";
    std::ofstream file(path, std::ios::binary);
    file << dump.stages[i].text;
    if (!file.flush()) return Error(ErrorCode::kIo, path + ": cannot be written");
  }
  return {};
}

}  // namespace acme::compiler
