// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/c_api/rewrite.h"

#include <algorithm>
#include <string>
#include <vector>

#include "sdk/host/c_api/builder.h"

namespace npukit {
namespace {

using Transformations = std::vector<LiteRtTransformation>;

litert::Expected<Transformations> SortedByBenefit(
    std::span<const LiteRtTransformation> transformations) {
  Transformations sorted(transformations.begin(), transformations.end());
  for (size_t i = 0; i < sorted.size(); ++i) {
    if (sorted[i].pattern && sorted[i].name) continue;
    return litert::Unexpected(
        kLiteRtStatusErrorInvalidArgument,
        "transformation " + std::to_string(i) + " has no " + (sorted[i].name ? "pattern" : "name"));
  }
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const LiteRtTransformation& a, const LiteRtTransformation& b) {
                     return a.benefit > b.benefit;
                   });
  return sorted;
}

// Applies the first transformation that matches an op; false if none does.
litert::Expected<bool> RewriteOnce(Subgraph& subgraph, const Transformations& transformations,
                                   bool has_block_wise_argument) {
  for (const auto& op : subgraph.ops()) {
    for (const LiteRtTransformation& transformation : transformations) {
      GraphBuilder builder(subgraph, has_block_wise_argument);
      if (transformation.pattern(&builder, op.get()) != kLiteRtStatusOk) continue;
      if (auto applied = builder.Apply(); !applied) {
        return litert::Unexpected(applied.Error().Status(), std::string("transformation '") +
                                                                transformation.name + "' at op " +
                                                                std::to_string(op->index) + ": " +
                                                                applied.Error().Message());
      }
      return true;
    }
  }
  return false;
}

}  // namespace

litert::Expected<RewriteCount> RewriteModel(Model& model,
                                            std::span<const LiteRtTransformation> transformations,
                                            bool has_block_wise_argument) {
  auto sorted = SortedByBenefit(transformations);
  if (!sorted) return litert::Unexpected(sorted.Error());
  RewriteCount count;
  if (sorted->empty()) return count;
  for (const auto& subgraph : model.subgraphs()) {
    for (int rewrites = 0;; ++rewrites) {
      if (rewrites == kMaxRewritesPerSubgraph) {
        count.limit_reached = true;
        break;
      }
      auto rewritten = RewriteOnce(*subgraph, *sorted, has_block_wise_argument);
      if (!rewritten) return litert::Unexpected(rewritten.Error());
      if (!*rewritten) break;
      ++count.applied;
    }
  }
  return count;
}

}  // namespace npukit
