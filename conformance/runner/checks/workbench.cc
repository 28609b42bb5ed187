// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/runner/checks/workbench.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <optional>
#include <set>

#include "conformance/observation/evidence.h"
#include "conformance/observation/sha256.h"
#include "conformance/oracle/tensor_data.h"
#include "conformance/runner/process/stage.h"
#include "conformance/spec/graph/op_option_reader.h"
#include "litert/cc/litert_macros.h"
#include "sdk/host/model/writing/model_writer.h"
#include "sdk/host/runtime/diagnostics/random_inputs.h"

namespace npukit::conformance {

namespace {

litert::Expected<std::vector<uint8_t>> ReadInput(const std::string& path, const Tensor& tensor) {
  std::ifstream stream(path, std::ios::binary);
  std::vector<uint8_t> bytes{std::istreambuf_iterator<char>(stream), {}};
  const std::optional<uint64_t> wanted = DenseBytes(tensor.element_type, tensor.shape);
  if (stream.bad() || !stream.is_open() || bytes.size() != wanted) {
    return litert::Unexpected(kLiteRtStatusErrorInvalidArgument,
                              fmt::format("{}: {} bytes, expected {} for '{}'", path, bytes.size(),
                                          wanted.value_or(0), tensor.name));
  }
  return bytes;
}

}  // namespace

std::vector<std::string> ExercisedBy(const JudgedOp& judged) {
  if (judged.answer.claim == nullptr) return {};
  const OpClaim& claim = *judged.answer.claim;
  const std::string text = claim.op + " " + judged.answer.types->ToString();
  std::vector<std::string> exercised = {text};
  for (const auto& [field, values] : claim.limits.options)
    exercised.push_back(OptionValueText(text, field, OptionText(judged.op->options, field)));
  return exercised;
}

std::set<size_t> DecompositionsOf(const Model& model) {
  std::set<size_t> bodies;
  for (const auto& subgraph : model.subgraphs()) {
    for (const auto& op : subgraph->ops()) {
      const auto* composite = op->OptionsAs<StableHLOCompositeOptions>();
      if (composite != nullptr)
        bodies.insert(static_cast<size_t>(composite->decomposition_subgraph_index));
    }
  }
  return bodies;
}

litert::Expected<std::string> ModelDigest(const Model& model) {
  LITERT_ASSIGN_OR_RETURN(const std::vector<uint8_t> bytes, SerializeModel(model));
  return Sha256({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

litert::Expected<std::string> ObserveModelDigest(const Model& model) {
  return Witness::Get().Observe<std::string>("model", [&] { return ModelDigest(model); });
}

litert::Expected<PartitionedModel> PartitionWith(const VendorPlugin& plugin, const char* soc,
                                                 const Model& model) {
  return PartitionBySelector(model, [&](Subgraph& subgraph) -> litert::Expected<SelectorAnswer> {
    LITERT_ASSIGN_OR_RETURN(Selection selection, plugin.Partition(soc, subgraph));
    return SelectorAnswer{.selection = std::move(selection), .remarks = {}};
  });
}

litert::Expected<Model*> Workbench::model() {
  if (!model_) {
    LITERT_ASSIGN_OR_RETURN(
        CaseModel made,
        MakeCaseModel(spec_, &claims(), HashText(spec_.full_name(), under_test_.seed)));
    model_ = std::move(made);
  }
  return model_->model.get();
}

litert::Expected<std::vector<JudgedOp>> Workbench::judged_ops() {
  LITERT_ASSIGN_OR_RETURN(Model * made, model());
  const std::set<size_t> bodies = DecompositionsOf(*made);
  std::vector<JudgedOp> ops;
  for (size_t i = 0; i < made->subgraphs().size(); ++i) {
    if (bodies.contains(i)) continue;
    for (const auto& op : made->subgraph(i).ops())
      ops.push_back({op.get(), MatchClaim(claims(), *op)});
  }
  return ops;
}

litert::Expected<const LiteRtCompilerPluginApi*> Workbench::api() {
  if (!functions_) {
    LITERT_ASSIGN_OR_RETURN(functions_, OpenPlugin(under_test_.plugin_path));
  }
  return &functions_->litert;
}

litert::Expected<VendorPlugin> Workbench::NewPlugin() {
  LITERT_ASSIGN_OR_RETURN(const LiteRtCompilerPluginApi* functions, api());
  LITERT_ASSIGN_OR_RETURN(VendorPlugin created, VendorPlugin::Create(*functions));
  LITERT_RETURN_IF_ERROR(created.SetSpecs(functions_->set_compile_specs, under_test_.specs));
  return created;
}

litert::Expected<const VendorPlugin*> Workbench::plugin() {
  if (!plugin_) {
    LITERT_ASSIGN_OR_RETURN(VendorPlugin created, NewPlugin());
    plugin_.emplace(std::move(created));
  }
  return &*plugin_;
}

litert::Expected<const ObservedRewrite*> Workbench::rewrite() {
  if (!rewrite_) {
    LITERT_ASSIGN_OR_RETURN(Model * made, model());
    LITERT_ASSIGN_OR_RETURN(const VendorPlugin* asked, plugin());
    LITERT_ASSIGN_OR_RETURN(ObservedRewrite observed, ObserveRewrite(under_test_, *asked, *made));
    rewrite_.emplace(std::move(observed));
  }
  return &*rewrite_;
}

litert::Expected<Model*> Workbench::asked_model() {
  LITERT_ASSIGN_OR_RETURN(const ObservedRewrite* rewritten, rewrite());
  return rewritten->model != nullptr ? rewritten->model.get() : model();
}

litert::Expected<PartitionedModel*> Workbench::partitioned() {
  if (!partitioned_) {
    LITERT_ASSIGN_OR_RETURN(Model * made, asked_model());
    LITERT_ASSIGN_OR_RETURN(const VendorPlugin* asked, plugin());
    LITERT_ASSIGN_OR_RETURN(PartitionedModel result, PartitionWith(*asked, nullptr, *made));
    if (result.partitions.empty()) {
      return litert::Unexpected(kLiteRtStatusErrorRuntimeFailure,
                                "the plugin selects nothing, although it claims ops of this model");
    }
    partitioned_.emplace(std::move(result));
  }
  return &*partitioned_;
}

litert::Expected<const Artifacts*> Workbench::artifacts() {
  if (!artifacts_) {
    LITERT_ASSIGN_OR_RETURN(PartitionedModel * parts, partitioned());
    LITERT_ASSIGN_OR_RETURN(const VendorPlugin* asked, plugin());
    LITERT_ASSIGN_OR_RETURN(const VendorResult result, asked->Compile(nullptr, *parts->bodies));
    LITERT_ASSIGN_OR_RETURN(artifacts_, result.Read());
    if (artifacts_->calls.size() != parts->partitions.size()) {
      return litert::Unexpected(kLiteRtStatusErrorRuntimeFailure,
                                fmt::format("{} calls for {} partitions", artifacts_->calls.size(),
                                            parts->partitions.size()));
    }
  }
  return &*artifacts_;
}

litert::Expected<std::shared_ptr<const DispatchLibrary>> Workbench::dispatch() {
  std::shared_ptr<const DispatchLibrary> library;
  LITERT_RETURN_IF_ERROR(
      Witness::Get().ObserveStatus("dispatch library", [&]() -> litert::Expected<void> {
        if (under_test_.dispatch_path.empty()) {
          return litert::Unexpected(
              kLiteRtStatusErrorNotFound,
              under_test_.plugin_dir + ": no dispatch library (libLiteRtDispatch*.so)");
        }
        SetStage("loading the dispatch library");
        LITERT_ASSIGN_OR_RETURN(library, DispatchLibrary::Load(under_test_.dispatch_path));
        return {};
      }));
  return library;
}

std::optional<std::vector<uint8_t>> Workbench::ComputedByModel(const Tensor& tensor, size_t index) {
  if (!model_ || tensor.name.empty()) return std::nullopt;
  const Model& model = *model_->model;
  const Subgraph& whole = *model.subgraphs().front();
  const auto is_it = [&](const auto& other) { return other->name == tensor.name; };
  const auto computed = std::ranges::find_if(whole.tensors(), is_it);
  if (computed == whole.tensors().end() || std::ranges::any_of(whole.inputs, is_it))
    return std::nullopt;
  if (!computed_ || computed_->index != index) {
    computed_ = {.index = index, .oracle = nullptr};
    const auto inputs = Inputs(whole, index);
    auto oracle = std::make_unique<GraphOracle>(model, whole);
    if (inputs && oracle->Run(*inputs)) computed_->oracle = std::move(oracle);
  }
  const kernels::OracleTensor* value =
      computed_->oracle == nullptr ? nullptr : computed_->oracle->ValueOf(computed->get());
  if (value != nullptr) return value->ToBytes();
  // The first place is always there.
  return std::vector<uint8_t>(DenseBytes(tensor.element_type, tensor.shape).value_or(0));
}

// Of the table that the tensor's elements are rows of; INT32_MAX: none. A compiled model does not show it, so it is
// the input of that name of the source.
int32_t Workbench::ExtentOf(const Tensor& tensor) const {
  int32_t extent = IndexedExtent(tensor);
  if (!model_) return extent;
  for (const auto& subgraph : model_->model->subgraphs()) {
    for (const Tensor* input : subgraph->inputs) {
      if (input->name == tensor.name) extent = std::min(extent, IndexedExtent(*input));
    }
  }
  return extent;
}

litert::Expected<InputSet> Workbench::Inputs(const Subgraph& subgraph, size_t index) {
  InputSet set;
  const bool by_pattern = index < spec_.patterns.size();
  const DataSpec data{.pattern = by_pattern ? spec_.patterns[index] : DataSpec::Pattern::kRandom,
                      .values = {}};
  for (size_t i = 0; i < subgraph.inputs.size(); ++i) {
    const Tensor& tensor = *subgraph.inputs[i];
    if (const auto file = spec_.input_files.find(tensor.name);
        index == 0 && file != spec_.input_files.end()) {
      LITERT_ASSIGN_OR_RETURN(std::vector<uint8_t> bytes, ReadInput(file->second, tensor));
      set.push_back(std::move(bytes));
      continue;
    }
    const bool may_be_places = tensor.element_type == kLiteRtElementTypeInt32 ||
                               tensor.element_type == kLiteRtElementTypeInt64;
    if (may_be_places) {
      if (auto bytes = ComputedByModel(tensor, index)) {
        set.push_back(std::move(*bytes));
        continue;
      }
    }
    ValueRange range;
    if (model_) {
      const auto found = model_->input_ranges.find(tensor.name);
      if (found != model_->input_ranges.end()) range = found->second;
    }
    // Of a table: beyond it an error is right, and nothing is judged.
    const int32_t extent = may_be_places && !range ? ExtentOf(tensor) : INT32_MAX;
    if (extent < INT32_MAX) range = {0, std::max(0, extent - 1)};
    // Primes, so that no two of a case's inputs have one seed.
    const uint64_t seed =
        HashText(spec_.full_name(), under_test_.seed) + index * 1000003 + i * 7919;
    LITERT_ASSIGN_OR_RETURN(std::vector<uint8_t> bytes,
                            MakeTensorData(tensor.element_type, tensor.shape, data, range, seed));
    set.push_back(std::move(bytes));
  }
  return set;
}

}  // namespace npukit::conformance
