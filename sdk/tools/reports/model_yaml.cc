// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/tools/reports/model_yaml.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <system_error>
#include <unordered_map>
#include <utility>
#include <vector>

#include "litert/cc/litert_macros.h"
#include "sdk/host/model/graph/op.h"
#include "sdk/host/model/graph/op_text.h"
#include "sdk/host/model/options/field_text.h"
#include "sdk/host/model/options/option_fields.h"
#include "sdk/host/model/options/subgraph_references.h"
#include "sdk/tools/command_line/json_text.h"
#include "sdk/tools/command_line/whole_file.h"
#include "sdk/tools/reports/constant_text.h"

namespace npukit::tools {
namespace {

constexpr std::string_view kOmitted = "-";

litert::Unexpected NoWords(const std::string& what) {
  return litert::Unexpected(kLiteRtStatusErrorUnsupported, "can't be written as YAML: " + what);
}

// In double quotes, with JSON's escapes, which YAML knows.
std::string Quoted(const std::string& text) { return JsonText(nlohmann::ordered_json(text)); }

// What is written of the model's buffers so far.
struct WrittenBuffers {
  size_t count = 0;  // of files
  // By their ids those that several tensors share, and whether they stand in the text already.
  std::map<BufferStore::Id, bool> shared;
};

std::map<BufferStore::Id, bool> SharedBuffers(const Model& model) {
  std::map<BufferStore::Id, int> users;
  for (const auto& subgraph : model.subgraphs()) {
    for (const auto& tensor : subgraph->tensors()) {
      if (tensor->is_constant()) ++users[tensor->weights.buffer_id];
    }
    // A decomposition stands with each of its composites.
    for (const auto& op : subgraph->ops()) {
      if (op->OptionsAs<StableHLOCompositeOptions>() == nullptr) continue;
      for (const int32_t body : SubgraphReferences(op->options)) {
        if (body < 0 || static_cast<size_t>(body) >= model.subgraphs().size()) continue;
        for (const auto& tensor : model.subgraph(static_cast<size_t>(body)).tensors()) {
          if (tensor->is_constant()) ++users[tensor->weights.buffer_id];
        }
      }
    }
  }
  std::map<BufferStore::Id, bool> shared;
  for (const auto& [id, count] : users) {
    if (count > 1) shared[id] = false;
  }
  return shared;
}

// One subgraph, with the decompositions of its composites within.
class SubgraphWriter {
 public:
  SubgraphWriter(const Model& model, const std::map<size_t, size_t>& positions,
                 const ModelYamlOptions& options, WrittenBuffers& files)
      : model_(model), positions_(positions), options_(options), files_(files) {}

  // `indent` in front of each line; `path`: the subgraphs that this one stands within.
  litert::Expected<std::string> Write(size_t index, const std::string& indent,
                                      std::set<size_t> path) {
    if (!path.insert(index).second) return NoWords("a composite that contains itself");
    graph_ = &model_.subgraph(index);
    NameTensors();
    std::string text = graph_->name.empty() ? "" : indent + "name: " + Quoted(graph_->name) + "\n";
    text += SignatureText(indent);
    text += indent + "inputs:\n";
    for (const Tensor* input : graph_->inputs)
      LITERT_RETURN_IF_ERROR(AddTensor(*input, indent, "", text));
    LITERT_RETURN_IF_ERROR(AddSources(indent, text));
    text += indent + "ops:" + (graph_->ops().empty() ? " []\n" : "\n");
    for (const auto& op : graph_->ops()) LITERT_RETURN_IF_ERROR(AddOp(*op, indent, path, text));
    text += indent + "outputs: " + Names(graph_->outputs) + "\n";
    return text;
  }

 private:
  void NameTensors() {
    std::set<std::string> taken;
    for (const auto& tensor : graph_->tensors()) {
      std::string name = tensor->name;
      for (int number = 2; name.empty() || name == kOmitted || !taken.insert(name).second;
           ++number) {
        name = name.empty() || name == kOmitted ? fmt::format("t{}", tensor->index)
                                                : fmt::format("{}_{}", tensor->name, number);
        if (tensor->name.empty() && taken.contains(name)) name += "_";
      }
      names_[tensor.get()] = name;
    }
  }

  std::string Name(const Tensor* tensor) const {
    return Quoted(tensor == nullptr ? std::string(kOmitted) : names_.at(tensor));
  }

  std::string Names(const std::vector<Tensor*>& tensors) const {
    std::vector<std::string> names;
    for (const Tensor* tensor : tensors) names.push_back(Name(tensor));
    return fmt::format("[{}]", fmt::join(names, ", "));
  }

  std::string SignatureText(const std::string& indent) const {
    for (const auto& signature : model_.signatures) {
      if (signature->subgraph != graph_) continue;
      std::string text = indent + "signature: {key: " + Quoted(signature->key);
      for (const auto& [key, ports] :
           {std::pair{"inputs", &signature->inputs}, {"outputs", &signature->outputs}}) {
        std::vector<std::string> members;
        for (const auto& port : *ports)
          members.push_back(Quoted(port.name) + ": " + Name(port.tensor));
        text += fmt::format(", {}: {{{}}}", key, fmt::join(members, ", "));
      }
      return text + "}\n";
    }
    return {};
  }

  litert::Expected<std::string> QuantText(const Tensor& tensor) const {
    const Quantization& q = tensor.quantization;
    if (q.custom || q.multi_axis) return NoWords("the quantisation of '" + tensor.name + "'");
    if (q.blockwise) {
      const auto name = [&](int32_t index) {
        return Name(&graph_->tensor(static_cast<size_t>(index)));
      };
      std::string text = ", quant: {scales_tensor: " + name(q.blockwise->scales_tensor);
      if (q.blockwise->zero_points_tensor >= 0)
        text += ", zero_points_tensor: " + name(q.blockwise->zero_points_tensor);
      return text + fmt::format(", block_size: {}}}", q.blockwise->block_size_elems);
    }
    if (q.scale.empty()) return std::string();
    if (!q.is_per_channel()) {
      return fmt::format(", quant: {{scale: {}, zero_point: {}}}", FloatText(q.scale.front()),
                         q.ZeroPointOf(0));
    }
    return fmt::format(", quant: {{scales: {}, axis: {}, zero_points: [{}]}}", FloatList(q.scale),
                       q.quantized_dimension, fmt::join(q.zero_point.ToVector(), ", "));
  }

  // A line "NAME: {type, shape, quant EXTRA}".
  litert::Expected<void> AddTensor(const Tensor& tensor, const std::string& indent,
                                   const std::string& extra, std::string& text) const {
    LITERT_ASSIGN_OR_RETURN(const std::string attributes, Attributes(tensor));
    text += fmt::format("{}  {}: {{{}{}}}\n", indent, Name(&tensor), attributes, extra);
    return {};
  }

  litert::Expected<std::string> Attributes(const Tensor& tensor) const {
    if (tensor.sparsity) return NoWords("'" + tensor.name + "' is sparse");
    if (tensor.external_buffer != 0) return NoWords("'" + tensor.name + "' lies in another file");
    LITERT_ASSIGN_OR_RETURN(const std::string quant, QuantText(tensor));
    const auto& shape = tensor.shape_signature.empty() ? tensor.shape : tensor.shape_signature;
    return fmt::format("type: {}, shape: [{}]{}", ElementTypeName(tensor.element_type),
                       fmt::join(shape, ", "), quant);
  }

  // Constants and variables: what no op and no caller gives.
  litert::Expected<void> AddSources(const std::string& indent, std::string& text) {
    std::string constants;
    std::string variables;
    std::set<const Tensor*> inner;  // stand with their ops
    for (const auto& op : graph_->ops())
      inner.insert(op->intermediates.begin(), op->intermediates.end());
    for (const auto& tensor : graph_->tensors()) {
      if (tensor->defining_op != nullptr || graph_->IsInput(*tensor)) continue;
      if (inner.contains(tensor.get())) continue;
      if (tensor->is_variable) {
        LITERT_RETURN_IF_ERROR(AddTensor(*tensor, indent, "", variables));
        continue;
      }
      const bool is_empty = DenseBytes(tensor->element_type, tensor->shape) == uint64_t{0};
      if (!tensor->is_constant() && !is_empty) {
        if (tensor->users.empty() && !graph_->IsOutput(*tensor)) continue;
        return NoWords("'" + tensor->name + "' has no value");
      }
      LITERT_ASSIGN_OR_RETURN(const std::string data, BufferText(*tensor));
      LITERT_RETURN_IF_ERROR(AddTensor(*tensor, indent, data, constants));
    }
    if (!constants.empty()) text += indent + "constants:\n" + constants;
    if (!variables.empty()) text += indent + "variables:\n" + variables;
    return {};
  }

  // The data, and which buffer has it where several tensors share one: the first of them says both.
  litert::Expected<std::string> BufferText(const Tensor& tensor) {
    std::string label;
    if (const auto shared = files_.shared.find(tensor.weights.buffer_id);
        shared != files_.shared.end()) {
      label = fmt::format(", buffer: b{}", shared->first);
      if (std::exchange(shared->second, true)) return label;
    }
    LITERT_ASSIGN_OR_RETURN(const std::string data, DataText(tensor));
    return fmt::format("{}, data: {}", label, data);
  }

  litert::Expected<std::string> DataText(const Tensor& tensor) {
    if (const auto values = ShortConstantText(tensor)) return *values;
    if (options_.weights_folder.empty()) {
      if (ElementBits(tensor.element_type) == 0)
        return NoWords("the values of '" + tensor.name + "' without a folder for weights");
      return std::string("random");
    }
    const std::string file = fmt::format("{}.bin", files_.count++);
    LITERT_RETURN_IF_ERROR(
        WriteWholeFile(options_.weights_folder + "/" + file, tensor.weights.bytes()));
    return "{file: " + Quoted(options_.weights_name + "/" + file) + "}";
  }

  litert::Expected<void> AddOp(const Op& op, const std::string& indent,
                               const std::set<size_t>& path, std::string& text) {
    const auto* composite = op.OptionsAs<StableHLOCompositeOptions>();
    if (op.is_dispatch()) return NoWords(OpText(op) + " is compiled");
    text += fmt::format("{}  - op: {}\n{}    in: {}\n{}    out: ", indent, OpNameText(op), indent,
                        Names(op.inputs), indent);
    std::vector<std::string> outputs;
    for (const Tensor* output : op.outputs) {
      LITERT_ASSIGN_OR_RETURN(const std::string attributes, Attributes(*output));
      outputs.push_back(fmt::format("{}: {{{}}}", Name(output), attributes));
    }
    text += outputs.empty() ? "[]\n" : fmt::format("{{{}}}\n", fmt::join(outputs, ", "));
    if (!op.intermediates.empty()) text += indent + "    intermediates:\n";
    for (const Tensor* inner : op.intermediates)
      LITERT_RETURN_IF_ERROR(AddTensor(*inner, indent + "    ", "", text));
    if (op.version != 1) text += fmt::format("{}    version: {}\n", indent, op.version);
    if (!op.custom_options.empty()) {
      text +=
          fmt::format("{}    custom_options: '{:02x}'\n", indent, fmt::join(op.custom_options, ""));
    }
    LITERT_ASSIGN_OR_RETURN(const std::string options, OptionsText(op));
    if (!options.empty()) text += fmt::format("{}    options: {{{}}}\n", indent, options);
    if (composite == nullptr) return {};
    const auto body = static_cast<size_t>(composite->decomposition_subgraph_index);
    if (body >= model_.subgraphs().size()) return NoWords(OpText(op) + " has no decomposition");
    LITERT_ASSIGN_OR_RETURN(
        const std::string inner,
        SubgraphWriter(model_, positions_, options_, files_).Write(body, indent + "      ", path));
    text += indent + "    decomposition:\n" + inner;
    return {};
  }

  static std::string OpNameText(const Op& op) {
    if (const auto* composite = op.OptionsAs<StableHLOCompositeOptions>(); composite != nullptr) {
      const bool has_dot = composite->name.find('.') != std::string::npos;
      return Quoted((has_dot ? "" : "composite:") + composite->name);
    }
    if (op.code == kLiteRtOpCodeTflCustom) return Quoted("custom:" + op.custom_code);
    return Quoted(OpName(op));
  }

  // Options that name subgraphs count those of the YAML.
  litert::Expected<std::string> OptionsText(const Op& op) const {
    const bool is_composite = op.OptionsAs<StableHLOCompositeOptions>() != nullptr;
    OpOptions options = op.options;
    bool is_known = true;
    if (!is_composite) {
      EditSubgraphReferences(options, [&](const char*, int32_t& index) {
        const auto found = positions_.find(static_cast<size_t>(index));
        if (index >= 0) is_known &= found != positions_.end();
        if (index >= 0 && is_known) index = static_cast<int32_t>(found->second);
      });
    }
    if (!is_known) return NoWords(OpText(op) + " calls a decomposition");
    std::vector<std::string> fields;
    VisitFields(options, [&](const char* name, const auto& value) {
      const std::string_view field = name;
      // The op's name and decomposition say these.
      if (is_composite && (field == "name" || field == "decomposition_subgraph_index")) return;
      fields.push_back(fmt::format("{}: {}", field, FieldText(value)));
    });
    return fmt::format("{}", fmt::join(fields, ", "));
  }

  static std::string OpText(const Op& op) {
    return npukit::OpText(OpLabel{.index = op.index, .op = OpName(op)});
  }

  const Model& model_;
  const std::map<size_t, size_t>& positions_;  // of subgraphs in the YAML's list
  const ModelYamlOptions& options_;
  WrittenBuffers& files_;
  const Subgraph* graph_ = nullptr;
  std::unordered_map<const Tensor*, std::string> names_;
};

// All but those that only composites stand for.
std::vector<size_t> ListedSubgraphs(const Model& model) {
  std::set<size_t> bodies;
  std::set<size_t> called;
  for (const auto& subgraph : model.subgraphs()) {
    for (const auto& op : subgraph->ops()) {
      const bool is_composite = op->OptionsAs<StableHLOCompositeOptions>() != nullptr;
      for (int32_t index : SubgraphReferences(op->options))
        (is_composite ? bodies : called).insert(static_cast<size_t>(index));
    }
  }
  for (const auto& signature : model.signatures) {
    for (size_t i = 0; i < model.subgraphs().size(); ++i) {
      if (&model.subgraph(i) == signature->subgraph) called.insert(i);
    }
  }
  std::vector<size_t> listed;
  for (size_t i = 0; i < model.subgraphs().size(); ++i) {
    if (i == 0 || called.contains(i) || !bodies.contains(i)) listed.push_back(i);
  }
  return listed;
}

}  // namespace

litert::Expected<std::string> ModelYaml(const Model& model, const ModelYamlOptions& options) {
  if (!options.weights_folder.empty()) {
    std::error_code error;
    std::filesystem::create_directories(options.weights_folder, error);
    if (error) {
      return litert::Unexpected(kLiteRtStatusErrorFileIO,
                                options.weights_folder + ": " + error.message());
    }
  }
  const std::vector<size_t> listed = ListedSubgraphs(model);
  std::map<size_t, size_t> positions;
  for (size_t i = 0; i < listed.size(); ++i) positions[listed[i]] = i;
  WrittenBuffers files{.shared = SharedBuffers(model)};
  std::string text;
  for (size_t index : listed) {
    const bool is_alone = listed.size() == 1;
    LITERT_ASSIGN_OR_RETURN(
        std::string graph,
        SubgraphWriter(model, positions, options, files).Write(index, is_alone ? "" : "  ", {}));
    // A list's dash in place of the indent's first blank: the lines that follow stand below what is
    // behind it.
    if (!is_alone) graph[0] = '-';
    text += graph;
  }
  return text;
}

}  // namespace npukit::tools
