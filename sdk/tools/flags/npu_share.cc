// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/tools/flags/npu_share.h"

#include <algorithm>
#include <vector>

#include "sdk/host/model/metadata/delegate_metadata.h"
#include "sdk/host/model/reading/model_reader.h"
#include "sdk/host/runtime/plan/mac_count.h"
#include "sdk/tools/reports/placement_summary.h"

namespace npukit::tools {
namespace {

// The model runs as it stands in the file, with dispatch ops or without.
NpuShare ShareOfFile(const Session& session) {
  NpuShare share;
  const Model& model = session.model();
  const auto delegates = ReadDelegates(model);
  for (const OpPlacement& placed : session.placement().ops) {
    const Op& op = model.subgraph(placed.subgraph).op(placed.index);
    if (placed.target == Target::kCpu) {
      ++share.cpu_ops;
      share.cpu_macs += CountMacs(op);
      continue;
    }
    const DelegateRecord* record = delegates ? FindDelegate(*delegates, op) : nullptr;
    // What somebody else compiled has no record: then a dispatch op counts as one.
    share.npu_ops += record == nullptr ? 1 : std::max<size_t>(record->ops.size(), 1);
    share.knows_npu_macs = false;
  }
  return share;
}

}  // namespace

NpuShare ShareOf(const Model& given, std::span<const PlacedOp> ops) {
  const PlacementSummary summary = Summarize(given, ops);
  return {.npu_ops = summary.npu_ops,
          .cpu_ops = summary.cpu_ops,
          .npu_macs = summary.npu_macs,
          .cpu_macs = summary.cpu_macs,
          .knows_npu_macs = std::none_of(ops.begin(), ops.end(),
                                         [](const PlacedOp& op) { return op.was_dispatch; })};
}

NpuShare ShareOf(const Session& session, const std::string& model_path) {
  if (session.applied() == nullptr) return ShareOfFile(session);
  // The session's own model is the partitioned one.
  const auto given = LoadModel(model_path);
  if (given) return ShareOf(**given, session.applied()->ops);
  return {.npu_ops = session.placement().npu_ops,
          .cpu_ops = session.placement().cpu_ops,
          .knows_npu_macs = false};
}

}  // namespace npukit::tools
