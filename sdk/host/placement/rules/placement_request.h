// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What a user asks for beyond a plugin's own choice: which ops go to which plugin or stay on the
// CPU, and compile specs. Where it was written (a file, an option, a program) does not matter here.

#ifndef NPUKIT_SDK_HOST_PLACEMENT_RULES_PLACEMENT_REQUEST_H_
#define NPUKIT_SDK_HOST_PLACEMENT_RULES_PLACEMENT_REQUEST_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sdk/host/model/metadata/compile_spec.h"
#include "sdk/host/partition/unfolded_model.h"

namespace npukit {

// Matches an op that every criterion given here matches; one list matches by any of its entries.
struct PlacementRule {
  struct Range {
    uint32_t first = 0;
    uint32_t last = 0;
  };
  std::optional<uint32_t> subgraph;
  std::vector<Range> ops;          // positions in the model; of unfolded ops the composite's
  std::vector<std::string> names;  // patterns for the first output's name: * and ?
  std::vector<std::string> types;  // "CONV_2D", a custom code, or a composite's name
  std::vector<size_t> partitions;  // as they would be without any rule
  std::string plugin;              // a name of it (library/plugin_name.h); empty: the CPU
  std::string where;               // "place.yaml:3:5", for messages
};

struct PlacementRequest {
  std::vector<PlacementRule> rules;  // the first that matches holds
  bool otherwise_cpu = false;        // of ops that no rule matches; else any plugin may take them
  std::vector<CompileSpecRequest> specs;
  // So many partitions are kept, those with the most ops; the others' ops stay on the CPU. Not
  // counted: odml.npu_calls. 0: all are kept.
  size_t max_partitions = 0;
};

// Whether an error's message begins with the place of a rule or spec: what was asked for is wrong, and nothing else.
bool IsAboutRequest(const PlacementRequest& request, std::string_view message);

// `*` stands for any run of characters, `?` for any one.
bool MatchesPattern(std::string_view pattern, std::string_view text);

// The rule's criteria but `partitions`.
bool Matches(const PlacementRule& rule, const UnfoldedOp& op);

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_PLACEMENT_RULES_PLACEMENT_REQUEST_H_
