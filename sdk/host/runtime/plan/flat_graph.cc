// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/runtime/plan/flat_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "litert/cc/litert_macros.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/runtime/plan/plan_error.h"
#include "sdk/host/runtime/plan/unsupported_ops.h"

namespace npukit {
namespace {

// Composites included: decompositions that use each other twice over double with each level, also
// where the last has no op.
constexpr size_t kMaxOps = 1'000'000;

// Whether the operator can do without its input `index`.
bool MayBeOmitted(const Op& op, size_t index) {
  const kernels::Operator* found = kernels::FindOperator(op);
  if (found == nullptr) return false;
  for (const kernels::Signature::Clause& clause : found->signature().clauses()) {
    size_t end = 0;
    for (const kernels::Signature::Slot& slot : clause.inputs) {
      end = slot.max_count > op.inputs.size() ? op.inputs.size() : end + slot.max_count;
      if (index >= end) continue;
      if (slot.is_optional) return true;
      break;
    }
  }
  return false;
}

// Some files name a tensor without value where they mean none. Not where RESHAPE is told to make a
// scalar: by a vector of no elements, which takes no bytes.
bool IsNothing(const Op& op, const Tensor& tensor) {
  const bool is_empty_vector = tensor.shape == std::vector<int32_t>{0};
  if (op.code == kLiteRtOpCodeTflReshape && is_empty_vector) return false;
  return tensor.defining_op == nullptr && !tensor.is_variable && !tensor.is_constant() &&
         tensor.external_buffer == 0;
}

}  // namespace

litert::Expected<FlatGraph> FlatGraph::Build(const Model& model, const Subgraph& subgraph) {
  FlatGraph graph(model);
  Frame frame;
  for (const Tensor* tensor : subgraph.inputs) {
    const int value = graph.AddValue(*tensor, FlatValue::Source::kInput);
    frame[tensor] = value;
    graph.inputs_.push_back(value);
  }
  LITERT_RETURN_IF_ERROR(graph.AddOps(subgraph, frame, {}, graph.order_));
  for (const Tensor* tensor : subgraph.outputs) {
    LITERT_ASSIGN_OR_RETURN(const int value, graph.ValueOf(*tensor, frame));
    graph.outputs_.push_back(value);
  }
  return graph;
}

int FlatGraph::AddValue(const Tensor& tensor, FlatValue::Source source) {
  const int index = static_cast<int>(values_.size());
  values_.push_back({.tensor = &tensor, .source = source});
  value_of_.emplace(&tensor, index);
  return index;
}

int FlatGraph::Resolve(int value) const {
  while (this->value(value).same_as != kNoValue) value = this->value(value).same_as;
  return value;
}

// The value of a tensor that is read: bound already, or a constant, or a variable.
litert::Expected<int> FlatGraph::ValueOf(const Tensor& tensor, Frame& frame) {
  if (const auto bound = frame.find(&tensor); bound != frame.end()) return bound->second;
  if (tensor.external_buffer != 0) {
    return TensorError(kLiteRtStatusErrorUnsupported, tensor,
                       "its data lie outside the model file");
  }
  const bool is_empty =
      tensor.defining_op == nullptr && DenseBytes(tensor.element_type, tensor.shape) == uint64_t{0};
  if (!tensor.is_variable && !tensor.is_constant() && !is_empty) {
    return TensorError(kLiteRtStatusErrorInvalidGraphInvariant, tensor,
                       tensor.defining_op == nullptr ? "is read, but nothing gives it a value"
                                                     : "is read before the op that computes it");
  }
  // One state or constant, whoever refers to it.
  auto [known, is_new] = shared_.try_emplace(&tensor, kNoValue);
  if (is_new) {
    known->second = AddValue(
        tensor, tensor.is_variable ? FlatValue::Source::kVariable : FlatValue::Source::kConstant);
  }
  frame[&tensor] = known->second;
  return known->second;
}

litert::Expected<void> FlatGraph::AddOps(const Subgraph& subgraph, Frame& frame,
                                         const std::vector<const Subgraph*>& within,
                                         std::vector<int>& order) {
  for (const auto& op : subgraph.ops()) {
    LITERT_RETURN_IF_ERROR(AddOp(*op, frame, within, order));
  }
  return {};
}

litert::Expected<void> FlatGraph::AddOp(const Op& op, Frame& frame,
                                        const std::vector<const Subgraph*>& within,
                                        std::vector<int>& order) {
  LITERT_ASSIGN_OR_RETURN(const Subgraph* decomposition, DecompositionToRun(*model_, op));
  FlatOp flat{.op = &op, .inputs = {}, .outputs = {}, .decomposition = nullptr, .within = within};
  for (size_t i = 0; i < op.inputs.size(); ++i) {
    const Tensor* tensor = op.inputs[i];
    int value = kNoValue;
    const bool is_omitted = tensor == nullptr || (!frame.contains(tensor) &&
                                                  IsNothing(op, *tensor) && MayBeOmitted(op, i));
    if (!is_omitted) {
      LITERT_ASSIGN_OR_RETURN(value, ValueOf(*tensor, frame));
    }
    flat.inputs.push_back(value);
  }
  for (const Tensor* tensor : op.outputs) {
    if (frame.contains(tensor)) {
      return TensorError(kLiteRtStatusErrorInvalidGraphInvariant, *tensor,
                         "is computed by more than one op");
    }
    flat.outputs.push_back(AddValue(*tensor, FlatValue::Source::kOp));
    frame[tensor] = flat.outputs.back();
  }
  if (num_added_++ >= kMaxOps) {
    return litert::Unexpected(
        kLiteRtStatusErrorUnsupported,
        fmt::format("composites unfold to more than {} ops, the last {} (op {})", kMaxOps,
                    OpName(op), op.index));
  }
  if (decomposition != nullptr) return AddDecomposition(flat, *decomposition, order);
  if (op.code == kLiteRtOpCodeShloComposite) {
    const litert::Expected<const Subgraph*> checked = CheckedDecomposition(*model_, op);
    if (checked) flat.decomposition = *checked;
  }
  order.push_back(static_cast<int>(ops_.size()));
  ops_.push_back(std::move(flat));
  return {};
}

// Adds the decomposition's ops in place of the composite. Its inputs are the composite's, and so are
// the results that its ops compute.
litert::Expected<void> FlatGraph::AddDecomposition(const FlatOp& composite,
                                                   const Subgraph& decomposition,
                                                   std::vector<int>& order) {
  const Op& op = *composite.op;
  if (std::count(composite.within.begin(), composite.within.end(), &decomposition) != 0) {
    return litert::Unexpected(
        kLiteRtStatusErrorInvalidGraphInvariant,
        fmt::format("the composite decomposition '{}' contains itself", decomposition.name));
  }
  if (composite.within.size() >= kMaxNestedSubgraphs) return NestedTooDeep(decomposition);
  Frame inner;
  for (size_t i = 0; i < op.inputs.size(); ++i) {
    if (op.inputs[i] == nullptr) continue;
    inner[decomposition.inputs[i]] = composite.inputs[i];
    value_of_.emplace(decomposition.inputs[i], composite.inputs[i]);
  }
  for (size_t i = 0; i < op.outputs.size(); ++i) {
    const Tensor* result = decomposition.outputs[i];
    if (result->element_type != op.outputs[i]->element_type) {
      return TensorError(kLiteRtStatusErrorInvalidGraphInvariant, *op.outputs[i],
                         fmt::format("is {}, its decomposition gives {}",
                                     ElementTypeName(op.outputs[i]->element_type),
                                     ElementTypeName(result->element_type)));
    }
  }
  std::vector<const Subgraph*> within = composite.within;
  within.push_back(&decomposition);
  LITERT_RETURN_IF_ERROR(AddOps(decomposition, inner, within, order));
  for (size_t i = 0; i < op.outputs.size(); ++i) {
    const Tensor* result = decomposition.outputs[i];
    LITERT_ASSIGN_OR_RETURN(const int bound, ValueOf(*result, inner));
    // What the decomposition gives may itself be an input that was passed through, perhaps by a
    // composite within.
    const int same = Resolve(bound);
    FlatValue& value = values_[static_cast<size_t>(same)];
    values_[static_cast<size_t>(composite.outputs[i])].same_as = same;
    const bool is_own = result->defining_op != nullptr && value.tensor == result;
    if (is_own) value.tensor = op.outputs[i];
  }
  return {};
}

void FlatGraph::ForgetOps() {
  ops_.clear();
  ops_.shrink_to_fit();
  order_ = {};
  shared_ = {};
  expansions_ = {};
}

litert::Expected<std::span<const int>> FlatGraph::Expand(int op) {
  const auto [known, is_new] = expansions_.try_emplace(op);
  if (is_new) {
    const FlatOp composite = this->op(op);
    if (auto added = AddDecomposition(composite, *composite.decomposition, known->second); !added) {
      expansions_.erase(known);
      return litert::Unexpected(added.Error());
    }
  }
  return std::span<const int>(expansions_.at(op));
}

}  // namespace npukit
