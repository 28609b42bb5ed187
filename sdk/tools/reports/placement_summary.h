// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Why ops of a model stay on the CPU, by reason: what `npukit explain --summary` prints.

#ifndef NPUKIT_SDK_TOOLS_REPORTS_PLACEMENT_SUMMARY_H_
#define NPUKIT_SDK_TOOLS_REPORTS_PLACEMENT_SUMMARY_H_

#include <cstddef>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <vector>

#include "sdk/host/model/graph/model.h"
#include "sdk/host/partition/partition_model.h"

namespace npukit::tools {

struct PlacementSummary {
  // Ops of one kind that stay for one reason.
  struct Group {
    std::string op;      // "CONV_2D"
    std::string reason;  // what failed first; the op's own tensors are called '...'
    size_t ops = 0;
    uint64_t macs = 0;
  };
  size_t npu_ops = 0;
  size_t cpu_ops = 0;
  uint64_t npu_macs = 0;  // of ops compiled before, by another plugin, none are known
  uint64_t cpu_macs = 0;
  std::vector<Group> groups;   // those with the most MACs first, then those with the most ops
  std::vector<Group> reasons;  // over all kinds of ops, which `op` lists; those with most ops first
};

// `ops`: where the ops of this model went.
PlacementSummary Summarize(const Model& model, std::span<const PlacedOp> ops);

// {npu_ops, cpu_ops, npu_macs, cpu_macs, cpu[], reasons[]}.
nlohmann::ordered_json ToJson(const PlacementSummary& summary);
// A line of counts, one for each group, the most frequent reason, and the group that would bring most.
std::string ToText(const PlacementSummary& summary);

}  // namespace npukit::tools

#endif  // NPUKIT_SDK_TOOLS_REPORTS_PLACEMENT_SUMMARY_H_
