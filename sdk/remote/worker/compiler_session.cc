// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/remote/worker/compiler_session.h"

#include <fmt/format.h>

#include <array>
#include <vector>

#include "litert/cc/litert_macros.h"
#include "npukit/compile_spec.h"
#include "sdk/host/library/abi_generation.h"
#include "sdk/host/model/reading/model_reader.h"
#include "sdk/host/partition/selection.h"
#include "sdk/host/plugin/reasons_of_call.h"

namespace npukit::remote {
namespace {

constexpr size_t kMaxReasonBytes = 1024;

litert::Unexpected NoSuch(const char* what, uint64_t number) {
  return litert::Unexpected(kLiteRtStatusErrorInvalidArgument,
                            fmt::format("there is no {} {}", what, number));
}

const char* SocOf(const PluginCall& call) {
  return (call.nulls & kNullSoc) != 0 ? nullptr : call.soc.c_str();
}

// Where the library is to write to: null if the desk's caller gave a null pointer.
template <typename T>
T* Place(const PluginCall& call, T& result) {
  return (call.nulls & kNullFirstResult) != 0 ? nullptr : &result;
}

Subgraph* SubgraphOf(const std::unique_ptr<Model>& model) {
  return model == nullptr ? nullptr : model->subgraphs().back().get();
}

}  // namespace

litert::Expected<std::unique_ptr<CompilerSession>> CompilerSession::Open(const std::string& path,
                                                                         const FileCache& cache) {
  LITERT_ASSIGN_OR_RETURN(PluginLibrary library,
                          PluginLibrary::Open(path, kNpukitStaticPluginCompiler));
  LITERT_ASSIGN_OR_RETURN(const PluginFunctions functions, ResolveFunctions(library));
  return std::unique_ptr<CompilerSession>(
      new CompilerSession(std::move(library), functions, cache));
}

PluginFacts CompilerSession::Facts() const {
  PluginFacts facts{.generation = GenerationName(functions_.generation), .exports = {}};
  const std::pair<const char*, bool> kExports[] = {
      {"NpukitExplainOp", functions_.explain_op != nullptr},
      {"NpukitSetCompileSpecs", functions_.set_compile_specs != nullptr},
      {"NpukitGetNumDebugHandles", functions_.get_num_debug_handles != nullptr},
      {"NpukitGetDebugHandle", functions_.get_debug_handle != nullptr},
      {"NpukitGetInPlaceInput", functions_.get_in_place_input != nullptr}};
  for (const auto& [name, is_there] : kExports) {
    if (is_there) facts.exports.emplace_back(name);
  }
  return facts;
}

litert::Expected<LiteRtCompilerPlugin> CompilerSession::PluginOf(uint64_t number) const {
  if (number == 0) return LiteRtCompilerPlugin{};
  const std::lock_guard lock(mutex_);
  const auto found = plugins_.find(number);
  if (found == plugins_.end()) return NoSuch("plugin", number);
  return found->second;
}

litert::Expected<std::unique_ptr<Model>> CompilerSession::ModelOf(const PluginCall& call) const {
  if ((call.nulls & kNullModel) != 0) return std::unique_ptr<Model>();
  if (call.digest.empty())
    return ParseModel(SharedBytes::Copy(call.model), "the model that was sent");
  LITERT_ASSIGN_OR_RETURN(std::vector<uint8_t> sent, cache_.Read(call.digest));
  return ParseModel(SharedBytes::Take(std::move(sent)), "the model that was sent");
}

litert::Expected<PluginAnswer> CompilerSession::Run(const PluginCall& call) {
  const ReasonsOfCall reasons(functions_.last_error);
  auto answer = Make(call);
  if (answer && answer->status != kLiteRtStatusOk && answer->text.empty())
    answer->text = reasons.Text();
  return answer;
}

litert::Expected<PluginAnswer> CompilerSession::Make(const PluginCall& call) {
  switch (call.function) {
    case PluginFunction::kVersion:
      return Version(call);
    case PluginFunction::kManufacturer:
      return Manufacturer();
    case PluginFunction::kCreate:
      return Create(call);
    default:
      // In plugin_functions.def those of a result follow all others.
      return call.function < PluginFunction::kDestroyResult ? RunOnPlugin(call) : RunOnResult(call);
  }
}

litert::Expected<PluginAnswer> CompilerSession::RunOnPlugin(const PluginCall& call) {
  if (call.function == PluginFunction::kDestroy) return Destroy(call);
  LITERT_ASSIGN_OR_RETURN(const LiteRtCompilerPlugin plugin, PluginOf(call.object));
  PluginAnswer answer;
  switch (call.function) {
    case PluginFunction::kSupportedHardware: {
      LiteRtHwAccelerators hardware = kLiteRtHwAcceleratorNone;
      answer.status = api().get_compiler_plugin_supported_hardware(plugin, Place(call, hardware));
      answer.number = static_cast<uint64_t>(hardware);
      return answer;
    }
    case PluginFunction::kNumSocModels: {
      LiteRtParamIndex count = 0;
      answer.status = api().get_num_compiler_plugin_supported_models(plugin, Place(call, count));
      answer.number = count;
      return answer;
    }
    case PluginFunction::kTransformations:
      return Transformations(call, plugin);
    case PluginFunction::kRewrite:
      return Rewrite(call);
    case PluginFunction::kSocModel:
      return SocModel(call, plugin);
    case PluginFunction::kCheckCompatibility:
      return CheckCompatibility(call, plugin);
    case PluginFunction::kSetCompileSpecs:
      return SetCompileSpecs(call, plugin);
    case PluginFunction::kPartition:
      return Partition(call, plugin);
    case PluginFunction::kExplain:
      return Explain(call, plugin);
    default:
      return Compile(call, plugin);
  }
}

PluginAnswer CompilerSession::Version(const PluginCall& call) const {
  LiteRtApiVersion version = {LITERT_API_VERSION_MAJOR, LITERT_API_VERSION_MINOR,
                              LITERT_API_VERSION_PATCH};
  PluginAnswer answer;
  // A queried table has a version of its own, which was looked at when it was queried.
  if (functions_.generation != PluginGeneration::kQueried)
    answer.status = api().get_compiler_plugin_version(Place(call, version));
  answer.numbers[0] = version.major;
  answer.numbers[1] = version.minor;
  answer.numbers[2] = version.patch;
  return answer;
}

PluginAnswer CompilerSession::Manufacturer() const {
  PluginAnswer answer;
  const char* const name = api().get_compiler_plugin_soc_manufacturer();
  answer.is_null = name == nullptr;
  if (name != nullptr) answer.text = name;
  return answer;
}

PluginAnswer CompilerSession::Create(const PluginCall& call) {
  LiteRtCompilerPlugin plugin = nullptr;
  PluginAnswer answer;
  answer.status = api().create_compiler_plugin(Place(call, plugin), nullptr, nullptr);
  answer.is_null = plugin == nullptr;
  if (answer.status != kLiteRtStatusOk || plugin == nullptr) return answer;
  const std::lock_guard lock(mutex_);
  answer.object = ++last_object_;
  plugins_.emplace(answer.object, plugin);
  return answer;
}

litert::Expected<PluginAnswer> CompilerSession::Destroy(const PluginCall& call) {
  LITERT_ASSIGN_OR_RETURN(const LiteRtCompilerPlugin plugin, PluginOf(call.object));
  {
    const std::lock_guard lock(mutex_);
    plugins_.erase(call.object);
    transformations_.erase(call.object);
  }
  api().destroy_compiler_plugin(plugin);
  return PluginAnswer{};
}

PluginAnswer CompilerSession::SocModel(const PluginCall& call, LiteRtCompilerPlugin plugin) const {
  const char* name = nullptr;
  PluginAnswer answer;
  answer.status = api().get_compiler_plugin_supported_soc_model(
      plugin, static_cast<LiteRtParamIndex>(call.index), Place(call, name));
  if (answer.status != kLiteRtStatusOk) return answer;
  answer.is_null = name == nullptr;
  if (name != nullptr) answer.text = name;
  return answer;
}

PluginAnswer CompilerSession::CheckCompatibility(const PluginCall& call,
                                                 LiteRtCompilerPlugin plugin) const {
  PluginAnswer answer;
  answer.status = api().check_compiler_compatibility(
      {call.numbers[0], call.numbers[1], call.numbers[2]}, plugin, nullptr, nullptr, SocOf(call));
  return answer;
}

PluginAnswer CompilerSession::SetCompileSpecs(const PluginCall& call,
                                              LiteRtCompilerPlugin plugin) const {
  PluginAnswer answer{.status = kLiteRtStatusErrorUnsupported};
  if (functions_.set_compile_specs == nullptr) return answer;
  std::vector<NpukitCompileSpec> specs;
  for (const RemoteSpec& spec : call.specs)
    specs.push_back({spec.key.c_str(), spec.bytes.data(), spec.bytes.size()});
  answer.status =
      functions_.set_compile_specs(plugin, static_cast<size_t>(call.index),
                                   specs.empty() ? nullptr : specs.data(), specs.size());
  return answer;
}

litert::Expected<PluginAnswer> CompilerSession::Partition(const PluginCall& call,
                                                          LiteRtCompilerPlugin plugin) const {
  LITERT_ASSIGN_OR_RETURN(const std::unique_ptr<Model> model, ModelOf(call));
  Subgraph* const subgraph = SubgraphOf(model);
  LiteRtOpListT list;
  PluginAnswer answer;
  answer.status = api().compiler_plugin_partition(plugin, SocOf(call), subgraph, Place(call, list));
  std::map<const Op*, uint32_t> positions = {{nullptr, RemoteSelectedOp::kNullOp}};
  if (subgraph != nullptr) {
    for (uint32_t i = 0; i < subgraph->ops().size(); ++i) positions.emplace(&subgraph->op(i), i);
  }
  for (const SelectedOp& selected : list.selection()) {
    // The pointer is the plugin's: it is compared and never followed.
    const auto found = positions.find(selected.op);
    answer.selection.push_back(
        {found == positions.end() ? RemoteSelectedOp::kForeignOp : found->second,
         selected.partition_index});
  }
  return answer;
}

litert::Expected<PluginAnswer> CompilerSession::Explain(const PluginCall& call,
                                                        LiteRtCompilerPlugin plugin) const {
  PluginAnswer answer{.status = kLiteRtStatusErrorUnsupported};
  if (functions_.explain_op == nullptr) return answer;
  LITERT_ASSIGN_OR_RETURN(const std::unique_ptr<Model> model, ModelOf(call));
  if (model == nullptr) return PluginAnswer{.status = kLiteRtStatusErrorInvalidArgument};
  Subgraph* const subgraph = SubgraphOf(model);
  answer.status = kLiteRtStatusOk;
  for (const auto& op : subgraph->ops()) {
    std::array<char, kMaxReasonBytes> reason = {};
    const LiteRtStatus explained = functions_.explain_op(plugin, SocOf(call), subgraph, op.get(),
                                                         reason.data(), reason.size());
    reason.back() = '\0';
    answer.texts.emplace_back(explained == kLiteRtStatusOk ? reason.data() : "");
  }
  return answer;
}

litert::Expected<PluginAnswer> CompilerSession::Compile(const PluginCall& call,
                                                        LiteRtCompilerPlugin plugin) {
  LITERT_ASSIGN_OR_RETURN(std::unique_ptr<Model> model, ModelOf(call));
  Compiled compiled{.result = nullptr, .partitions = std::move(model)};
  PluginAnswer answer;
  answer.status = api().compiler_plugin_compile(plugin, SocOf(call), compiled.partitions.get(),
                                                Place(call, compiled.result));
  if (answer.status != kLiteRtStatusOk) return answer;
  answer.is_null = compiled.result == nullptr;
  if (answer.is_null) return answer;
  const std::lock_guard lock(mutex_);
  answer.object = ++last_object_;
  results_.emplace(answer.object, std::move(compiled));
  return answer;
}

}  // namespace npukit::remote
