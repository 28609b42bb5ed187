// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/runtime/diagnostics/op_profile.h"

#include <algorithm>
#include <utility>

#include "litert/cc/litert_macros.h"

namespace npukit {
namespace {

// Cycles that at least one interval covers.
uint64_t Covered(std::vector<std::pair<uint64_t, uint64_t>> intervals) {
  std::sort(intervals.begin(), intervals.end());
  uint64_t sum = 0;
  uint64_t end = 0;
  for (const auto& [first, last] : intervals) {
    if (last <= end) continue;
    sum += last - std::max(first, end);
    end = last;
  }
  return sum;
}

void SetOp(const DelegateRecord::SourceOp& op, OpProfile& profile) {
  profile.subgraph = op.subgraph;
  profile.index = op.index;
  profile.op = op.op;
  profile.name = op.name;
}

// An op on the CPU may have come from several; see DelegateRecord.
void AddCpuProfiles(const StepInfo& step, const StepTime& time, const SessionPlacement& placement,
                    std::vector<OpProfile>& all) {
  if (step.delegate != nullptr && !step.delegate->ops.empty()) {
    for (const DelegateRecord::SourceOp& op : step.delegate->ops) {
      OpProfile& profile = all.emplace_back();
      SetOp(op, profile);
      profile.host_ns = (time.end_ns - time.begin_ns) / step.delegate->ops.size();
    }
    return;
  }
  OpProfile& profile = all.emplace_back();
  profile.op = step.op;
  profile.name = step.name;
  profile.index = step.source->index;
  profile.host_ns = time.end_ns - time.begin_ns;
  for (const OpPlacement& op : placement.ops) {
    if (op.target != Target::kCpu || op.name != step.name || op.op != step.op) continue;
    profile.subgraph = static_cast<uint32_t>(op.subgraph);
    profile.index = static_cast<uint32_t>(op.index);
    break;
  }
}

class PartitionProfile {
 public:
  explicit PartitionProfile(const StepInfo& step) : step_(step) {
    const size_t count = step.delegate == nullptr ? 0 : step.delegate->ops.size();
    for (size_t i = 0; i <= count; ++i) {
      OpProfile& profile = profiles_.emplace_back();
      profile.target = Target::kNpu;
      profile.partition = step.name;
      if (step.delegate == nullptr) continue;
      profile.plugin = step.delegate->plugin;
      if (i < count) SetOp(step.delegate->ops[i], profile);
    }
  }

  void Add(const std::vector<HandleEvent>& events) {
    std::map<uint32_t, std::vector<std::pair<uint64_t, uint64_t>>> intervals;
    for (const HandleEvent& event : events) {
      intervals[event.handle].emplace_back(event.start_cycle, event.end_cycle);
      ForEachOp(event.handle, [&](OpProfile& profile, double part) {
        ++profile.num_events;
        profile.unit_cycles[event.unit] +=
            part * static_cast<double>(event.end_cycle - event.start_cycle);
      });
    }
    for (auto& [handle, covered] : intervals) {
      const auto cycles = static_cast<double>(Covered(std::move(covered)));
      ForEachOp(handle, [&](OpProfile& profile, double part) { profile.cycles += part * cycles; });
    }
  }

  void MoveTo(std::vector<OpProfile>& all) {
    if (profiles_.back().num_events == 0) profiles_.pop_back();
    for (OpProfile& profile : profiles_) all.push_back(std::move(profile));
  }

 private:
  template <typename Visit>
  void ForEachOp(uint32_t handle, Visit visit) {
    const DelegateRecord::Handle* known =
        step_.delegate == nullptr ? nullptr : step_.delegate->FindHandle(handle);
    if (known == nullptr || known->ops.empty()) return visit(profiles_.back(), 1.0);
    const double part = 1.0 / static_cast<double>(known->ops.size());
    for (uint32_t op : known->ops) visit(profiles_[op], part);
  }

  const StepInfo& step_;
  std::vector<OpProfile> profiles_;  // of each op, and of what no handle explains
};

}  // namespace

litert::Expected<std::vector<OpProfile>> ProfileByOp(const SignatureRunner& runner,
                                                     const SessionPlacement& placement) {
  std::vector<OpProfile> all;
  for (size_t i = 0; i < runner.steps().size(); ++i) {
    const StepInfo& step = runner.steps()[i];
    if (step.target == Target::kCpu) {
      AddCpuProfiles(step, runner.step_times()[i], placement, all);
      continue;
    }
    PartitionProfile partition(step);
    auto events = runner.StepProfile(i);
    if (events) {
      partition.Add(*events);
    } else if (events.Error().Status() != kLiteRtStatusErrorUnsupported) {
      return litert::Unexpected(events.Error());
    }
    partition.MoveTo(all);
  }
  return all;
}

}  // namespace npukit
