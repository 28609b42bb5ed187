// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/tools/reports/model_report.h"

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <unordered_set>

#include "sdk/host/model/metadata/build_stamp.h"
#include "sdk/host/model/options/field_text.h"
#include "sdk/host/model/options/option_fields.h"

namespace npukit::tools {
namespace {

using Json = nlohmann::ordered_json;

template <typename T>
Json FieldValue(const T& value) {
  if constexpr (kIsSchemaEnum<T>) {
    return EnumName(value);
  } else if constexpr (std::is_same_v<T, float>) {
    // As short as the float allows, not as long as the double it becomes.
    return std::isfinite(value) ? Json(std::stod(FloatText(value))) : Json(FloatText(value));
  } else {
    return value;
  }
}
template <typename T>
Json FieldValue(const std::vector<T>& values) {
  Json list = Json::array();
  for (const auto value : values) list.push_back(FieldValue(static_cast<T>(value)));
  return list;
}

Json Indices(const std::vector<Tensor*>& tensors) {
  Json list = Json::array();
  for (const Tensor* tensor : tensors)
    list.push_back(tensor == nullptr ? -1 : int64_t{tensor->index});
  return list;
}

// Modules by their buffers, in order of first use.
class Modules {
 public:
  Modules(const Model& model, const SharedBytes& file) : model_(model), file_(file) {}

  size_t Use(const DispatchInfo& dispatch) {
    const auto [place, is_new] = numbers_.emplace(dispatch.bytecode, list_.size());
    if (is_new) {
      const std::span<const uint8_t> bytes = model_.buffers().Get(dispatch.bytecode).bytes;
      Json module = {{"index", place->second}, {"bytes", bytes.size()}};
      const bool in_file = bytes.data() >= file_.bytes.data() &&
                           bytes.data() <= file_.bytes.data() + file_.bytes.size();
      if (in_file) module["offset"] = bytes.data() - file_.bytes.data();
      module["entry_points"] = Json::array();
      list_.push_back(std::move(module));
    }
    list_[place->second]["entry_points"].push_back(dispatch.entry_point);
    return place->second;
  }
  const Json& list() const { return list_; }

 private:
  const Model& model_;
  const SharedBytes& file_;
  std::map<BufferStore::Id, size_t> numbers_;
  Json list_ = Json::array();
};

Json DescribeOp(const Op& op, Modules& modules) {
  Json json = {{"index", op.index},
               {"op", OpName(op)},
               {"version", op.version},
               {"inputs", Indices(op.inputs)},
               {"outputs", Indices(op.outputs)}};
  if (!OptionsName(op.options).empty()) json["options"] = DescribeOptions(op.options);
  if (op.has_custom_options) json["custom_options_bytes"] = op.custom_options.size();
  if (!op.intermediates.empty()) json["intermediates"] = Indices(op.intermediates);
  if (op.dispatch) {
    json["dispatch"] = {{"entry_point", op.dispatch->entry_point}};
    if (op.dispatch->bytecode != BufferStore::kEmpty)
      json["dispatch"]["module"] = modules.Use(*op.dispatch);
  }
  return json;
}

Json DescribeQuantization(const Quantization& q) {
  Json json = Json::object();
  if (q.blockwise) {
    json = {{"kind", "blockwise"},
            {"scales_tensor", q.blockwise->scales_tensor},
            {"zero_points_tensor", q.blockwise->zero_points_tensor},
            {"block_size_elems", q.blockwise->block_size_elems}};
  } else if (q.multi_axis) {
    json = {{"kind", "multi_axis"},
            {"scales_tensor", q.multi_axis->scales_tensor},
            {"zero_points_tensor", q.multi_axis->zero_points_tensor},
            {"block_size_elems", q.multi_axis->block_size_elems},
            {"dimensions", q.multi_axis->quantized_dimensions}};
  } else if (q.custom) {
    json = {{"kind", "custom"}, {"bytes", q.custom->size()}};
  } else if (!q.scale.empty()) {
    json = {{"kind", q.is_per_channel() ? "per_channel" : "per_tensor"},
            {"scale", FieldValue(q.scale)},
            {"zero_point", q.zero_point.ToVector()}};
    if (q.is_per_channel()) json["dimension"] = q.quantized_dimension;
  }
  return json;
}

class SubgraphDescriber {
 public:
  SubgraphDescriber(const Subgraph& subgraph, Modules& modules)
      : subgraph_(subgraph),
        modules_(modules),
        inputs_(subgraph.inputs.begin(), subgraph.inputs.end()),
        outputs_(subgraph.outputs.begin(), subgraph.outputs.end()) {}

  Json Describe(size_t index) const {
    Json json = {{"index", index},
                 {"name", subgraph_.name},
                 {"inputs", Indices(subgraph_.inputs)},
                 {"outputs", Indices(subgraph_.outputs)},
                 {"ops", Json::array()},
                 {"tensors", Json::array()}};
    for (const auto& op : subgraph_.ops()) json["ops"].push_back(DescribeOp(*op, modules_));
    for (const auto& tensor : subgraph_.tensors())
      json["tensors"].push_back(DescribeTensor(*tensor));
    return json;
  }

 private:
  const char* Role(const Tensor& tensor) const {
    if (inputs_.contains(&tensor)) return outputs_.contains(&tensor) ? "input and output" : "input";
    if (outputs_.contains(&tensor)) return "output";
    if (tensor.is_constant() || tensor.external_buffer != 0) return "constant";
    if (tensor.is_variable) return "variable";
    if (tensor.defining_op == nullptr && tensor.users.empty()) return "unused";
    return "value";
  }

  Json DescribeTensor(const Tensor& tensor) const {
    Json json = {{"index", tensor.index},
                 {"name", tensor.name},
                 {"dtype", ElementTypeName(tensor.element_type)},
                 {"shape", tensor.shape}};
    if (!tensor.shape_signature.empty()) json["shape_signature"] = tensor.shape_signature;
    json["role"] = Role(tensor);
    if (!tensor.weights.bytes().empty()) {
      json["constant_bytes"] = tensor.weights.bytes().size();
      json["buffer"] = tensor.weights.buffer_id;
    }
    if (Json quantization = DescribeQuantization(tensor.quantization); !quantization.empty()) {
      json["quantization"] = std::move(quantization);
    }
    if (tensor.sparsity) json["sparse"] = true;
    if (tensor.external_buffer != 0) json["external_buffer"] = tensor.external_buffer;
    return json;
  }

  const Subgraph& subgraph_;
  Modules& modules_;
  std::unordered_set<const Tensor*> inputs_;
  std::unordered_set<const Tensor*> outputs_;
};

Json DescribeSignature(const Model& model, const Signature& signature) {
  size_t index = 0;
  while (&model.subgraph(index) != signature.subgraph) ++index;
  Json json = {{"key", signature.key}, {"subgraph", index}};
  for (const auto& [key, tensors] :
       {std::pair{"inputs", &signature.inputs}, {"outputs", &signature.outputs}}) {
    json[key] = Json::array();
    for (const auto& named : *tensors) {
      json[key].push_back({{"name", named.name}, {"tensor", named.tensor->index}});
    }
  }
  return json;
}

}  // namespace

Json DescribeOptions(const OpOptions& options) {
  Json fields = Json::object();
  VisitFields(options,
              [&](const char* name, const auto& value) { fields[name] = FieldValue(value); });
  return {{"table", OptionsName(options)}, {"fields", fields}};
}

Json DescribeModel(const Model& model, const SharedBytes& file, const std::string& path) {
  Json report = {{"file", path},
                 {"file_bytes", file.bytes.size()},
                 {"schema_version", model.schema_version},
                 {"description", model.description}};
  if (const auto stamp = GetBuildStamp(model)) {
    report["stamp"] = {{"soc_manufacturer", stamp->soc_manufacturer},
                       {"soc_model", stamp->soc_model}};
  }
  Modules modules(model, file);
  report["subgraphs"] = Json::array();
  for (size_t i = 0; i < model.subgraphs().size(); ++i) {
    report["subgraphs"].push_back(SubgraphDescriber(model.subgraph(i), modules).Describe(i));
  }
  report["signatures"] = Json::array();
  for (const auto& signature : model.signatures) {
    report["signatures"].push_back(DescribeSignature(model, *signature));
  }
  report["metadata"] = Json::array();
  for (const Model::Metadata& entry : model.metadata) {
    report["metadata"].push_back(
        {{"name", entry.name}, {"bytes", model.buffers().Get(entry.buffer).bytes.size()}});
  }
  report["modules"] = modules.list();
  return report;
}

}  // namespace npukit::tools
