// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/placement/op_placement.h"

#include <algorithm>

namespace npukit {

bool MatchesPattern(std::string_view pattern, std::string_view text) {
  size_t p = 0;
  size_t t = 0;
  size_t star = std::string_view::npos;  // the last one, and where its run ends so far
  size_t star_text = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      star_text = t;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t])) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++star_text;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

std::string OpKey(const OpPlacementRecord& record) {
  return std::to_string(record.subgraph) + ":" + std::to_string(record.index) + ":" +
         record.composite + ":" + record.op + ":" + record.name;
}

std::string OpText(const OpPlacementRecord& record) {
  std::string text = "op " + std::to_string(record.index) + " " + record.op;
  if (!record.composite.empty()) text += " [" + record.composite + "]";
  if (!record.name.empty()) text += " (" + record.name + ")";
  return text;
}

std::string ListPartitions(const PartitionedModel& partitioned, std::span<const size_t> which) {
  constexpr size_t kMaxOps = 12;
  std::string text;
  for (size_t p : which) {
    const std::vector<uint32_t>& ops = partitioned.partitions[p].ops;
    text += (text.empty() ? "partition " : "; partition ") + std::to_string(p) + ": ";
    for (size_t i = 0; i < std::min(ops.size(), kMaxOps); ++i)
      text += (i == 0 ? "" : ", ") + OpText(partitioned.records[ops[i]]);
    if (ops.size() > kMaxOps) text += " and " + std::to_string(ops.size() - kMaxOps) + " more";
  }
  return text;
}

bool Matches(const PlacementRule& rule, const OpPlacementRecord& record) {
  if (rule.subgraph && *rule.subgraph != record.subgraph) return false;
  const auto any = [](const auto& list, auto test) {
    return list.empty() || std::any_of(list.begin(), list.end(), test);
  };
  return any(rule.ops,
             [&](const PlacementRule::Range& range) {
               return range.first <= record.index && record.index <= range.last;
             }) &&
         any(rule.names,
             [&](const std::string& name) { return MatchesPattern(name, record.name); }) &&
         any(rule.types, [&](const std::string& type) {
           return type == record.op || (!record.composite.empty() && type == record.composite);
         });
}

}  // namespace npukit
