// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/tasks/conflicts.h"

#include <algorithm>

#include "reference_plugin/compiler/tasks/memory_pages.h"

namespace acme::compiler {
namespace {

struct Access {
  Region region;
  bool write = false;
  size_t engine = 0;
  uint32_t position = 0;  // among the engine's tasks, from 1
};

// Accesses that a later task could still have to wait for.
class AccessLog {
 public:
  explicit AccessLog(std::span<const Task> tasks) : pages_(tasks) {}

  // Raises `last` to the accesses that an access to `region` conflicts with.
  void Find(const Region& region, bool write, size_t engine, EnginePositions& last) {
    pages_.ForEach(region, [&](const std::vector<Access>& accesses, int64_t, int64_t) {
      for (const Access& access : accesses) {
        if (access.position <= last[access.engine] || access.engine == engine) continue;
        if ((write || access.write) && access.region.Overlaps(region))
          last[access.engine] = access.position;
      }
    });
  }

  // Whoever conflicts with an access that the new one covers, and that the new one waited for,
  // conflicts with the new one too and so waits for both.
  void Add(const Access& access) {
    pages_.ForEach(access.region, [&](std::vector<Access>& accesses, int64_t from, int64_t to) {
      std::erase_if(accesses, [&](const Access& old) {
        return (access.write || (!old.write && old.engine == access.engine)) &&
               access.region.ContainsWithin(old.region, from, to);
      });
      accesses.push_back(access);
    });
  }

 private:
  MemoryPages<std::vector<Access>> pages_;
};

}  // namespace

std::vector<EnginePositions> FindConflicts(std::span<const Task> tasks) {
  AccessLog log(tasks);
  std::vector<EnginePositions> conflicts(tasks.size());
  EnginePositions issued = {};
  for (size_t i = 0; i < tasks.size(); ++i) {
    const Task& task = tasks[i];
    const auto engine = static_cast<size_t>(task.engine());
    for (const Region& region : task.reads) log.Find(region, false, engine, conflicts[i]);
    for (const Region& region : task.writes) log.Find(region, true, engine, conflicts[i]);
    const uint32_t position = ++issued[engine];
    for (const Region& region : task.reads) log.Add({region, false, engine, position});
    for (const Region& region : task.writes) log.Add({region, true, engine, position});
  }
  return conflicts;
}

}  // namespace acme::compiler
