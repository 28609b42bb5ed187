// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/runner/plan/shared_workers.h"

#include <string_view>
#include <utility>

namespace npukit::conformance {
namespace {

bool ShareWorker(const PlannedCheck& first, const PlannedCheck& second) {
  return first.spec == second.spec && first.id.check->id == "partition.selection" &&
         second.id.check->id == "numerics.oracle";
}

}  // namespace

SharedWorkers::SharedWorkers(const std::vector<PlannedCheck>& plan) : counts_(plan.size(), 1) {
  for (size_t i = 0; i + 1 < plan.size(); ++i) {
    if (!ShareWorker(plan[i], plan[i + 1])) continue;
    counts_[i] = 2;
    counts_[i + 1] = 0;
  }
}

std::deque<size_t> SharedWorkers::Beginnings() const {
  std::deque<size_t> beginnings;
  for (size_t i = 0; i < counts_.size(); ++i) {
    if (counts_[i] > 0) beginnings.push_back(i);
  }
  return beginnings;
}

void SharedWorkers::Separate(size_t index, std::deque<size_t>& queue) {
  queue.push_front(index);
  const bool all = ++num_separated_ >= kMostSeparated;
  std::deque<size_t> parted;
  for (const size_t begin : queue) {
    parted.push_back(begin);
    if (begin != index && !all) continue;
    for (size_t i = 1; i < counts_[begin]; ++i) {
      counts_[begin + i] = 1;
      parted.push_back(begin + i);
    }
    counts_[begin] = 1;
  }
  queue = std::move(parted);
}

}  // namespace npukit::conformance
