// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// WHILE: while the condition, called with the values, is true, the body makes new ones of them.

#include <fmt/format.h>

#include <cstring>
#include <utility>

#include "litert/cc/litert_macros.h"
#include "sdk/host/runtime/control/special_kernels.h"
#include "sdk/host/runtime/control/subgraph_call.h"

namespace npukit {
namespace {

using kernels::Node;

// One of a scalar and a vector of one element.
bool IsSingle(std::span<const int32_t> shape) {
  return shape.empty() || (shape.size() == 1 && shape[0] == 1);
}

// Where no turn changes a shape, the values are kept in the op's outputs, else in memory that grows
// with them.
class WhileKernel final : public kernels::Kernel {
 public:
  WhileKernel(const Node& node, std::unique_ptr<SubgraphCall> condition,
              std::unique_ptr<SubgraphCall> body)
      : name_(kernels::NodeName(node)),
        condition_(std::move(condition)),
        body_(std::move(body)),
        values_(node.inputs.size()),
        owned_(node.inputs.size()) {
    for (const kernels::Operand* input : node.inputs) shapes_.push_back(input->shape);
    is_static_ = condition_->graph().is_static() && body_->graph().is_static();
    for (size_t i = 0; is_static_ && i < shapes_.size(); ++i) {
      const auto given = body_->graph().output(i).shape;
      is_static_ =
          std::ranges::equal(given, shapes_[i]) || (IsSingle(given) && IsSingle(shapes_[i]));
    }
  }

  std::vector<std::optional<kernels::Shape>> OutputShapes() const {
    std::vector<std::optional<kernels::Shape>> shapes(shapes_.size());
    for (size_t i = 0; is_static_ && i < shapes.size(); ++i) {
      const auto given = body_->graph().output(i).shape;
      shapes[i].emplace(given.begin(), given.end());
    }
    return shapes;
  }
  const RunTimeOutputs& run_time_outputs() const { return owned_; }

  litert::Expected<void> Run(const kernels::RunContext& context) const override {
    for (size_t i = 0; i < values_.size(); ++i) {
      values_[i] = {.shape = shapes_[i], .bytes = context.inputs[i]};
      LITERT_RETURN_IF_ERROR(Keep(context, i, values_[i]));
    }
    while (true) {
      LITERT_RETURN_IF_ERROR(condition_->Run(values_));
      const PassedValue more = condition_->output(0);
      if (!IsSingle(more.shape)) {
        return litert::Unexpected(kLiteRtStatusErrorInvalidArgument,
                                  fmt::format("{}: its condition gives {}, expected one element",
                                              name_, kernels::ShapeText(more.shape)));
      }
      if (more.bytes.front() == 0) return {};
      // The body has copied its arguments, and its outputs lie in its own memory until it runs
      // again: so one can be kept after the other, though the body gives an input of its own as an
      // output (docs/kernels.md has what TFLite makes of that).
      LITERT_RETURN_IF_ERROR(body_->Run(values_));
      for (size_t i = 0; i < values_.size(); ++i)
        LITERT_RETURN_IF_ERROR(Keep(context, i, body_->output(i)));
    }
  }

 private:
  litert::Expected<void> Keep(const kernels::RunContext& context, size_t index,
                              const PassedValue& value) const {
    if (!is_static_) {
      LITERT_RETURN_IF_ERROR(owned_.Set(index, value));
      values_[index] = owned_.at(index);
      return {};
    }
    const std::span<uint8_t> output = context.outputs[index];
    if (!output.empty()) std::memcpy(output.data(), value.bytes.data(), output.size());
    values_[index] = {.shape = shapes_[index], .bytes = output};
    return {};
  }

  std::string name_;
  std::unique_ptr<SubgraphCall> condition_;
  std::unique_ptr<SubgraphCall> body_;
  std::vector<kernels::Shape> shapes_;  // of the inputs
  bool is_static_ = false;
  mutable std::vector<PassedValue> values_;  // of this turn
  mutable OwnedValues owned_;                // unless static
};

struct Subgraphs {
  int32_t condition = -1;
  int32_t body = -1;
};

litert::Expected<Subgraphs> SubgraphsOf(const Node& node) {
  if (const auto* options = node.op->OptionsAs<WhileOptions>()) {
    return Subgraphs{.condition = options->cond_subgraph_index,
                     .body = options->body_subgraph_index};
  }
  if (const auto* options = node.op->OptionsAs<StablehloWhileOptions>()) {
    return Subgraphs{.condition = options->cond_subgraph_index,
                     .body = options->body_subgraph_index};
  }
  return kernels::InvalidNode(node, "has no options");
}

}  // namespace

litert::Expected<SpecialStep> MakeWhile(const GraphContext& context, const Node& node) {
  LITERT_ASSIGN_OR_RETURN(const Subgraphs subgraphs, SubgraphsOf(node));
  if (node.outputs.size() != node.inputs.size()) {
    return kernels::InvalidNode(node, fmt::format("has {} inputs and {} outputs, expected as many",
                                                  node.inputs.size(), node.outputs.size()));
  }
  LITERT_ASSIGN_OR_RETURN(auto condition, SubgraphCall::Create(context, node, subgraphs.condition,
                                                               "condition", node.inputs, 1));
  if (condition->graph().output(0).tensor->element_type != kLiteRtElementTypeBool)
    return kernels::InvalidNode(node, "its condition gives no bool");
  LITERT_ASSIGN_OR_RETURN(auto body, SubgraphCall::Create(context, node, subgraphs.body, "body",
                                                          node.inputs, node.outputs.size()));
  LITERT_RETURN_IF_ERROR(CheckOutputTypes(node, *body));
  for (size_t i = 0; i < node.inputs.size(); ++i) {
    if (node.inputs[i]->type() == node.outputs[i]->type()) continue;
    return kernels::InvalidNode(node, node.inputs[i], "must have the type of its output");
  }
  auto kernel = std::make_unique<WhileKernel>(node, std::move(condition), std::move(body));
  SpecialStep step;
  step.shapes = kernel->OutputShapes();
  step.run_time_outputs = &kernel->run_time_outputs();
  step.kernel = std::move(kernel);
  return step;
}

}  // namespace npukit
