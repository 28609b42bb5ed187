// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What plugins offer to take of a model, and why not the rest.

#ifndef NPUKIT_SDK_HOST_PLACEMENT_SELECTIONS_H_
#define NPUKIT_SDK_HOST_PLACEMENT_SELECTIONS_H_

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "litert/cc/litert_expected.h"
#include "sdk/host/partition/op_id.h"
#include "sdk/host/partition/selection.h"
#include "sdk/host/partition/unfolded_model.h"
#include "sdk/host/placement/rules/rules.h"

namespace npukit {

// What one plugin said of one op.
struct OpSelection {
  bool was_shown = false;  // dispatch ops and what plugins before it take are not
  bool is_selected = false;
  LiteRtParamIndex partition_index = 0;  // of a selected op
  std::string remark;                    // why it was left, if the plugin says
  bool operator==(const OpSelection&) const = default;
};

struct Selections {
  std::vector<std::string> plugins;  // manufacturers, in order of preference
  // By subgraph, plugin and op; nothing of decompositions.
  std::vector<std::vector<std::vector<OpSelection>>> answers;
};

// The first plugin that selected an op and that the rules allow to have it.
std::optional<size_t> TakerOf(const std::vector<std::vector<OpSelection>>& answers, size_t op,
                              const Pin& pin);

// One line per op and plugin that was shown it: "0:3 op 3 MUL (y): takes_mul selects, index 0".
std::string ToString(const Selections& selections, const UnfoldedModel& unfolded);

// A source of selections: a compiler plugin, or in tests and in the conformance kit a function.
struct AskedPlugin {
  std::string manufacturer;
  std::string description;  // begins messages about what it said; may be empty
  Selector select;
};

// Asks plugins about a model, each once about the same ops.
class SelectionQuestions {
 public:
  explicit SelectionQuestions(std::vector<AskedPlugin> plugins) : plugins_(std::move(plugins)) {}

  std::vector<std::string> manufacturers() const;
  // Each plugin about each subgraph that is no decomposition, without its dispatch ops and without
  // what plugins before it take: what such ops compute is an input of what it sees. `unfolded` is of
  // one and the same model in all calls, unfolded one way or another. Errors: a plugin's own; a
  // selection that CheckSelection refuses.
  litert::Expected<Selections> Ask(UnfoldedModel& unfolded, const PlacementRules& rules);

 private:
  // The ops of the subgraph, and those that the plugin does not see.
  struct Question {
    size_t plugin = 0;
    size_t subgraph = 0;
    std::vector<OpId> ops;
    std::vector<bool> hidden;
    friend auto operator<=>(const Question&,
                            const Question&) = default;  // NOLINT(modernize-use-nullptr)
  };
  litert::Expected<std::vector<OpSelection>> AnswerTo(const Question& question,
                                                      UnfoldedModel& unfolded) const;

  std::vector<AskedPlugin> plugins_;
  std::map<Question, std::vector<OpSelection>> known_;
};

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_PLACEMENT_SELECTIONS_H_
