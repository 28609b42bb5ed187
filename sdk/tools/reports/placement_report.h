// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Where the ops of a model went, as JSON and as text: what explain and apply print.

#ifndef NPUKIT_SDK_TOOLS_REPORTS_PLACEMENT_REPORT_H_
#define NPUKIT_SDK_TOOLS_REPORTS_PLACEMENT_REPORT_H_

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "sdk/host/partition/partition_model.h"

namespace npukit::tools {

// {index, op, name, target, partition, reason} per op; partition is null and reason is given for
// ops on the CPU. Beside these: subgraph, and composite where the op is or comes from one.
nlohmann::ordered_json OpsJson(const std::vector<PlacedOp>& ops);

// {npu_ops, cpu_ops, partitions}; ops that another plugin compiled before count as npu_ops.
nlohmann::ordered_json PlacementJson(const std::vector<PlacedOp>& ops, size_t partition_count);

// A line per op in graph order, with the reason beside each that is left behind.
std::string OpsText(const std::vector<PlacedOp>& ops);

}  // namespace npukit::tools

#endif  // NPUKIT_SDK_TOOLS_REPORTS_PLACEMENT_REPORT_H_
