// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// One trial: a model compiled, loaded and run by a plugin, in the process that calls it. Vendor code
// runs here, so the caller is a worker.

#ifndef NPUKIT_CONFORMANCE_REDUCE_TRIAL_H_
#define NPUKIT_CONFORMANCE_REDUCE_TRIAL_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/reduce/symptom.h"
#include "sdk/host/session/session.h"

namespace npukit::conformance {

struct TrialSettings {
  SessionOptions session;   // of the NPU; compiles at load
  bool wants_diff = false;  // hold the values against the oracles
  bool wants_times = false;
};

// A model's bytes, and those of its inputs in the order of the main subgraph.
struct TrialModel {
  std::vector<uint8_t> file;
  std::vector<std::vector<uint8_t>> inputs;
};

Observed TryModel(const TrialModel& model, const TrialSettings& settings);

using OpSet = std::set<uint32_t>;

// The ops of this subgraph by the partition that they would go to: asks the plugins, compiles
// nothing. Empty where that can't be known.
std::vector<OpSet> PlanOf(std::span<const uint8_t> file, size_t subgraph,
                          const TrialSettings& settings);

// Sets of numbers as text, for a worker's report.
std::string ToText(const std::vector<OpSet>& sets);
std::vector<OpSet> ParseOpSets(std::string_view text);

}  // namespace npukit::conformance

#endif  // NPUKIT_CONFORMANCE_REDUCE_TRIAL_H_
