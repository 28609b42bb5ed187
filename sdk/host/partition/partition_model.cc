// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/partition/partition_model.h"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>

#include "sdk/host/model/options/subgraph_references.h"
#include "sdk/host/partition/composite.h"
#include "sdk/host/partition/copy.h"
#include "sdk/host/partition/draft.h"
#include "sdk/host/partition/grouping.h"
#include "sdk/host/partition/observed.h"
#include "sdk/host/partition/op_dag.h"
#include "sdk/host/partition/outline.h"
#include "sdk/host/partition/plain_view.h"

namespace npukit {
namespace {

// What is known of one subgraph of the draft.
struct Answer {
  bool current = false;  // false: to be asked (again)
  OpColors colors;
  std::vector<std::string> reasons;  // by op; empty: none given
};

class Partitioner {
 public:
  Partitioner(const Model& given, const RecordSelector& selector, const PartitionOptions& options)
      : given_(given), selector_(selector), options_(options) {}

  litert::Expected<PartitionedModel> Run() {
    if (auto checked = CheckComposites(given_); !checked) {
      return checked.Error();
    }
    auto started = Draft::Start(given_);
    if (!started) return started.Error();
    draft_ = std::make_unique<Draft>(std::move(*started));
    is_decomposition_ = DecompositionSubgraphs(given_);
    answers_.resize(given_.subgraphs().size());
    while (true) {
      if (auto asked = AskAll(); !asked) return asked.Error();
      const auto to_inline = FindOpsToInline();
      if (!to_inline) break;
      Inline(*to_inline);
    }
    return Outline();
  }

 private:
  litert::Expected<void> AskAll() {
    for (size_t s = 0; s < draft_->model().subgraphs().size(); ++s) {
      if (is_decomposition_[s] || answers_[s].current) continue;
      if (auto asked = Ask(s); !asked) return asked;
    }
    return {};
  }

  litert::Expected<void> Ask(size_t s) {
    Subgraph& subgraph = draft_->model().subgraph(s);
    Answer& answer = answers_[s];
    answer = Answer();
    answer.current = true;
    answer.reasons.resize(subgraph.ops().size());

    const bool has_dispatch = std::any_of(subgraph.ops().begin(), subgraph.ops().end(),
                                          [](const auto& op) { return IsDispatch(*op); });
    auto asked =
        has_dispatch ? AskForView(s, subgraph) : selector_(subgraph, RecordsOf(s, nullptr));
    if (!asked) return asked.Error();
    auto colors = CheckSelection(draft_->model(), subgraph, asked->selection);
    if (!colors) {
      return litert::Unexpected(colors.Error().Status(),
                                "subgraph " + std::to_string(s) + ": " + colors.Error().Message());
    }
    answer.colors = std::move(*colors);
    TakeRemarks(*asked, subgraph, answer);
    DropWhatCannotMove(s, answer);
    return {};
  }

  // Of all ops of subgraph `s`, or of those at `positions`. Valid until the next call.
  std::span<const OpPlacementRecord* const> RecordsOf(size_t s,
                                                      const std::vector<uint32_t>* positions) {
    const size_t count =
        positions != nullptr ? positions->size() : draft_->model().subgraph(s).ops().size();
    asked_records_.clear();
    for (size_t i = 0; i < count; ++i) {
      const size_t position = positions != nullptr ? (*positions)[i] : i;
      asked_records_.push_back(&draft_->records()[draft_->record_of(s, position)]);
    }
    return asked_records_;
  }

  // Hides the dispatch ops from the selector; the answer is translated back.
  litert::Expected<SelectorAnswer> AskForView(size_t s, const Subgraph& subgraph) {
    PlainView view = ViewWithoutDispatchOps(subgraph);
    auto answer = selector_(*view.subgraph, RecordsOf(s, &view.original));
    if (!answer) return answer;
    // Checked here, while the view's ops still exist.
    auto colors = CheckSelection(draft_->model(), *view.subgraph, answer->selection);
    if (!colors) return colors.Error();
    SelectorAnswer translated;
    const auto translate = [&](const Op* op) { return &subgraph.op(view.original[op->index]); };
    for (const SelectedOp& selected : answer->selection) {
      translated.selection.push_back({translate(selected.op), selected.partition_index});
    }
    std::unordered_map<const Op*, const Op*> known;
    for (const auto& op : view.subgraph->ops()) {
      known.emplace(op.get(), translate(op.get()));
    }
    for (SelectorAnswer::Remark& remark : answer->remarks) {
      const auto found = known.find(remark.op);
      if (found == known.end()) continue;
      translated.remarks.push_back({found->second, std::move(remark.text)});
    }
    return translated;
  }

  static void TakeRemarks(const SelectorAnswer& from, const Subgraph& subgraph, Answer& answer) {
    std::unordered_map<const Op*, uint32_t> position;
    for (const auto& op : subgraph.ops()) position.emplace(op.get(), op->index);
    for (const SelectorAnswer::Remark& remark : from.remarks) {
      const auto found = position.find(remark.op);
      if (found != position.end()) answer.reasons[found->second] = remark.text;
    }
  }

  // Takes ops out of the selection that the rules or the graph keep outside.
  void DropWhatCannotMove(size_t s, Answer& answer) const {
    const Subgraph& subgraph = draft_->model().subgraph(s);
    const std::vector<bool> dead = FindDeadOps(subgraph, PinnedTensors(s));
    for (const auto& op : subgraph.ops()) {
      int32_t& color = answer.colors.color_of_op[op->index];
      std::string& reason = answer.reasons[op->index];
      const CompositeKind kind = KindOf(*op);
      if (kind == CompositeKind::kNpuCall) {
        color = kNoColor;  // gets a color of its own later
      } else if (kind == CompositeKind::kCpuCall) {
        color = kNoColor;
        reason = "odml.cpu_call: the model's author keeps it on the CPU";
      } else if (IsDispatch(*op)) {
        reason = "compiled before";
      } else if (color != kNoColor) {
        const char* why = WhyNotOutlinable(*op);
        if (why == nullptr && dead[op->index]) why = "nothing uses its result";
        if (why == nullptr) continue;
        color = kNoColor;
        reason = std::string("selected, but can't be moved: ") + why;
      }
    }
  }

  std::vector<bool> PinnedTensors(size_t s) const {
    return TensorsOfSignatures(draft_->model(), draft_->model().subgraph(s));
  }

  // By subgraph and op; nullopt if there is nothing to inline. Plain composites
  // that were not selected, and whatever composite an odml.cpu_call contains.
  std::optional<OpFlags> FindOpsToInline() const {
    const Model& model = draft_->model();
    std::vector<bool> all_of(model.subgraphs().size());
    for (size_t s = 0; s < model.subgraphs().size(); ++s) {
      if (is_decomposition_[s]) continue;
      for (const auto& op : model.subgraph(s).ops()) {
        if (KindOf(*op) != CompositeKind::kCpuCall) continue;
        all_of[static_cast<size_t>(
            op->OptionsAs<StableHLOCompositeOptions>()->decomposition_subgraph_index)] = true;
      }
    }
    bool any = false;
    OpFlags flags;
    for (size_t s = 0; s < model.subgraphs().size(); ++s) {
      auto& flags_here = flags.emplace_back(model.subgraph(s).ops().size());
      for (const auto& op : model.subgraph(s).ops()) {
        const CompositeKind kind = KindOf(*op);
        const bool unselected = kind == CompositeKind::kPlain && !is_decomposition_[s] &&
                                answers_[s].colors.color_of_op[op->index] == kNoColor &&
                                !(options_.keep_whole && options_.keep_whole(*op));
        const bool pinned_to_cpu = all_of[s] && kind != CompositeKind::kNone;
        flags_here[op->index] = unselected || pinned_to_cpu;
        any = any || flags_here[op->index];
      }
    }
    if (!any) return std::nullopt;
    return flags;
  }

  void Inline(const OpFlags& flags) {
    draft_->Inline(flags);
    for (size_t s = 0; s < flags.size(); ++s) {
      if (std::count(flags[s].begin(), flags[s].end(), true) != 0) {
        answers_[s].current = false;
      }
    }
  }

  // Colors of the answer, and one more for the npu_calls.
  std::vector<int32_t> ColorsWithNpuCalls(size_t s) const {
    std::vector<int32_t> colors = answers_[s].colors.color_of_op;
    for (const auto& op : draft_->model().subgraph(s).ops()) {
      if (KindOf(*op) == CompositeKind::kNpuCall) {
        colors[op->index] = NpuCallColor(s);
      }
    }
    return colors;
  }
  int32_t NpuCallColor(size_t s) const {
    return static_cast<int32_t>(answers_[s].colors.partition_index.size());
  }

  // Of each op; npu_calls in decompositions are not taken.
  std::vector<int32_t> ColorsOf(size_t s) const {
    if (!is_decomposition_[s]) return ColorsWithNpuCalls(s);
    return std::vector<int32_t>(draft_->model().subgraph(s).ops().size(), kNoColor);
  }

  // Decompositions of composites that stay in the outer model as they are, and of those in them.
  std::vector<bool> KeptDecompositions() const {
    const Model& model = draft_->model();
    std::vector<bool> kept(model.subgraphs().size());
    std::vector<size_t> open;
    for (size_t s = 0; s < kept.size(); ++s) {
      if (!is_decomposition_[s] || HasSignature(s)) open.push_back(s);
    }
    while (!open.empty()) {
      const size_t s = open.back();
      open.pop_back();
      const std::vector<int32_t> colors = ColorsOf(s);
      for (const auto& op : model.subgraph(s).ops()) {
        if (colors[op->index] != kNoColor || DecompositionOf(model, *op) == nullptr) continue;
        const auto callee = static_cast<size_t>(
            op->OptionsAs<StableHLOCompositeOptions>()->decomposition_subgraph_index);
        if (!kept[callee]) open.push_back(callee);
        kept[callee] = true;
      }
    }
    return kept;
  }

  litert::Expected<PartitionedModel> Outline() {
    const Model& model = draft_->model();
    const std::vector<bool> kept = KeptDecompositions();
    PartitionedModel result;
    result.bodies = std::make_unique<Model>(model.shared_buffers());
    result.bodies->external_buffers = model.external_buffers;
    result.bodies->external_buffer_groups = model.external_buffer_groups;
    result.outer = CopyModelFields(model);

    std::vector<int32_t> new_index(model.subgraphs().size(), -1);
    std::vector<std::unique_ptr<SubgraphCopier>> copiers(model.subgraphs().size());
    for (size_t s = 0; s < model.subgraphs().size(); ++s) {
      if (is_decomposition_[s] && !HasSignature(s) && !kept[s]) continue;
      new_index[s] = static_cast<int32_t>(result.outer->subgraphs().size());
      Subgraph& outer = result.outer->AddSubgraph();
      CopySubgraphFields(model.subgraph(s), outer);
      copiers[s] = std::make_unique<SubgraphCopier>(model.subgraph(s), outer);
      if (auto outlined = OutlineSubgraph(s, *copiers[s], result); !outlined) {
        return outlined.Error();
      }
    }
    if (result.partitions.empty())
      result.outer = CopyModel(given_);
    else
      FinishOuter(new_index, copiers, result);
    TakeRecords(result);
    return result;
  }

  bool HasSignature(size_t s) const {
    return std::any_of(
        draft_->model().signatures.begin(), draft_->model().signatures.end(),
        [&](const auto& signature) { return signature->subgraph == &draft_->model().subgraph(s); });
  }

  litert::Expected<void> OutlineSubgraph(size_t s, SubgraphCopier& copier,
                                         PartitionedModel& result) {
    const Subgraph& source = draft_->model().subgraph(s);
    const int32_t npu_call_color = is_decomposition_[s] ? 0 : NpuCallColor(s);
    auto grouping = GroupOps(MakeOpDag(source), ColorsOf(s), std::span(&npu_call_color, 1));
    if (!grouping) return grouping.Error();
    auto calls =
        OutlineGroups(draft_->model(), source, *grouping, PinnedTensors(s), copier, *result.bodies);
    if (!calls) return calls.Error();

    for (size_t g = 0; g < grouping->groups.size(); ++g) {
      const OpGroup& group = grouping->groups[g];
      PartitionedModel::Partition& partition = result.partitions.emplace_back();
      partition.call = (*calls)[g];
      partition.is_npu_call = group.color == npu_call_color;
      if (!partition.is_npu_call) {
        partition.index = answers_[s].colors.partition_index[static_cast<size_t>(group.color)];
      }
      for (uint32_t op : group.ops) {
        partition.ops.push_back(draft_->record_of(s, op));
      }
    }
    return {};
  }

  void FinishOuter(const std::vector<int32_t>& new_index,
                   const std::vector<std::unique_ptr<SubgraphCopier>>& copiers,
                   PartitionedModel& result) const {
    for (const auto& subgraph : result.outer->subgraphs()) {
      for (const auto& op : subgraph->ops()) {
        EditSubgraphReferences(op->options, [&](const char*, int32_t& index) {
          if (index >= 0 && static_cast<size_t>(index) < new_index.size()) {
            index = new_index[static_cast<size_t>(index)];
          }
        });
      }
    }
    UpdateOperatorCodes(*result.outer);
    CopySignatures(
        draft_->model(), *result.outer,
        [&](size_t s) { return &result.outer->subgraph(static_cast<size_t>(new_index[s])); },
        [&](size_t s, const Tensor& t) { return copiers[s]->Get(&t); });
  }

  // The records of the ops that are left, in the draft's order; partitions name
  // records by their new numbers.
  void TakeRecords(PartitionedModel& result) {
    std::vector<OpPlacementRecord>& records = draft_->records();
    std::vector<uint32_t> new_number(records.size());
    for (size_t s = 0; s < answers_.size(); ++s) {
      if (is_decomposition_[s]) continue;
      for (size_t i = 0; i < answers_[s].reasons.size(); ++i) {
        const uint32_t old_number = draft_->record_of(s, i);
        OpPlacementRecord& record = records[old_number];
        record.reason = answers_[s].reasons[i].empty() ? options_.default_reason
                                                       : std::move(answers_[s].reasons[i]);
        new_number[old_number] = static_cast<uint32_t>(result.records.size());
        result.records.push_back(std::move(record));
      }
    }
    for (size_t p = 0; p < result.partitions.size(); ++p) {
      for (uint32_t& op : result.partitions[p].ops) {
        op = new_number[op];
        result.records[op].partition = static_cast<int>(p);
        result.records[op].reason.clear();
      }
    }
  }

  const Model& given_;
  const RecordSelector& selector_;
  const PartitionOptions& options_;
  std::unique_ptr<Draft> draft_;
  std::vector<bool> is_decomposition_;
  std::vector<Answer> answers_;
  std::vector<const OpPlacementRecord*> asked_records_;
};

}  // namespace

litert::Expected<PartitionedModel> PartitionModel(const Model& model, const Selector& selector,
                                                  const PartitionOptions& options) {
  const RecordSelector with_records = [&](Subgraph& subgraph,
                                          std::span<const OpPlacementRecord* const>) {
    return selector(subgraph);
  };
  return PartitionModel(model, with_records, options);
}

litert::Expected<PartitionedModel> PartitionModel(const Model& model,
                                                  const RecordSelector& selector,
                                                  const PartitionOptions& options) {
  return Partitioner(model, selector, options).Run();
}

std::string ToString(const PartitionedModel& partitioned) {
  std::string text;
  for (const OpPlacementRecord& record : partitioned.records) {
    text += std::to_string(record.subgraph) + ":" + std::to_string(record.index) + " " + record.op;
    if (!record.composite.empty()) text += " [" + record.composite + "]";
    text += record.partition >= 0 ? " -> partition " + std::to_string(record.partition)
                                  : " - " + record.reason;
    text += "\n";
  }
  for (size_t p = 0; p < partitioned.partitions.size(); ++p) {
    const Subgraph& body = partitioned.bodies->subgraph(p);
    text += "partition " + std::to_string(p) + ":";
    for (const Tensor* tensor : body.inputs) text += " " + tensor->name;
    text += " ->";
    for (const Tensor* tensor : body.outputs) text += " " + tensor->name;
    text += "\n";
    for (const auto& op : body.ops()) text += "  " + DescribeOp(*op) + "\n";
  }
  return text;
}

}  // namespace npukit
