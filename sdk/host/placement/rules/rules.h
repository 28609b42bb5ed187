// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Where a user's rules let an op go.

#ifndef NPUKIT_SDK_HOST_PLACEMENT_RULES_RULES_H_
#define NPUKIT_SDK_HOST_PLACEMENT_RULES_RULES_H_

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "sdk/host/partition/op_id.h"
#include "sdk/host/placement/rules/placement_request.h"

namespace npukit {

struct Pin {
  std::optional<size_t> rule;    // of the rules, which one holds; nullopt: none does
  std::optional<size_t> plugin;  // the only one that may take the op
  bool is_on_cpu = false;        // no plugin may
  std::string reason;            // of an op that a rule keeps from plugins

  bool Allows(size_t p) const { return !is_on_cpu && (!plugin || *plugin == p); }
};

// What a user asks for, with what its words refer to.
struct PlacementRules {
  std::vector<std::string> plugins;  // manufacturers, in order of preference
  // The first that matches holds; plugins as they stand above.
  std::vector<PlacementRule> rules;
  bool otherwise_cpu = false;  // of ops that no rule matches
  // The ops of each partition as it would be without rules, for rules by partition.
  std::vector<std::set<OpId>> partitions;
  bool one_op_per_partition = false;

  Pin PinOf(const UnfoldedOp& op) const;

 private:
  bool MatchesPartition(const PlacementRule& rule, const OpId& op) const;
};

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_PLACEMENT_RULES_RULES_H_
