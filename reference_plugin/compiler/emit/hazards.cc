// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/emit/hazards.h"

#include <algorithm>
#include <array>
#include <utility>

#include "reference_plugin/compiler/tasks/memory_pages.h"

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
  explicit AccessLog(std::span<const Task> tasks) : pages_(tasks) {}

  // Raises `needed` to the tasks that an access to `region` conflicts with.
  void Find(const Region& region, bool write, size_t engine, Clock& needed) {
    pages_.ForEach(region, [&](const std::vector<Access>& accesses, int64_t, int64_t) {
      for (const Access& access : accesses) {
        if (access.engine == engine || !(write || access.write) || !access.region.Overlaps(region))
          continue;
        needed[access.engine] = std::max(needed[access.engine], access.sequence);
      }
    });
  }

  // Whoever conflicts with an access that the new one covers, and that the new one waited for,
  // conflicts with the new one too and so waits for both.
  void Add(const Access& access) {
    pages_.ForEach(access.region, [&](std::vector<Access>& accesses, int64_t from, int64_t to) {
      std::erase_if(accesses, [&](const Access& old) {
        return access.region.ContainsWithin(old.region, from, to) &&
               (access.write || (!old.write && old.engine == access.engine));
      });
      accesses.push_back(access);
    });
  }

 private:
  MemoryPages<std::vector<Access>> pages_;
};

// A producer may run ahead of its consumer by so many posts: a semaphore holds kSemaphoreMax.
constexpr size_t kMaxAhead = 200;
// When it must wait, it waits until it is only so far ahead.
constexpr size_t kResumeAhead = 100;

// By pair of engines, [from][to]: a consumer waits for producers in groups of so many.
using Groups = std::array<std::array<uint32_t, kEngineCount>, kEngineCount>;

// One walk over the tasks.
class SyncPass {
 public:
  // `throttle[i]`: a further task that task i has to wait for, by engine; 0 for none.
  SyncPass(std::span<const Task> tasks, std::span<const Clock> throttle, const Groups& groups)
      : tasks_(tasks),
        throttle_(throttle),
        groups_(groups),
        syncs_(tasks.size()),
        clocks_(tasks.size()),
        log_(tasks) {}

  void Run() {
    for (size_t i = 0; i < tasks_.size(); ++i) Visit(i);
  }

  // Makes larger groups of producers that run too far ahead of a consumer which stands behind them
  // all, so that they can't wait for it. False if there are none.
  bool EnlargeGroups(Groups& groups) const {
    bool enlarged = false;
    for (size_t from = 0; from < kEngineCount; ++from) {
      for (size_t to = 0; to < kEngineCount; ++to) {
        const std::vector<Edge>& edges = edges_[from][to];
        for (size_t j = kMaxAhead; j < edges.size(); ++j) {
          if (edges[j - kMaxAhead].consumer < edges[j].producer) continue;
          groups[from][to] *= 2;
          enlarged = true;
          break;
        }
      }
    }
    return enlarged;
  }

  // Adds to `throttle` what keeps producers from running too far ahead. False if nothing was
  // missing.
  bool AddThrottle(std::vector<Clock>& throttle) const {
    bool added = false;
    for (const auto& from_producer : edges_) {
      for (const std::vector<Edge>& edges : from_producer) {
        for (size_t j = kMaxAhead; j < edges.size(); ++j) {
          const Edge& limit = edges[j - kMaxAhead];
          const size_t producer = edges[j].producer;
          const size_t engine = EngineIndex(limit.consumer);
          const uint32_t known = std::max(clocks_[producer][engine], throttle[producer][engine]);
          if (known >= clocks_[limit.consumer][engine]) continue;
          // Only a task that stands before the producer can be waited for; the limit does.
          const Edge& resume = edges[j - kResumeAhead];
          const size_t target = resume.consumer < producer ? resume.consumer : limit.consumer;
          throttle[producer][engine] = clocks_[target][engine];
          added = true;
          j += kMaxAhead - kResumeAhead;
        }
      }
    }
    return added;
  }

  std::vector<TaskSync> TakeSyncs() { return std::move(syncs_); }

 private:
  struct Edge {
    size_t producer;
    size_t consumer;
  };

  // The last of the group that a producer is in, as far as it stands before the consumer.
  uint32_t GroupEnd(size_t from, size_t to, uint32_t sequence) const {
    const uint32_t group = groups_[from][to];
    const uint32_t end = (sequence + group - 1) / group * group;
    return std::min(end, static_cast<uint32_t>(by_engine_[from].size()));
  }

  size_t EngineIndex(size_t task) const { return static_cast<size_t>(tasks_[task].engine()); }

  void Visit(size_t i) {
    const Task& task = tasks_[i];
    const size_t engine = EngineIndex(i);
    Clock needed = throttle_[i];
    for (const Region& region : task.reads) log_.Find(region, false, engine, needed);
    for (const Region& region : task.writes) log_.Find(region, true, engine, needed);
    Clock clock = engine_clock_[engine];
    // The latest producers first would imply most; the order of engines is good enough and keeps
    // the result simple.
    for (size_t other = 0; other < kEngineCount; ++other) {
      if (other == engine || needed[other] <= clock[other]) continue;
      const size_t producer = by_engine_[other][GroupEnd(other, engine, needed[other]) - 1];
      const uint8_t semaphore =
          PairSemaphore(static_cast<Engine>(other), static_cast<Engine>(engine));
      syncs_[producer].posts.push_back(semaphore);
      syncs_[i].waits.push_back(semaphore);
      edges_[other][engine].push_back({producer, i});
      for (size_t e = 0; e < kEngineCount; ++e) clock[e] = std::max(clock[e], clocks_[producer][e]);
    }
    by_engine_[engine].push_back(i);
    clock[engine] = static_cast<uint32_t>(by_engine_[engine].size());
    engine_clock_[engine] = clock;
    clocks_[i] = clock;
    for (const Region& region : task.reads) log_.Add({region, false, engine, clock[engine]});
    for (const Region& region : task.writes) log_.Add({region, true, engine, clock[engine]});
  }

  std::span<const Task> tasks_;
  std::span<const Clock> throttle_;
  const Groups& groups_;
  std::vector<TaskSync> syncs_;
  std::vector<Clock> clocks_;  // after each task
  AccessLog log_;
  std::array<std::vector<size_t>, kEngineCount> by_engine_;  // task indices
  std::array<Clock, kEngineCount> engine_clock_ = {};        // after the engine's last task
  std::array<std::array<std::vector<Edge>, kEngineCount>, kEngineCount> edges_;  // [from][to]
};

}  // namespace

std::vector<TaskSync> PlanSync(std::span<const Task> tasks) {
  std::vector<Clock> throttle(tasks.size());
  Groups groups;
  for (auto& from : groups) from.fill(1);
  for (;;) {
    SyncPass pass(tasks, throttle, groups);
    pass.Run();
    // A group of all producers needs one post, so this ends.
    if (pass.EnlargeGroups(groups)) {
      throttle.assign(tasks.size(), Clock{});
      continue;
    }
    // Every round adds to the throttle, which is bounded by the number of tasks.
    if (!pass.AddThrottle(throttle)) return pass.TakeSyncs();
  }
}

}  // namespace acme::compiler
