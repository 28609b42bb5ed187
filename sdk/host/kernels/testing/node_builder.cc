// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/kernels/testing/node_builder.h"

#include <fmt/format.h>

namespace npukit::kernels::testing {

Operand& NodeBuilder::AddOperand(const char* kind, size_t index, LiteRtElementType type,
                                 Shape shape, Quantization quantization) {
  Tensor& tensor = tensors_.emplace_back();
  tensor.name = fmt::format("{}{}", kind, index);
  tensor.element_type = type;
  tensor.shape = shape;
  tensor.quantization = std::move(quantization);
  tensor.index = static_cast<uint32_t>(tensors_.size() - 1);
  return operands_.emplace_back(Operand{.tensor = &tensor, .shape = std::move(shape)});
}

NodeBuilder& NodeBuilder::Variable(LiteRtElementType type, Shape shape, Quantization quantization) {
  const uint8_t zero =
      ElementBits(type) == 8 ? static_cast<uint8_t>(quantization.ZeroPointOf(0)) : 0;
  values_.emplace_back(DenseBytes(type, shape).value_or(0), zero);
  Operand& operand =
      AddOperand("state", node_.inputs.size(), type, std::move(shape), std::move(quantization));
  const_cast<Tensor*>(operand.tensor)->is_variable = true;
  node_.inputs.push_back(&operand);
  return *this;
}

litert::Expected<std::vector<Shape>> NodeBuilder::Infer() {
  LITERT_ASSIGN_OR_RETURN(const Inferred inferred, InferNode(node_));
  if (inferred.needs_value_of.has_value()) {
    return litert::Unexpected(kLiteRtStatusErrorRuntimeFailure,
                              fmt::format("needs the value of input {}", *inferred.needs_value_of));
  }
  for (size_t i = 0; i < node_.outputs.size(); ++i) node_.outputs[i]->shape = inferred.shapes[i];
  return inferred.shapes;
}

litert::Expected<std::vector<std::vector<uint8_t>>> NodeBuilder::Run(
    const std::vector<std::vector<uint8_t>>& inputs, const PrepareOptions& options,
    ThreadPool* pool) {
  LITERT_RETURN_IF_ERROR(Infer());
  LITERT_ASSIGN_OR_RETURN(const std::unique_ptr<Kernel> kernel, PrepareNode(node_, options));
  std::vector<std::span<const uint8_t>> in;
  for (size_t i = 0; i < node_.inputs.size(); ++i) {
    const bool given = i < inputs.size() && !inputs[i].empty();
    in.push_back(given ? std::span<const uint8_t>(inputs[i])
                       : std::span<const uint8_t>(values_[i]));
  }
  std::vector<std::vector<uint8_t>> outputs;
  for (const Operand* output : node_.outputs) {
    outputs.emplace_back(DenseBytes(output->type(), output->shape).value_or(0), 0xCD);
  }
  std::vector<std::span<uint8_t>> out(outputs.begin(), outputs.end());
  constexpr size_t kAlignment = 64;
  std::vector<uint8_t> scratch(kernel->scratch_bytes() + kAlignment, 0xCD);
  const size_t misaligned = reinterpret_cast<uintptr_t>(scratch.data()) % kAlignment;
  std::vector<std::span<uint8_t>> variables(node_.inputs.size());
  for (size_t i = 0; i < node_.inputs.size(); ++i) {
    if (node_.inputs[i] != nullptr && node_.inputs[i]->tensor->is_variable)
      variables[i] = values_[i];
  }
  RunContext context;
  context.inputs = in;
  context.variables = variables;
  context.outputs = out;
  context.scratch = std::span(scratch).subspan(misaligned == 0 ? 0 : kAlignment - misaligned,
                                               kernel->scratch_bytes());
  context.pool = pool;
  LITERT_RETURN_IF_ERROR(kernel->Run(context));
  return outputs;
}

litert::Expected<std::vector<OracleTensor>> NodeBuilder::Oracle(
    const std::vector<std::vector<uint8_t>>& inputs) const {
  std::vector<std::span<const uint8_t>> in(node_.inputs.size());
  for (size_t i = 0; i < inputs.size(); ++i) in[i] = inputs[i];
  return RunOracle(node_, std::span<const std::span<const uint8_t>>(in));
}

}  // namespace npukit::kernels::testing
