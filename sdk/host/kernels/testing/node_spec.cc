// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/kernels/testing/node_spec.h"

#include <fmt/format.h>

#include <deque>
#include <memory>
#include <optional>
#include <random>

#include "litert/cc/litert_macros.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/oracle/oracle.h"

namespace npukit::kernels::testing {
namespace {

constexpr uint32_t kOpIndex = 7;
constexpr size_t kAlignment = 64;

// The node that a spec describes; owns everything it points at.
class BuiltNode {
 public:
  explicit BuiltNode(const NodeSpec& spec) : spec_(spec) {
    op_.code = spec.code;
    op_.options = spec.options;
    op_.index = kOpIndex;
    node_.op = &op_;
    for (const TensorSpec& input : spec.inputs) {
      node_.inputs.push_back(input.is_omitted ? nullptr : &Add(input, "in", node_.inputs.size()));
    }
    for (const TensorSpec& output : spec.outputs)
      node_.outputs.push_back(&Add(output, "out", node_.outputs.size()));
    for (size_t i = 0; i < node_.inputs.size(); ++i) {
      op_.inputs.push_back(
          node_.inputs[i] == nullptr ? nullptr : const_cast<Tensor*>(node_.inputs[i]->tensor));
    }
    for (Operand* output : node_.outputs)
      op_.outputs.push_back(const_cast<Tensor*>(output->tensor));
  }
  BuiltNode(const BuiltNode&) = delete;
  BuiltNode& operator=(const BuiltNode&) = delete;

  const Node& node() const { return node_; }

  // Gives inputs without a constant a random value; false if all tensors together are too large.
  bool FillInputs(uint32_t seed, int64_t max_elems) {
    std::mt19937 random(seed);
    values_.resize(node_.inputs.size());
    for (size_t i = 0; i < node_.inputs.size(); ++i) {
      if (node_.inputs[i] == nullptr) continue;
      values_[i] = spec_.inputs[i].constant;
      if (!values_[i].empty()) continue;
      const std::optional<uint64_t> bytes = DenseBytes(spec_.inputs[i].type, spec_.inputs[i].shape);
      if (!bytes || *bytes > static_cast<uint64_t>(max_elems) * 8) return false;
      values_[i].resize(*bytes);
      for (uint8_t& byte : values_[i]) byte = static_cast<uint8_t>(random());
    }
    return true;
  }

  litert::Expected<void> Infer() {
    LITERT_ASSIGN_OR_RETURN(Inferred inferred, InferNode(node_));
    for (size_t asked = 0; inferred.needs_value_of.has_value(); ++asked) {
      const size_t input = *inferred.needs_value_of;
      if (asked > node_.inputs.size() || input >= values_.size() || values_[input].empty())
        return InvalidNode(node_, "asks for a value that there is not");
      const_cast<Operand*>(node_.inputs[input])->constant = values_[input];
      LITERT_ASSIGN_OR_RETURN(inferred, InferNode(node_));
    }
    for (size_t i = 0; i < node_.outputs.size(); ++i)
      node_.outputs[i]->shape = std::move(inferred.shapes[i]);
    return {};
  }

  bool IsSmall(int64_t max_elems) const {
    for (const Operand* output : node_.outputs) {
      const std::optional<uint64_t> bytes = DenseBytes(output->type(), output->shape);
      if (!bytes || *bytes > static_cast<uint64_t>(max_elems) * 8) return false;
    }
    return true;
  }

  litert::Expected<void> Run(const Kernel& kernel) {
    std::vector<std::span<const uint8_t>> in(values_.begin(), values_.end());
    std::vector<std::vector<uint8_t>> states(values_.size());
    std::vector<std::span<uint8_t>> variables;
    for (size_t i = 0; i < states.size(); ++i) {
      if (spec_.inputs[i].is_variable) {
        states[i] = values_[i];
        in[i] = states[i];
      }
      variables.emplace_back(states[i]);
    }
    std::vector<std::vector<uint8_t>> outputs;
    for (const Operand* output : node_.outputs)
      outputs.emplace_back(DenseBytes(output->type(), output->shape).value_or(0));
    std::vector<std::span<uint8_t>> out(outputs.begin(), outputs.end());
    std::vector<uint8_t> scratch(kernel.scratch_bytes() + kAlignment);
    const size_t misaligned = reinterpret_cast<uintptr_t>(scratch.data()) % kAlignment;
    RunContext context;
    context.inputs = in;
    context.outputs = out;
    context.variables = variables;
    context.scratch = std::span(scratch).subspan(misaligned == 0 ? 0 : kAlignment - misaligned,
                                                 kernel.scratch_bytes());
    return kernel.Run(context);
  }

  litert::Expected<void> AskOracle() const {
    const std::vector<std::span<const uint8_t>> in(values_.begin(), values_.end());
    LITERT_RETURN_IF_ERROR(RunOracle(node_, std::span<const std::span<const uint8_t>>(in)));
    return {};
  }

 private:
  Operand& Add(const TensorSpec& spec, const char* kind, size_t index) {
    Tensor& tensor = tensors_.emplace_back();
    tensor.name = fmt::format("{}{}", kind, index);
    tensor.element_type = spec.type;
    tensor.shape = spec.shape;
    tensor.quantization = spec.quantization;
    tensor.is_variable = spec.is_variable;
    tensor.index = static_cast<uint32_t>(tensors_.size() - 1);
    return operands_.emplace_back(
        Operand{.tensor = &tensor, .shape = spec.shape, .constant = spec.constant});
  }

  const NodeSpec& spec_;
  Op op_;
  Node node_;
  std::deque<Tensor> tensors_;
  std::deque<Operand> operands_;
  std::vector<std::vector<uint8_t>> values_;
};

TensorSpec SpecOf(const Tensor& tensor) {
  const std::span<const uint8_t> bytes =
      tensor.is_constant() ? tensor.weights.bytes() : std::span<const uint8_t>();
  return {.type = tensor.element_type,
          .shape = tensor.shape,
          .quantization = tensor.quantization,
          .constant = {bytes.begin(), bytes.end()},
          .is_variable = tensor.is_variable};
}

}  // namespace

NodeSpec NodeSpec::Of(const Op& op) {
  NodeSpec spec{.code = op.code, .options = op.options};
  for (const Tensor* input : op.inputs)
    spec.inputs.push_back(input == nullptr ? TensorSpec{.is_omitted = true} : SpecOf(*input));
  for (const Tensor* output : op.outputs) spec.outputs.push_back(SpecOf(*output));
  return spec;
}

std::string NameOf(const NodeSpec& spec) {
  Op op;
  op.code = spec.code;
  op.options = spec.options;
  return fmt::format("{} (op {})", OpName(op), kOpIndex);
}

litert::Expected<void> TryNode(const NodeSpec& spec, uint32_t seed, int64_t max_elems) {
  BuiltNode built(spec);
  const bool filled = built.FillInputs(seed, max_elems);
  LITERT_RETURN_IF_ERROR(built.Infer());
  LITERT_ASSIGN_OR_RETURN(const std::unique_ptr<Kernel> kernel, PrepareNode(built.node()));
  const bool is_small =
      built.IsSmall(max_elems) && kernel->scratch_bytes() <= static_cast<size_t>(max_elems) * 1024;
  if (!filled || !is_small) return {};
  LITERT_RETURN_IF_ERROR(built.Run(*kernel));
  return built.AskOracle();
}

}  // namespace npukit::kernels::testing
