// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/partition/outline.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "litert/cc/litert_macros.h"
#include "sdk/host/model/graph/dispatch_op.h"
#include "sdk/host/model/graph/op_text.h"
#include "sdk/host/model/options/subgraph_references.h"
#include "sdk/host/partition/composite.h"
#include "sdk/host/partition/grouping/op_dag.h"

namespace npukit {
namespace {

constexpr int32_t kOutside = -1;

// What a group passes in and out, as tensors of the source.
struct Ports {
  std::vector<const Tensor*> inputs;
  std::vector<const Tensor*> outputs;
};

class Outliner {
 public:
  Outliner(const Model& model, const Subgraph& source, const Grouping& grouping,
           const std::vector<bool>& observed, SubgraphCopier& outer, Model& bodies)
      : model_(model),
        source_(source),
        grouping_(grouping),
        outer_(outer),
        bodies_(bodies),
        group_of_op_(source.ops().size(), kOutside),
        input_rank_(source.tensors().size(), kNoRank),
        is_port_(observed) {
    for (size_t g = 0; g < grouping.groups.size(); ++g) {
      for (uint32_t op : grouping.groups[g].ops) {
        group_of_op_[op] = static_cast<int32_t>(g);
      }
    }
    // From the back: of a tensor that is an input twice, the first rank counts.
    for (size_t i = source.inputs.size(); i-- > 0;) {
      input_rank_[source.inputs[i]->index] = static_cast<uint32_t>(i);
    }
    for (const Tensor* tensor : source.inputs) is_port_[tensor->index] = true;
    for (const Tensor* tensor : source.outputs) is_port_[tensor->index] = true;
  }

  litert::Expected<std::vector<Op*>> Run() {
    CopyOuterTensors();
    std::vector<Op*> dispatch_ops;
    for (const Grouping::Step& step : grouping_.order) {
      if (!step.is_group) {
        CopyOuterOp(source_.op(step.index));
        continue;
      }
      LITERT_ASSIGN_OR_RETURN(Op * made, OutlineGroup(grouping_.groups[step.index]));
      dispatch_ops.push_back(made);
    }
    for (const Tensor* tensor : source_.inputs) {
      outer_.target().inputs.push_back(outer_.Get(tensor));
    }
    for (const Tensor* tensor : source_.outputs) {
      outer_.target().outputs.push_back(outer_.Get(tensor));
    }
    return dispatch_ops;
  }

 private:
  static constexpr uint32_t kNoRank = ~uint32_t{0};

  // Constants, and tensors that stay empty: whatever nothing computes and
  // nobody passes in.
  bool IsConstant(const Tensor& tensor) const {
    return tensor.defining_op == nullptr && input_rank_[tensor.index] == kNoRank;
  }

  bool IsReadOutside(const Tensor& tensor, int32_t group) const {
    return is_port_[tensor.index] ||
           std::any_of(tensor.users.begin(), tensor.users.end(), [&](const Tensor::User& user) {
             return group_of_op_[user.op->index] != group;
           });
  }

  // Whether the outer subgraph needs the tensor: all but what a single group
  // keeps to itself.
  bool StaysOutside(const Tensor& tensor) const {
    if (is_port_[tensor.index]) return true;
    if (tensor.defining_op != nullptr) {
      const int32_t group = group_of_op_[tensor.defining_op->index];
      return group == kOutside || IsReadOutside(tensor, group);
    }
    return tensor.users.empty() || IsReadByOuterOp(tensor);
  }

  bool IsReadByOuterOp(const Tensor& tensor) const {
    return std::any_of(tensor.users.begin(), tensor.users.end(), [&](const Tensor::User& user) {
      const Op& op = *user.op;
      return group_of_op_[op.index] == kOutside || KindOf(op) == CompositeKind::kNpuCall;
    });
  }

  // In their old order. Left to be copied at need: what an inlined op puts out
  // by another name, what only a group uses, what quantisation refers to.
  void CopyOuterTensors() {
    std::vector<bool> later(source_.tensors().size());
    for (const auto& tensor : source_.tensors()) {
      later[tensor->index] = !StaysOutside(*tensor);
    }
    for (const auto& op : source_.ops()) {
      const bool outside = group_of_op_[op->index] == kOutside;
      if (outside && KindOf(*op) == CompositeKind::kCpuCall) {
        for (const Tensor* tensor : PassedThroughOutputs(model_, *op)) {
          later[tensor->index] = true;
        }
      }
      // A group's scratch tensors have no users and no defining op.
      for (const Tensor* tensor : op->intermediates) {
        later[tensor->index] = !outside;
      }
    }
    MarkQuantizationTensors(later);
    for (const auto& tensor : source_.tensors()) {
      if (!later[tensor->index]) outer_.Get(tensor.get());
    }
  }

  // Tensors that only quantisation refers to go with those that refer to them.
  void MarkQuantizationTensors(std::vector<bool>& later) const {
    for (const auto& tensor : source_.tensors()) {
      ForEachQuantizationTensor(tensor->quantization, [&](int32_t reference, auto) {
        if (reference < 0) return;
        const auto index = static_cast<size_t>(reference);
        if (index < later.size() && source_.tensor(index).users.empty() && !is_port_[index]) {
          later[index] = true;
        }
      });
    }
  }

  void CopyOuterOp(const Op& op) {
    if (KindOf(op) == CompositeKind::kCpuCall) {
      InlineComposite(model_, op, outer_, nullptr);
    } else {
      outer_.CopyOp(op);
    }
  }

  litert::Expected<Op*> OutlineGroup(const OpGroup& group) {
    const Op& first = source_.op(group.ops.front());
    if (KindOf(first) == CompositeKind::kNpuCall) return OutlineNpuCall(first);
    const Ports ports = FindPorts(group);
    Subgraph& body = bodies_.AddSubgraph();
    SubgraphCopier copier(source_, body);
    for (const Tensor* tensor : ports.inputs) {
      body.inputs.push_back(copier.Get(tensor));
    }
    for (uint32_t op : group.ops) {
      ForgetDecomposition(copier.CopyOp(source_.op(op)));
    }
    for (const Tensor* tensor : ports.outputs) {
      body.outputs.push_back(copier.Get(tensor));
    }
    return AddDispatchOp(ports, body);
  }

  litert::Expected<Op*> OutlineNpuCall(const Op& op) {
    const Subgraph& decomposition = *DecompositionOf(model_, op);
    if (std::count(op.inputs.begin(), op.inputs.end(), nullptr) != 0) {
      return litert::Unexpected(kLiteRtStatusErrorUnsupported,
                                OpText(op) + ": an omitted input: expected all to be given");
    }
    Subgraph& body = bodies_.AddSubgraph();
    CopyWholeSubgraph(decomposition, body);
    for (const auto& inner : body.ops()) ForgetDecomposition(*inner);
    return AddDispatchOp({.inputs = {op.inputs.begin(), op.inputs.end()},
                          .outputs = {op.outputs.begin(), op.outputs.end()}},
                         body);
  }

  Ports FindPorts(const OpGroup& group) {
    const int32_t number = group_of_op_[group.ops.front()];
    Ports ports;
    for (uint32_t position : group.ops) {
      const Op& op = source_.op(position);
      for (const Tensor* tensor : op.inputs) {
        if (tensor == nullptr || IsConstant(*tensor)) continue;
        const Op* producer = tensor->defining_op;
        if (producer != nullptr && group_of_op_[producer->index] == number) {
          continue;
        }
        ports.inputs.push_back(tensor);
      }
      for (const Tensor* tensor : op.outputs) {
        if (IsReadOutside(*tensor, number)) ports.outputs.push_back(tensor);
      }
    }
    OrderInputs(ports.inputs);
    return ports;
  }

  // First occurrences only: graph inputs by rank, then the rest as it came.
  void OrderInputs(std::vector<const Tensor*>& inputs) {
    std::vector<const Tensor*> distinct;
    seen_.resize(source_.tensors().size());
    for (const Tensor* tensor : inputs) {
      if (seen_[tensor->index]) continue;
      seen_[tensor->index] = true;
      distinct.push_back(tensor);
    }
    for (const Tensor* tensor : distinct) seen_[tensor->index] = false;
    // Those that are no inputs of the source all have the rank kNoRank, the last, and keep their
    // order.
    std::stable_sort(distinct.begin(), distinct.end(), [&](const Tensor* a, const Tensor* b) {
      return input_rank_[a->index] < input_rank_[b->index];
    });
    inputs = std::move(distinct);
  }

  // The subgraph it names lies in another model.
  static void ForgetDecomposition(Op& op) {
    if (auto* options = op.options.As<StableHLOCompositeOptions>()) {
      options->decomposition_subgraph_index = -1;
    }
  }

  Op* AddDispatchOp(const Ports& ports, Subgraph& body) {
    body.name = fmt::format("partition_{}", bodies_.subgraphs().size() - 1);
    Op& op = outer_.target().AddOp();
    op.code = kLiteRtOpCodeTflCustom;
    op.custom_code = kDispatchOpCustomCode;
    for (const Tensor* tensor : ports.inputs) {
      Subgraph::AddInput(op, outer_.Get(tensor));
    }
    for (const Tensor* tensor : ports.outputs) {
      Subgraph::AddOutput(op, *outer_.Get(tensor));
    }
    return &op;
  }

  const Model& model_;
  const Subgraph& source_;
  const Grouping& grouping_;
  SubgraphCopier& outer_;
  Model& bodies_;
  std::vector<int32_t> group_of_op_;
  std::vector<uint32_t> input_rank_;  // of tensors among the source's inputs
  std::vector<bool> is_port_;         // of the source, or observed
  std::vector<bool> seen_;            // scratch of OrderInputs
};

}  // namespace

litert::Expected<std::vector<Op*>> OutlineGroups(const Model& model, const Subgraph& source,
                                                 const Grouping& grouping,
                                                 const std::vector<bool>& observed,
                                                 SubgraphCopier& outer, Model& bodies) {
  return Outliner(model, source, grouping, observed, outer, bodies).Run();
}

const char* WhyNotOutlinable(const Op& op) {
  if (IsDispatchOp(op)) {
    return "compiled before";
  }
  if (HasSideEffects(op)) return "it has effects beyond its outputs";
  if (KindOf(op) == CompositeKind::kNone && !SubgraphReferences(op.options).empty()) {
    return "it calls other subgraphs";
  }
  for (const Tensor* input : op.inputs) {
    if (input != nullptr && input->is_variable) {
      return "it keeps state in a variable tensor";
    }
  }
  return nullptr;
}

}  // namespace npukit
