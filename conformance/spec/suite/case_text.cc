// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/spec/suite/case_text.h"

#include <fmt/format.h>
#include <cinttypes>
#include <filesystem>
#include <map>

#include "conformance/spec/claims/claim_match.h"
#include "conformance/spec/graph/networks.h"
#include "conformance/spec/graph/op_option_reader.h"
#include "conformance/spec/text/text_hash.h"
#include "sdk/host/model/graph/op.h"
#include "sdk/host/model/graph/tensor.h"

namespace npukit::conformance {
namespace {

std::string Number(double value) { return fmt::format("{:.17g}", value); }

template <typename Numbers>
std::string List(const Numbers& numbers) {
  std::string text = "[";
  for (const auto number : numbers) text += Number(static_cast<double>(number)) + ",";
  return text + "]";
}

std::string Text(const std::optional<QuantSpec>& quant) {
  if (!quant) return "-";
  return List(quant->scales) + List(quant->zero_points) +
         (quant->axis ? fmt::format("@{}", *quant->axis) : "");
}

std::string Options(const OpOptions& options) {
  std::string text;
  for (const auto& [field, value] : OptionTexts(options)) text += " " + field + "=" + value;
  return text;
}

// One subgraph, its tensors numbered in the order in which they are defined.
class SubgraphText {
 public:
  std::string Of(const SubgraphSpec& graph) {
    text_ = "signature " + graph.signature + "\n";
    for (const TensorSpec& tensor : graph.inputs) Define(tensor, "input");
    for (const TensorSpec& tensor : graph.constants) {
      Define(tensor, "constant");
      text_ += std::string("  ") + DataText(tensor.data) + "\n";
      if (!tensor.buffer.empty()) text_ += "  in buffer " + tensor.buffer + "\n";
    }
    for (const TensorSpec& tensor : graph.variables) Define(tensor, "variable");
    for (const TensorSpec& tensor : graph.constants) AddBlocks(tensor);
    for (const OpSpec& op : graph.ops) Add(op);
    text_ += "outputs";
    for (const std::string& output : graph.outputs)
      text_ += fmt::format(" {}", known_[output].number);
    return text_ + "\n";
  }

 private:
  struct Known {
    size_t number = 0;
    LiteRtElementType type = kLiteRtElementTypeFloat32;
    std::optional<QuantSpec> quant;
  };

  std::string DataText(const DataSpec& data) {
    if (data.pattern == DataSpec::Pattern::kValues) return List(data.values);
    if (data.pattern == DataSpec::Pattern::kFile)
      return "file " + std::filesystem::path(data.file).filename().string();
    if (data.pattern == DataSpec::Pattern::kLike) {
      return fmt::format("like {} but {}", known_[data.like].number,
                         kPlaceNames[static_cast<size_t>(data.place)]);
    }
    return kPatternNames[static_cast<size_t>(data.pattern)];
  }

  void Define(const TensorSpec& tensor, const char* role) {
    known_[tensor.name] = {known_.size(), *tensor.type, tensor.quant};
    text_ += std::string(role) + " " + ElementTypeName(*tensor.type) + List(*tensor.shape) + " " +
             Text(tensor.quant);
    if (tensor.range)
      text_ += " in " + Number(tensor.range->first) + ".." + Number(tensor.range->second);
    text_ += "\n";
  }

  // Where all tensors are known.
  void AddBlocks(const TensorSpec& tensor) {
    if (!tensor.quant || tensor.quant->scales_tensor.empty()) return;
    text_ += fmt::format("blocks of {} elements of {} scaled by {}", tensor.quant->block_size_elems,
                         known_[tensor.name].number, known_[tensor.quant->scales_tensor].number);
    const std::string& zero_points = tensor.quant->zero_points_tensor;
    if (!zero_points.empty()) text_ += fmt::format(" from {}", known_[zero_points].number);
    text_ += "\n";
  }

  void Add(const OpSpec& op) {
    text_ += op.name + Options(op.options);
    for (const std::string& input : op.inputs)
      text_ += input.empty() ? " -" : fmt::format(" {}", known_[input].number);
    for (const auto& [name, value] : op.attributes) text_ += " " + name + "=" + Number(value);
    text_ += " ->";
    const size_t typed = TypedInput(op.code);
    const bool has_like = typed < op.inputs.size() && !op.inputs[typed].empty();
    const Known like = has_like ? known_[op.inputs[typed]] : Known{};
    for (const TensorSpec& output : op.outputs) {
      Known made{known_.size(), output.type.value_or(like.type), output.quant};
      if (!output.quant && !output.type) made.quant = like.quant;
      text_ += " " + ElementTypeName(made.type) + Text(made.quant);
      known_[output.name] = std::move(made);
    }
    for (const TensorSpec& inner : op.intermediates) {
      text_ += " inner " + ElementTypeName(*inner.type) + Text(inner.quant);
      known_[inner.name] = {known_.size(), *inner.type, inner.quant};
    }
    text_ += "\n";
    if (op.decomposition != nullptr)
      text_ += "decomposition\n" + SubgraphText().Of(*op.decomposition) + "end\n";
  }

  std::map<std::string, Known> known_;
  std::string text_;
};

// A built-in network is a model: ops, tensors and the constants' bytes, by digest.
std::string NetworkText(const std::string& name) {
  const auto model = BuildNetwork(name);
  if (!model) return "no network " + name;
  std::string text;
  for (const auto& subgraph : (*model)->subgraphs()) {
    for (const auto& tensor : subgraph->tensors()) {
      const std::span<const uint8_t> bytes = tensor->weights.bytes();
      text += ElementTypeName(tensor->element_type) + List(tensor->shape) +
              List(tensor->quantization.scale) + List(tensor->quantization.zero_point.ToVector()) +
              DigestOf({reinterpret_cast<const char*>(bytes.data()), bytes.size()}) + "\n";
    }
    for (const auto& op : subgraph->ops()) {
      text += ClaimName(*op) + Options(op->options);
      for (const Tensor* input : op->inputs)
        text += input == nullptr ? " -" : fmt::format(" {}", input->index);
      for (const Tensor* output : op->outputs) text += fmt::format(" >{}", output->index);
      text += "\n";
    }
  }
  return text;
}

}  // namespace

std::string GraphText(const GraphSpec& graph) {
  std::string text;
  for (const SubgraphSpec& subgraph : graph.subgraphs)
    text += "subgraph\n" + SubgraphText().Of(subgraph);
  return text;
}

std::string CaseText(const CaseSpec& spec) {
  std::string text;
  if (spec.graph != nullptr) text += GraphText(*spec.graph);
  if (!spec.network.empty()) text += NetworkText(spec.network);
  if (!spec.model_path.empty())
    text += std::filesystem::path(spec.model_path).filename().string() + "\n";
  text += fmt::format("judged {}, selecting {}, partitions {}{}\ndata",
                      spec.exact ? "exactly" : "by derived bounds",
                      static_cast<int>(spec.expect.select), spec.expect.partitions.value_or(-1),
                      spec.needs_all_claimed ? ", whole" : "");
  for (const DataSpec::Pattern pattern : spec.patterns)
    text += std::string(" ") + kPatternNames[static_cast<size_t>(pattern)];
  for (const auto& [name, file] : spec.input_files)
    text += " " + std::filesystem::path(file).filename().string();
  return text + "\n";
}

}  // namespace npukit::conformance
