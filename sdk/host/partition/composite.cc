// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/partition/composite.h"

#include <fmt/format.h>

#include <string>

#include "sdk/host/model/graph/op_text.h"

namespace npukit {
namespace {

// Composites in composites multiply ops; a hostile file must not exhaust memory
// by that.
constexpr uint64_t kMaxUnfoldedOps = uint64_t{1} << 20;

litert::Unexpected Refuse(const Op& op, size_t subgraph, const std::string& what) {
  return litert::Unexpected(kLiteRtStatusErrorInvalidArgument,
                            fmt::format("subgraph {}, {}: {}", subgraph, OpText(op), what));
}

litert::Expected<void> CheckComposite(const Model& model, size_t subgraph, const Op& op) {
  const auto& options = *op.OptionsAs<StableHLOCompositeOptions>();
  const Subgraph* body = DecompositionOf(model, op);
  if (body == nullptr || body == &model.main_subgraph()) {
    return Refuse(op, subgraph,
                  fmt::format("decomposition subgraph {}: expected 1 to {}",
                              options.decomposition_subgraph_index, model.subgraphs().size() - 1));
  }
  if (body->inputs.size() != op.inputs.size() || body->outputs.size() != op.outputs.size()) {
    return Refuse(op, subgraph,
                  fmt::format("{} inputs and {} outputs, but its decomposition has {} and {}",
                              op.inputs.size(), op.outputs.size(), body->inputs.size(),
                              body->outputs.size()));
  }
  for (size_t i = 0; i < op.inputs.size(); ++i) {
    if (op.inputs[i] == nullptr && body->IsOutput(*body->inputs[i])) {
      return Refuse(op, subgraph,
                    fmt::format("its decomposition puts out input {}, which is omitted", i));
    }
  }
  return {};
}

// Subgraphs that the composites of subgraph `index` decompose to.
std::vector<size_t> Callees(const Model& model, size_t index) {
  std::vector<size_t> callees;
  for (const auto& op : model.subgraph(index).ops()) {
    if (DecompositionOf(model, *op) == nullptr) continue;
    callees.push_back(static_cast<size_t>(
        op->OptionsAs<StableHLOCompositeOptions>()->decomposition_subgraph_index));
  }
  return callees;
}

// How many ops subgraph `index` has with all composites inlined, if that is
// known of those that they decompose to. Stops counting above the limit.
uint64_t UnfoldedOps(const Model& model, size_t index, const std::vector<uint64_t>& unfolded) {
  uint64_t count = 0;
  for (size_t callee : Callees(model, index)) {
    count += unfolded[callee];
    if (count > kMaxUnfoldedOps) break;
  }
  return count + model.subgraph(index).ops().size();
}

// Depth-first over subgraphs, without recursion: the file decides the depth.
litert::Expected<void> CheckNesting(const Model& model) {
  enum class State : uint8_t { kUnseen, kOpen, kDone };
  struct Frame {
    size_t subgraph;
    std::vector<size_t> callees;
    size_t next = 0;
  };
  std::vector<State> state(model.subgraphs().size(), State::kUnseen);
  std::vector<uint64_t> unfolded(state.size());
  for (size_t root = 0; root < state.size(); ++root) {
    if (state[root] != State::kUnseen) continue;
    std::vector<Frame> stack;
    state[root] = State::kOpen;
    stack.push_back({root, Callees(model, root)});
    while (!stack.empty()) {
      Frame& top = stack.back();
      if (top.next == top.callees.size()) {
        state[top.subgraph] = State::kDone;
        unfolded[top.subgraph] = UnfoldedOps(model, top.subgraph, unfolded);
        if (unfolded[top.subgraph] > kMaxUnfoldedOps + model.subgraph(top.subgraph).ops().size()) {
          return litert::Unexpected(
              kLiteRtStatusErrorInvalidArgument,
              fmt::format("subgraph {}: its composites unfold to more than {} ops", top.subgraph,
                          kMaxUnfoldedOps));
        }
        stack.pop_back();
        continue;
      }
      const size_t callee = top.callees[top.next++];
      if (state[callee] == State::kOpen) {
        return litert::Unexpected(
            kLiteRtStatusErrorInvalidArgument,
            fmt::format("subgraph {}: a composite that contains itself", callee));
      }
      if (state[callee] == State::kDone) continue;
      state[callee] = State::kOpen;
      stack.push_back({callee, Callees(model, callee)});
    }
  }
  return {};
}

// For each output of a decomposition, whether an op of it computes the tensor
// and no earlier output is the same one.
std::vector<bool> ComputedOutputs(const Subgraph& body) {
  std::vector<bool> seen(body.tensors().size());
  std::vector<bool> computed;
  for (const Tensor* output : body.outputs) {
    computed.push_back(output->defining_op != nullptr && !seen[output->index]);
    seen[output->index] = true;
  }
  return computed;
}

}  // namespace

CompositeKind KindOf(const Op& op) {
  if (op.code != kLiteRtOpCodeShloComposite) return CompositeKind::kNone;
  const auto* options = op.OptionsAs<StableHLOCompositeOptions>();
  if (options == nullptr) return CompositeKind::kNone;
  if (options->name == kNpuCallComposite) return CompositeKind::kNpuCall;
  if (options->name == "odml.cpu_call") return CompositeKind::kCpuCall;
  return CompositeKind::kPlain;
}

std::string CompositeName(const Op& op) {
  if (KindOf(op) == CompositeKind::kNone) return {};
  return op.OptionsAs<StableHLOCompositeOptions>()->name;
}

const Subgraph* DecompositionOf(const Model& model, const Op& op) {
  if (KindOf(op) == CompositeKind::kNone) return nullptr;
  const int32_t index = op.OptionsAs<StableHLOCompositeOptions>()->decomposition_subgraph_index;
  if (index < 0 || static_cast<size_t>(index) >= model.subgraphs().size()) {
    return nullptr;
  }
  return &model.subgraph(static_cast<size_t>(index));
}

litert::Expected<void> CheckComposites(const Model& model) {
  for (size_t s = 0; s < model.subgraphs().size(); ++s) {
    for (const auto& op : model.subgraph(s).ops()) {
      if (KindOf(*op) == CompositeKind::kNone) continue;
      if (auto checked = CheckComposite(model, s, *op); !checked) {
        return checked;
      }
    }
  }
  return CheckNesting(model);
}

std::vector<bool> DecompositionSubgraphs(const Model& model) {
  std::vector<bool> is_decomposition(model.subgraphs().size());
  for (size_t s = 0; s < model.subgraphs().size(); ++s) {
    for (size_t callee : Callees(model, s)) is_decomposition[callee] = true;
  }
  return is_decomposition;
}

std::vector<const Tensor*> PassedThroughOutputs(const Model& model, const Op& op) {
  std::vector<const Tensor*> outputs;
  const std::vector<bool> computed = ComputedOutputs(*DecompositionOf(model, op));
  for (size_t i = 0; i < computed.size(); ++i) {
    if (!computed[i]) outputs.push_back(op.outputs[i]);
  }
  return outputs;
}

void InlineComposite(const Model& model, const Op& op, SubgraphCopier& copier,
                     const std::function<void(const Op& from, Op& to)>& visit) {
  const Subgraph& body = *DecompositionOf(model, op);
  SubgraphCopier inner(body, copier.target());
  for (size_t i = 0; i < op.inputs.size(); ++i) {
    inner.Bind(*body.inputs[i], copier.Get(op.inputs[i]));
  }
  // What an op of the body computes takes the composite's output's place. An input that is passed
  // through, or an output that is given twice, is there already under another tensor: the
  // composite's output then becomes that one.
  const std::vector<bool> computed = ComputedOutputs(body);
  for (size_t i = 0; i < computed.size(); ++i) {
    if (computed[i]) inner.Bind(*body.outputs[i], copier.Get(op.outputs[i]));
  }
  for (size_t i = 0; i < computed.size(); ++i) {
    if (!computed[i]) copier.Bind(*op.outputs[i], inner.Get(body.outputs[i]));
  }
  for (const auto& inner_op : body.ops()) {
    Op& copy = inner.CopyOp(*inner_op);
    if (visit) visit(*inner_op, copy);
  }
}

}  // namespace npukit
