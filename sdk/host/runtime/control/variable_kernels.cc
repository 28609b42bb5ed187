// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// VAR_HANDLE, READ_VARIABLE and ASSIGN_VARIABLE.

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <string>

#include "litert/cc/litert_macros.h"
#include "sdk/host/runtime/control/handle_kernel.h"
#include "sdk/host/runtime/control/special_kernels.h"
#include "sdk/host/runtime/execution/owned_values.h"

namespace npukit {
namespace {

using kernels::Node;
using kernels::Operand;

class ReadKernel final : public HandleUser {
 public:
  ReadKernel(const Node& node, ModelState& state, bool is_static)
      : HandleUser(node, state),
        element_type_(node.outputs[0]->type()),
        is_static_(is_static),
        owned_(1) {}

  const RunTimeOutputs& run_time_outputs() const { return owned_; }

  litert::Expected<void> Run(const kernels::RunContext& context) const override {
    LITERT_ASSIGN_OR_RETURN(const ResourceVariable* variable, VariableOf(context.inputs.front()));
    if (!variable->has_value)
      return Invalid(fmt::format("variable '{}' has no value yet", variable->name));
    const std::span<uint8_t> out = context.outputs.front();
    // As TFLite, which copies as much as its output takes; it reads beyond a smaller variable.
    const bool fits = !is_static_ || variable->bytes.size() >= out.size();
    if (variable->element_type != element_type_ || !fits) {
      return Invalid(fmt::format("variable '{}' holds {}{}, expected {} bytes of {}",
                                 variable->name, ElementTypeName(variable->element_type),
                                 kernels::ShapeText(variable->shape), out.size(),
                                 ElementTypeName(element_type_)));
    }
    if (!is_static_) return owned_.Set(0, {.shape = variable->shape, .bytes = variable->bytes});
    if (!out.empty()) std::memcpy(out.data(), variable->bytes.data(), out.size());
    return {};
  }

 private:
  LiteRtElementType element_type_;
  bool is_static_;
  mutable OwnedValues owned_;  // unless static
};

class AssignKernel final : public HandleUser {
 public:
  AssignKernel(const Node& node, ModelState& state)
      : HandleUser(node, state),
        element_type_(node.inputs[1]->type()),
        shape_(node.inputs[1]->shape) {}

  litert::Expected<void> Run(const kernels::RunContext& context) const override {
    LITERT_ASSIGN_OR_RETURN(ResourceVariable * variable, VariableOf(context.inputs[0]));
    variable->element_type = element_type_;
    variable->shape = shape_;
    variable->bytes.assign(context.inputs[1].begin(), context.inputs[1].end());
    variable->has_value = true;
    return {};
  }

 private:
  LiteRtElementType element_type_;
  kernels::Shape shape_;
};

litert::Expected<void> CheckHandle(const Node& node, size_t num_inputs, size_t num_outputs) {
  if (node.inputs.size() != num_inputs || node.outputs.size() != num_outputs) {
    return kernels::InvalidNode(
        node, fmt::format("has {} inputs and {} outputs, expected {} and {}", node.inputs.size(),
                          node.outputs.size(), num_inputs, num_outputs));
  }
  if (std::count(node.inputs.begin(), node.inputs.end(), nullptr) != 0)
    return kernels::InvalidNode(node, "omits an input");
  if (num_inputs == 0) return {};
  const Operand& handle = *node.inputs[0];
  const bool is_handle =
      handle.type() == kLiteRtElementTypeTfResource || handle.type() == kLiteRtElementTypeInt32;
  if (is_handle && handle.elems() == 1) return {};
  return kernels::InvalidNode(node, &handle, "is no handle of a variable");
}

}  // namespace

litert::Expected<SpecialStep> MakeVarHandle(const GraphContext& context, const Node& node) {
  const auto* options = node.op->OptionsAs<VarHandleOptions>();
  LITERT_RETURN_IF_ERROR(CheckHandle(node, 0, 1));
  SpecialStep step;
  step.kernel = std::make_unique<HandleKernel>(
      context.state->VariableId(options == nullptr ? "" : options->container,
                                options == nullptr ? "" : options->shared_name));
  // One element, whatever its shape.
  kernels::Shape shape = node.outputs[0]->tensor->shape;
  std::ranges::fill(shape, 1);
  step.shapes = {std::move(shape)};
  step.is_pure = true;
  return step;
}

litert::Expected<SpecialStep> MakeReadVariable(const GraphContext& context, const Node& node) {
  LITERT_RETURN_IF_ERROR(CheckHandle(node, 1, 1));
  const Tensor& output = *node.outputs[0]->tensor;
  // A file does not tell a scalar from a tensor of any rank.
  const bool is_static = !output.shape.empty() && !output.is_dynamic();
  auto kernel = std::make_unique<ReadKernel>(node, *context.state, is_static);
  SpecialStep step;
  step.shapes.resize(1);
  if (is_static) step.shapes[0] = output.shape;
  step.run_time_outputs = &kernel->run_time_outputs();
  step.kernel = std::move(kernel);
  return step;
}

litert::Expected<SpecialStep> MakeAssignVariable(const GraphContext& context, const Node& node) {
  LITERT_RETURN_IF_ERROR(CheckHandle(node, 2, 0));
  SpecialStep step;
  step.kernel = std::make_unique<AssignKernel>(node, *context.state);
  return step;
}

}  // namespace npukit
