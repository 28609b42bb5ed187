// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Which results of a plan share a worker. Most of the time that a check takes is its process, which
// loads the vendor's libraries anew: one worker asks a graph for its selection and then for its values.
// The first of them compiles nothing and runs nothing, so that the second still sees what the libraries
// do for the first time. What does not pass there is asked again in workers of its own.

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

 private:
  std::vector<size_t> counts_;  // 0: a worker makes it that begins earlier
  size_t num_separated_ = 0;
};

}  // namespace npukit::conformance

#endif  // NPUKIT_CONFORMANCE_RUNNER_PLAN_SHARED_WORKERS_H_
