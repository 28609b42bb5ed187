// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/tasks/conflicts.h"

#include <algorithm>

#include "reference_plugin/compiler/tasks/memory_pages.h"

namespace acme::compiler {
namespace {

struct Access {
  MemoryRange range;
  bool write = false;
  size_t engine = 0;
  uint32_t position = 0;  // among the engine's tasks, from 1
};

// Accesses that a later task could still have to wait for.
class AccessLog {
 public:
  explicit AccessLog(std::span<const Task> tasks) : pages_(tasks) {}

  // Raises `last` to the accesses that an access to `range` conflicts with.
  void Find(const MemoryRange& range, bool write, size_t engine, EnginePositions& last) {
    pages_.ForEach(range, [&](const std::vector<Access>& accesses, int64_t, int64_t) {
      for (const Access& access : accesses) {
        if (access.position <= last[access.engine] || access.engine == engine) continue;
        if ((write || access.write) && access.range.Overlaps(range))
          last[access.engine] = access.position;
      }
    });
  }

  // Whoever conflicts with an access that the new one covers, and that the new one waited for,
  // conflicts with the new one too and so waits for both.
  // A write has waited for all that it covers, or follows it in its engine. A read has waited for
  // no other engine's read, and covers no write: who reads next needs the write alone.
  void Add(const Access& access) {
    pages_.ForEach(access.range, [&](std::vector<Access>& accesses, int64_t from, int64_t to) {
      std::erase_if(accesses, [&](const Access& old) {
        return (access.write || (!old.write && old.engine == access.engine)) &&
               access.range.ContainsWithin(old.range, from, to);
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
    for (const MemoryRange& range : task.reads) log.Find(range, false, engine, conflicts[i]);
    for (const MemoryRange& range : task.writes) log.Find(range, true, engine, conflicts[i]);
    const uint32_t position = ++issued[engine];
    for (const MemoryRange& range : task.reads) log.Add({range, false, engine, position});
    for (const MemoryRange& range : task.writes) log.Add({range, true, engine, position});
  }
  return conflicts;
}

}  // namespace acme::compiler
