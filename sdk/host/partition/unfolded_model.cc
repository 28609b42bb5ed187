// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/partition/unfolded_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "litert/cc/litert_macros.h"
#include "sdk/host/model/graph/dispatch_op.h"
#include "sdk/host/model/graph/op_text.h"
#include "sdk/host/partition/composite.h"
#include "sdk/host/partition/copy.h"
#include "sdk/host/partition/plain_view.h"

namespace npukit {
namespace {

UnfoldedOp MakeOp(const Op& op, uint32_t subgraph, uint32_t index) {
  UnfoldedOp made;
  made.id = {subgraph, index};
  made.subgraph = subgraph;
  made.index = index;
  made.op = OpName(op);
  if (!op.outputs.empty()) made.name = op.outputs.front()->name;
  made.composite = CompositeName(op);
  made.was_dispatch = IsDispatchOp(op);
  made.home = {subgraph, index, made.name};
  return made;
}

// Of `copy`, which stands in place of the composite `outer` for the decomposition's op `inner`.
UnfoldedOp MakeInnerOp(const Op& copy, const UnfoldedOp& outer, const UnfoldedOp& inner,
                       OpNumbering& numbering) {
  UnfoldedOp made = MakeOp(copy, outer.subgraph, outer.index);
  made.id = numbering.Inside(outer.id, inner.id);
  if (made.composite.empty()) made.composite = outer.composite;
  made.home = inner.home;
  return made;
}

// One subgraph of a model while some of its composites are unfolded.
class SubgraphUnfolder {
 public:
  SubgraphUnfolder(const Model& model, const Subgraph& source, const std::vector<bool>& flags,
                   Subgraph& target)
      : model_(model), source_(source), flags_(flags), target_(target), copier_(source, target) {}

  // `visit(op, inner, copy)` is told of each op of the result: for a copy of `op` `inner` is null.
  template <typename Visit>
  void Run(const Visit& visit) {
    CopyTensors();
    for (const auto& op : source_.ops()) {
      if (!flags_[op->index]) {
        visit(*op, nullptr, copier_.CopyOp(*op));
        continue;
      }
      InlineComposite(model_, *op, copier_,
                      [&](const Op& inner, Op& copy) { visit(*op, &inner, copy); });
    }
    for (const Tensor* tensor : source_.inputs) target_.inputs.push_back(copier_.Get(tensor));
    for (const Tensor* tensor : source_.outputs) target_.outputs.push_back(copier_.Get(tensor));
  }

  Tensor* Get(const Tensor& tensor) { return copier_.Get(&tensor); }

 private:
  // In their old order, but for those that stand for another tensor once a composite is unfolded.
  void CopyTensors() {
    std::vector<bool> later(source_.tensors().size());
    for (const auto& op : source_.ops()) {
      if (!flags_[op->index]) continue;
      for (const Tensor* tensor : PassedThroughOutputs(model_, *op)) later[tensor->index] = true;
    }
    for (const auto& tensor : source_.tensors()) {
      if (!later[tensor->index]) copier_.Get(tensor.get());
    }
  }

  const Model& model_;
  const Subgraph& source_;
  const std::vector<bool>& flags_;
  Subgraph& target_;
  SubgraphCopier copier_;
};

}  // namespace

std::string OpText(const UnfoldedOp& op) {
  return OpText(
      OpLabel{.index = op.index, .op = op.op, .composite = op.composite, .name = op.name});
}

litert::Expected<UnfoldedModel> UnfoldedModel::Start(const Model& given, OpNumbering& numbering) {
  LITERT_RETURN_IF_ERROR(CheckComposites(given));
  UnfoldedModel unfolded;
  unfolded.given_ = &given;
  unfolded.numbering_ = &numbering;
  unfolded.is_decomposition_ = DecompositionSubgraphs(given);
  unfolded.model_ = CopyModel(given);
  for (size_t s = 0; s < given.subgraphs().size(); ++s) {
    Subgraph& subgraph = unfolded.model_->subgraph(s);
    std::unordered_map<const Op*, uint32_t> old_position;
    for (const auto& op : subgraph.ops()) old_position.emplace(op.get(), op->index);
    if (auto sorted = subgraph.SortTopologically(); !sorted) {
      return litert::Unexpected(sorted.Error().Status(),
                                fmt::format("subgraph {}: {}", s, sorted.Error().Message()));
    }
    std::vector<UnfoldedOp>& ops = unfolded.ops_.emplace_back();
    for (const auto& op : subgraph.ops()) {
      ops.push_back(MakeOp(*op, static_cast<uint32_t>(s), old_position.at(op.get())));
    }
  }
  return unfolded;
}

void UnfoldedModel::Unfold(const OpFlags& flags) {
  const std::unique_ptr<Model> old = std::move(model_);
  std::vector<std::vector<UnfoldedOp>> old_ops = std::move(ops_);
  model_ = CopyModelFields(*old);
  ops_.assign(old_ops.size(), {});
  std::vector<std::unique_ptr<SubgraphUnfolder>> unfolders;
  for (size_t s = 0; s < old_ops.size(); ++s) {
    const Subgraph& source = old->subgraph(s);
    Subgraph& target = model_->AddSubgraph();
    CopySubgraphFields(source, target);
    unfolders.push_back(std::make_unique<SubgraphUnfolder>(*old, source, flags[s], target));
    unfolders.back()->Run([&](const Op& op, const Op* inner, const Op& copy) {
      const UnfoldedOp& outer = old_ops[s][op.index];
      if (inner == nullptr) return ops_[s].push_back(outer);
      const auto body = static_cast<size_t>(
          op.OptionsAs<StableHLOCompositeOptions>()->decomposition_subgraph_index);
      ops_[s].push_back(MakeInnerOp(copy, outer, old_ops[body][inner->index], *numbering_));
    });
  }
  CopySignatures(
      *old, *model_, [&](size_t s) { return &model_->subgraph(s); },
      [&](size_t s, const Tensor& tensor) { return unfolders[s]->Get(tensor); });
}

}  // namespace npukit
