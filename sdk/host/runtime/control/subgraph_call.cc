// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/runtime/control/subgraph_call.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "litert/cc/litert_macros.h"
#include "sdk/host/runtime/plan/unsupported_ops.h"

namespace npukit {
namespace {

// Subgraphs that call each other twice over double with each level.
constexpr size_t kMaxGraphs = 4096;

// TFLite takes inputs off a subgraph that has no use for them: what they are passed is not looked at.
bool IsUnused(const Subgraph& subgraph, const Tensor& input) {
  return input.users.empty() &&
         std::ranges::find(subgraph.outputs, &input) == subgraph.outputs.end();
}

// Counts a call while it is planned or run.
class CallDepth {
 public:
  explicit CallDepth(ModelState& state) : state_(state) { ++state_.call_depth; }
  ~CallDepth() { --state_.call_depth; }
  CallDepth(const CallDepth&) = delete;
  CallDepth& operator=(const CallDepth&) = delete;

  bool is_too_deep() const { return state_.call_depth > kMaxNestedSubgraphs; }

 private:
  ModelState& state_;
};

}  // namespace

litert::Expected<std::unique_ptr<SubgraphCall>> SubgraphCall::Create(
    const GraphContext& context, const kernels::Node& node, int64_t index, std::string_view role,
    std::span<const kernels::Operand* const> arguments, size_t num_outputs) {
  const auto subgraphs = context.model->subgraphs();
  if (index < 0 || index >= static_cast<int64_t>(subgraphs.size())) {
    return kernels::InvalidNode(node, fmt::format("names subgraph {} as its {}, the model has {}",
                                                  index, role, subgraphs.size()));
  }
  const Subgraph& subgraph = *subgraphs[static_cast<size_t>(index)];
  if (subgraph.inputs.size() != arguments.size() || subgraph.outputs.size() != num_outputs) {
    return kernels::InvalidNode(
        node, fmt::format("its {}, subgraph {}, has {} inputs and {} outputs, expected {} and {}",
                          role, index, subgraph.inputs.size(), subgraph.outputs.size(),
                          arguments.size(), num_outputs));
  }
  GraphRunner::Options options{.resized_inputs = {},
                               .keep_intermediates = false,
                               .takes_other_shapes = true,
                               .on_stage = {}};
  for (size_t i = 0; i < arguments.size(); ++i) {
    const kernels::Operand* argument = arguments[i];
    if (argument == nullptr) return kernels::InvalidNode(node, "omits an input");
    const Tensor& input = *subgraph.inputs[i];
    if (argument->type() != input.element_type && IsUnused(subgraph, input)) continue;
    if (argument->type() != input.element_type) {
      return kernels::InvalidNode(
          node, argument,
          fmt::format("is passed to its {} as {}", role, ElementTypeName(input.element_type)));
    }
    options.resized_inputs[&input] = argument->shape;
  }
  if (context.state->num_calls >= kMaxGraphs) {
    return kernels::UnsupportedNode(
        node, fmt::format("is one of more than {} calls of subgraphs", kMaxGraphs));
  }
  const CallDepth depth(*context.state);
  if (depth.is_too_deep()) return NestedTooDeep(subgraph);
  std::unique_ptr<SubgraphCall> call(
      new SubgraphCall(context, fmt::format("{}: {}", kernels::NodeName(node), role)));
  // Before its graph is made: that plans the calls within, which count, too.
  ++context.state->num_calls;
  auto graph = GraphRunner::Create(context, subgraph, std::move(options));
  if (!graph) return call->Failed(graph.Error());
  call->graph_ = std::move(*graph);
  call->shapes_.resize(arguments.size());
  for (size_t i = 0; i < arguments.size(); ++i) {
    const Tensor& input = *subgraph.inputs[i];
    call->is_passed_.push_back(arguments[i]->type() == input.element_type);
    if (!call->is_passed_[i]) call->shapes_[i] = call->graph_->input(i).shape;
  }
  return call;
}

SubgraphCall::~SubgraphCall() { --context_.state->num_calls; }

litert::Unexpected SubgraphCall::Failed(const litert::Error& error) const {
  return litert::Unexpected(error.Status(), fmt::format("{}: {}", name_, error.Message()));
}

litert::Expected<void> SubgraphCall::Run(std::span<const PassedValue> arguments) {
  if (!context_.state->CountCall()) {
    return litert::Unexpected(
        kLiteRtStatusErrorRuntimeFailure,
        fmt::format("{}: more than {} turns of loops and calls of subgraphs in one run", name_,
                    context_.state->max_calls_per_run()));
  }
  const CallDepth depth(*context_.state);
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (is_passed_[i]) shapes_[i] = arguments[i].shape;
  }
  if (auto planned = graph_->SetInputShapes(shapes_); !planned) return Failed(planned.Error());
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (!is_passed_[i]) continue;
    if (auto set = graph_->SetInput(i, arguments[i].bytes); !set) return Failed(set.Error());
  }
  if (auto run = graph_->Run(); !run) return Failed(run.Error());
  return {};
}

PassedValue SubgraphCall::output(size_t index) const {
  const GraphRunner::Value value = graph_->output(index);
  return {.shape = value.shape, .bytes = value.bytes};
}

litert::Expected<void> CheckOutputTypes(const kernels::Node& node, const SubgraphCall& call) {
  for (size_t i = 0; i < node.outputs.size(); ++i) {
    const Tensor& given = *call.graph().output(i).tensor;
    if (given.element_type == node.outputs[i]->type()) continue;
    return kernels::InvalidNode(node, fmt::format("gives output {} as {}, the subgraph has {}", i,
                                                  ElementTypeName(node.outputs[i]->type()),
                                                  ElementTypeName(given.element_type)));
  }
  return {};
}

}  // namespace npukit
