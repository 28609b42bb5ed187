// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/runtime/diagnostics/graph_oracle.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "litert/cc/litert_macros.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/model/sparsity/sparse_constant.h"

namespace npukit {
namespace {

using kernels::Comparison;
using kernels::OracleTensor;

// Each has an oracle of its own, and decompositions that use each other twice over double with each
// level.
constexpr size_t kMaxUnfoldedOps = 100'000;

// A copy whose bounds are gone and whose values are those that the type can hold.
OracleTensor Rounded(const OracleTensor& tensor) {
  if (!tensor.is_float()) {
    OracleTensor rounded = tensor;
    rounded.bounds.clear();
    return rounded;
  }
  return OracleTensor::FromBytes(tensor.type, tensor.shape, tensor.ToBytes());
}

bool SameBytes(std::span<const uint8_t> a, std::span<const uint8_t> b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

// For outputs that no op computes, and for `exact`: zeros keep their signs.
Comparison CompareExactly(const OracleTensor& expected, std::span<const uint8_t> actual_bytes) {
  Comparison comparison;
  const OracleTensor wanted = Rounded(expected);
  if (!wanted.is_float()) {
    if (!SameBytes(wanted.bytes, actual_bytes)) comparison.differing_elems = 1;
    return comparison;
  }
  const OracleTensor actual = OracleTensor::FromBytes(expected.type, expected.shape, actual_bytes);
  for (int64_t i = 0; i < expected.elems(); ++i) {
    const double want = wanted.values[i];
    const double have = actual.values[i];
    const bool same = want == have && std::signbit(want) == std::signbit(have);
    if (same || (std::isnan(want) && std::isnan(have))) continue;
    ++comparison.differing_elems;
    comparison.max_difference = std::max(comparison.max_difference, std::fabs(want - have));
    if (comparison.worst.empty()) {
      comparison.worst.push_back({.elem = i, .expected = want, .actual = have, .allowed = 0});
    }
  }
  return comparison;
}

}  // namespace

const OracleTensor* GraphOracle::ValueOf(const Tensor* tensor) const {
  const auto found = values_.find(tensor);
  return found == values_.end() ? nullptr : &found->second;
}

litert::Expected<void> GraphOracle::Run(std::span<const std::vector<uint8_t>> inputs) {
  std::vector<OracleTensor> tensors;
  for (size_t i = 0; i < inputs.size() && i < subgraph_.inputs.size(); ++i) {
    const Tensor& tensor = *subgraph_.inputs[i];
    tensors.push_back(OracleTensor::FromBytes(tensor.element_type, tensor.shape, inputs[i]));
  }
  return Run(std::move(tensors));
}

litert::Expected<void> GraphOracle::Run(std::vector<OracleTensor> inputs) {
  if (inputs.size() != subgraph_.inputs.size()) {
    return litert::Unexpected(kLiteRtStatusErrorInvalidArgument,
                              fmt::format("the graph's oracle got {} inputs, expected {}",
                                          inputs.size(), subgraph_.inputs.size()));
  }
  values_.clear();
  steps_.clear();
  for (size_t i = 0; i < inputs.size(); ++i) values_[subgraph_.inputs[i]] = std::move(inputs[i]);
  for (const auto& tensor : subgraph_.tensors()) LITERT_RETURN_IF_ERROR(AddConstant(*tensor));
  for (const auto& op : subgraph_.ops()) LITERT_RETURN_IF_ERROR(RunOp(*op));
  return {};
}

litert::Expected<void> GraphOracle::RunOps(std::span<const Op* const> ops,
                                           std::map<const Tensor*, OracleTensor> known) {
  steps_.clear();
  values_ = std::move(known);
  for (const Op* op : ops) {
    for (const Tensor* input : op->inputs) {
      if (input == nullptr || ValueOf(input) != nullptr) continue;
      LITERT_RETURN_IF_ERROR(AddConstant(*input));
      if (ValueOf(input) != nullptr) continue;
      return litert::Unexpected(kLiteRtStatusErrorUnsupported,
                                fmt::format("the value of '{}' is not known", input->name));
    }
    LITERT_RETURN_IF_ERROR(RunOp(*op));
  }
  return {};
}

// Variables start at zero.
litert::Expected<void> GraphOracle::AddConstant(const Tensor& tensor) {
  if (tensor.is_variable) {
    const std::vector<uint8_t> zeros(DenseBytes(tensor.element_type, tensor.shape).value_or(0));
    values_[&tensor] = OracleTensor::FromBytes(tensor.element_type, tensor.shape, zeros);
  }
  if (!tensor.is_constant()) return {};
  if (tensor.sparsity) {
    LITERT_ASSIGN_OR_RETURN(dense_[&tensor], DenseElements(tensor));
  }
  values_[&tensor] = OracleTensor::FromBytes(tensor.element_type, tensor.shape, ConstantOf(tensor));
  return {};
}

std::span<const uint8_t> GraphOracle::ConstantOf(const Tensor& tensor) const {
  const auto dense = dense_.find(&tensor);
  return dense == dense_.end() ? tensor.weights.bytes() : std::span<const uint8_t>(dense->second);
}

void GraphOracle::PrepareStep(const Op& op, Step& step) {
  step.node.op = &op;
  for (const Tensor* input : op.inputs) {
    if (input == nullptr) {
      step.node.inputs.push_back(nullptr);
      continue;
    }
    const OracleTensor* value = ValueOf(input);
    step.operands.push_back({.tensor = input,
                             .shape = value != nullptr ? value->shape : input->shape,
                             .constant = ConstantOf(*input)});
    step.node.inputs.push_back(&step.operands.back());
  }
  for (const Tensor* output : op.outputs) {
    step.operands.push_back({.tensor = output, .shape = output->shape, .constant = {}});
    step.node.outputs.push_back(&step.operands.back());
  }
}

litert::Expected<void> GraphOracle::InferShapes(Step& step) {
  // Each round makes one more input's value known.
  for (size_t round = 0; round <= step.node.inputs.size(); ++round) {
    LITERT_ASSIGN_OR_RETURN(const kernels::Inferred inferred, kernels::InferNode(step.node));
    if (!inferred.needs_value_of) {
      for (size_t i = 0; i < step.node.outputs.size(); ++i)
        step.node.outputs[i]->shape = inferred.shapes[i];
      return {};
    }
    const kernels::Operand* operand = step.node.inputs[*inferred.needs_value_of];
    const OracleTensor* value = operand == nullptr ? nullptr : ValueOf(operand->tensor);
    if (value == nullptr) break;
    step.known_values.push_back(value->ToBytes());
    const_cast<kernels::Operand*>(operand)->constant =
        step.known_values.back();  // ours: see PrepareStep
  }
  return kernels::UnsupportedNode(step.node, "its output shapes can't be known");
}

litert::Expected<void> GraphOracle::RunOp(const Op& op) {
  Step& step = steps_[&op];
  PrepareStep(op, step);
  if (kernels::FindOperator(op) != nullptr) return RunNode(step);
  if (op.OptionsAs<StableHLOCompositeOptions>() != nullptr) return RunDecomposition(step);
  return kernels::UnsupportedNode(step.node, "no oracle for this operator");
}

litert::Expected<void> GraphOracle::RunNode(Step& step) {
  LITERT_RETURN_IF_ERROR(InferShapes(step));
  std::vector<const OracleTensor*> inputs;
  for (const Tensor* input : step.node.op->inputs)
    inputs.push_back(input == nullptr ? nullptr : ValueOf(input));
  LITERT_ASSIGN_OR_RETURN(std::vector<OracleTensor> outputs, kernels::RunOracle(step.node, inputs));
  for (size_t i = 0; i < outputs.size(); ++i)
    values_[step.node.op->outputs[i]] = std::move(outputs[i]);
  return {};
}

litert::Expected<void> GraphOracle::RunDecomposition(Step& step) {
  const auto& options = *step.node.op->OptionsAs<StableHLOCompositeOptions>();
  const auto index = static_cast<size_t>(options.decomposition_subgraph_index);
  // A decomposition that comes back to this subgraph in more steps is refused by VerifyModel.
  if (index >= model_.subgraphs().size() || &model_.subgraph(index) == &subgraph_) {
    return kernels::UnsupportedNode(
        step.node, "composite '" + options.name + "' has neither oracle nor decomposition");
  }
  num_unfolded_ += 1 + model_.subgraph(index).ops().size();
  if (num_unfolded_ > kMaxUnfoldedOps) {
    return kernels::UnsupportedNode(
        step.node, fmt::format("composites unfold to more than {} ops", kMaxUnfoldedOps));
  }
  step.decomposition = std::make_unique<GraphOracle>(model_, model_.subgraph(index));
  std::vector<OracleTensor> inputs;
  for (const Tensor* input : step.node.op->inputs) {
    const OracleTensor* value = ValueOf(input);
    if (value == nullptr) return kernels::UnsupportedNode(step.node, "an input has no value");
    inputs.push_back(*value);
  }
  step.decomposition->num_unfolded_ = num_unfolded_;
  LITERT_RETURN_IF_ERROR(step.decomposition->Run(std::move(inputs)));
  num_unfolded_ = step.decomposition->num_unfolded_;
  for (size_t i = 0; i < step.node.op->outputs.size(); ++i) {
    values_[step.node.op->outputs[i]] = step.decomposition->output(i);
  }
  return {};
}

const OracleTensor& GraphOracle::output(size_t index) const {
  return values_.at(subgraph_.outputs[index]);
}

litert::Expected<Comparison> GraphOracle::Compare(size_t index, std::span<const uint8_t> actual,
                                                  bool exact) const {
  return CompareTensor(*subgraph_.outputs[index], actual, exact);
}

litert::Expected<Comparison> GraphOracle::CompareTensor(const Tensor& tensor,
                                                        std::span<const uint8_t> actual,
                                                        bool exact) const {
  const OracleTensor* value = ValueOf(&tensor);
  if (value == nullptr) {
    return litert::Unexpected(kLiteRtStatusErrorNotFound,
                              fmt::format("'{}' was not computed", tensor.name));
  }
  const OracleTensor& expected = *value;
  const std::optional<uint64_t> size_bytes = DenseBytes(expected.type, expected.shape);
  if (size_bytes != actual.size()) {
    return litert::Unexpected(kLiteRtStatusErrorInvalidArgument,
                              fmt::format("'{}' has {} bytes, expected {}", tensor.name,
                                          actual.size(), size_bytes.value_or(0)));
  }
  const auto step = tensor.defining_op == nullptr ? steps_.end() : steps_.find(tensor.defining_op);
  if (exact || step == steps_.end()) return CompareExactly(expected, actual);
  if (step->second.decomposition != nullptr) {
    return step->second.decomposition->Compare(tensor.defining_output_index, actual, exact);
  }
  return kernels::CompareWithOracle(step->second.node, expected, actual);
}

litert::Expected<kernels::RoundedOnce> GraphOracle::CompareRoundedOnce(
    size_t index, std::span<const uint8_t> actual) const {
  LITERT_ASSIGN_OR_RETURN(kernels::Comparison comparison, Compare(index, actual));
  const Tensor& tensor = *subgraph_.outputs[index];
  const auto step = tensor.defining_op == nullptr ? steps_.end() : steps_.find(tensor.defining_op);
  if (comparison.ok() || step == steps_.end() || step->second.decomposition != nullptr)
    return kernels::RoundedOnce{.comparison = std::move(comparison), .elems = 0};
  std::vector<const OracleTensor*> inputs;
  for (const Tensor* input : step->second.node.op->inputs)
    inputs.push_back(input == nullptr ? nullptr : ValueOf(input));
  auto rounded = kernels::CompareRoundedOnce(step->second.node, inputs,
                                             tensor.defining_output_index, output(index), actual);
  // An op without a form of real numbers is held to the oracle.
  if (!rounded) return kernels::RoundedOnce{.comparison = std::move(comparison), .elems = 0};
  return rounded;
}

kernels::Mismatch WorstElem(const OracleTensor& expected, std::span<const uint8_t> actual_bytes) {
  kernels::Mismatch worst{.elem = -1};
  if (!expected.is_float()) return worst;
  const OracleTensor actual = OracleTensor::FromBytes(expected.type, expected.shape, actual_bytes);
  double most = 0;
  for (int64_t i = 0; i < expected.elems(); ++i) {
    const double bound = expected.bounds.empty() ? 0 : expected.bounds[i];
    const double difference = std::fabs(expected.values[i] - actual.values[i]);
    if (!(bound > 0) || !std::isfinite(bound) || !(difference / bound > most)) continue;
    most = difference / bound;
    worst = {
        .elem = i, .expected = expected.values[i], .actual = actual.values[i], .allowed = bound};
  }
  return worst;
}

std::string DescribeComparison(const Comparison& comparison, int64_t elems) {
  if (comparison.worst.empty())
    return fmt::format("{} elements differ", comparison.differing_elems);
  const kernels::Mismatch& worst = comparison.worst.front();
  return fmt::format("elem {} is {:.9g}, expected {:.9g} +- {:.3g} ({} of {} elements differ)",
                     worst.elem, worst.actual, worst.expected, worst.allowed,
                     comparison.differing_elems, elems);
}

}  // namespace npukit
