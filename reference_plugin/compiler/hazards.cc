// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/hazards.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

namespace acme::compiler {
namespace {

// For every engine, how many of its tasks are known to have ended.
using Clock = std::array<uint32_t, kEngineCount>;

struct Access {
  Region region;
  bool write = false;
  size_t engine = 0;
  uint32_t sequence = 0;  // 1-based position among the engine's tasks
};

// Accesses that a later task could still have to wait for.
class AccessLog {
 public:
  // Raises `needed` to the tasks that an access to `region` conflicts with.
  void Find(const Region& region, bool write, size_t engine, Clock& needed) const {
    const auto it = log_.find(Memory(region));
    if (it == log_.end()) return;
    for (const Access& access : it->second) {
      if (access.engine == engine || !(write || access.write) || !access.region.Overlaps(region)) continue;
      needed[access.engine] = std::max(needed[access.engine], access.sequence);
    }
  }

  // Whoever conflicts with an access that the new one covers, and that the new one waited for, conflicts with the new one
  // too and so waits for both.
  void Add(const Access& access) {
    std::vector<Access>& accesses = log_[Memory(access.region)];
    std::erase_if(accesses, [&](const Access& old) {
      return access.region.Contains(old.region) && (access.write || (!old.write && old.engine == access.engine));
    });
    accesses.push_back(access);
  }

 private:
  static std::pair<Region::Space, uint32_t> Memory(const Region& region) { return {region.space, region.binding}; }

  std::map<std::pair<Region::Space, uint32_t>, std::vector<Access>> log_;
};

}  // namespace

std::vector<TaskSync> PlanSync(std::span<const Task> tasks) {
  std::vector<TaskSync> syncs(tasks.size());
  AccessLog log;
  std::array<std::vector<size_t>, kEngineCount> by_engine;  // task indices
  std::array<Clock, kEngineCount> engine_clock = {};        // after the engine's last task
  std::vector<Clock> clocks(tasks.size());                  // after each task

  for (size_t i = 0; i < tasks.size(); ++i) {
    const Task& task = tasks[i];
    const size_t engine = static_cast<size_t>(task.engine());
    Clock needed = {};
    for (const Region& region : task.reads) log.Find(region, false, engine, needed);
    for (const Region& region : task.writes) log.Find(region, true, engine, needed);

    Clock clock = engine_clock[engine];
    // The latest producers first would imply most; the order of engines is good enough and keeps the result simple.
    for (size_t other = 0; other < kEngineCount; ++other) {
      if (other == engine || needed[other] <= clock[other]) continue;
      const size_t producer = by_engine[other][needed[other] - 1];
      const uint8_t semaphore = PairSemaphore(static_cast<Engine>(other), static_cast<Engine>(engine));
      syncs[producer].posts.push_back(semaphore);
      syncs[i].waits.push_back(semaphore);
      for (size_t e = 0; e < kEngineCount; ++e) clock[e] = std::max(clock[e], clocks[producer][e]);
    }
    by_engine[engine].push_back(i);
    const auto sequence = static_cast<uint32_t>(by_engine[engine].size());
    clock[engine] = sequence;
    engine_clock[engine] = clock;
    clocks[i] = clock;
    for (const Region& region : task.reads) log.Add({region, false, engine, sequence});
    for (const Region& region : task.writes) log.Add({region, true, engine, sequence});
  }
  return syncs;
}

}  // namespace acme::compiler
