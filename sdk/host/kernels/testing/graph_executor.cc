// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/kernels/testing/graph_executor.h"

#include <fmt/format.h>

#include "litert/cc/litert_macros.h"

namespace npukit::kernels::testing {

std::set<std::string> MissingOperators(const Subgraph& subgraph) {
  std::set<std::string> missing;
  for (const auto& op : subgraph.ops()) {
    if (FindOperator(*op) == nullptr) missing.insert(OpName(*op));
  }
  return missing;
}

GraphExecutor::Value& GraphExecutor::ValueFor(const Tensor& tensor) {
  auto [found, added] = values_.try_emplace(&tensor);
  Value& value = found->second;
  if (added) {
    value.operand.tensor = &tensor;
    value.operand.shape = tensor.shape;
    if (tensor.is_constant()) {
      value.bytes.assign(tensor.weights.bytes().begin(), tensor.weights.bytes().end());
      value.operand.constant = value.bytes;
    } else if (tensor.defining_op == nullptr) {
      // Variables start at 0: of int8 the one that the zero point stands for.
      const bool stored = tensor.is_variable && tensor.element_type == kLiteRtElementTypeInt8;
      const auto zero = static_cast<uint8_t>(stored ? tensor.quantization.ZeroPointOf(0) : 0);
      value.bytes.assign(DenseBytes(tensor.element_type, tensor.shape).value_or(0), zero);
    }
  }
  return value;
}

std::span<uint8_t> GraphExecutor::Scratch(size_t bytes) {
  constexpr size_t kAlignment = 64;
  if (scratch_.size() < bytes + kAlignment) scratch_.resize(bytes + kAlignment);
  const size_t misaligned = reinterpret_cast<uintptr_t>(scratch_.data()) % kAlignment;
  return std::span(scratch_).subspan(misaligned == 0 ? 0 : kAlignment - misaligned, bytes);
}

litert::Expected<void> GraphExecutor::Run(const std::vector<std::vector<uint8_t>>& inputs,
                                          ThreadPool* pool) {
  if (inputs.size() != subgraph_.inputs.size()) {
    return litert::Unexpected(kLiteRtStatusErrorInvalidArgument, "wrong number of inputs");
  }
  for (size_t i = 0; i < inputs.size(); ++i) ValueFor(*subgraph_.inputs[i]).bytes = inputs[i];
  for (const auto& op : subgraph_.ops()) LITERT_RETURN_IF_ERROR(AddStep(*op, pool));
  for (const Tensor* output : subgraph_.outputs) ValueFor(*output);
  return {};
}

litert::Expected<void> GraphExecutor::AddStep(const Op& op, ThreadPool* pool) {
  Step& step = steps_.emplace_back();
  step.node.op = &op;
  for (const Tensor* tensor : op.inputs) {
    step.node.inputs.push_back(tensor == nullptr ? nullptr : &ValueFor(*tensor).operand);
  }
  for (const Tensor* tensor : op.outputs) step.node.outputs.push_back(&ValueFor(*tensor).operand);
  LITERT_ASSIGN_OR_RETURN(Inferred inferred, InferNode(step.node));
  while (inferred.needs_value_of.has_value()) {
    Value& value = ValueFor(*op.inputs[*inferred.needs_value_of]);
    if (value.operand.has_constant())
      return InvalidNode(step.node, "asks again for a value it was given");
    value.operand.constant = value.bytes;
    LITERT_ASSIGN_OR_RETURN(inferred, InferNode(step.node));
  }
  for (size_t i = 0; i < op.outputs.size(); ++i) {
    Value& value = ValueFor(*op.outputs[i]);
    value.operand.shape = inferred.shapes[i];
    value.bytes.resize(DenseBytes(value.operand.type(), value.operand.shape).value_or(0));
  }
  LITERT_ASSIGN_OR_RETURN(step.kernel, PrepareNode(step.node, options_));
  for (const Tensor* tensor : op.inputs) {
    const bool variable = tensor != nullptr && tensor->is_variable;
    step.inputs.push_back(tensor == nullptr ? std::span<const uint8_t>() : ValueFor(*tensor).bytes);
    step.variables.push_back(variable ? std::span<uint8_t>(ValueFor(*tensor).bytes)
                                      : std::span<uint8_t>());
  }
  for (const Tensor* tensor : op.outputs) step.outputs.emplace_back(ValueFor(*tensor).bytes);
  return RunStep(step, pool);
}

litert::Expected<void> GraphExecutor::RunStep(Step& step, ThreadPool* pool) {
  step.before.assign(step.variables.size(), {});
  for (size_t i = 0; i < step.variables.size(); ++i)
    step.before[i].assign(step.variables[i].begin(), step.variables[i].end());
  RunContext context;
  context.inputs = step.inputs;
  context.outputs = step.outputs;
  context.variables = step.variables;
  context.scratch = Scratch(step.kernel->scratch_bytes());
  context.pool = pool;
  return step.kernel->Run(context);
}

litert::Expected<void> GraphExecutor::Rerun(ThreadPool* pool) {
  for (Step& step : steps_) LITERT_RETURN_IF_ERROR(RunStep(step, pool));
  return {};
}

std::vector<std::span<const uint8_t>> GraphExecutor::ReadBy(const Step& step) {
  std::vector<std::span<const uint8_t>> inputs = step.inputs;
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (!step.before[i].empty()) inputs[i] = step.before[i];
  }
  return inputs;
}

litert::Expected<void> GraphExecutor::CheckEachOp() const {
  for (const Step& step : steps_) {
    auto outputs = RunOracle(step.node, ReadBy(step));
    if (!outputs) return outputs.Error();
    for (size_t i = 0; i < outputs->size(); ++i) {
      auto comparison = CompareWithOracle(step.node, (*outputs)[i], step.outputs[i]);
      if (!comparison) return comparison.Error();
      if (comparison->ok()) continue;
      const Mismatch& worst = comparison->worst.front();
      return InvalidNode(step.node, fmt::format("output {}: {} elements outside the tolerance, "
                                                "worst at {}: expected {}, got {}, allowed {}",
                                                i, comparison->differing_elems, worst.elem,
                                                worst.expected, worst.actual, worst.allowed));
    }
  }
  return {};
}

litert::Expected<std::vector<OracleTensor>> GraphExecutor::PropagatedOutputs() const {
  std::unordered_map<const Tensor*, OracleTensor> known;
  for (const auto& [tensor, value] : values_) {
    if (tensor->defining_op != nullptr) continue;
    known[tensor] = OracleTensor::FromBytes(tensor->element_type, value.operand.shape, value.bytes);
  }
  for (const Step& step : steps_) {
    const auto read = ReadBy(step);
    std::vector<const OracleTensor*> inputs;
    for (size_t i = 0; i < read.size(); ++i) {
      if (step.before[i].empty()) continue;
      const Operand& state = *step.node.inputs[i];
      known[state.tensor] = OracleTensor::FromBytes(state.type(), state.shape, read[i]);
    }
    for (const Tensor* tensor : step.node.op->inputs)
      inputs.push_back(tensor == nullptr ? nullptr : &known.at(tensor));
    auto outputs = RunOracle(step.node, inputs);
    if (!outputs) return outputs.Error();
    for (size_t i = 0; i < outputs->size(); ++i)
      known[step.node.op->outputs[i]] = std::move((*outputs)[i]);
  }
  std::vector<OracleTensor> results;
  for (const Tensor* output : subgraph_.outputs) results.push_back(known.at(output));
  return results;
}

}  // namespace npukit::kernels::testing
