// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/placement/place.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "litert/cc/litert_macros.h"
#include "sdk/host/model/graph/dispatch_op.h"
#include "sdk/host/model/shapes/run_time_shapes.h"
#include "sdk/host/partition/composite.h"
#include "sdk/host/partition/grouping/grouping.h"
#include "sdk/host/partition/observed.h"
#include "sdk/host/partition/outline.h"
#include "sdk/host/partition/plain_view.h"
#include "sdk/host/partition/selection.h"

namespace npukit {
namespace {

// Why no plugin has the op: what the rules say, then what each plugin that might have it does.
std::string WhyUnselected(const Selections& selections, size_t subgraph, size_t op,
                          const Pin& pin) {
  std::string remarks;
  for (size_t p = 0; p < selections.plugins.size(); ++p) {
    if (!pin.Allows(p)) continue;
    const std::string& name = selections.plugins[p];
    std::string text = selections.answers[subgraph][p][op].remark;
    if (text.empty()) {
      text = name.empty() ? "not selected" : fmt::format("not selected by {}", name);
    } else if (selections.plugins.size() > 1) {
      text = fmt::format("{}: {}", name, text);
    }
    remarks += (remarks.empty() ? "" : "; ") + text;
  }
  if (pin.reason.empty() || remarks.empty()) return pin.reason + remarks;
  return fmt::format("{}, but: {}", pin.reason, remarks);
}

// One subgraph's share of Place.
class SubgraphPlacer {
 public:
  SubgraphPlacer(const UnfoldedModel& unfolded, size_t subgraph,
                 std::vector<bool> has_run_time_shape, const Selections& selections,
                 const PlacementRules& rules, const Exclusions& exclusions)
      : unfolded_(unfolded),
        s_(subgraph),
        graph_(unfolded.model().subgraph(subgraph)),
        selections_(selections),
        rules_(rules),
        exclusions_(exclusions),
        has_run_time_shape_(std::move(has_run_time_shape)),
        dead_(FindDeadOps(graph_, TensorsOfSignatures(unfolded.model(), graph_))) {}

  Placement::SubgraphPlacement Run() {
    Placement::SubgraphPlacement placed;
    placed.reasons.resize(graph_.ops().size());
    std::vector<std::optional<Placement::Color>> colors;
    for (const auto& op : graph_.ops()) {
      colors.push_back(PlaceOp(*op, placed.reasons[op->index]));
      if (colors.back()) placed.colors.push_back(*colors.back());
    }
    std::sort(placed.colors.begin(), placed.colors.end());
    placed.colors.erase(std::unique(placed.colors.begin(), placed.colors.end()),
                        placed.colors.end());
    for (const auto& color : colors) {
      placed.color_of_op.push_back(color ? NumberOf(*color, placed.colors) : kNoColor);
    }
    return placed;
  }

 private:
  static int32_t NumberOf(const Placement::Color& color,
                          const std::vector<Placement::Color>& colors) {
    return static_cast<int32_t>(std::lower_bound(colors.begin(), colors.end(), color) -
                                colors.begin());
  }

  // Nothing for an op on the CPU, with the reason.
  std::optional<Placement::Color> PlaceOp(const Op& op, std::string& reason) const {
    const UnfoldedOp& source = unfolded_.ops(s_)[op.index];
    const Pin pin = rules_.PinOf(source);
    switch (KindOf(op)) {
      // Whatever plugins answer: the model's author placed it. A rule may say which plugin gets it.
      case CompositeKind::kNpuCall:
        return Placement::Color{.is_npu_call = true,
                                .plugin = static_cast<uint32_t>(pin.plugin.value_or(0))};
      case CompositeKind::kCpuCall:
        reason = "odml.cpu_call: the model's author keeps it on the CPU";
        return std::nullopt;
      default:
        break;
    }
    if (IsDispatchOp(op)) {
      reason = "compiled before";
      return std::nullopt;
    }
    if (const std::string* why = exclusions_.ReasonOf(source.id); why != nullptr) {
      reason = *why;
      return std::nullopt;
    }
    const std::optional<size_t> taker = TakerOf(selections_.answers[s_], op.index, pin);
    if (!taker) {
      reason = WhyUnselected(selections_, s_, op.index, pin);
      return std::nullopt;
    }
    const char* why_not = WhyNotOutlinable(op);
    if (why_not == nullptr && dead_[op.index]) why_not = "nothing uses its result";
    if (why_not == nullptr && has_run_time_shape_[op.index])
      why_not = "a shape of it is known only when the model runs";
    if (why_not != nullptr) {
      reason = fmt::format("selected, but can't be moved: {}", why_not);
      return std::nullopt;
    }
    return Placement::Color{
        .is_npu_call = false,
        .plugin = static_cast<uint32_t>(*taker),
        .partition_index = selections_.answers[s_][*taker][op.index].partition_index,
        .piece = PieceOf(*taker, source.id, op.index)};
  }

  uint32_t PieceOf(size_t plugin, const OpId& id, uint32_t position) const {
    if (rules_.one_op_per_partition) return position;
    const auto pieces = exclusions_.pieces.find(plugin);
    if (pieces == exclusions_.pieces.end()) return 0;
    const auto piece = pieces->second.find(id);
    return piece == pieces->second.end() ? 0 : piece->second;
  }

  const UnfoldedModel& unfolded_;
  const size_t s_;
  const Subgraph& graph_;
  const Selections& selections_;
  const PlacementRules& rules_;
  const Exclusions& exclusions_;
  const std::vector<bool> has_run_time_shape_;
  const std::vector<bool> dead_;
};

size_t DecompositionNumber(const Op& composite) {
  return static_cast<size_t>(
      composite.OptionsAs<StableHLOCompositeOptions>()->decomposition_subgraph_index);
}

// Composites on the CPU, and whatever composite an odml.cpu_call contains: its ops run on the CPU
// without anybody being asked. Nothing if there are none.
std::optional<OpFlags> CompositesToUnfold(const UnfoldedModel& unfolded, const Placement& placement,
                                          const KeepWhole& keep_whole) {
  const Model& model = unfolded.model();
  std::vector<bool> is_of_cpu_call(model.subgraphs().size());
  for (size_t s = 0; s < model.subgraphs().size(); ++s) {
    if (unfolded.is_decomposition(s)) continue;
    for (const auto& op : model.subgraph(s).ops()) {
      if (KindOf(*op) == CompositeKind::kCpuCall) is_of_cpu_call[DecompositionNumber(*op)] = true;
    }
  }
  bool any = false;
  OpFlags flags;
  for (size_t s = 0; s < model.subgraphs().size(); ++s) {
    std::vector<bool>& flags_here = flags.emplace_back(model.subgraph(s).ops().size());
    for (const auto& op : model.subgraph(s).ops()) {
      const CompositeKind kind = KindOf(*op);
      const bool is_left = kind == CompositeKind::kPlain && !unfolded.is_decomposition(s) &&
                           placement.subgraphs[s].color_of_op[op->index] == kNoColor &&
                           !(keep_whole && keep_whole(*op));
      const bool is_kept_on_cpu = is_of_cpu_call[s] && kind != CompositeKind::kNone;
      flags_here[op->index] = is_left || is_kept_on_cpu;
      any = any || flags_here[op->index];
    }
  }
  if (!any) return std::nullopt;
  return flags;
}

void MarkMatchedRules(const UnfoldedModel& unfolded, const PlacementRules& rules,
                      std::vector<bool>& matched) {
  if (rules.rules.empty()) return;
  for (size_t s = 0; s < unfolded.model().subgraphs().size(); ++s) {
    if (unfolded.is_decomposition(s)) continue;
    for (const UnfoldedOp& op : unfolded.ops(s)) {
      const Pin pin = rules.PinOf(op);
      if (pin.rule && !op.was_dispatch) matched[*pin.rule] = true;
    }
  }
}

}  // namespace

const std::string* Exclusions::ReasonOf(const OpId& op) const {
  for (const auto* excluded : {&reasons, &beyond_limit}) {
    if (const auto found = excluded->find(op); found != excluded->end()) return &found->second;
  }
  return nullptr;
}

Placement Place(const UnfoldedModel& unfolded, const Selections& selections,
                const PlacementRules& rules, const Exclusions& exclusions) {
  Placement placement{.plugins = selections.plugins, .subgraphs = {}};
  std::vector<std::vector<bool>> run_time_shapes = FindRunTimeShapes(unfolded.model());
  for (size_t s = 0; s < unfolded.model().subgraphs().size(); ++s) {
    Placement::SubgraphPlacement& placed = placement.subgraphs.emplace_back();
    if (unfolded.is_decomposition(s)) continue;
    placed =
        SubgraphPlacer(unfolded, s, std::move(run_time_shapes[s]), selections, rules, exclusions)
            .Run();
  }
  return placement;
}

litert::Expected<PlacedModel> PlaceModel(const Model& model, OpNumbering& numbering,
                                         SelectionQuestions& questions, const PlacementRules& rules,
                                         const Exclusions& exclusions,
                                         const KeepWhole& keep_whole) {
  LITERT_ASSIGN_OR_RETURN(UnfoldedModel unfolded, UnfoldedModel::Start(model, numbering));
  std::vector<bool> rule_matched(rules.rules.size());
  while (true) {
    LITERT_ASSIGN_OR_RETURN(Selections selections, questions.Ask(unfolded, rules));
    Placement placement = Place(unfolded, selections, rules, exclusions);
    MarkMatchedRules(unfolded, rules, rule_matched);
    const auto to_unfold = CompositesToUnfold(unfolded, placement, keep_whole);
    if (!to_unfold) {
      return PlacedModel{.unfolded = std::move(unfolded),
                         .selections = std::move(selections),
                         .placement = std::move(placement),
                         .rule_matched = std::move(rule_matched)};
    }
    unfolded.Unfold(*to_unfold);
  }
}

}  // namespace npukit
