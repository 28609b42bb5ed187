// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Operators on strings by the kernels that move and compare numbers: each different string gets a
// number, the op runs on these, and its result is read back. The empty string has 0, so that what a
// kernel fills with zeros is empty.

#include <fmt/format.h>

#include <deque>
#include <map>
#include <string>
#include <utility>

#include "litert/cc/litert_macros.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/oracle/kernel_oracle.h"
#include "sdk/host/runtime/control/special_kernels.h"
#include "sdk/host/runtime/execution/owned_values.h"
#include "sdk/host/runtime/state/string_tensor.h"

namespace npukit {
namespace {

using kernels::Node;
using kernels::Operand;

constexpr auto kString = kLiteRtElementTypeTfString;
constexpr auto kNumber = kLiteRtElementTypeInt32;

// Strings and their numbers, both ways. Views, as long as what was added.
class StringNumbers {
 public:
  StringNumbers() { NumberOf({}); }
  int32_t NumberOf(std::string_view text) {
    const auto [known, is_new] = numbers_.try_emplace(text, static_cast<int32_t>(texts_.size()));
    if (is_new) texts_.push_back(text);
    return known->second;
  }
  std::string_view TextOf(int32_t number) const { return texts_[static_cast<size_t>(number)]; }

 private:
  std::map<std::string_view, int32_t> numbers_;
  std::vector<std::string_view> texts_;
};

// A node with numbers in place of strings, for one run: its own tensors and values.
class NumberedNode {
 public:
  explicit NumberedNode(const Node& node) {
    node_.op = node.op;
    values_.resize(node.inputs.size());
    for (const Operand* input : node.inputs) node_.inputs.push_back(Numbered(input));
    for (const Operand* output : node.outputs) node_.outputs.push_back(Numbered(output));
  }

  litert::Expected<void> AddValues(const Node& node, const kernels::RunContext& context,
                                   StringNumbers& numbers) {
    for (size_t i = 0; i < node.inputs.size(); ++i) {
      if (node.inputs[i] == nullptr) continue;
      if (node.inputs[i]->type() != kString) {
        values_[i].assign(context.inputs[i].begin(), context.inputs[i].end());
      } else {
        LITERT_ASSIGN_OR_RETURN(const auto texts,
                                ReadStrings(context.inputs[i], node.inputs[i]->elems()));
        values_[i].resize(texts.size() * sizeof(int32_t));
        for (size_t t = 0; t < texts.size(); ++t)
          kernels::DataOf<int32_t>(std::span<uint8_t>(values_[i]))[t] = numbers.NumberOf(texts[t]);
      }
      operands_[i].constant = values_[i];
    }
    return {};
  }

  // The outputs' bytes.
  litert::Expected<std::vector<std::vector<uint8_t>>> Run() {
    LITERT_ASSIGN_OR_RETURN(const kernels::Inferred inferred, kernels::InferNode(node_));
    std::vector<std::vector<uint8_t>> outputs(node_.outputs.size());
    std::vector<std::span<uint8_t>> out;
    for (size_t i = 0; i < outputs.size(); ++i) {
      node_.outputs[i]->shape = inferred.shapes[i];
      const auto size_bytes = DenseBytes(node_.outputs[i]->type(), inferred.shapes[i]);
      if (!size_bytes || *size_bytes > kMaxOutputBytes)
        return kernels::InvalidNode(node_, node_.outputs[i], "does not fit into memory");
      outputs[i].resize(*size_bytes);
      out.emplace_back(outputs[i]);
    }
    LITERT_ASSIGN_OR_RETURN(const auto kernel, kernels::PrepareNode(node_));
    const std::vector<std::span<const uint8_t>> in(values_.begin(), values_.end());
    LITERT_RETURN_IF_ERROR(kernels::RunKernelOnce(*kernel, in, out));
    return outputs;
  }

  const Operand& output(size_t index) const { return *node_.outputs[index]; }

 private:
  static constexpr uint64_t kMaxOutputBytes = uint64_t{1} << 31;  // of numbers; as of strings

  Operand* Numbered(const Operand* operand) {
    Operand& added = operands_.emplace_back();
    if (operand == nullptr) return nullptr;
    Tensor& tensor = tensors_.emplace_back(*operand->tensor);
    if (tensor.element_type == kString) tensor.element_type = kNumber;
    added.tensor = &tensor;
    added.shape = operand->shape;
    return &added;
  }

  Node node_;
  std::deque<Tensor> tensors_;
  std::deque<Operand> operands_;  // inputs, then outputs
  std::vector<std::vector<uint8_t>> values_;
};

// Its shapes are known when it has run, whatever they depend on.
class StringOpKernel final : public kernels::Kernel {
 public:
  explicit StringOpKernel(const Node& node)
      : name_(kernels::NodeName(node)), node_(node), owned_(node.outputs.size()) {
    // The operands go when planning ends.
    for (const Operand* input : node.inputs) Keep(input);
    for (const Operand* output : node.outputs) Keep(output);
    size_t at = 0;
    for (const Operand*& input : node_.inputs) input = Kept(input, at);
    for (Operand*& output : node_.outputs) output = Kept(output, at);
  }

  const RunTimeOutputs& run_time_outputs() const { return owned_; }

  litert::Expected<void> Run(const kernels::RunContext& context) const override {
    StringNumbers numbers;
    NumberedNode numbered(node_);
    if (auto added = numbered.AddValues(node_, context, numbers); !added)
      return Invalid(added.Error().Message());
    LITERT_ASSIGN_OR_RETURN(const auto outputs, numbered.Run());
    for (size_t i = 0; i < outputs.size(); ++i) {
      const kernels::Shape& shape = numbered.output(i).shape;
      if (node_.outputs[i]->type() != kString) {
        LITERT_RETURN_IF_ERROR(owned_.Set(i, {.shape = shape, .bytes = outputs[i]}));
        continue;
      }
      std::vector<std::string_view> texts;
      for (size_t e = 0; e < outputs[i].size() / sizeof(int32_t); ++e) {
        texts.push_back(
            numbers.TextOf(kernels::DataOf<int32_t>(std::span<const uint8_t>(outputs[i]))[e]));
      }
      const auto bytes = WriteStrings(texts);
      if (!bytes) return Invalid(bytes.Error().Message());
      LITERT_RETURN_IF_ERROR(owned_.Set(i, {.shape = shape, .bytes = *bytes}));
    }
    return {};
  }

 private:
  void Keep(const Operand* operand) {
    kept_.push_back(operand == nullptr ? Operand{} : *operand);
    kept_.back().constant = {};
  }
  Operand* Kept(const Operand* given, size_t& at) {
    Operand* kept = &kept_[at++];
    return given == nullptr ? nullptr : kept;
  }
  litert::Unexpected Invalid(const std::string& what) const {
    return litert::Unexpected(kLiteRtStatusErrorInvalidArgument,
                              fmt::format("{}: {}", name_, what));
  }

  std::string name_;
  Node node_;
  std::deque<Operand> kept_;
  mutable OwnedValues owned_;
};

}  // namespace

litert::Expected<SpecialStep> MakeStringOp(const GraphContext& /*context*/, const Node& node) {
  if (node.outputs.empty()) return kernels::InvalidNode(node, "has no output");
  auto kernel = std::make_unique<StringOpKernel>(node);
  SpecialStep step;
  step.shapes.resize(node.outputs.size());
  step.run_time_outputs = &kernel->run_time_outputs();
  step.kernel = std::move(kernel);
  return step;
}

}  // namespace npukit
