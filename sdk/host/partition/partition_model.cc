// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/partition/partition_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "litert/cc/litert_macros.h"
#include "sdk/host/model/graph/op_text.h"
#include "sdk/host/model/options/subgraph_references.h"
#include "sdk/host/partition/composite.h"
#include "sdk/host/partition/copy.h"
#include "sdk/host/partition/grouping/grouping.h"
#include "sdk/host/partition/grouping/op_dag.h"
#include "sdk/host/partition/observed.h"
#include "sdk/host/partition/outline.h"
#include "sdk/host/partition/selection.h"

namespace npukit {
namespace {

class Partitioner {
 public:
  Partitioner(const UnfoldedModel& unfolded, const Placement& placement)
      : unfolded_(unfolded), model_(unfolded.model()), placement_(placement) {}

  litert::Expected<PartitionedModel> Run() {
    // Decompositions that nobody calls any more, since all who did were inlined or outlined, are
    // left out.
    const std::vector<bool> kept = KeptDecompositions();
    ListOps();
    result_.bodies = std::make_unique<Model>(model_.shared_buffers());
    result_.bodies->external_buffers = model_.external_buffers;
    result_.bodies->external_buffer_groups = model_.external_buffer_groups;
    result_.outer = CopyModelFields(model_);
    new_index_.assign(model_.subgraphs().size(), -1);
    copiers_.resize(model_.subgraphs().size());
    for (size_t s = 0; s < model_.subgraphs().size(); ++s) {
      if (unfolded_.is_decomposition(s) && !HasSignature(s) && !kept[s]) continue;
      new_index_[s] = static_cast<int32_t>(result_.outer->subgraphs().size());
      Subgraph& outer = result_.outer->AddSubgraph();
      CopySubgraphFields(model_.subgraph(s), outer);
      copiers_[s] = std::make_unique<SubgraphCopier>(model_.subgraph(s), outer);
      LITERT_RETURN_IF_ERROR(OutlineSubgraph(s));
    }
    if (result_.partitions.empty())
      // Nothing was taken, so that the model stays as the file has it, with its composites whole.
      result_.outer = CopyModel(unfolded_.given());
    else
      FinishOuter();
    return std::move(result_);
  }

 private:
  // By op; nothing of a decomposition is taken.
  std::vector<int32_t> ColorsOf(size_t s) const {
    if (!unfolded_.is_decomposition(s)) return placement_.subgraphs[s].color_of_op;
    return std::vector<int32_t>(model_.subgraph(s).ops().size(), kNoColor);
  }

  bool HasSignature(size_t s) const {
    return std::any_of(
        model_.signatures.begin(), model_.signatures.end(),
        [&](const auto& signature) { return signature->subgraph == &model_.subgraph(s); });
  }

  // What ops that stay in the outer model call: decompositions of composites that stay whole, and those that
  // a branch or a loop names.
  std::vector<bool> KeptDecompositions() const {
    std::vector<bool> kept(model_.subgraphs().size());
    std::vector<size_t> open;
    for (size_t s = 0; s < kept.size(); ++s) {
      if (!unfolded_.is_decomposition(s) || HasSignature(s)) open.push_back(s);
    }
    while (!open.empty()) {
      const size_t s = open.back();
      open.pop_back();
      const std::vector<int32_t> colors = ColorsOf(s);
      for (const auto& op : model_.subgraph(s).ops()) {
        if (colors[op->index] != kNoColor) continue;
        for (const int32_t index : SubgraphReferences(op->options)) {
          const auto callee = static_cast<size_t>(index);
          if (index < 0 || callee >= kept.size() || kept[callee]) continue;
          kept[callee] = true;
          open.push_back(callee);
        }
      }
    }
    return kept;
  }

  // All ops, as if all were outside.
  void ListOps() {
    first_op_.assign(model_.subgraphs().size(), 0);
    for (size_t s = 0; s < model_.subgraphs().size(); ++s) {
      if (unfolded_.is_decomposition(s)) continue;
      first_op_[s] = static_cast<uint32_t>(result_.ops.size());
      for (size_t i = 0; i < unfolded_.ops(s).size(); ++i) {
        PlacedOp& op = result_.ops.emplace_back();
        static_cast<UnfoldedOp&>(op) = unfolded_.ops(s)[i];
        op.reason = placement_.subgraphs[s].reasons[i];
      }
    }
  }

  litert::Expected<void> OutlineSubgraph(size_t s) {
    const Subgraph& source = model_.subgraph(s);
    static const std::vector<Placement::Color> kNone;
    const auto& colors = unfolded_.is_decomposition(s) ? kNone : placement_.subgraphs[s].colors;
    std::vector<int32_t> never_merged;
    for (size_t c = 0; c < colors.size(); ++c) {
      if (colors[c].is_npu_call) never_merged.push_back(static_cast<int32_t>(c));
    }
    LITERT_ASSIGN_OR_RETURN(const Grouping grouping,
                            GroupOps(MakeOpDag(source), ColorsOf(s), never_merged));
    LITERT_ASSIGN_OR_RETURN(
        const std::vector<Op*> dispatch_ops,
        OutlineGroups(model_, source, grouping, TensorsOfSignatures(model_, source), *copiers_[s],
                      *result_.bodies));
    for (size_t g = 0; g < grouping.groups.size(); ++g) {
      const OpGroup& group = grouping.groups[g];
      AddPartition(first_op_[s], group, colors[static_cast<size_t>(group.color)], dispatch_ops[g]);
    }
    return {};
  }

  void AddPartition(uint32_t first_op, const OpGroup& group, const Placement::Color& color,
                    Op* dispatch_op) {
    const auto number = static_cast<int>(result_.partitions.size());
    PartitionedModel::Partition& partition = result_.partitions.emplace_back();
    partition.dispatch_op = dispatch_op;
    partition.plugin = color.plugin;
    partition.index = color.partition_index;
    partition.is_npu_call = color.is_npu_call;
    for (uint32_t position : group.ops) {
      partition.ops.push_back(first_op + position);
      PlacedOp& op = result_.ops[first_op + position];
      op.partition = number;
      op.plugin = placement_.plugins[color.plugin];
    }
  }

  void FinishOuter() {
    for (const auto& subgraph : result_.outer->subgraphs()) {
      for (const auto& op : subgraph->ops()) {
        EditSubgraphReferences(op->options, [&](const char*, int32_t& index) {
          if (index >= 0 && static_cast<size_t>(index) < new_index_.size()) {
            index = new_index_[static_cast<size_t>(index)];
          }
        });
      }
    }
    UpdateOperatorCodes(*result_.outer);
    CopySignatures(
        model_, *result_.outer,
        [&](size_t s) { return &result_.outer->subgraph(static_cast<size_t>(new_index_[s])); },
        [&](size_t s, const Tensor& tensor) { return copiers_[s]->Get(&tensor); });
  }

  const UnfoldedModel& unfolded_;
  const Model& model_;
  const Placement& placement_;
  // By subgraph of the model:
  std::vector<uint32_t> first_op_;  // where its ops begin in the result's
  std::vector<int32_t> new_index_;  // in the outer model; -1: left out
  std::vector<std::unique_ptr<SubgraphCopier>> copiers_;
  PartitionedModel result_;
};

}  // namespace

litert::Expected<PartitionedModel> PartitionModel(const UnfoldedModel& unfolded,
                                                  const Placement& placement) {
  return Partitioner(unfolded, placement).Run();
}

std::string ListPartitions(const PartitionedModel& partitioned, std::span<const size_t> which) {
  constexpr size_t kMaxOps = 12;
  std::string text;
  for (size_t p : which) {
    const std::vector<uint32_t>& ops = partitioned.partitions[p].ops;
    text += fmt::format("{}partition {}: ", text.empty() ? "" : "; ", p);
    for (size_t i = 0; i < std::min(ops.size(), kMaxOps); ++i)
      text += (i == 0 ? "" : ", ") + OpText(partitioned.ops[ops[i]]);
    if (ops.size() > kMaxOps) text += fmt::format(" and {} more", ops.size() - kMaxOps);
  }
  return text;
}

std::string ToString(const PlacedOp& op) {
  return OpText(op) + (op.partition >= 0 ? fmt::format(" -> partition {}", op.partition)
                                         : fmt::format(" - {}", op.reason));
}

std::string ToString(const PartitionedModel& partitioned) {
  std::string text;
  for (const PlacedOp& op : partitioned.ops)
    text += fmt::format("{} {}\n", ToString(op.id), ToString(op));
  for (size_t p = 0; p < partitioned.partitions.size(); ++p) {
    const Subgraph& body = partitioned.bodies->subgraph(p);
    text += fmt::format("partition {}:", p);
    for (const Tensor* tensor : body.inputs) text += " " + tensor->name;
    text += " ->";
    for (const Tensor* tensor : body.outputs) text += " " + tensor->name;
    text += "\n";
    for (const auto& op : body.ops()) text += fmt::format("  {}\n", OpText(*op));
  }
  return text;
}

}  // namespace npukit
