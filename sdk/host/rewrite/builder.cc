// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/rewrite/builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "litert/c/litert_builder.h"
#include "sdk/host/model/order/topological_order.h"
#include "sdk/host/rewrite/replaced_ops.h"

namespace {

template <typename Things, typename Thing>
bool Contains(const Things& things, const Thing* thing) {
  return thing->index < things.size() && things[thing->index].get() == thing;
}

litert::Unexpected Refused(const std::string& why) {
  return litert::Unexpected(kLiteRtStatusErrorGraphModification, why);
}

// Describes a tensor's value, not its place in the graph.
void CopyValue(const LiteRtTensorT& from, LiteRtTensorT& to) {
  to.name = from.name;
  to.element_type = from.element_type;
  to.shape = from.shape;
  to.shape_signature = from.shape_signature;
  to.has_rank = from.has_rank;
  to.quantization = from.quantization;
  to.has_quantization = from.has_quantization;
}

}  // namespace

LiteRtBuilderT::LiteRtBuilderT(LiteRtSubgraphT& target, bool has_block_wise_argument)
    : target_(target), has_block_wise_argument_(has_block_wise_argument), scratch_(&store_) {}

bool LiteRtBuilderT::Owns(const LiteRtOpT* op) const { return Contains(scratch_.ops(), op); }

bool LiteRtBuilderT::Owns(const LiteRtTensorT* tensor) const {
  return Contains(scratch_.tensors(), tensor);
}

bool LiteRtBuilderT::Knows(const LiteRtTensorT* tensor) const {
  return tensor != nullptr && (Owns(tensor) || Contains(target_.tensors(), tensor));
}

LiteRtTensorT& LiteRtBuilderT::BuildTensor(const LiteRtTensorT& value) {
  LiteRtTensorT& tensor = scratch_.AddTensor();
  CopyValue(value, tensor);
  return tensor;
}

bool LiteRtBuilderT::SetBlockWise(LiteRtTensorT& tensor,
                                  const LiteRtQuantizationBlockWise& block_wise) {
  if (!Knows(block_wise.scales) ||
      (block_wise.zero_points != nullptr && !Knows(block_wise.zero_points))) {
    return false;
  }
  block_wise_[&tensor] = block_wise;
  return true;
}

bool LiteRtBuilderT::BuildWeights(LiteRtTensorT& tensor, std::span<const uint8_t> bytes) {
  if (!Owns(&tensor)) return false;
  tensor.weights.store = &store_;
  tensor.weights.buffer_id = store_.Add(npukit::SharedBytes::Copy(bytes));
  return true;
}

LiteRtOpT* LiteRtBuilderT::BuildOp(LiteRtOpCode code, std::span<LiteRtTensorT* const> inputs,
                                   std::span<LiteRtTensorT* const> outputs) {
  const auto known = [&](const LiteRtTensorT* t) { return Knows(t); };
  if (!std::all_of(inputs.begin(), inputs.end(), known) ||
      !std::all_of(outputs.begin(), outputs.end(), known)) {
    return nullptr;
  }
  LiteRtOpT& op = scratch_.AddOp();
  op.code = code;
  // The subgraph's own tensors learn of the op in Apply.
  for (LiteRtTensorT* input : inputs) {
    if (Owns(input)) {
      LiteRtSubgraphT::AddInput(op, input);
    } else {
      op.inputs.push_back(input);
    }
  }
  for (LiteRtTensorT* output : outputs) {
    if (Owns(output) && !output->defining_op) {
      LiteRtSubgraphT::AddOutput(op, *output);
    } else {
      op.outputs.push_back(output);
    }
  }
  return &op;
}

bool LiteRtBuilderT::Erase(LiteRtOpT& op) {
  if (!Owns(&op) && !Contains(target_.ops(), &op)) return false;
  erased_.insert(&op);
  return true;
}

bool LiteRtBuilderT::empty() const { return erased_.empty() && scratch_.ops().empty(); }

// Every tensor that is read, or is an output of the subgraph, must keep exactly
// one producer, or have been without one before.
litert::Expected<void> LiteRtBuilderT::CheckProducers() const {
  std::unordered_map<const LiteRtTensorT*, const LiteRtOpT*> produced;
  for (const auto& op : scratch_.ops()) {
    if (Erases(op.get())) continue;
    for (const LiteRtTensorT* output : op->outputs) {
      if (!produced.emplace(output, op.get()).second) {
        return Refused(fmt::format("two new ops write tensor '{}'", output->name));
      }
      if (Owns(output)) continue;
      if (output->defining_op && !Erases(output->defining_op)) {
        return Refused(
            fmt::format("a new op writes tensor '{}', whose own op stays", output->name));
      }
      if (target_.IsInput(*output) || output->is_constant()) {
        return Refused(fmt::format("a new op writes tensor '{}', which is an input or a constant",
                                   output->name));
      }
    }
  }
  const auto lost = [&](const LiteRtTensorT* tensor) {
    return tensor && tensor->defining_op && Erases(tensor->defining_op) &&
           !produced.contains(tensor);
  };
  for (const LiteRtTensorT* output : target_.outputs) {
    if (lost(output)) {
      return Refused(fmt::format("output '{}' would not be written", output->name));
    }
  }
  for (const LiteRtSubgraphT* ops : {static_cast<const LiteRtSubgraphT*>(&target_), &scratch_}) {
    for (const auto& op : ops->ops()) {
      if (Erases(op.get())) continue;
      for (const LiteRtTensorT* input : op->inputs) {
        if (lost(input)) {
          return Refused(
              fmt::format("tensor '{}' is still read but would not be written", input->name));
        }
      }
    }
  }
  return {};
}

// The ops that the subgraph would have can be ordered.
litert::Expected<void> LiteRtBuilderT::CheckAcyclic() const {
  std::vector<const LiteRtOpT*> ops;
  for (const LiteRtSubgraphT* subgraph :
       {static_cast<const LiteRtSubgraphT*>(&target_), &scratch_}) {
    for (const auto& op : subgraph->ops()) {
      if (!Erases(op.get())) ops.push_back(op.get());
    }
  }
  std::unordered_map<const LiteRtTensorT*, size_t> producers;
  for (size_t i = 0; i < ops.size(); ++i) {
    for (const LiteRtTensorT* output : ops[i]->outputs) producers[output] = i;
  }
  std::vector<std::vector<uint32_t>> readers(ops.size());
  for (size_t i = 0; i < ops.size(); ++i) {
    for (const LiteRtTensorT* input : ops[i]->inputs) {
      const auto producer = producers.find(input);
      if (producer != producers.end())
        readers[producer->second].push_back(static_cast<uint32_t>(i));
    }
  }
  const auto order = npukit::SortTopologically(static_cast<uint32_t>(ops.size()),
                                               [&](uint32_t producer, auto visit) {
                                                 for (const uint32_t reader : readers[producer])
                                                   visit(reader);
                                               });
  if (order.stuck) return Refused("the graph would have a cycle");
  return {};
}

// By op of scratch_ that is not erased.
std::vector<std::vector<const LiteRtOpT*>> LiteRtBuilderT::FindReplaced() const {
  std::vector<const LiteRtOpT*> built;
  for (const auto& op : scratch_.ops()) {
    if (!Erases(op.get())) built.push_back(op.get());
  }
  std::vector<const LiteRtOpT*> erased;
  for (const auto& op : target_.ops()) {
    if (Erases(op.get())) erased.push_back(op.get());
  }
  return npukit::ReplacedOps(built, erased);
}

// New tensors come to the subgraph when the first op that names them does.
LiteRtTensorT* LiteRtBuilderT::InTarget(LiteRtTensorT* tensor, TensorMap& moved) {
  if (!Owns(tensor)) return tensor;
  LiteRtTensorT*& copy = moved[tensor];
  if (copy) return copy;
  copy = &target_.AddTensor();
  CopyValue(*tensor, *copy);
  if (tensor->weights.store != &store_) {
    copy->weights = tensor->weights;
  } else if (tensor->weights.buffer_id != npukit::BufferStore::kEmpty) {
    copy->weights.buffer_id = target_.buffer_store()->Add(store_.Get(tensor->weights.buffer_id));
  }
  if (const auto found = block_wise_.find(tensor); found != block_wise_.end()) {
    const auto [scales, zero_points, block_size] = found->second;
    copy->quantization.blockwise = npukit::Quantization::Blockwise{
        .scales_tensor = static_cast<int32_t>(InTarget(scales, moved)->index),
        .zero_points_tensor =
            zero_points ? static_cast<int32_t>(InTarget(zero_points, moved)->index) : -1,
        .block_size_elems = block_size};
  }
  return copy;
}

litert::Expected<void> LiteRtBuilderT::Apply() {
  if (auto ok = CheckProducers(); !ok) return ok;
  if (auto ok = CheckAcyclic(); !ok) return ok;

  // While the erased ops are still there.
  std::vector<std::vector<const LiteRtOpT*>> replaced = FindReplaced();
  std::unordered_set<const LiteRtTensorT*> touched;
  // New ops stand where the first erased one stood; sorting at the end moves only what has to.
  size_t position = target_.ops().size();
  for (const LiteRtOpT* op : erased_) {
    if (Owns(op)) continue;
    position = std::min<size_t>(position, op->index);
    touched.insert(op->inputs.begin(), op->inputs.end());
    touched.insert(op->outputs.begin(), op->outputs.end());
  }
  target_.EraseOpsIf([&](const LiteRtOpT& op) { return Erases(&op); });

  TensorMap moved;
  for (const auto& built : scratch_.ops()) {
    if (Erases(built.get())) continue;
    LiteRtOpT& op = target_.InsertOp(position++);
    // Both lists have the ops that stay of scratch_, in its order.
    replacements_.push_back({&op, std::move(replaced[replacements_.size()])});
    op.code = built->code;
    op.options = built->options;
    for (LiteRtTensorT* input : built->inputs) {
      LiteRtSubgraphT::AddInput(op, InTarget(input, moved));
    }
    for (LiteRtTensorT* output : built->outputs) {
      LiteRtSubgraphT::AddOutput(op, *InTarget(output, moved));
    }
  }
  // Tensors that only erased ops named go with them.
  target_.EraseTensorsIf([&](const LiteRtTensorT& tensor) { return touched.contains(&tensor); });
  erased_.clear();
  return target_.SortTopologically();
}

extern "C" {

LiteRtStatus LiteRtBuilderBuildWeights(LiteRtBuilder builder, const uint8_t* data,
                                       LiteRtParamIndex size, LiteRtTensor tensor,
                                       LiteRtWeights* new_weights) {
  if (!builder || (size > 0 && !data) || !tensor || !new_weights ||
      !builder->BuildWeights(*tensor, {data, size})) {
    return kLiteRtStatusErrorInvalidArgument;
  }
  *new_weights = &tensor->weights;
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtBuilderBuildOp(LiteRtBuilder builder, LiteRtOpCode op_code,
                                  LiteRtParamIndex num_inputs, LiteRtTensor* inputs,
                                  LiteRtParamIndex num_outputs, LiteRtTensor* outputs,
                                  LiteRtOp* new_op) {
  if (!builder || (num_inputs > 0 && !inputs) || (num_outputs > 0 && !outputs) || !new_op) {
    return kLiteRtStatusErrorInvalidArgument;
  }
  LiteRtOpT* op = builder->BuildOp(op_code, {inputs, num_inputs}, {outputs, num_outputs});
  if (!op) return kLiteRtStatusErrorInvalidArgument;
  *new_op = op;
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtBuilderEraseOp(LiteRtBuilder builder, LiteRtOp op_to_erase) {
  if (!builder || !op_to_erase || !builder->Erase(*op_to_erase)) {
    return kLiteRtStatusErrorInvalidArgument;
  }
  return kLiteRtStatusOk;
}

}  // extern "C"
