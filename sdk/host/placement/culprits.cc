// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/placement/culprits.h"

#include <fmt/format.h>

#include <span>
#include <utility>

#include "litert/cc/litert_macros.h"
#include "sdk/host/placement/compiled_share.h"

namespace npukit {

litert::Expected<bool> CulpritSearch::CutThoseThatFail(size_t plugin, const Attempt& attempt,
                                                       Exclusions& exclusions,
                                                       std::vector<std::string>& culprits) {
  bool any = false;
  for (size_t partition : attempt.PartitionsOf(plugin)) {
    const std::vector<OpId> ops = attempt.OpsOf(partition);
    // A set of ops that compiled once compiles again; compiling is what takes time here.
    if (compile_alone_.contains(ops)) continue;
    const auto alone = CompileShare(preparation_, attempt, plugin, {partition});
    if (alone) {
      compile_alone_.insert(ops);
      continue;
    }
    any = true;
    const PartitionedModel& partitioned = attempt.partitioned;
    // Its author demanded the NPU, and there is nothing to cut: it is a partition of its own.
    if (partitioned.partitions[partition].is_npu_call) {
      return litert::Unexpected(
          alone.Error().Status(),
          fmt::format("{}; an odml.npu_call can't be left on the CPU: {}", alone.Error().Message(),
                      ListPartitions(partitioned, std::span(&partition, 1))));
    }
    if (ops.size() == 1) {
      const uint32_t op = partitioned.partitions[partition].ops.front();
      culprits.push_back(OpText(partitioned.ops[op]));
      exclusions.reasons[ops.front()] =
          fmt::format("selected, but compiling it failed: {}", alone.Error().Message());
      continue;
    }
    // The second half becomes a piece of its own, by a number that no other piece has; the first
    // keeps the one it had. So a partition of n ops is cut about log n times for each culprit.
    ++last_piece_;
    for (size_t i = ops.size() / 2; i < ops.size(); ++i)
      exclusions.pieces[plugin][ops[i]] = last_piece_;
  }
  return any;
}

litert::Expected<ApplyResult::Failure> CulpritSearch::Find(size_t plugin, Attempt attempt,
                                                           const litert::Error& error,
                                                           Exclusions& exclusions) {
  ApplyResult::Failure failure{.plugin = preparation_.plugins()[plugin]->manufacturer(),
                               .message = error.Message(),
                               .culprits = {}};
  bool changed = exclusions.pieces.contains(plugin);  // what compiled in pieces did not as a whole
  while (true) {
    LITERT_ASSIGN_OR_RETURN(const bool cut,
                            CutThoseThatFail(plugin, attempt, exclusions, failure.culprits));
    if (!cut) break;
    changed = true;
    LITERT_ASSIGN_OR_RETURN(attempt, preparation_.Try(exclusions));
  }
  if (failure.culprits.empty() && (!changed || in_pieces_.contains(plugin))) {
    return litert::Unexpected(
        error.Status(),
        fmt::format("{}; each partition compiles alone, but not together: {}", error.Message(),
                    ListPartitions(attempt.partitioned, attempt.PartitionsOf(plugin))));
  }
  if (failure.culprits.empty()) {
    // No op fails by itself: then only the pieces compile, and they stay. If these fail together,
    // too, there is nothing left to try.
    in_pieces_.insert(plugin);
  } else {
    exclusions.pieces.erase(plugin);
    in_pieces_.erase(plugin);
  }
  return failure;
}

}  // namespace npukit
