// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/placement/rules/rules.h"

#include <fmt/format.h>

#include <algorithm>

namespace npukit {

bool PlacementRules::MatchesPartition(const PlacementRule& rule, const OpId& op) const {
  if (rule.partitions.empty()) return true;
  return std::any_of(rule.partitions.begin(), rule.partitions.end(), [&](size_t partition) {
    return partition < partitions.size() && partitions[partition].contains(op);
  });
}

Pin PlacementRules::PinOf(const UnfoldedOp& op) const {
  for (size_t r = 0; r < rules.size(); ++r) {
    const PlacementRule& rule = rules[r];
    if (!Matches(rule, op) || !MatchesPartition(rule, op.id)) continue;
    Pin pin{.rule = r, .plugin = {}, .is_on_cpu = rule.plugin.empty(), .reason = {}};
    if (pin.is_on_cpu) {
      pin.reason = fmt::format("placed on the CPU by {}", rule.where);
      return pin;
    }
    for (size_t p = 0; p < plugins.size(); ++p) {
      if (plugins[p] != rule.plugin) continue;
      pin.plugin = p;
      pin.reason = fmt::format("placed on {} by {}", rule.plugin, rule.where);
      return pin;
    }
    pin.is_on_cpu = true;
    pin.reason = fmt::format("placed by {} on {}, which is not there", rule.where, rule.plugin);
    return pin;
  }
  if (!otherwise_cpu) return {};
  return {
      .rule = {}, .plugin = {}, .is_on_cpu = true, .reason = "the placement puts it on no plugin"};
}

}  // namespace npukit
