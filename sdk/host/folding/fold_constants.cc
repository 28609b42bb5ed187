// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/folding/fold_constants.h"

#include <algorithm>
#include <deque>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "litert/cc/litert_macros.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/oracle/kernel_oracle.h"
#include "sdk/host/model/shapes/run_time_shapes.h"
#include "sdk/host/model/sparsity/sparse_constant.h"

namespace npukit {
namespace {

// Results of more bytes may be four times as large as the operands, as DEQUANTIZE of int8 makes
// them, no more: FILL or TILE would make large files of small ones.
constexpr uint64_t kFreeBytes = uint64_t{64} << 10;
constexpr uint64_t kMaxGrowth = 4;
constexpr uint64_t kMaxFoldedBytes = uint64_t{2} << 30;  // of a model: what a file can hold

void SetConstant(Model& model, Tensor& tensor, std::vector<uint8_t> bytes) {
  tensor.weights.store = &model.buffers();
  tensor.weights.buffer_id = model.buffers().Add(SharedBytes::Take(std::move(bytes)));
}

// Whether its inputs have the file's shapes: those of subgraphs that ops call have their callers'.
bool IsEntry(const Model& model, const Subgraph& subgraph) {
  if (&subgraph == &model.main_subgraph()) return true;
  return std::ranges::any_of(
      model.signatures, [&](const auto& signature) { return signature->subgraph == &subgraph; });
}

// A constant whose bytes are its elements: sparse ones stay so where they would take too many.
bool IsDense(const Tensor& tensor) { return tensor.is_constant() && !tensor.sparsity; }

// An op as the kernels see it: constants' values, shapes as far as they are known.
struct NodeOfOp {
  std::deque<kernels::Operand> operands;
  kernels::Node node;

  explicit NodeOfOp(const Op& op) {
    node.op = &op;
    for (const Tensor* tensor : op.inputs) {
      if (tensor != nullptr) {
        operands.push_back(
            {.tensor = tensor,
             .shape = tensor->shape,
             .constant = IsDense(*tensor) ? tensor->weights.bytes() : std::span<const uint8_t>()});
      }
      node.inputs.push_back(tensor == nullptr ? nullptr : &operands.back());
    }
    for (const Tensor* tensor : op.outputs) {
      operands.push_back({.tensor = tensor, .shape = {}, .constant = {}});
      node.outputs.push_back(&operands.back());
    }
  }
};

class SubgraphFolder {
 public:
  SubgraphFolder(Model& model, Subgraph& subgraph, uint64_t& folded_bytes)
      : model_(model), subgraph_(subgraph), folded_bytes_(folded_bytes) {
    if (!IsEntry(model, subgraph)) return;
    for (const Tensor* input : subgraph.inputs) {
      if (!input->is_dynamic()) shaped_.insert(input);
    }
  }

  // How much was done; `origins` of the ops that are left.
  litert::Expected<size_t> Run(std::vector<std::vector<uint32_t>>& origins) {
    size_t done = 0;
    for (const auto& tensor : subgraph_.tensors()) {
      if (!tensor->is_constant() || !tensor->sparsity) continue;
      const uint64_t dense_bytes = DenseBytes(tensor->element_type, tensor->shape).value_or(0);
      if (dense_bytes > kMaxFoldedBytes - folded_bytes_) continue;
      LITERT_ASSIGN_OR_RETURN(std::vector<uint8_t> dense, DenseElements(*tensor));
      folded_bytes_ += dense_bytes;
      SetConstant(model_, *tensor, std::move(dense));
      tensor->sparsity.reset();
      ++done;
    }
    std::set<const Op*> folded;
    for (const auto& op : subgraph_.ops()) {
      // Ops come in topological order: what was folded is a constant when its readers are looked
      // at.
      stands_for_[op.get()].insert(op->index);
      if (!Visit(*op)) continue;
      folded.insert(op.get());
      ++done;
    }
    subgraph_.EraseOpsIf([&](const Op& op) { return folded.contains(&op); });
    if (!folded.empty()) subgraph_.EraseUnusedTensors();
    origins.clear();
    for (const auto& op : subgraph_.ops())
      origins.emplace_back(stands_for_[op.get()].begin(), stands_for_[op.get()].end());
    return done;
  }

 private:
  bool IsShaped(const Tensor& tensor) const {
    return tensor.is_constant() || (tensor.is_variable && !tensor.is_dynamic()) ||
           shaped_.contains(&tensor);
  }

  bool CanFold(const Op& op) const {
    const bool all_known =
        ReadsOnlyShapes(op.code) || std::ranges::all_of(op.inputs, [](const Tensor* tensor) {
          return tensor == nullptr || (IsDense(*tensor) && !tensor->is_variable);
        });
    // An output of the graph needs an op that computes it.
    const bool stays_inside = std::ranges::none_of(
        op.outputs, [&](const Tensor* tensor) { return subgraph_.IsOutput(*tensor); });
    return all_known && stays_inside;
  }

  // Whether the results are worth their bytes.
  bool IsWorthIt(const Op& op, uint64_t out_bytes) {
    uint64_t in_bytes = 0;
    for (const Tensor* tensor : op.inputs)
      in_bytes += tensor == nullptr ? 0 : tensor->weights.bytes().size();
    const bool grows = out_bytes > kFreeBytes && out_bytes / kMaxGrowth > in_bytes;
    if (grows || out_bytes > kMaxFoldedBytes - folded_bytes_) return false;
    folded_bytes_ += out_bytes;
    return true;
  }

  // Learns the shapes of an op's results and, if it can be done, makes these constants: then true.
  bool Visit(Op& op) {
    if (op.is_dispatch() || op.code == kLiteRtOpCodeTflCustom ||
        op.code == kLiteRtOpCodeShloComposite || op.inputs.empty() || op.outputs.empty() ||
        kernels::FindOperator(op) == nullptr) {
      return false;
    }
    const bool all_shaped = std::ranges::all_of(
        op.inputs, [&](const Tensor* tensor) { return tensor == nullptr || IsShaped(*tensor); });
    if (!all_shaped) return false;
    NodeOfOp made(op);
    const auto inferred = kernels::InferNode(made.node);
    if (!inferred || inferred->needs_value_of) return false;
    if (CanFold(op) && Fold(op, made.node, *inferred)) return true;
    for (size_t i = 0; i < op.outputs.size(); ++i) {
      SetShape(*op.outputs[i], inferred->shapes[i]);
      shaped_.insert(op.outputs[i]);
    }
    return false;
  }

  // Makes the op's outputs constants. False, with nothing changed, if that can't be done.
  bool Fold(Op& op, kernels::Node& node, const kernels::Inferred& inferred) {
    std::vector<std::span<const uint8_t>> in;
    for (const kernels::Operand* operand : node.inputs)
      in.push_back(operand == nullptr ? std::span<const uint8_t>() : operand->constant);
    std::vector<uint64_t> sizes;
    uint64_t out_bytes = 0;
    for (size_t i = 0; i < op.outputs.size(); ++i) {
      const auto size_bytes = DenseBytes(op.outputs[i]->element_type, inferred.shapes[i]);
      if (!size_bytes || *size_bytes == 0 || *size_bytes > kMaxFoldedBytes) return false;
      node.outputs[i]->shape = inferred.shapes[i];
      sizes.push_back(*size_bytes);
      out_bytes += *size_bytes;
    }
    if (!IsWorthIt(op, out_bytes)) return false;
    std::vector<std::vector<uint8_t>> results;
    for (uint64_t size_bytes : sizes) results.emplace_back(size_bytes);
    const std::vector<std::span<uint8_t>> out(results.begin(), results.end());
    const auto kernel = kernels::PrepareNode(node);
    if (!kernel || !kernels::RunKernelOnce(**kernel, in, out)) return false;
    Replace(op, inferred, std::move(results));
    return true;
  }

  static void SetShape(Tensor& tensor, const kernels::Shape& shape) {
    tensor.shape = shape;
    tensor.shape_signature.clear();
  }

  void Replace(Op& op, const kernels::Inferred& inferred,
               std::vector<std::vector<uint8_t>> results) {
    const std::vector<Tensor*> outputs = op.outputs;
    const std::set<uint32_t> origins = stands_for_[&op];
    Subgraph::Disconnect(op);
    for (size_t i = 0; i < outputs.size(); ++i) {
      SetShape(*outputs[i], inferred.shapes[i]);
      SetConstant(model_, *outputs[i], std::move(results[i]));
      for (const Tensor::User& user : outputs[i]->users)
        stands_for_[user.op].insert(origins.begin(), origins.end());
    }
  }

  Model& model_;
  Subgraph& subgraph_;
  uint64_t& folded_bytes_;
  std::set<const Tensor*> shaped_;                      // computed ones whose shape is certain
  std::map<const Op*, std::set<uint32_t>> stands_for_;  // positions in the subgraph as it was
};

}  // namespace

litert::Expected<RewriteCount> FoldConstants(Model& model) {
  RewriteCount count;
  uint64_t folded_bytes = 0;
  for (const auto& subgraph : model.subgraphs()) {
    auto& origins = count.origins.emplace_back();
    LITERT_ASSIGN_OR_RETURN(const size_t done,
                            SubgraphFolder(model, *subgraph, folded_bytes).Run(origins));
    count.applied += done;
  }
  return count;
}

}  // namespace npukit
