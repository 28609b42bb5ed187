// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Which results of a plan share a worker. Most of the time that a check of a graph takes is its
// process. So a worker asks several, of several cases, one after the other:
//
//   plan     A/selection A/oracle B/oracle  C/cycles  D/oracle E/stable E/reinvoke E/cycles
//   workers  [--------------------------]  [------]  [--------------------------]  [------]
//
// The libraries are loaded anew for each case. What is judged by its process, as leaks are, has one to
// itself. What does not pass is asked again in workers of its own, all of its worker with it: it
// failed by itself, or because of what was asked before it, and is told so.

#ifndef NPUKIT_CONFORMANCE_RUNNER_PLAN_SHARED_WORKERS_H_
#define NPUKIT_CONFORMANCE_RUNNER_PLAN_SHARED_WORKERS_H_

#include <cstddef>
#include <deque>
#include <vector>

#include "conformance/runner/plan/plan.h"

namespace npukit::conformance {

class SharedWorkers {
 public:
  explicit SharedWorkers(const std::vector<PlannedCheck>& plan);

  // The results that each begin a worker, in the plan's order.
  std::deque<size_t> Beginnings() const;
  // How many a worker makes that begins with this one: it, and those that follow it in the plan.
  size_t CountFrom(size_t index) const { return counts_[index]; }
  // From now on these are made each by itself, which `queue` says in front. A plugin of which
  // kMostSeparated workers had to be parted gets no more of them: what is queued is parted, too.
  void Separate(size_t index, std::deque<size_t>& queue);

  static constexpr size_t kMostSeparated = 16;
  // Of a worker. Twice as many save a fiftieth of a run's time.
  static constexpr size_t kMostShared = 8;

 private:
  std::vector<size_t> counts_;  // 0: a worker makes it that begins earlier
  size_t num_separated_ = 0;
};

}  // namespace npukit::conformance

#endif  // NPUKIT_CONFORMANCE_RUNNER_PLAN_SHARED_WORKERS_H_
