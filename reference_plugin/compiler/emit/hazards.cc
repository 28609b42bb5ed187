// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/emit/hazards.h"

#include <algorithm>
#include <array>
#include <utility>

namespace acme::compiler {
namespace {

// For every engine, how many of its tasks are known to have ended.
using Clock = EnginePositions;

// A producer may run ahead of its consumer by so many posts: a semaphore holds kSemaphoreMax.
constexpr size_t kMaxAhead = 200;
// When it must wait, it waits until it is only so far ahead.
// Waiting once for many is cheaper than once for each post.
constexpr size_t kResumeAhead = 100;

// By pair of engines, [from][to]: a consumer waits for producers in groups of so many.
using Groups = std::array<std::array<uint32_t, kEngineCount>, kEngineCount>;

// One walk over the tasks.
//
// Each task gets a clock, as of a distributed system: once it has ended, so many tasks of every
// engine surely have. It is the clock of the engine's task before, joined with those of the
// producers that it waits for. A conflict that the clock covers already needs no semaphore; each
// other one is an edge, a post and a wait. Edges of two engines are in the same order at both ends,
// since each raises the clock beyond its producer: this is what pairs the n-th post with the n-th
// wait.
class SyncPass {
 public:
  // `throttle[i]`: a further task that task i has to wait for, by engine; 0 for none.
  SyncPass(std::span<const Task> tasks, std::span<const EnginePositions> conflicts,
           std::span<const Clock> throttle, const Groups& groups)
      : tasks_(tasks),
        conflicts_(conflicts),
        throttle_(throttle),
        groups_(groups),
        syncs_(tasks.size()),
        clocks_(tasks.size()) {}

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
          // A consumer that stands before the producer is AddThrottle's to wait for.
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
    const size_t engine = EngineIndex(i);
    Clock needed = throttle_[i];
    for (size_t e = 0; e < kEngineCount; ++e) needed[e] = std::max(needed[e], conflicts_[i][e]);
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
  }

  std::span<const Task> tasks_;
  std::span<const EnginePositions> conflicts_;
  std::span<const Clock> throttle_;
  const Groups& groups_;
  std::vector<TaskSync> syncs_;
  std::vector<Clock> clocks_;                                // after each task
  std::array<std::vector<size_t>, kEngineCount> by_engine_;  // task indices
  std::array<Clock, kEngineCount> engine_clock_ = {};        // after the engine's last task
  std::array<std::array<std::vector<Edge>, kEngineCount>, kEngineCount> edges_;  // [from][to]
};

}  // namespace

std::vector<TaskSync> PlanSync(std::span<const Task> tasks,
                               std::span<const EnginePositions> conflicts) {
  std::vector<Clock> throttle(tasks.size());
  Groups groups;
  for (auto& from : groups) from.fill(1);
  for (;;) {
    SyncPass pass(tasks, conflicts, throttle, groups);
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
