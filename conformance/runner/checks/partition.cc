// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Checks of class partition.

#include <fmt/format.h>
#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "conformance/runner/checks/check_functions.h"
#include "litert/cc/litert_macros.h"
#include "sdk/host/model/graph/op_text.h"

namespace npukit::conformance::checks::partition {
namespace {

constexpr char kUnknownSoc[] = "npukit-no-such-soc";

// By the name that claims have.
std::string ClaimText(const Op& op) {
  const std::string name = ClaimName(op);
  return OpText(OpLabel{.index = op.index, .op = name});
}

// False if a selected pointer is not an op of the subgraph.
bool AreOpsOf(const Subgraph& subgraph, const Selection& selection) {
  std::set<const Op*> ops;
  for (const auto& op : subgraph.ops()) ops.insert(op.get());
  return std::all_of(selection.begin(), selection.end(),
                     [&](const SelectedOp& s) { return ops.contains(s.op); });
}

bool IsDecidedByHost(const Op& op) {
  const std::string name = ClaimName(op);
  return name == "odml.npu_call" || name == "odml.cpu_call";
}

// "" if the plugin's selection in this subgraph is the one that was expected.
std::string SelectionProblem(const Workbench& bench, const Subgraph& subgraph,
                             const Selection& selection) {
  if (!AreOpsOf(subgraph, selection)) return "something was selected that is no op of the subgraph";
  std::set<const Op*> selected;
  for (const SelectedOp& entry : selection) selected.insert(entry.op);
  for (const auto& op : subgraph.ops()) {
    const bool is_selected = selected.contains(op.get());
    if (bench.spec().expect.select == SelectRule::kNone) {
      if (is_selected) return ClaimText(*op) + " was selected, expected none";
      continue;
    }
    if (IsDecidedByHost(*op)) continue;
    const ClaimAnswer answer = MatchClaim(bench.claims(), *op);
    if (is_selected && !answer.claimed)
      return ClaimText(*op) + " was selected, but is not claimed: " + answer.reason;
    if (!is_selected && answer.claimed) return ClaimText(*op) + " is claimed, but was not selected";
  }
  return {};
}

// The same where the op is what transformations made: it is taken if what it stands for is claimed. "" if all is well.
std::string RewrittenOpProblem(const Workbench& bench, const Op& op,
                               const std::vector<const Op*>& origins, bool is_selected) {
  const auto text = [&](const Op& origin) {
    return origin.code == op.code ? ClaimText(origin)
                                  : fmt::format("{}, now {},", ClaimText(origin), ClaimText(op));
  };
  if (bench.spec().expect.select == SelectRule::kNone)
    return is_selected ? ClaimText(op) + " was selected, expected none" : std::string();
  if (IsDecidedByHost(op)) return {};
  std::string why_not;  // the first that is not claimed
  bool is_any_claimed = false;
  for (const Op* origin : origins) {
    const ClaimAnswer answer = MatchClaim(bench.claims(), *origin);
    is_any_claimed = is_any_claimed || answer.claimed;
    if (!answer.claimed && why_not.empty())
      why_not = text(*origin) + " was selected, but is not claimed: " + answer.reason;
  }
  const bool is_claimed = MatchClaim(bench.claims(), op).claimed;
  if (is_selected) return is_any_claimed || is_claimed || origins.empty() ? std::string() : why_not;
  if (is_claimed) return ClaimText(op) + " is claimed, but was not selected";
  if (origins.empty() || !why_not.empty()) return {};
  return text(*origins.front()) + " is claimed, but was not selected";
}

// Of a model that transformations rewrote, subgraph by subgraph.
litert::Expected<std::string> RewrittenSelectionProblem(Workbench& bench, const char* soc) {
  LITERT_ASSIGN_OR_RETURN(const VendorPlugin* plugin, bench.plugin());
  LITERT_ASSIGN_OR_RETURN(Model * given, bench.model());
  LITERT_ASSIGN_OR_RETURN(const ObservedRewrite* rewrite, bench.rewrite());
  const std::set<size_t> decompositions = DecompositionsOf(*rewrite->model);
  for (size_t i = 0; i < rewrite->model->subgraphs().size(); ++i) {
    if (decompositions.contains(i)) continue;
    Subgraph& subgraph = rewrite->model->subgraph(i);
    LITERT_ASSIGN_OR_RETURN(const Selection selection, plugin->Partition(soc, subgraph));
    if (!AreOpsOf(subgraph, selection))
      return std::string("something was selected that is no op of the subgraph");
    std::set<const Op*> selected;
    for (const SelectedOp& entry : selection) selected.insert(entry.op);
    for (const auto& op : subgraph.ops()) {
      std::string problem = RewrittenOpProblem(bench, *op, rewrite->OriginsOf(*given, i, *op),
                                               selected.contains(op.get()));
      if (!problem.empty()) return problem;
    }
  }
  return std::string();
}

// Partitions the model as the host does and looks at every selection on the way, also those of
// inlined composites.
litert::Expected<std::string> WholeSelectionProblem(Workbench& bench, const char* soc) {
  LITERT_ASSIGN_OR_RETURN(const VendorPlugin* plugin, bench.plugin());
  LITERT_ASSIGN_OR_RETURN(const ObservedRewrite* rewrite, bench.rewrite());
  if (rewrite->model != nullptr) return RewrittenSelectionProblem(bench, soc);
  LITERT_ASSIGN_OR_RETURN(Model * model, bench.model());
  std::string problem;
  auto selector = [&](Subgraph& subgraph) -> litert::Expected<SelectorAnswer> {
    LITERT_ASSIGN_OR_RETURN(Selection selection, plugin->Partition(soc, subgraph));
    if (problem.empty()) problem = SelectionProblem(bench, subgraph, selection);
    if (!problem.empty()) selection.clear();
    return SelectorAnswer{.selection = std::move(selection), .remarks = {}};
  };
  LITERT_RETURN_IF_ERROR(PartitionBySelector(*model, selector));
  return problem;
}

// Position and partition index of every selected op of every subgraph, in the plugin's order.
litert::Expected<std::string> SelectionText(const VendorPlugin& plugin, const char* soc,
                                            Model& model) {
  std::string text;
  for (const auto& subgraph : model.subgraphs()) {
    LITERT_ASSIGN_OR_RETURN(const Selection selection, plugin.Partition(soc, *subgraph));
    if (!AreOpsOf(*subgraph, selection)) {
      return litert::Unexpected(kLiteRtStatusErrorInvalidArgument,
                                "something was selected that is no op of the subgraph");
    }
    text += "|";
    for (const SelectedOp& entry : selection) {
      text += fmt::format(" {}:{}", entry.op->index, entry.partition_index);
    }
  }
  return text;
}

}  // namespace

CheckAnswer selection(Workbench& bench) {
  if (bench.spec().expect.select == SelectRule::kAny)
    return CheckReport::Skip("the suite leaves the selection open");
  LITERT_ASSIGN_OR_RETURN(const std::string problem, WholeSelectionProblem(bench, nullptr));
  NPUKIT_CHECK_THAT(problem.empty(), problem);
  return CheckReport::Pass();
}

CheckAnswer valid_ops(Workbench& bench) {
  LITERT_ASSIGN_OR_RETURN(const VendorPlugin* plugin, bench.plugin());
  LITERT_ASSIGN_OR_RETURN(Model * model, bench.model());
  for (const auto& subgraph : model->subgraphs()) {
    LITERT_ASSIGN_OR_RETURN(const Selection selection, plugin->Partition(nullptr, *subgraph));
    NPUKIT_CHECK_THAT(AreOpsOf(*subgraph, selection),
                      "something was selected that is no op of the subgraph");
    std::set<const Op*> observed;
    for (const SelectedOp& entry : selection) {
      NPUKIT_CHECK_THAT(observed.insert(entry.op).second,
                        ClaimText(*entry.op) + " was selected twice");
    }
  }
  return CheckReport::Pass();
}

CheckAnswer stable(Workbench& bench) {
  LITERT_ASSIGN_OR_RETURN(const VendorPlugin* plugin, bench.plugin());
  LITERT_ASSIGN_OR_RETURN(Model * model, bench.model());
  LITERT_ASSIGN_OR_RETURN(const std::string first, SelectionText(*plugin, nullptr, *model));
  for (int call = 2; call <= 3; ++call) {
    LITERT_ASSIGN_OR_RETURN(const std::string again, SelectionText(*plugin, nullptr, *model));
    NPUKIT_CHECK_THAT(again == first,
                      fmt::format("call {} selects '{}', the first '{}'", call, again, first));
  }
  LITERT_ASSIGN_OR_RETURN(const VendorPlugin other, bench.NewPlugin());
  LITERT_ASSIGN_OR_RETURN(const std::string others, SelectionText(other, nullptr, *model));
  NPUKIT_CHECK_THAT(others == first,
                    "another instance selects '" + others + "', the first '" + first + "'");
  return CheckReport::Pass();
}

CheckAnswer read_only(Workbench& bench) {
  LITERT_ASSIGN_OR_RETURN(const VendorPlugin* plugin, bench.plugin());
  LITERT_ASSIGN_OR_RETURN(Model * model, bench.model());
  LITERT_ASSIGN_OR_RETURN(const std::string before, ModelDigest(*model));
  LITERT_RETURN_IF_ERROR(SelectionText(*plugin, nullptr, *model));
  LITERT_ASSIGN_OR_RETURN(const std::string after, ObserveModelDigest(*model));
  NPUKIT_CHECK_THAT(before == after, "the model is another one after Partition");
  return CheckReport::Pass();
}

CheckAnswer grouping(Workbench& bench) {
  LITERT_ASSIGN_OR_RETURN(const VendorPlugin* plugin, bench.plugin());
  LITERT_ASSIGN_OR_RETURN(Model * model, bench.asked_model());
  LITERT_ASSIGN_OR_RETURN(const PartitionedModel partitioned,
                          PartitionWith(*plugin, nullptr, *model));
  // A partition that depended on itself through an op outside would stand before one of its
  // producers.
  for (const auto& subgraph : partitioned.outer->subgraphs()) {
    for (const auto& op : subgraph->ops()) {
      for (const Tensor* input : op->inputs) {
        const bool late = input != nullptr && input->defining_op != nullptr &&
                          input->defining_op->index >= op->index;
        NPUKIT_CHECK_THAT(!late, fmt::format("op {} reads what a later op computes", op->index));
      }
    }
  }
  const Expectation& expect = bench.spec().expect;
  if (!expect.partitions) return CheckReport::Pass();
  LITERT_ASSIGN_OR_RETURN(const std::vector<JudgedOp> ops, bench.judged_ops());
  const auto claimed = static_cast<size_t>(std::count_if(
      ops.begin(), ops.end(), [](const JudgedOp& judged) { return judged.answer.claimed; }));
  size_t unclaimed_by_design = 0;
  if (bench.spec().graph != nullptr) {
    for (const SubgraphSpec& subgraph : bench.spec().graph->subgraphs) {
      for (const OpSpec& op : subgraph.ops) unclaimed_by_design += op.is_unclaimed();
    }
  }
  if (claimed + unclaimed_by_design < ops.size())
    return CheckReport::Skip("not all of its ops are claimed");
  NPUKIT_CHECK_THAT(
      partitioned.partitions.size() == static_cast<size_t>(*expect.partitions),
      fmt::format("{} partitions, expected {}", partitioned.partitions.size(), *expect.partitions));
  return CheckReport::Pass();
}

CheckAnswer each_soc(Workbench& bench) {
  if (bench.spec().expect.select == SelectRule::kAny)
    return CheckReport::Skip("the suite leaves the selection open");
  if (bench.claims().socs.empty()) return CheckReport::Skip("no SoC is claimed");
  for (const std::string& soc : bench.claims().socs) {
    LITERT_ASSIGN_OR_RETURN(const std::string problem, WholeSelectionProblem(bench, soc.c_str()));
    NPUKIT_CHECK_THAT(problem.empty(), "on " + soc + ": " + problem);
  }
  return CheckReport::Pass();
}

CheckAnswer unknown_soc(Workbench& bench) {
  LITERT_ASSIGN_OR_RETURN(const VendorPlugin* plugin, bench.plugin());
  LITERT_ASSIGN_OR_RETURN(Model * model, bench.model());
  for (const auto& subgraph : model->subgraphs()) {
    const auto selection = plugin->Partition(kUnknownSoc, *subgraph);
    if (!selection) continue;  // an error says it too
    NPUKIT_CHECK_THAT(selection->empty(),
                      fmt::format("{} ops were selected for an unknown SoC", selection->size()));
  }
  return CheckReport::Pass();
}

CheckAnswer dynamic_shape(Workbench& bench) {
  LITERT_ASSIGN_OR_RETURN(const VendorPlugin* plugin, bench.plugin());
  LITERT_ASSIGN_OR_RETURN(Model * model, bench.model());
  size_t made_dynamic = 0;
  for (const auto& subgraph : model->subgraphs()) {
    for (const auto& tensor : subgraph->tensors()) {
      if (tensor->is_constant() || tensor->shape.empty()) continue;
      tensor->shape_signature = tensor->shape;
      tensor->shape_signature[0] = -1;
      ++made_dynamic;
    }
  }
  if (made_dynamic == 0) return CheckReport::Skip("no tensor has a dimension");
  for (const auto& subgraph : model->subgraphs()) {
    LITERT_ASSIGN_OR_RETURN(const Selection selection, plugin->Partition(nullptr, *subgraph));
    NPUKIT_CHECK_THAT(AreOpsOf(*subgraph, selection),
                      "something was selected that is no op of the subgraph");
    for (const SelectedOp& entry : selection) {
      auto dynamic = [](const Tensor* tensor) { return tensor != nullptr && tensor->is_dynamic(); };
      const bool touched = std::any_of(entry.op->inputs.begin(), entry.op->inputs.end(), dynamic) ||
                           std::any_of(entry.op->outputs.begin(), entry.op->outputs.end(), dynamic);
      NPUKIT_CHECK_THAT(!touched, ClaimText(*entry.op) + " was selected with a dynamic dimension");
    }
  }
  return CheckReport::Pass();
}

}  // namespace npukit::conformance::checks::partition
