// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/partition/cut_out.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "sdk/host/model/options/subgraph_references.h"
#include "sdk/host/partition/copy.h"

namespace npukit {
namespace {

// The subgraphs that options name, each copied once, with those that they name in turn.
class Callees {
 public:
  Callees(const Model& from, Model& to) : from_(from), to_(to) {}

  void Redirect(OpOptions& options) {
    EditSubgraphReferences(options, [&](const char*, int32_t& index) {
      if (index >= 0 && static_cast<size_t>(index) < from_.subgraphs().size())
        index = static_cast<int32_t>(CopyOf(static_cast<size_t>(index)));
    });
  }

 private:
  size_t CopyOf(size_t index) {
    if (const auto known = copies_.find(index); known != copies_.end()) return known->second;
    const size_t number = to_.subgraphs().size();
    copies_[index] = number;
    Subgraph& copy = to_.AddSubgraph();
    CopySubgraphFields(from_.subgraph(index), copy);
    CopyWholeSubgraph(from_.subgraph(index), copy);
    for (const auto& op : copy.ops()) Redirect(op->options);
    return number;
  }

  const Model& from_;
  Model& to_;
  std::map<size_t, size_t> copies_;
};

bool IsReadOutside(const Subgraph& subgraph, const Tensor& tensor, const std::set<uint32_t>& ops) {
  if (subgraph.IsOutput(tensor) || tensor.users.empty()) return true;
  return std::any_of(tensor.users.begin(), tensor.users.end(),
                     [&](const Tensor::User& user) { return !ops.contains(user.op->index); });
}

// In the order of the subgraph's own inputs, then of first use.
std::vector<const Tensor*> InputsOf(const Subgraph& subgraph, const std::set<uint32_t>& ops) {
  std::vector<const Tensor*> inner;
  std::set<const Tensor*> read;
  for (uint32_t index : ops) {
    for (const Tensor* input : subgraph.op(index).inputs) {
      if (input == nullptr || input->is_constant() || input->external_buffer != 0) continue;
      const bool is_inside =
          input->defining_op != nullptr && ops.contains(input->defining_op->index);
      const bool is_own = subgraph.IsInput(*input);
      // A variable, or a tensor without a value that stands for an omitted input.
      if (is_inside || (input->defining_op == nullptr && !is_own)) continue;
      if (read.insert(input).second && !is_own) inner.push_back(input);
    }
  }
  std::vector<const Tensor*> inputs;
  for (const Tensor* input : subgraph.inputs) {
    if (read.contains(input)) inputs.push_back(input);
  }
  inputs.insert(inputs.end(), inner.begin(), inner.end());
  return inputs;
}

}  // namespace

litert::Expected<CutOut> CutOps(const Model& model, size_t subgraph,
                                const std::set<uint32_t>& ops) {
  const auto bad = [](std::string why) {
    return litert::Unexpected(kLiteRtStatusErrorInvalidArgument, std::move(why));
  };
  if (subgraph >= model.subgraphs().size()) return bad(fmt::format("no subgraph {}", subgraph));
  const Subgraph& from = model.subgraph(subgraph);
  if (ops.empty()) return bad("no op is left");
  if (*ops.rbegin() >= from.ops().size()) return bad(fmt::format("no op {}", *ops.rbegin()));

  CutOut cut{.model = CopyModelFields(model), .inputs = InputsOf(from, ops)};
  cut.model->metadata.clear();
  cut.model->metadata_buffer.clear();
  cut.model->spare_buffers.clear();
  cut.model->trailing_bytes.clear();
  Subgraph& to = cut.model->AddSubgraph();
  CopySubgraphFields(from, to);
  to.debug_metadata_index = -1;
  SubgraphCopier copier(from, to);
  for (const Tensor* input : cut.inputs) to.inputs.push_back(copier.Get(input));
  Callees callees(model, *cut.model);
  for (uint32_t index : ops) {
    Op& copy = copier.CopyOp(from.op(index));
    copy.debug_metadata_index = -1;
    callees.Redirect(copy.options);
  }
  for (uint32_t index : ops) {
    for (const Tensor* output : from.op(index).outputs) {
      if (IsReadOutside(from, *output, ops)) to.outputs.push_back(copier.Get(output));
    }
  }
  UpdateOperatorCodes(*cut.model);
  return cut;
}

}  // namespace npukit
