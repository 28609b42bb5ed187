// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/partition/draft.h"

#include <unordered_map>
#include <utility>

#include "sdk/host/partition/composite.h"
#include "sdk/host/partition/copy.h"
#include "sdk/host/partition/plain_view.h"

namespace npukit {

litert::Expected<Draft> Draft::Start(const Model& given) {
  Draft draft;
  draft.model_ = CopyModel(given);
  for (size_t s = 0; s < given.subgraphs().size(); ++s) {
    Subgraph& subgraph = draft.model_->subgraph(s);
    std::unordered_map<const Op*, uint32_t> old_position;
    for (const auto& op : subgraph.ops()) {
      old_position.emplace(op.get(), op->index);
    }
    if (auto sorted = subgraph.SortTopologically(); !sorted) {
      return litert::Unexpected(sorted.Error().Status(),
                                "subgraph " + std::to_string(s) + ": " + sorted.Error().Message());
    }
    auto& record_of = draft.record_of_.emplace_back();
    for (const auto& op : subgraph.ops()) {
      record_of.push_back(draft.AddRecord(*op, static_cast<uint32_t>(s), old_position.at(op.get()),
                                          CompositeName(*op)));
    }
  }
  return draft;
}

uint32_t Draft::AddRecord(const Op& op, uint32_t subgraph, uint32_t index, std::string composite) {
  OpPlacementRecord& record = records_.emplace_back();
  record.subgraph = subgraph;
  record.index = index;
  record.op = OpName(op);
  if (!op.outputs.empty()) record.name = op.outputs.front()->name;
  record.composite = std::move(composite);
  record.was_dispatch = IsDispatch(op);
  record.home = {subgraph, index, record.name};
  return static_cast<uint32_t>(records_.size() - 1);
}

// A copy, in place of the composite `outer`, of the decomposition's op `body`.
uint32_t Draft::AddInlined(const Op& copy, const OpPlacementRecord& outer,
                           const OpPlacementRecord& body, std::string composite) {
  OpPlacementRecord::Home home = body.home;
  if (composite.empty()) composite = outer.composite;
  const uint32_t record = AddRecord(copy, outer.subgraph, outer.index, std::move(composite));
  records_[record].home = std::move(home);
  return record;
}

void Draft::Inline(const OpFlags& flags) {
  const std::unique_ptr<Model> old = std::move(model_);
  model_ = CopyModelFields(*old);
  const std::vector<std::vector<uint32_t>> all_old_records = record_of_;
  std::vector<std::unique_ptr<SubgraphCopier>> copiers;
  for (size_t s = 0; s < old->subgraphs().size(); ++s) {
    const Subgraph& source = old->subgraph(s);
    Subgraph& target = model_->AddSubgraph();
    CopySubgraphFields(source, target);
    SubgraphCopier& copier =
        *copiers.emplace_back(std::make_unique<SubgraphCopier>(source, target));

    std::vector<bool> later(source.tensors().size());
    for (const auto& op : source.ops()) {
      if (!flags[s][op->index]) continue;
      for (const Tensor* tensor : PassedThroughOutputs(*old, *op)) {
        later[tensor->index] = true;
      }
    }
    for (const auto& tensor : source.tensors()) {
      if (!later[tensor->index]) copier.Get(tensor.get());
    }

    const std::vector<uint32_t>& old_records = all_old_records[s];
    auto& record_of = record_of_[s];
    record_of.clear();
    for (const auto& op : source.ops()) {
      const uint32_t record = old_records[op->index];
      if (!flags[s][op->index]) {
        copier.CopyOp(*op);
        record_of.push_back(record);
        continue;
      }
      const OpPlacementRecord outer = records_[record];
      const auto body_number = static_cast<size_t>(
          op->OptionsAs<StableHLOCompositeOptions>()->decomposition_subgraph_index);
      InlineComposite(*old, *op, copier, [&](const Op& inner, Op& copy) {
        const OpPlacementRecord body = records_[all_old_records[body_number][inner.index]];
        record_of.push_back(AddInlined(copy, outer, body, CompositeName(inner)));
      });
    }
    for (const Tensor* tensor : source.inputs) {
      target.inputs.push_back(copier.Get(tensor));
    }
    for (const Tensor* tensor : source.outputs) {
      target.outputs.push_back(copier.Get(tensor));
    }
  }
  CopySignatures(
      *old, *model_, [&](size_t s) { return &model_->subgraph(s); },
      [&](size_t s, const Tensor& t) { return copiers[s]->Get(&t); });
}

}  // namespace npukit
