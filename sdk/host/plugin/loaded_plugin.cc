// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/plugin/loaded_plugin.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "litert/cc/litert_macros.h"
#include "sdk/host/library/plugin_library.h"
#include "sdk/host/plugin/compiled_result.h"
#include "sdk/host/plugin/plugin_error.h"
#include "sdk/host/plugin/plugin_functions.h"
#include "sdk/host/plugin/reasons_of_call.h"

namespace npukit {
namespace {

constexpr size_t kMaxSocModels = 1 << 16;
constexpr size_t kMaxReasonBytes = 1024;
constexpr size_t kMaxTransformations = 1 << 16;

const char* NullIfEmpty(const std::string& text) { return text.empty() ? nullptr : text.c_str(); }

std::string VersionText(const LiteRtApiVersion& version) {
  return fmt::format("{}.{}.{}", version.major, version.minor, version.patch);
}

litert::Expected<void> CheckVersion(const PluginFunctions& functions, const std::string& plugin) {
  LiteRtApiVersion version = {};
  const LiteRtStatus status = functions.litert.get_compiler_plugin_version(&version);
  const std::string call = "LiteRtGetCompilerPluginVersion";
  if (status != kLiteRtStatusOk) return CallFailed(status, plugin, call);
  const LiteRtApiVersion expected = {LITERT_API_VERSION_MAJOR, LITERT_API_VERSION_MINOR,
                                     LITERT_API_VERSION_PATCH};
  if (version.major == expected.major && version.minor == expected.minor &&
      version.patch == expected.patch) {
    return {};
  }
  return litert::Error(kLiteRtStatusErrorWrongVersion,
                       fmt::format("{}: {}: {}, expected {}", plugin, call, VersionText(version),
                                   VersionText(expected)));
}

}  // namespace

struct LoadedPlugin::State {
  explicit State(PluginLibrary opened) : library(std::move(opened)) {}
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  // The handle first: the library's code is what destroys it.
  ~State() {
    if (handle != nullptr) functions.litert.destroy_compiler_plugin(handle);
  }

  litert::Expected<void> Create();
  litert::Expected<void> Introduce();
  litert::Expected<void> ReadSocModels();
  litert::Expected<void> ReadTransformations();
  std::string Describe() const {
    return manufacturer.empty() ? library.path()
                                : fmt::format("{} ({})", manufacturer, library.path());
  }

  PluginLibrary library;
  PluginFunctions functions;
  LiteRtCompilerPlugin handle = nullptr;
  LiteRtEnvironmentOptions env = nullptr;  // not owned
  LiteRtOptions options = nullptr;         // not owned
  std::string abi;
  std::string generation;
  std::string sdk_version;
  std::string manufacturer;
  std::vector<std::string> soc_models;
  LiteRtHwAccelerators hardware = kLiteRtHwAcceleratorNone;
  std::vector<LiteRtTransformation> transformations;
};

litert::Expected<void> LoadedPlugin::State::Create() {
  LITERT_ASSIGN_OR_RETURN(functions, ResolveFunctions(library));
  const ReasonsOfCall reasons(functions.last_error);
  if (auto introduced = Introduce(); !introduced) return reasons.Explain(introduced.Error());
  return {};
}

litert::Expected<void> LoadedPlugin::State::Introduce() {
  abi = AbiName(functions.generation);
  generation = GenerationName(functions.generation);
  const char* name = functions.litert.get_compiler_plugin_soc_manufacturer();
  if (name == nullptr || *name == '\0') {
    return BadAnswer(library.path(), "LiteRtGetCompilerPluginSocManufacturer", "no name");
  }
  manufacturer = name;
  // The version of a queried table counts in place of the one of the API.
  if (functions.generation != PluginGeneration::kQueried)
    LITERT_RETURN_IF_ERROR(CheckVersion(functions, Describe()));

  const std::string create = "LiteRtCreateCompilerPlugin";
  LiteRtCompilerPlugin created = nullptr;
  LiteRtStatus status = functions.litert.create_compiler_plugin(&created, env, options);
  if (status != kLiteRtStatusOk) return CallFailed(status, Describe(), create);
  if (created == nullptr) {
    return BadAnswer(Describe(), create, "a null pointer");
  }
  handle = created;
  status = functions.litert.get_compiler_plugin_supported_hardware(handle, &hardware);
  if (status != kLiteRtStatusOk) {
    return CallFailed(status, Describe(), "LiteRtGetCompilerPluginSupportedHardware");
  }
  if (functions.get_sdk_version != nullptr) {
    const char* version = nullptr;
    status = functions.get_sdk_version(handle, &version);
    // For people to read: a plugin that gives none is as good.
    if (status == kLiteRtStatusOk && version != nullptr) sdk_version = version;
  }
  LITERT_RETURN_IF_ERROR(ReadTransformations());
  return ReadSocModels();
}

// Asked once: some plugins register theirs again with each call.
litert::Expected<void> LoadedPlugin::State::ReadTransformations() {
  LiteRtTransformation* registered = nullptr;
  LiteRtParamIndex count = 0;
  const LiteRtStatus status =
      functions.litert.register_all_transformations(handle, &registered, &count);
  const std::string call = "LiteRtCompilerPluginRegisterAllTransformations";
  if (status != kLiteRtStatusOk) return CallFailed(status, Describe(), call);
  if (count > kMaxTransformations || (count > 0 && registered == nullptr)) {
    return BadAnswer(Describe(), call, fmt::format("{} transformations", count));
  }
  transformations.assign(registered, registered + count);
  return {};
}

litert::Expected<void> LoadedPlugin::State::ReadSocModels() {
  LiteRtParamIndex count = 0;
  LiteRtStatus status = functions.litert.get_num_compiler_plugin_supported_models(handle, &count);
  const std::string count_call = "LiteRtGetNumCompilerPluginSupportedSocModels";
  if (status != kLiteRtStatusOk) {
    return CallFailed(status, Describe(), count_call);
  }
  if (count > kMaxSocModels) {
    return BadAnswer(Describe(), count_call, fmt::to_string(count));
  }
  for (size_t i = 0; i < count; ++i) {
    const char* soc_model = nullptr;
    status = functions.litert.get_compiler_plugin_supported_soc_model(handle, i, &soc_model);
    const std::string call = fmt::format("LiteRtGetCompilerPluginSupportedSocModel({})", i);
    if (status != kLiteRtStatusOk) return CallFailed(status, Describe(), call);
    if (soc_model == nullptr || *soc_model == '\0') {
      return BadAnswer(Describe(), call, "no name");
    }
    soc_models.emplace_back(soc_model);
  }
  return {};
}

LoadedPlugin::LoadedPlugin(std::unique_ptr<State> state) : state_(std::move(state)) {}
LoadedPlugin::LoadedPlugin(LoadedPlugin&&) noexcept = default;
LoadedPlugin& LoadedPlugin::operator=(LoadedPlugin&&) noexcept = default;
LoadedPlugin::~LoadedPlugin() = default;

litert::Expected<LoadedPlugin> LoadedPlugin::Load(const std::string& path,
                                                  LiteRtEnvironmentOptions env,
                                                  LiteRtOptions options) {
  LITERT_ASSIGN_OR_RETURN(PluginLibrary library,
                          PluginLibrary::Open(path, kNpukitStaticPluginCompiler));
  auto state = std::make_unique<State>(std::move(library));
  state->env = env;
  state->options = options;
  LITERT_RETURN_IF_ERROR(state->Create());
  return LoadedPlugin(std::move(state));
}

const std::string& LoadedPlugin::path() const { return state_->library.path(); }
const std::string& LoadedPlugin::manufacturer() const { return state_->manufacturer; }
std::span<const LiteRtTransformation> LoadedPlugin::transformations() const {
  return state_->transformations;
}
const std::string& LoadedPlugin::abi() const { return state_->abi; }
const std::string& LoadedPlugin::generation() const { return state_->generation; }
const void* LoadedPlugin::pattern_context() const { return state_->functions.pattern_context; }
const std::string& LoadedPlugin::sdk_version() const { return state_->sdk_version; }
const std::vector<std::string>& LoadedPlugin::soc_models() const { return state_->soc_models; }
bool LoadedPlugin::has_executables() const {
  return state_->functions.get_result_handle != nullptr;
}
LiteRtHwAccelerators LoadedPlugin::supported_hardware() const { return state_->hardware; }
std::string LoadedPlugin::Describe() const { return state_->Describe(); }

bool LoadedPlugin::KnowsSoc(const std::string& soc_model) const {
  const std::vector<std::string>& known = state_->soc_models;
  return soc_model.empty() || known.empty() ||
         std::find(known.begin(), known.end(), soc_model) != known.end();
}

litert::Expected<RewriteCount> LoadedPlugin::Rewrite(std::unique_ptr<Model>& model) const {
  const PluginFunctions& functions = state_->functions;
  auto count = functions.rewrite_elsewhere != nullptr
                   ? functions.rewrite_elsewhere(state_->handle, model)
                   : RewriteModel(*model, state_->transformations,
                                  {.has_block_wise_argument = functions.has_block_wise_argument,
                                   .context = functions.pattern_context});
  if (count) return count;
  return litert::Unexpected(count.Error().Status(),
                            fmt::format("{}: {}", Describe(), count.Error().Message()));
}

litert::Expected<void> LoadedPlugin::CheckCompatibility(const std::string& soc_model) const {
  if (!KnowsSoc(soc_model)) {
    return litert::Error(kLiteRtStatusErrorUnsupported,
                         fmt::format("{}: no SoC model \"{}\": expected one of {}", Describe(),
                                     soc_model, fmt::join(state_->soc_models, ", ")));
  }
  const LiteRtApiVersion version = {LITERT_API_VERSION_MAJOR, LITERT_API_VERSION_MINOR,
                                    LITERT_API_VERSION_PATCH};
  const ReasonsOfCall reasons(state_->functions.last_error);
  const LiteRtStatus status = state_->functions.litert.check_compiler_compatibility(
      version, state_->handle, state_->env, state_->options, NullIfEmpty(soc_model));
  if (status == kLiteRtStatusOk) return {};
  return CallFailed(status, Describe(),
                    fmt::format("LiteRtCompilerPluginCheckCompilerCompatibility({})",
                                soc_model.empty() ? "default SoC" : soc_model),
                    reasons.Text());
}

litert::Expected<SelectorAnswer> LoadedPlugin::Partition(const std::string& soc_model,
                                                         Subgraph& subgraph) const {
  LiteRtOpListT list;
  const ReasonsOfCall reasons(state_->functions.last_error);
  const LiteRtStatus status = state_->functions.litert.compiler_plugin_partition(
      state_->handle, NullIfEmpty(soc_model), &subgraph, &list);
  if (status != kLiteRtStatusOk) {
    return CallFailed(status, Describe(), "LiteRtCompilerPluginPartition", reasons.Text());
  }
  SelectorAnswer answer;
  answer.selection = list.selection();
  if (state_->functions.explain_op == nullptr) return answer;
  for (const auto& op : subgraph.ops()) {
    std::array<char, kMaxReasonBytes> reason = {};
    const LiteRtStatus explained = state_->functions.explain_op(
        state_->handle, NullIfEmpty(soc_model), &subgraph, op.get(), reason.data(), reason.size());
    if (explained != kLiteRtStatusOk || reason[0] == '\0') continue;
    // A plugin need not end what fills the room.
    reason.back() = '\0';
    answer.remarks.push_back({op.get(), reason.data()});
  }
  return answer;
}

litert::Expected<void> LoadedPlugin::SetCompileSpecs(size_t partition,
                                                     std::span<const CompileSpec> specs) const {
  std::vector<std::string> keys;
  for (const CompileSpec& spec : specs) keys.push_back(spec.key);
  if (state_->functions.set_compile_specs == nullptr) {
    if (specs.empty()) return {};
    return litert::Error(
        kLiteRtStatusErrorUnsupported,
        fmt::format("{}: takes no compile specs ({})", Describe(), fmt::join(keys, ", ")));
  }
  const ReasonsOfCall reasons(state_->functions.last_error);
  const std::vector<NpukitCompileSpec> passed = ViewsOf(specs);
  const LiteRtStatus status = state_->functions.set_compile_specs(
      state_->handle, partition, passed.empty() ? nullptr : passed.data(), passed.size());
  if (status == kLiteRtStatusOk) return {};
  return CallFailed(status, Describe(),
                    fmt::format("NpukitSetCompileSpecs({})", fmt::join(keys, ", ")),
                    reasons.Text());
}

litert::Expected<CompiledPartitions> LoadedPlugin::Compile(const std::string& soc_model,
                                                           Model& partitions) const {
  const LiteRtCompilerPluginApi& functions = state_->functions.litert;
  LiteRtCompiledResult result = nullptr;
  const ReasonsOfCall reasons(state_->functions.last_error);
  const LiteRtStatus status = functions.compiler_plugin_compile(
      state_->handle, NullIfEmpty(soc_model), &partitions, &result);
  const std::string call = "LiteRtCompilerPluginCompile";
  if (status != kLiteRtStatusOk) return CallFailed(status, Describe(), call, reasons.Text());
  if (result == nullptr) return BadAnswer(Describe(), call, "a null result");
  // Holds the plugin, too: an executable may outlive whoever loaded it. Without executables it goes
  // here, once all has been copied.
  std::shared_ptr<void> owner(result, [state = state_](void* owned) {
    state->functions.litert.destroy_compiled_result(static_cast<LiteRtCompiledResult>(owned));
  });
  auto compiled = ReadCompiledResult(state_->functions, result, partitions, Describe());
  if (!compiled) return reasons.Explain(compiled.Error());
  if (std::any_of(compiled->executables.begin(), compiled->executables.end(),
                  [](LiteRtJitExecutable made) { return made != nullptr; })) {
    compiled->owner = std::move(owner);
  }
  return compiled;
}

}  // namespace npukit
