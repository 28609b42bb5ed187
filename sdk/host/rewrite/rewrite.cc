// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/rewrite/rewrite.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "sdk/host/rewrite/builder.h"

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
        fmt::format("transformation {} has no {}", i, sorted[i].name ? "pattern" : "name"));
  }
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const LiteRtTransformation& a, const LiteRtTransformation& b) {
                     return a.benefit > b.benefit;
                   });
  return sorted;
}

void SortUnique(std::vector<uint32_t>& numbers) {
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
}

// Follows the ops of one subgraph through its rewrites.
class OriginTracker {
 public:
  explicit OriginTracker(const Subgraph& subgraph) : subgraph_(subgraph) {
    for (const auto& op : subgraph.ops()) origins_[op.get()] = {op->index};
  }

  // A new op may lie where an erased one lay, so all are read before any is written.
  void Apply(const std::vector<RewriteBuilder::Replacement>& replacements) {
    std::map<const Op*, std::vector<uint32_t>> made;
    for (const auto& [op, replaced] : replacements) {
      std::vector<uint32_t>& origins = made[op];
      for (const Op* old : replaced)
        origins.insert(origins.end(), origins_[old].begin(), origins_[old].end());
      SortUnique(origins);
    }
    for (auto& [op, origins] : made) origins_[op] = std::move(origins);
  }

  std::vector<std::vector<uint32_t>> Take() {
    std::vector<std::vector<uint32_t>> all;
    for (const auto& op : subgraph_.ops()) all.push_back(std::move(origins_[op.get()]));
    return all;
  }

 private:
  const Subgraph& subgraph_;
  std::map<const Op*, std::vector<uint32_t>> origins_;
};

LiteRtStatus CallPattern(LiteRtPatternFn pattern, const PatternAbi& abi, LiteRtBuilder builder,
                         LiteRtOp op) {
  if (abi.context == nullptr) return pattern(builder, op);
  using WithContext = LiteRtStatus (*)(const void*, LiteRtBuilder, LiteRtOp);
  return std::bit_cast<WithContext>(pattern)(abi.context, builder, op);
}

// Applies the first transformation that matches an op; false if none does.
litert::Expected<bool> RewriteOnce(Subgraph& subgraph, const Transformations& transformations,
                                   const PatternAbi& abi, OriginTracker& origins) {
  for (const auto& op : subgraph.ops()) {
    for (const LiteRtTransformation& transformation : transformations) {
      RewriteBuilder builder(subgraph, abi.has_block_wise_argument);
      if (CallPattern(transformation.pattern, abi, &builder, op.get()) != kLiteRtStatusOk) continue;
      if (builder.empty()) continue;  // would match again and again
      // After one the caller begins again at the first op: the list has changed under the loop.
      if (auto applied = builder.Apply(); !applied) {
        return litert::Unexpected(
            applied.Error().Status(),
            fmt::format("transformation '{}' at op {}: {}", transformation.name, op->index,
                        applied.Error().Message()));
      }
      origins.Apply(builder.replacements());
      return true;
    }
  }
  return false;
}

}  // namespace

litert::Expected<RewriteCount> RewriteModel(Model& model,
                                            std::span<const LiteRtTransformation> transformations,
                                            const PatternAbi& abi) {
  auto sorted = SortedByBenefit(transformations);
  if (!sorted) return litert::Unexpected(sorted.Error());
  RewriteCount count;
  if (sorted->empty()) return count;
  for (const auto& subgraph : model.subgraphs()) {
    OriginTracker origins(*subgraph);
    for (int rewrites = 0;; ++rewrites) {
      if (rewrites == kMaxRewritesPerSubgraph) {
        count.limit_reached = true;
        break;
      }
      auto rewritten = RewriteOnce(*subgraph, *sorted, abi, origins);
      if (!rewritten) return litert::Unexpected(rewritten.Error());
      if (!*rewritten) break;
      ++count.applied;
    }
    count.origins.push_back(origins.Take());
  }
  return count;
}

OpOrigins Compose(const OpOrigins& first, const OpOrigins& second) {
  OpOrigins composed = second;
  for (size_t s = 0; s < composed.size(); ++s) {
    for (std::vector<uint32_t>& ops : composed[s]) {
      std::vector<uint32_t> origins;
      for (uint32_t op : ops)
        origins.insert(origins.end(), first[s][op].begin(), first[s][op].end());
      SortUnique(origins);
      ops = std::move(origins);
    }
  }
  return composed;
}

}  // namespace npukit
