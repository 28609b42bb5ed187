// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// IF, STABLEHLO_CASE and CALL run one of the subgraphs that they name, CALL_ONCE its subgraph in the
// first run.

#include <fmt/format.h>

#include <cstring>
#include <utility>

#include "litert/cc/litert_macros.h"
#include "sdk/host/runtime/control/special_kernels.h"
#include "sdk/host/runtime/control/subgraph_call.h"

namespace npukit {
namespace {

using kernels::Node;
using kernels::Operand;

// One of several subgraphs, with all inputs but those before `first_argument_`.
class BranchKernel final : public kernels::Kernel {
 public:
  // Gives the branch to run, from the first input's bytes; null: there is only one.
  using Choose = size_t (*)(std::span<const uint8_t> selector, size_t num_branches);

  BranchKernel(const Node& node, std::vector<std::unique_ptr<SubgraphCall>> branches,
               size_t first_argument, Choose choose)
      : branches_(std::move(branches)),
        first_argument_(first_argument),
        choose_(choose),
        arguments_(node.inputs.size() - first_argument),
        shapes_(node.inputs.size() - first_argument),
        outputs_(node.outputs.size()) {
    for (size_t i = 0; i < shapes_.size(); ++i) shapes_[i] = node.inputs[first_argument + i]->shape;
  }

  // Shapes of outputs that are the same whichever branch runs; nullopt for others.
  std::vector<std::optional<kernels::Shape>> OutputShapes(size_t num_outputs) const {
    std::vector<std::optional<kernels::Shape>> shapes(num_outputs);
    for (const auto& branch : branches_) {
      if (!branch->graph().is_static()) return shapes;
    }
    for (size_t i = 0; i < num_outputs; ++i) {
      const auto first = branches_.front()->graph().output(i).shape;
      bool same = true;
      for (const auto& branch : branches_)
        same = same && std::ranges::equal(branch->graph().output(i).shape, first);
      // As in TFLite: one output that differs leaves all of them to the run.
      if (!same) return std::vector<std::optional<kernels::Shape>>(num_outputs);
      shapes[i].emplace(first.begin(), first.end());
    }
    is_static_ = true;
    return shapes;
  }
  const RunTimeOutputs& run_time_outputs() const { return outputs_; }

  litert::Expected<void> Run(const kernels::RunContext& context) const override {
    const size_t chosen =
        choose_ == nullptr ? 0 : choose_(context.inputs.front(), branches_.size());
    SubgraphCall& branch = *branches_[chosen];
    for (size_t i = 0; i < arguments_.size(); ++i)
      arguments_[i] = {.shape = shapes_[i], .bytes = context.inputs[first_argument_ + i]};
    LITERT_RETURN_IF_ERROR(branch.Run(arguments_));
    for (size_t i = 0; i < context.outputs.size(); ++i) {
      const PassedValue value = branch.output(i);
      if (!is_static_) {
        LITERT_RETURN_IF_ERROR(outputs_.Set(i, value));
      } else if (!value.bytes.empty()) {
        std::memcpy(context.outputs[i].data(), value.bytes.data(), value.bytes.size());
      }
    }
    return {};
  }

 private:
  std::vector<std::unique_ptr<SubgraphCall>> branches_;
  size_t first_argument_;
  Choose choose_;
  mutable std::vector<PassedValue> arguments_;
  std::vector<kernels::Shape> shapes_;  // of the arguments
  mutable OwnedValues outputs_;         // unless static
  mutable bool is_static_ = false;
};

litert::Expected<SpecialStep> MakeBranches(const GraphContext& context, const Node& node,
                                           std::span<const int32_t> subgraphs,
                                           std::span<const std::string_view> roles,
                                           size_t first_argument, BranchKernel::Choose choose) {
  const std::span<const Operand* const> arguments = std::span(node.inputs).subspan(first_argument);
  std::vector<std::unique_ptr<SubgraphCall>> branches;
  for (size_t i = 0; i < subgraphs.size(); ++i) {
    LITERT_ASSIGN_OR_RETURN(
        auto branch, SubgraphCall::Create(context, node, subgraphs[i], roles[i % roles.size()],
                                          arguments, node.outputs.size()));
    LITERT_RETURN_IF_ERROR(CheckOutputTypes(node, *branch));
    branches.push_back(std::move(branch));
  }
  auto kernel = std::make_unique<BranchKernel>(node, std::move(branches), first_argument, choose);
  SpecialStep step;
  step.shapes = kernel->OutputShapes(node.outputs.size());
  step.run_time_outputs = &kernel->run_time_outputs();
  step.kernel = std::move(kernel);
  return step;
}

litert::Expected<void> CheckSelector(const Node& node, LiteRtElementType type) {
  const Operand* selector = node.input(0);
  if (selector == nullptr) return kernels::InvalidNode(node, "has no input that selects");
  if (selector->type() == type && selector->elems() == 1) return {};
  return kernels::InvalidNode(
      node, selector, fmt::format("selects, expected one element of {}", ElementTypeName(type)));
}

class CallOnceKernel final : public kernels::Kernel {
 public:
  CallOnceKernel(ModelState& state, int32_t subgraph, std::unique_ptr<SubgraphCall> call)
      : state_(state), subgraph_(subgraph), call_(std::move(call)) {}

  litert::Expected<void> Run(const kernels::RunContext& /*context*/) const override {
    if (state_.IsInitialised(subgraph_)) return {};
    LITERT_RETURN_IF_ERROR(call_->Run({}));
    state_.SetInitialised(subgraph_);
    return {};
  }

 private:
  ModelState& state_;
  int32_t subgraph_;
  std::unique_ptr<SubgraphCall> call_;
};

}  // namespace

litert::Expected<SpecialStep> MakeIf(const GraphContext& context, const Node& node) {
  const auto* options = node.op->OptionsAs<IfOptions>();
  if (options == nullptr) return kernels::InvalidNode(node, "has no options");
  LITERT_RETURN_IF_ERROR(CheckSelector(node, kLiteRtElementTypeBool));
  const int32_t subgraphs[] = {options->then_subgraph_index, options->else_subgraph_index};
  const std::string_view roles[] = {"then branch", "else branch"};
  return MakeBranches(context, node, subgraphs, roles, 1,
                      [](std::span<const uint8_t> selector, size_t) -> size_t {
                        return selector.front() != 0 ? 0 : 1;
                      });
}

litert::Expected<SpecialStep> MakeCase(const GraphContext& context, const Node& node) {
  const auto* options = node.op->OptionsAs<StablehloCaseOptions>();
  if (options == nullptr || options->branch_subgraph_indices.empty())
    return kernels::InvalidNode(node, "has no branches");
  LITERT_RETURN_IF_ERROR(CheckSelector(node, kLiteRtElementTypeInt32));
  const std::string_view roles[] = {"branch"};
  // StableHLO: an index out of range means the last branch.
  return MakeBranches(context, node, options->branch_subgraph_indices, roles, 1,
                      [](std::span<const uint8_t> selector, size_t num_branches) -> size_t {
                        int32_t index = 0;
                        std::memcpy(&index, selector.data(), sizeof(index));
                        const bool is_branch =
                            index >= 0 && static_cast<size_t>(index) < num_branches;
                        return is_branch ? static_cast<size_t>(index) : num_branches - 1;
                      });
}

litert::Expected<SpecialStep> MakeCall(const GraphContext& context, const Node& node) {
  const auto* options = node.op->OptionsAs<CallOptions>();
  if (options == nullptr) return kernels::InvalidNode(node, "has no options");
  const int32_t subgraphs[] = {static_cast<int32_t>(options->subgraph)};
  const std::string_view roles[] = {"subgraph"};
  return MakeBranches(context, node, subgraphs, roles, 0, nullptr);
}

litert::Expected<SpecialStep> MakeCallOnce(const GraphContext& context, const Node& node) {
  const auto* options = node.op->OptionsAs<CallOnceOptions>();
  if (options == nullptr) return kernels::InvalidNode(node, "has no options");
  if (!node.inputs.empty() || !node.outputs.empty())
    return kernels::InvalidNode(node, "has inputs or outputs, expected none");
  LITERT_ASSIGN_OR_RETURN(
      auto call,
      SubgraphCall::Create(context, node, options->init_subgraph_index, "initialisation", {}, 0));
  SpecialStep step;
  step.kernel = std::make_unique<CallOnceKernel>(*context.state, options->init_subgraph_index,
                                                 std::move(call));
  return step;
}

}  // namespace npukit
