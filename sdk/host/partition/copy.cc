// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/partition/copy.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace npukit {

SubgraphCopier::SubgraphCopier(const Subgraph& source, Subgraph& target)
    : source_(source),
      target_(target),
      tensor_of_(source.tensors().size()),
      known_(source.tensors().size()) {}

void SubgraphCopier::Bind(const Tensor& from, Tensor* to) {
  known_[from.index] = true;
  tensor_of_[from.index] = to;
}

Tensor* SubgraphCopier::Get(const Tensor* from) {
  if (from == nullptr) return nullptr;
  if (known_[from->index]) return tensor_of_[from->index];

  Tensor& copy = target_.AddTensor();
  // Before what its quantisation names is copied, which names none in turn: VerifyModel sees to it.
  Bind(*from, &copy);
  const uint32_t index = copy.index;
  BufferStore* const store = copy.weights.store;
  copy = *from;
  copy.index = index;
  copy.weights.store = store;
  copy.defining_op = nullptr;
  copy.defining_output_index = 0;
  copy.users.clear();

  ForEachQuantizationTensor(copy.quantization, [&](int32_t& reference, auto) {
    if (reference < 0 || static_cast<size_t>(reference) >= source_.tensors().size()) {
      return;
    }
    const Tensor* there = Get(&source_.tensor(static_cast<size_t>(reference)));
    reference = there == nullptr ? -1 : static_cast<int32_t>(there->index);
  });
  return &copy;
}

Op& SubgraphCopier::CopyOp(const Op& op) {
  Op& copy = target_.AddOp();
  const uint32_t index = copy.index;
  copy = op;
  copy.index = index;
  copy.subgraph = &target_;
  copy.inputs.clear();
  copy.outputs.clear();
  for (const Tensor* input : op.inputs) Subgraph::AddInput(copy, Get(input));
  for (const Tensor* output : op.outputs) {
    Subgraph::AddOutput(copy, *Get(output));
  }
  for (Tensor*& tensor : copy.intermediates) tensor = Get(tensor);
  return copy;
}

void CopySubgraphFields(const Subgraph& from, Subgraph& to) {
  to.name = from.name;
  to.debug_metadata_index = from.debug_metadata_index;
  to.empty_fields = from.empty_fields;
}

SubgraphCopier CopyWholeSubgraph(const Subgraph& from, Subgraph& to) {
  SubgraphCopier copier(from, to);
  // Quantisation may refer forward, so that a copy by need would reorder the tensors.
  for (const auto& tensor : from.tensors()) copier.Bind(*tensor, &to.AddTensor());
  for (const auto& tensor : from.tensors()) {
    Tensor& copy = to.tensor(tensor->index);
    BufferStore* const store = copy.weights.store;
    copy = *tensor;
    copy.weights.store = store;
    copy.defining_op = nullptr;
    copy.users.clear();
  }
  for (const auto& op : from.ops()) copier.CopyOp(*op);
  for (const Tensor* tensor : from.inputs) to.inputs.push_back(copier.Get(tensor));
  for (const Tensor* tensor : from.outputs) to.outputs.push_back(copier.Get(tensor));
  return copier;
}

std::unique_ptr<Model> CopyModelFields(const Model& model) {
  auto copy = std::make_unique<Model>(model.shared_buffers());
  copy->schema_version = model.schema_version;
  copy->description = model.description;
  copy->has_description = model.has_description;
  copy->operator_codes = model.operator_codes;
  copy->metadata = model.metadata;
  copy->metadata_buffer = model.metadata_buffer;
  copy->external_buffer_groups = model.external_buffer_groups;
  copy->external_buffers = model.external_buffers;
  copy->spare_buffers = model.spare_buffers;
  copy->trailing_bytes = model.trailing_bytes;
  copy->empty_fields = model.empty_fields;
  return copy;
}

void UpdateOperatorCodes(Model& model) {
  const std::vector<Model::OperatorCode> old = std::move(model.operator_codes);
  const auto fits = [](const Model::OperatorCode& entry, const Op& op) {
    return entry.code == op.code && entry.custom_code == op.custom_code &&
           entry.version == op.version;
  };
  // Entries that the file has twice stay apart: the hint says which is meant.
  std::vector<bool> used(old.size());
  std::vector<Model::OperatorCode> added;
  for (const auto& subgraph : model.subgraphs()) {
    for (const auto& op : subgraph->ops()) {
      size_t entry = op->operator_code_hint;
      if (entry >= old.size() || !fits(old[entry], *op)) {
        entry = static_cast<size_t>(
            std::find_if(old.begin(), old.end(),
                         [&](const Model::OperatorCode& code) { return fits(code, *op); }) -
            old.begin());
      }
      if (entry == old.size()) {
        entry += static_cast<size_t>(
            std::find_if(added.begin(), added.end(),
                         [&](const Model::OperatorCode& code) { return fits(code, *op); }) -
            added.begin());
        if (entry == old.size() + added.size()) {
          added.push_back(
              {.code = op->code, .custom_code = op->custom_code, .version = op->version});
        }
      } else {
        used[entry] = true;
      }
      op->operator_code_hint = static_cast<uint32_t>(entry);
    }
  }
  std::vector<uint32_t> new_index(old.size() + added.size());
  for (size_t i = 0; i < new_index.size(); ++i) {
    if (i < old.size() && !used[i]) continue;
    new_index[i] = static_cast<uint32_t>(model.operator_codes.size());
    model.operator_codes.push_back(i < old.size() ? old[i] : added[i - old.size()]);
  }
  for (const auto& subgraph : model.subgraphs()) {
    for (const auto& op : subgraph->ops()) {
      op->operator_code_hint = new_index[op->operator_code_hint];
    }
  }
}

void CopySignatures(const Model& from, Model& to,
                    const std::function<Subgraph*(size_t index)>& subgraph_of,
                    const std::function<Tensor*(size_t index, const Tensor& tensor)>& translate) {
  std::unordered_map<const Subgraph*, size_t> index_of;
  for (size_t i = 0; i < from.subgraphs().size(); ++i) {
    index_of.emplace(&from.subgraph(i), i);
  }
  for (const auto& signature : from.signatures) {
    auto copy = std::make_unique<Signature>(*signature);
    const auto found = index_of.find(signature->subgraph);
    if (found != index_of.end()) {
      const size_t index = found->second;
      copy->subgraph = subgraph_of(index);
      for (auto* ports : {&copy->inputs, &copy->outputs}) {
        for (Signature::NamedTensor& port : *ports) {
          if (port.tensor != nullptr) {
            port.tensor = translate(index, *port.tensor);
          }
        }
      }
    }
    to.signatures.push_back(std::move(copy));
  }
}

std::unique_ptr<Model> CopyModel(const Model& model) {
  auto copy = CopyModelFields(model);
  std::vector<SubgraphCopier> copiers;
  for (const auto& subgraph : model.subgraphs()) {
    Subgraph& target = copy->AddSubgraph();
    CopySubgraphFields(*subgraph, target);
    copiers.push_back(CopyWholeSubgraph(*subgraph, target));
  }
  CopySignatures(
      model, *copy, [&](size_t i) { return &copy->subgraph(i); },
      [&](size_t i, const Tensor& tensor) { return copiers[i].Get(&tensor); });
  return copy;
}

}  // namespace npukit
