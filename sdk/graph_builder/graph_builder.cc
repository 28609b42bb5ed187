// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "npukit/graph_builder.h"

#include <fmt/format.h>
#include <optional>
#include <set>
#include <span>

#include "sdk/host/model/graph/default_op_options.h"
#include "sdk/host/model/graph/model_builder.h"
#include "sdk/host/model/graph/op.h"
#include "sdk/host/model/options/option_value.h"
#include "sdk/host/model/writing/model_writer.h"

namespace npukit {

// The public class shares its namespace with the host's own types, and names like Tensor with them.
using HostTensor = ::LiteRtTensorT;
using HostSubgraph = ::LiteRtSubgraphT;
using HostQuantization = ::npukit::Quantization;

struct GraphBuilder::State {
  ModelBuilder builder;
  HostSubgraph* current = &builder.model().main_subgraph();
  int32_t current_index = 0;
  std::string problem;           // the first; empty: none
  std::unique_ptr<Model> model;  // once it is built

  // Whether calls still count.
  bool is_open() {
    if (problem.empty() && model != nullptr) problem = "the model is built already";
    return problem.empty();
  }
  void NoteProblem(std::string what) {
    if (problem.empty()) problem = std::move(what);
  }

  // nullopt, and a problem, for a tensor that is not of the current subgraph; null if it is omitted.
  std::optional<HostTensor*> Find(const Tensor& tensor, const std::string& where) {
    if (tensor.index_ < 0) return nullptr;
    const bool is_here = tensor.subgraph_ == current_index &&
                         static_cast<size_t>(tensor.index_) < current->tensors().size();
    if (is_here) return current->tensors()[static_cast<size_t>(tensor.index_)].get();
    NoteProblem(fmt::format("{}: the tensor is of subgraph {}, the current one is {}", where,
                            tensor.subgraph_, current_index));
    return std::nullopt;
  }
  Tensor Handle(const HostTensor& tensor) const {
    return Tensor(current_index, static_cast<int32_t>(tensor.index));
  }

  std::optional<int32_t> ScalesTensor(const Tensor& tensor, const std::string& name) {
    const std::optional<HostTensor*> found = Find(tensor, "the scales of '" + name + "'");
    if (!found) return std::nullopt;
    return *found == nullptr ? -1 : static_cast<int32_t>((*found)->index);
  }

  // The current subgraph's, checked; nullopt if there is a problem.
  std::optional<HostQuantization> ToHost(const Quantization& from, const std::string& name) {
    HostQuantization quantization;
    quantization.scale = from.scales;
    quantization.zero_point = from.zero_points;
    if (!from.scales.empty() && from.zero_points.empty())
      quantization.zero_point = ZeroPoints(from.scales.size(), 0);
    quantization.quantized_dimension = from.dimension;
    if (from.block_size_elems == 0) return quantization;
    const std::optional<int32_t> scales = ScalesTensor(from.block_scales, name);
    const std::optional<int32_t> zero_points = ScalesTensor(from.block_zero_points, name);
    if (!scales || !zero_points) return std::nullopt;
    quantization.blockwise = HostQuantization::Blockwise{.scales_tensor = *scales,
                                                         .zero_points_tensor = *zero_points,
                                                         .block_size_elems = from.block_size_elems};
    return quantization;
  }

  // Null if there is a problem.
  HostTensor* Add(const std::string& name, const TensorType& type, bool is_input = false) {
    if (!is_open()) return nullptr;
    std::optional<HostQuantization> quantization = ToHost(type.quantization, name);
    if (!quantization) return nullptr;
    return is_input ? builder.Input(name, type.element_type, type.shape, std::move(*quantization))
                    : builder.Value(name, type.element_type, type.shape, std::move(*quantization));
  }

  // An op and its new outputs. `add` makes the op of them.
  template <typename AddTo>
  std::vector<Tensor> AddOpOf(const std::string& what, const std::vector<Tensor>& inputs,
                              const std::vector<NamedTensorType>& outputs, AddTo&& add) {
    const std::string where = fmt::format("op {} ({})", current->ops().size(), what);
    std::vector<HostTensor*> reads;
    std::vector<HostTensor*> writes;
    for (const Tensor& input : inputs) {
      if (!is_open()) break;
      reads.push_back(Find(input, where).value_or(nullptr));
    }
    for (const NamedTensorType& output : outputs) writes.push_back(Add(output.name, output.type));
    // As many as there are outputs, whatever became of them.
    std::vector<Tensor> results(outputs.size());
    if (!is_open()) return results;
    if (auto added = add(reads, writes); !added) {
      NoteProblem(fmt::format("{}: {}", where, added.Error().Message()));
      return results;
    }
    for (size_t i = 0; i < writes.size(); ++i) results[i] = Handle(*writes[i]);
    return results;
  }

  // Once: Build() and Save() after each other give the same model, and calls in between are
  // problems.
  litert::Expected<const Model*> Finish() {
    if (model == nullptr && problem.empty()) {
      auto built = builder.Build();
      if (!built) return built.Error();
      model = std::move(*built);
    }
    if (!problem.empty()) return litert::Unexpected(kLiteRtStatusErrorInvalidArgument, problem);
    return model.get();
  }
};

GraphBuilder::GraphBuilder() : state_(std::make_unique<State>()) {}
GraphBuilder::GraphBuilder(GraphBuilder&&) noexcept = default;
GraphBuilder& GraphBuilder::operator=(GraphBuilder&&) noexcept = default;
GraphBuilder::~GraphBuilder() = default;

GraphBuilder::Tensor GraphBuilder::AddInput(const std::string& name, const TensorType& type) {
  const HostTensor* tensor = state_->Add(name, type, /*is_input=*/true);
  return tensor == nullptr ? Tensor() : state_->Handle(*tensor);
}

GraphBuilder::Tensor GraphBuilder::AddConstant(const std::string& name, const TensorType& type,
                                               const void* data, size_t size_bytes) {
  HostTensor* tensor = state_->Add(name, type);
  if (tensor == nullptr) return {};
  const std::optional<uint64_t> needed_bytes = DenseBytes(type.element_type, type.shape);
  if (needed_bytes && *needed_bytes != size_bytes) {
    state_->NoteProblem(fmt::format("constant '{}' has {} bytes, its type and shape ask for {}",
                                    name, size_bytes, *needed_bytes));
    return {};
  }
  tensor->weights.buffer_id = state_->builder.model().buffers().Add(
      SharedBytes::Copy({static_cast<const uint8_t*>(data), size_bytes}));
  return state_->Handle(*tensor);
}

GraphBuilder::Tensor GraphBuilder::AddVariable(const std::string& name, const TensorType& type) {
  HostTensor* tensor = state_->Add(name, type);
  if (tensor == nullptr) return {};
  tensor->is_variable = true;
  return state_->Handle(*tensor);
}

void GraphBuilder::AddOutput(Tensor tensor) {
  if (!state_->is_open()) return;
  const std::optional<HostTensor*> found = state_->Find(tensor, "an output");
  if (!found) return;
  if (*found == nullptr) return state_->NoteProblem("an output is no tensor");
  state_->builder.Output(*found);
}

std::vector<GraphBuilder::Tensor> GraphBuilder::AddOp(LiteRtOpCode code,
                                                      const std::vector<Tensor>& inputs,
                                                      const std::vector<NamedTensorType>& outputs,
                                                      const Options& options, int32_t version) {
  return state_->AddOpOf(
      OpCodeName(code), inputs, outputs,
      [&](const auto& reads, const auto& writes) -> litert::Expected<void> {
        OpOptions fields = DefaultOpOptions(code);
        std::set<std::string> seen;
        for (const Option& option : options) {
          if (!seen.insert(option.name).second) {
            return litert::Unexpected(kLiteRtStatusErrorInvalidArgument,
                                      fmt::format("option '{}' is given twice", option.name));
          }
          if (auto set = SetOption(fields, option.name, option.value.held()); !set) return set;
        }
        state_->builder.AddOp(code, std::move(fields), reads, writes, version);
        return {};
      });
}

GraphBuilder::Tensor GraphBuilder::AddOp(LiteRtOpCode code, const std::vector<Tensor>& inputs,
                                         const std::string& output, const TensorType& type,
                                         const Options& options, int32_t version) {
  return AddOp(code, inputs, {{output, type}}, options, version).front();
}

std::vector<GraphBuilder::Tensor> GraphBuilder::AddCustomOp(
    const std::string& custom_code, const std::vector<uint8_t>& custom_options,
    const std::vector<Tensor>& inputs, const std::vector<NamedTensorType>& outputs,
    int32_t version) {
  return state_->AddOpOf(custom_code, inputs, outputs,
                         [&](const auto& reads, const auto& writes) -> litert::Expected<void> {
                           state_->builder.AddCustomOp(custom_code, custom_options, reads, writes,
                                                       version);
                           return {};
                         });
}

std::vector<GraphBuilder::Tensor> GraphBuilder::AddComposite(
    const std::string& name, Subgraph decomposition, const std::vector<Tensor>& inputs,
    const std::vector<NamedTensorType>& outputs, const std::vector<uint8_t>& attributes) {
  return state_->AddOpOf(
      name, inputs, outputs, [&](const auto& reads, const auto& writes) -> litert::Expected<void> {
        StableHLOCompositeOptions options;
        options.name = name;
        options.decomposition_subgraph_index = decomposition.index;
        options.composite_attributes = attributes;
        state_->builder.AddOp(kLiteRtOpCodeShloComposite, std::move(options), reads, writes);
        return {};
      });
}

GraphBuilder::Subgraph GraphBuilder::AddSubgraph(const std::string& name) {
  if (!state_->is_open()) return {};
  const int32_t index = state_->builder.BeginSubgraph(name);
  Select({index});
  return {index};
}

void GraphBuilder::Select(Subgraph subgraph) {
  if (!state_->is_open()) return;
  Model& model = state_->builder.model();
  const auto index = static_cast<size_t>(subgraph.index);
  if (index >= model.subgraphs().size())
    return state_->NoteProblem(fmt::format("there is no subgraph {}", subgraph.index));
  state_->builder.SelectSubgraph(subgraph.index);
  state_->current = &model.subgraph(index);
  state_->current_index = subgraph.index;
}

void GraphBuilder::AddSignature(const std::string& key) {
  if (state_->is_open()) state_->builder.AddSignature(key);
}

void GraphBuilder::AddMetadata(const std::string& name, const std::vector<uint8_t>& bytes) {
  if (state_->is_open()) state_->builder.AddMetadata(name, bytes);
}

litert::Expected<std::vector<uint8_t>> GraphBuilder::Build() {
  const auto model = state_->Finish();
  if (!model) return model.Error();
  return SerializeModel(**model);
}

litert::Expected<void> GraphBuilder::Save(const std::string& path) {
  const auto model = state_->Finish();
  if (!model) return model.Error();
  return SaveModel(**model, path);
}

}  // namespace npukit
