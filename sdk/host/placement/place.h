// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// From what plugins offer to take and what the user asks for to a placement.
//
//   AskedPlugin ... --+
//   rules ------------+-> Selections --+
//   composites unfolded so far         +-> Place --> Placement --> composites to unfold, if any:
//   exclusions ------------------------+                           asked again, of the new ops
//
// Place is pure: when compiling fails, only the exclusions change, and nobody is asked again but
// about ops that come out of composites which then stay on the CPU.

#ifndef NPUKIT_SDK_HOST_PLACEMENT_PLACE_H_
#define NPUKIT_SDK_HOST_PLACEMENT_PLACE_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "litert/cc/litert_expected.h"
#include "sdk/host/partition/placement.h"
#include "sdk/host/partition/unfolded_model.h"
#include "sdk/host/placement/rules/rules.h"
#include "sdk/host/placement/selections.h"

namespace npukit {

// What was learned since the plugins were asked.
struct Exclusions {
  std::map<OpId, std::string> reasons;  // these ops stay on the CPU, and why
  // Likewise, as long as there are larger partitions (PlacementRequest::max_partitions).
  std::map<OpId, std::string> beyond_limit;
  // By plugin: ops of different pieces (else 0) share no partition.
  std::map<size_t, std::map<OpId, uint32_t>> pieces;

  // Null for an op that is not excluded.
  const std::string* ReasonOf(const OpId& op) const;
};

// Always placed as said: an odml.npu_call, a partition of its own, of the plugin that a rule names,
// else of the first; an odml.cpu_call, on the CPU; a dispatch op, where it is. Ops that can't be
// moved (WhyNotOutlinable), or whose results nothing uses, stay on the CPU too.
Placement Place(const UnfoldedModel& unfolded, const Selections& selections,
                const PlacementRules& rules, const Exclusions& exclusions);

struct PlacedModel {
  UnfoldedModel unfolded;
  Selections selections;
  Placement placement;
  std::vector<bool> rule_matched;  // by rule: some op, unfolded since perhaps
};

// Composites that stay composites on the CPU; null: none, all are unfolded.
using KeepWhole = std::function<bool(const Op& composite)>;

// Asks, places and unfolds the composites that would stay on the CPU, until there are none left.
// `questions` and `numbering` are of `model` and nothing else. Errors: as UnfoldedModel::Start and
// SelectionQuestions::Ask.
litert::Expected<PlacedModel> PlaceModel(const Model& model, OpNumbering& numbering,
                                         SelectionQuestions& questions, const PlacementRules& rules,
                                         const Exclusions& exclusions = {},
                                         const KeepWhole& keep_whole = nullptr);

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_PLACEMENT_PLACE_H_
