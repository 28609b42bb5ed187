// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/model/graph/subgraph.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "sdk/host/model/graph/op_text.h"
#include "sdk/host/model/order/topological_order.h"

namespace {

using TensorSet = std::unordered_set<const LiteRtTensorT*>;

void RemoveUser(LiteRtTensorT& tensor, const LiteRtOpT& op, uint32_t input_index) {
  auto& users = tensor.users;
  const auto place = std::find_if(users.begin(), users.end(), [&](const LiteRtTensorT::User& user) {
    return user.op == &op && user.input_index == input_index;
  });
  if (place != users.end()) users.erase(place);
}

}  // namespace

LiteRtTensorT& LiteRtSubgraphT::AddTensor() {
  auto& tensor = *tensors_.emplace_back(std::make_unique<LiteRtTensorT>());
  tensor.index = static_cast<uint32_t>(tensors_.size() - 1);
  tensor.weights.store = store_;
  return tensor;
}

LiteRtOpT& LiteRtSubgraphT::AddOp() {
  auto& op = *ops_.emplace_back(std::make_unique<LiteRtOpT>());
  op.index = static_cast<uint32_t>(ops_.size() - 1);
  op.subgraph = this;
  return op;
}

LiteRtOpT& LiteRtSubgraphT::InsertOp(size_t position) {
  position = std::min(position, ops_.size());
  auto place =
      ops_.insert(ops_.begin() + static_cast<ptrdiff_t>(position), std::make_unique<LiteRtOpT>());
  (*place)->subgraph = this;
  for (size_t i = position; i < ops_.size(); ++i) ops_[i]->index = static_cast<uint32_t>(i);
  return *ops_[position];
}

void LiteRtSubgraphT::AddInput(LiteRtOpT& op, LiteRtTensorT* tensor) {
  if (tensor != nullptr) tensor->users.push_back({&op, static_cast<uint32_t>(op.inputs.size())});
  op.inputs.push_back(tensor);
}

void LiteRtSubgraphT::AddOutput(LiteRtOpT& op, LiteRtTensorT& tensor) {
  tensor.defining_op = &op;
  tensor.defining_output_index = static_cast<uint32_t>(op.outputs.size());
  op.outputs.push_back(&tensor);
}

void LiteRtSubgraphT::ReplaceInput(LiteRtOpT& op, size_t input_index, LiteRtTensorT* tensor) {
  LiteRtTensorT*& slot = op.inputs[input_index];
  const auto index = static_cast<uint32_t>(input_index);
  if (slot != nullptr) RemoveUser(*slot, op, index);
  if (tensor != nullptr) tensor->users.push_back({&op, index});
  slot = tensor;
}

void LiteRtSubgraphT::ReplaceAllUses(LiteRtTensorT& from, LiteRtTensorT& to) {
  if (&from == &to) return;
  for (const LiteRtTensorT::User& user : from.users) {
    user.op->inputs[user.input_index] = &to;
    to.users.push_back(user);
  }
  from.users.clear();
  std::replace(outputs.begin(), outputs.end(), &from, &to);
}

void LiteRtSubgraphT::Disconnect(LiteRtOpT& op) {
  for (size_t i = 0; i < op.inputs.size(); ++i) {
    if (op.inputs[i] != nullptr) RemoveUser(*op.inputs[i], op, static_cast<uint32_t>(i));
  }
  for (LiteRtTensorT* output : op.outputs) {
    if (output->defining_op == &op) output->defining_op = nullptr;
  }
  op.inputs.clear();
  op.outputs.clear();
  op.intermediates.clear();
  op.mutating_variable_inputs.clear();
}

void LiteRtSubgraphT::EraseOpsIf(const std::function<bool(const LiteRtOpT&)>& predicate) {
  std::unordered_set<const LiteRtOpT*> doomed;
  for (const auto& op : ops_) {
    if (predicate(*op)) doomed.insert(op.get());
  }
  if (doomed.empty()) return;
  // Tensor by tensor rather than op by op: a tensor with many readers is walked
  // once.
  for (const auto& tensor : tensors_) {
    std::erase_if(tensor->users,
                  [&](const LiteRtTensorT::User& user) { return doomed.contains(user.op); });
    if (doomed.contains(tensor->defining_op)) tensor->defining_op = nullptr;
  }
  std::erase_if(ops_, [&](const auto& op) { return doomed.contains(op.get()); });
  Renumber();
}

void LiteRtSubgraphT::EraseTensorsIf(const std::function<bool(const LiteRtTensorT&)>& predicate) {
  TensorSet needed(inputs.begin(), inputs.end());
  needed.insert(outputs.begin(), outputs.end());
  for (const auto& op : ops_) needed.insert(op->intermediates.begin(), op->intermediates.end());

  std::vector<bool> stays(tensors_.size());
  std::vector<size_t> to_follow;
  const auto keep = [&](size_t i) {
    if (stays[i]) return;
    stays[i] = true;
    to_follow.push_back(i);
  };
  for (size_t i = 0; i < tensors_.size(); ++i) {
    const LiteRtTensorT& tensor = *tensors_[i];
    // A tensor may be needed only by the quantisation of another that stays: followed below.
    const bool referred = !tensor.users.empty() || tensor.defining_op != nullptr ||
                          needed.contains(&tensor) || !predicate(tensor);
    if (referred) keep(i);
  }
  while (!to_follow.empty()) {
    const size_t i = to_follow.back();
    to_follow.pop_back();
    npukit::ForEachQuantizationTensor(tensors_[i]->quantization, [&](int32_t reference, auto) {
      if (reference >= 0 && static_cast<size_t>(reference) < tensors_.size())
        keep(static_cast<size_t>(reference));
    });
  }

  std::vector<std::unique_ptr<LiteRtTensorT>> old_tensors = std::move(tensors_);
  tensors_.clear();
  std::vector<int32_t> new_index(old_tensors.size(), -1);
  for (size_t i = 0; i < old_tensors.size(); ++i) {
    if (!stays[i]) continue;
    new_index[i] = static_cast<int32_t>(tensors_.size());
    tensors_.push_back(std::move(old_tensors[i]));
  }
  for (const auto& tensor : tensors_) {
    npukit::ForEachQuantizationTensor(tensor->quantization, [&](int32_t& reference, auto) {
      if (reference >= 0 && static_cast<size_t>(reference) < new_index.size()) {
        reference = new_index[static_cast<size_t>(reference)];
      }
    });
  }
  Renumber();
}

void LiteRtSubgraphT::EraseUnusedTensors() {
  EraseTensorsIf([](const LiteRtTensorT&) { return true; });
}

litert::Expected<void> LiteRtSubgraphT::SortTopologically() {
  const npukit::TopologicalOrder order = npukit::SortTopologically(
      static_cast<uint32_t>(ops_.size()), [this](uint32_t index, auto visit) {
        for (const LiteRtTensorT* output : ops_[index]->outputs) {
          for (const LiteRtTensorT::User& user : output->users) visit(user.op->index);
        }
      });
  if (order.stuck) {
    return litert::Unexpected(
        kLiteRtStatusErrorInvalidArgument,
        fmt::format("{} is part of a cycle, or reads from one: expected ops that can be ordered",
                    npukit::OpText(*ops_[*order.stuck])));
  }
  std::vector<std::unique_ptr<LiteRtOpT>> sorted;
  sorted.reserve(ops_.size());
  for (uint32_t index : order.nodes) sorted.push_back(std::move(ops_[index]));
  ops_ = std::move(sorted);
  Renumber();
  return {};
}

bool LiteRtSubgraphT::IsInput(const LiteRtTensorT& tensor) const {
  return std::find(inputs.begin(), inputs.end(), &tensor) != inputs.end();
}

bool LiteRtSubgraphT::IsOutput(const LiteRtTensorT& tensor) const {
  return std::find(outputs.begin(), outputs.end(), &tensor) != outputs.end();
}

void LiteRtSubgraphT::Renumber() {
  for (size_t i = 0; i < tensors_.size(); ++i) tensors_[i]->index = static_cast<uint32_t>(i);
  for (size_t i = 0; i < ops_.size(); ++i) ops_[i]->index = static_cast<uint32_t>(i);
}
