// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/runner/plan/shared_workers.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace npukit::conformance {
namespace {

// Of graphs: asked of many and quickly, and of what was asked, not of the process it was asked in.
constexpr std::array<std::string_view, 15> kShared = {
    "partition.selection",      "partition.valid_ops", "partition.stable",
    "partition.grouping",       "compile.calls",       "compile.entry_points",
    "compile.stable",           "compile.unclaimed",   "dispatch.reinvoke",
    "dispatch.no_stray_writes", "robustness.misfits",  "dispatch.output_whole",
    "state.each_soc",           "state.two_modules",   "numerics.oracle"};

bool IsSharedEasily(const PlannedCheck& planned) {
  return planned.spec->graph != nullptr &&
         std::find(kShared.begin(), kShared.end(), planned.id.check->id) != kShared.end();
}

}  // namespace

SharedWorkers::SharedWorkers(const std::vector<PlannedCheck>& plan) : counts_(plan.size(), 1) {
  size_t begin = 0;
  for (size_t i = 1; i < plan.size(); ++i) {
    const bool is_joined =
        counts_[begin] < kMostShared && IsSharedEasily(plan[i - 1]) && IsSharedEasily(plan[i]);
    if (!is_joined) {
      begin = i;
      continue;
    }
    ++counts_[begin];
    counts_[i] = 0;
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
