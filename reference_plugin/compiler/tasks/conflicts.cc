// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/tasks/conflicts.h"

#include <array>

#include "reference_plugin/compiler/tasks/memory_pages.h"

namespace acme::compiler {
namespace {

struct Access {
  const MemoryRange* range = nullptr;  // of a footprint
  uint32_t position = 0;               // among the engine's tasks, from 1
};

// Accesses to one page that a later task could still have to wait for; each list in the order of
// its engine's tasks.
class PageLog {
 public:
  // Raises `last` to the accesses that an access to `range` conflicts with.
  void Find(const MemoryRange& range, bool write, size_t engine, EnginePositions& last) const {
    for (size_t other = 0; other < kEngineCount; ++other) {
      if (other == engine) continue;
      RaiseToLatest(writes_[other], range, last[other]);
      if (write) RaiseToLatest(reads_[other], range, last[other]);
    }
  }

  // Whoever conflicts with an access that the new one covers within [from, to), and that the new one
  // waited for, conflicts with the new one too and so waits for both.
  // A write has waited for all that it covers, or follows it in its engine. A read has waited for
  // no other engine's read, and covers no write: who reads next needs the write alone.
  void Add(const Access& access, bool write, size_t engine, int64_t from, int64_t to) {
    const auto drop_covered = [&](std::vector<Access>& accesses) {
      std::erase_if(accesses, [&](const Access& old) {
        return access.range->ContainsWithin(*old.range, from, to);
      });
    };
    if (write) {
      for (std::vector<Access>& accesses : reads_) drop_covered(accesses);
      for (std::vector<Access>& accesses : writes_) drop_covered(accesses);
    } else {
      drop_covered(reads_[engine]);
    }
    (write ? writes_ : reads_)[engine].push_back(access);
  }

 private:
  using ByEngine = std::array<std::vector<Access>, kEngineCount>;

  // From the latest on, since who waits for it has waited for those before it.
  static void RaiseToLatest(const std::vector<Access>& accesses, const MemoryRange& range,
                            uint32_t& last) {
    for (auto access = accesses.rbegin(); access != accesses.rend(); ++access) {
      if (access->position <= last) return;
      if (!access->range->Overlaps(range)) continue;
      last = access->position;
      return;
    }
  }

  ByEngine reads_;
  ByEngine writes_;
};

class AccessLog {
 public:
  explicit AccessLog(const Footprints& footprints) : pages_(footprints) {}

  void Find(const MemoryRange& range, bool write, size_t engine, EnginePositions& last) {
    pages_.ForEach(range, [&](const PageLog& page, int64_t, int64_t) {
      page.Find(range, write, engine, last);
    });
  }

  // The range must outlive the log.
  void Add(const MemoryRange& range, bool write, size_t engine, uint32_t position) {
    pages_.ForEach(range, [&](PageLog& page, int64_t from, int64_t to) {
      page.Add({&range, position}, write, engine, from, to);
    });
  }

 private:
  MemoryPages<PageLog> pages_;
};

}  // namespace

std::vector<EnginePositions> FindConflicts(std::span<const Task> tasks,
                                           const Footprints& footprints) {
  AccessLog log(footprints);
  std::vector<EnginePositions> conflicts(tasks.size());
  EnginePositions issued = {};
  for (size_t i = 0; i < tasks.size(); ++i) {
    const Footprint footprint = footprints[i];
    const auto engine = static_cast<size_t>(tasks[i].engine());
    for (const MemoryRange& range : footprint.reads) log.Find(range, false, engine, conflicts[i]);
    for (const MemoryRange& range : footprint.writes) log.Find(range, true, engine, conflicts[i]);
    const uint32_t position = ++issued[engine];
    for (const MemoryRange& range : footprint.reads) log.Add(range, false, engine, position);
    for (const MemoryRange& range : footprint.writes) log.Add(range, true, engine, position);
  }
  return conflicts;
}

}  // namespace acme::compiler
