// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// A first draft of a vendor's claims from what the plugin was seen to take and to leave alone.

#ifndef NPUKIT_CONFORMANCE_SPEC_CLAIMS_CLAIM_DRAFT_H_
#define NPUKIT_CONFORMANCE_SPEC_CLAIMS_CLAIM_DRAFT_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "sdk/host/model/graph/op.h"

namespace npukit::conformance {

// What claims can say of one op of a graph, and whether the plugin took it.
struct OpObservation {
  enum class InputKind { kOmitted, kVariable, kConstant };

  std::string op;     // as claims name it
  std::string types;  // as claims write them: "int8", "{in: int16, weights: int8, out: int16}"
  int min_rank = 0;   // over inputs and outputs
  int max_rank = 0;
  int64_t max_dim = 0;
  int64_t max_elems = 0;
  bool broadcast = false;
  bool per_channel = false;
  std::vector<InputKind> inputs;
  std::map<std::string, std::string> options;
  bool taken = false;
  std::string where;  // the case
};

// Of an op with fixed shapes. `types` is empty if no claim could name them.
OpObservation Observe(const Op& op, bool taken, const std::string& where);

// Claims in YAML. For each op and types that were taken at least once it adds the limits that hold
// of all that was taken and leave out most of what was not; what is left over stands in a comment.
std::string DraftClaims(const std::string& manufacturer, const std::vector<std::string>& socs,
                        const std::vector<OpObservation>& observations);

}  // namespace npukit::conformance

#endif  // NPUKIT_CONFORMANCE_SPEC_CLAIMS_CLAIM_DRAFT_H_
