// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Trials in processes of their own, each remembered in a file: a reduction that was interrupted goes
// the same way again, and runs only what it had not come to.

#ifndef NPUKIT_CONFORMANCE_REDUCE_TRIALS_H_
#define NPUKIT_CONFORMANCE_REDUCE_TRIALS_H_

#include <atomic>
#include <chrono>
#include <cstddef>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "conformance/reduce/symptom.h"
#include "conformance/reduce/trial.h"
#include "conformance/runner/process/device_pool.h"
#include "litert/cc/litert_expected.h"

namespace npukit::conformance {

struct TrialLimits {
  std::chrono::milliseconds timeout{30'000};
  size_t max_trials = 2000;
};

class Trials {
 public:
  // `stop` may be set by a signal handler. `devices`: where the dispatch library runs; null: here. A trial
  // that lost its device is done once more, on a fresh worker.
  Trials(TrialSettings settings, TrialLimits limits, const std::atomic<bool>& stop,
         DevicePool* devices = nullptr)
      : settings_(std::move(settings)), limits_(limits), stop_(stop), devices_(devices) {}

  // Remembers in this file, and takes what stands there if it was written under the same `circumstances`
  // (one line of text).
  litert::Expected<void> Remember(const std::string& path, const std::string& circumstances);

  Observed Try(const TrialModel& model);
  std::vector<OpSet> Plan(const TrialModel& model, size_t subgraph);

  TrialSettings& settings() { return settings_; }
  // No trial more: interrupted, or as many as may be.
  bool is_over() const { return stop_ || count_ >= limits_.max_trials; }
  bool is_interrupted() const { return stop_; }
  size_t count() const { return count_; }             // run now
  size_t known_count() const { return known_used_; }  // taken from the file

 private:
  ChildOutcome RunWorker(const std::function<std::string()>& work) const;

  TrialSettings settings_;
  TrialLimits limits_;
  const std::atomic<bool>& stop_;
  DevicePool* devices_;
  struct Known {
    Observed observed;
    bool is_from_file = false;
  };
  std::map<std::string, Known> known_;  // by the model's digest
  std::ofstream file_;
  size_t count_ = 0;
  size_t known_used_ = 0;
};

}  // namespace npukit::conformance

#endif  // NPUKIT_CONFORMANCE_REDUCE_TRIALS_H_
