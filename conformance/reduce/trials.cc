// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/reduce/trials.h"

#include <fmt/format.h>

#include <functional>
#include <string_view>
#include <utility>

#include "conformance/runner/process/child_pool.h"
#include "conformance/runner/process/device_pool.h"
#include "conformance/spec/text/text_hash.h"

namespace npukit::conformance {
namespace {

std::string_view AsText(const std::vector<uint8_t>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// The settings belong to the key, as results depend on them.
std::string DigestOfTrial(const TrialModel& model, const TrialSettings& settings) {
  uint64_t hash = HashText(AsText(model.file), settings.wants_diff + 2 * settings.wants_times);
  for (const auto& input : model.inputs) hash = HashText(AsText(input), hash);
  return fmt::format("{:016x}", hash);
}

}  // namespace

litert::Expected<void> Trials::Remember(const std::string& path, const std::string& circumstances) {
  bool is_same = false;
  if (std::ifstream before(path); before) {
    std::string line;
    is_same = std::getline(before, line) && line == circumstances;
    while (is_same && std::getline(before, line)) {
      // The last line may be half a one.
      const size_t space = line.find(' ');
      if (space == std::string::npos) continue;
      if (auto observed = ParseObserved(std::string_view(line).substr(space + 1)))
        known_[line.substr(0, space)] = {.observed = std::move(*observed), .is_from_file = true};
    }
  }
  file_.open(path, is_same ? std::ios::app : std::ios::trunc);
  file_ << (is_same ? "\n" : circumstances + "\n") << std::flush;
  if (!file_) return litert::Unexpected(kLiteRtStatusErrorFileIO, path + ": can't be written");
  return {};
}

ChildOutcome Trials::RunWorker(const std::function<std::string()>& work) const {
  ChildOutcome outcome{.end = ChildOutcome::End::kCancelled};
  // On a device twice: a connection that was lost says nothing of the model.
  for (const bool is_last_try : {devices_ == nullptr, true}) {
    const auto make_task = [&](size_t) {
      PoolTask task{.work = work, .limits = {.timeout = limits_.timeout}};
      task.limits.memory_bytes = 0;  // a large model needs what it needs
      if (devices_ != nullptr) devices_->Equip(task, /*kind=*/"");
      return task;
    };
    const auto ran = RunTasks(
        1, 1, make_task,
        [&](size_t, const ChildOutcome& ended) { outcome = DevicePool::Explained(ended); }, stop_);
    if (!ran) outcome.stage = ran.Error().Message();
    if (outcome.end != ChildOutcome::End::kDeviceLost || is_last_try) break;
    devices_->Forgive();
  }
  return outcome;
}

Observed Trials::Try(const TrialModel& model) {
  const std::string digest = DigestOfTrial(model, settings_);
  if (const auto known = known_.find(digest); known != known_.end()) {
    known_used_ += std::exchange(known->second.is_from_file, false);
    return known->second.observed;
  }
  const ChildOutcome outcome = RunWorker([&] { return ToText(TryModel(model, settings_)); });
  const Observed observed = ObservedIn(outcome);
  if (outcome.end == ChildOutcome::End::kCancelled) return observed;
  ++count_;
  known_[digest] = {.observed = observed};
  if (file_.is_open()) file_ << digest << ' ' << ToText(observed) << '\n' << std::flush;
  return observed;
}

std::vector<OpSet> Trials::Plan(const TrialModel& model, size_t subgraph) {
  const ChildOutcome outcome =
      RunWorker([&] { return ToText(PlanOf(model.file, subgraph, settings_)); });
  if (outcome.end != ChildOutcome::End::kReported) return {};
  return ParseOpSets(outcome.report);
}

}  // namespace npukit::conformance
