// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/runner/vendor/vendor_plugin.h"

#include <fmt/format.h>
#include <algorithm>
#include <cstring>
#include <map>

#include "conformance/observation/evidence.h"
#include "conformance/runner/vendor/vendor_call.h"
#include "litert/cc/litert_macros.h"
#include "npukit/compile_spec.h"
#include "sdk/host/library/plugin_library.h"

namespace npukit::conformance {
namespace {

constexpr size_t kMaxCount = 1 << 20;

// In a ObservedSelection; positions follow.
constexpr uint64_t kNullOp = 0;
constexpr uint64_t kForeignOp = 1;
constexpr uint64_t kFirstOp = 2;

}  // namespace

litert::Expected<PluginFunctions> OpenPlugin(const std::string& path) {
  PluginFunctions functions;
  LITERT_RETURN_IF_ERROR(Witness::Get().ObserveStatus("dlopen", [&]() -> litert::Expected<void> {
    SetStage("dlopen");
    LITERT_ASSIGN_OR_RETURN(const PluginLibrary library,
                            PluginLibrary::Open(path, kNpukitStaticPluginCompiler));
    LITERT_ASSIGN_OR_RETURN(functions, ResolveFunctions(library));
    return {};
  }));
  return functions;
}

bool Artifacts::IsSound() const {
  return std::all_of(calls.begin(), calls.end(),
                     [this](const Call& call) { return call.module < modules.size(); });
}

// Pointers say nothing in the process that judges, whose model is another copy: ops go by position,
// and what is no op of the subgraph stays told apart from nothing.
ObservedSelection ObservedSelection::Of(const Subgraph& subgraph, const Selection& selection) {
  std::map<const Op*, uint64_t> positions = {{nullptr, kNullOp}};
  for (const auto& op : subgraph.ops())
    positions.emplace(op.get(), kFirstOp + positions.size() - 1);
  ObservedSelection observed;
  for (const SelectedOp& entry : selection) {
    const auto found = positions.find(entry.op);
    observed.ops.push_back(found == positions.end() ? kForeignOp : found->second);
    observed.indices.push_back(static_cast<uint64_t>(entry.partition_index));
  }
  return observed;
}

Selection ObservedSelection::In(const Subgraph& subgraph) const {
  static Op foreign;  // of no subgraph
  Selection selection;
  for (size_t i = 0; i < ops.size(); ++i) {
    SelectedOp entry{.op = nullptr, .partition_index = static_cast<LiteRtParamIndex>(indices[i])};
    const uint64_t position = ops[i] - kFirstOp;
    if (ops[i] >= kFirstOp && position < subgraph.ops().size()) {
      entry.op = subgraph.ops()[static_cast<size_t>(position)].get();
    } else if (ops[i] != kNullOp) {
      entry.op = &foreign;
    }
    selection.push_back(entry);
  }
  return selection;
}

std::string ArtifactDifference(const Artifacts& a, const Artifacts& b) {
  if (a.calls != b.calls) return "the calls differ";
  if (a.modules.size() != b.modules.size()) return "the numbers of modules differ";
  for (size_t i = 0; i < a.modules.size(); ++i) {
    const auto& first = a.modules[i];
    const auto& second = b.modules[i];
    if (first == second) continue;
    const auto where =
        std::mismatch(first.begin(),
                      first.begin() + static_cast<ptrdiff_t>(std::min(first.size(), second.size())),
                      second.begin());
    return fmt::format("module {} differs at byte {}", i, where.first - first.begin());
  }
  return {};
}

VendorResult::~VendorResult() {
  if (handle_ != nullptr)
    VendorCall("LiteRtDestroyCompiledResult", api_->destroy_compiled_result, handle_);
}

litert::Expected<Artifacts> VendorResult::Read() const {
  return Witness::Get().Observe<Artifacts>("compiled result", [&] { return ReadNow(); });
}

litert::Expected<Artifacts> VendorResult::ReadNow() const {
  Artifacts artifacts;
  LiteRtParamIndex num_modules = 0;
  LiteRtStatus status = VendorCall("LiteRtCompiledResultNumByteCodeModules",
                                   api_->get_compiled_result_num_byte_code, handle_, &num_modules);
  if (status != kLiteRtStatusOk)
    return CallFailed("LiteRtCompiledResultNumByteCodeModules", status);
  if (num_modules > kMaxCount)
    return CallFailed("LiteRtCompiledResultNumByteCodeModules: absurd count", status);
  for (LiteRtParamIndex i = 0; i < num_modules; ++i) {
    const void* bytes = nullptr;
    size_t size_bytes = 0;
    status = VendorCall("LiteRtGetCompiledResultByteCode", api_->get_compiled_result_byte_code,
                        handle_, i, &bytes, &size_bytes);
    const std::string call = fmt::format("LiteRtGetCompiledResultByteCode({})", i);
    if (status != kLiteRtStatusOk) return CallFailed(call, status);
    if (bytes == nullptr || size_bytes == 0) return CallFailed(call + ": no bytes", status);
    const auto* begin = static_cast<const uint8_t*>(bytes);
    artifacts.modules.emplace_back(begin, begin + size_bytes);
  }
  LiteRtParamIndex num_calls = 0;
  status = VendorCall("LiteRtGetNumCompiledResultCalls", api_->get_compiled_result_num_calls,
                      handle_, &num_calls);
  if (status != kLiteRtStatusOk) return CallFailed("LiteRtGetNumCompiledResultCalls", status);
  if (num_calls > kMaxCount)
    return CallFailed("LiteRtGetNumCompiledResultCalls: absurd count", status);
  for (LiteRtParamIndex i = 0; i < num_calls; ++i) {
    const void* info = nullptr;
    size_t size_bytes = 0;
    LiteRtParamIndex module = 0;
    status = VendorCall("LiteRtGetCompiledResultCallInfo", api_->get_compiled_result_call_info,
                        handle_, i, &info, &size_bytes, &module);
    const std::string call = fmt::format("LiteRtGetCompiledResultCallInfo({})", i);
    if (status != kLiteRtStatusOk) return CallFailed(call, status);
    if (info == nullptr && size_bytes > 0) return CallFailed(call + ": no entry point", status);
    if (module >= num_modules) {
      return CallFailed(fmt::format("{}: names module {} of {}", call, module, num_modules),
                        status);
    }
    std::string name(static_cast<const char*>(info), size_bytes);
    name.resize(std::strlen(name.c_str()));  // some vendors count the terminating zero
    artifacts.calls.push_back({std::move(name), module});
  }
  return artifacts;
}

litert::Expected<VendorPlugin> VendorPlugin::Create(const LiteRtCompilerPluginApi& api) {
  LiteRtCompilerPlugin handle = nullptr;
  constexpr char kCall[] = "LiteRtCreateCompilerPlugin";
  LITERT_RETURN_IF_ERROR(Witness::Get().ObserveStatus(kCall, [&]() -> litert::Expected<void> {
    const LiteRtStatus returned = VendorCall(kCall, api.create_compiler_plugin, &handle,
                                             LiteRtEnvironmentOptions{}, LiteRtOptions{});
    if (returned != kLiteRtStatusOk || handle == nullptr) return CallFailed(kCall, returned);
    return {};
  }));
  return VendorPlugin(api, handle);
}

VendorPlugin::~VendorPlugin() {
  if (handle_ != nullptr)
    VendorCall("LiteRtDestroyCompilerPlugin", api_->destroy_compiler_plugin, handle_);
}

litert::Expected<void> VendorPlugin::SetSpecs(NpukitSetCompileSpecsT set,
                                              std::span<const CompileSpec> specs) const {
  if (specs.empty()) return {};
  constexpr char kCall[] = "NpukitSetCompileSpecs";
  return Witness::Get().ObserveStatus(kCall, [&]() -> litert::Expected<void> {
    const std::vector<NpukitCompileSpec> passed = ViewsOf(specs);
    if (set == nullptr) return CallFailed(kCall, kLiteRtStatusErrorUnsupported);
    const LiteRtStatus status =
        VendorCall(kCall, set, handle_, NPUKIT_ALL_PARTITIONS, passed.data(), passed.size());
    if (status != kLiteRtStatusOk) return CallFailed(kCall, status);
    return {};
  });
}

litert::Expected<std::vector<std::string>> VendorPlugin::SocModels() const {
  return Witness::Get().Observe<std::vector<std::string>>("SoC models",
                                                          [&] { return AskSocModels(); });
}

litert::Expected<std::vector<std::string>> VendorPlugin::AskSocModels() const {
  LiteRtParamIndex count = 0;
  LiteRtStatus status = VendorCall("LiteRtGetNumCompilerPluginSupportedSocModels",
                                   api_->get_num_compiler_plugin_supported_models, handle_, &count);
  if (status != kLiteRtStatusOk)
    return CallFailed("LiteRtGetNumCompilerPluginSupportedSocModels", status);
  std::vector<std::string> names;
  for (LiteRtParamIndex i = 0; i < count && i < kMaxCount; ++i) {
    const char* name = nullptr;
    status = VendorCall("LiteRtGetCompilerPluginSupportedSocModel",
                        api_->get_compiler_plugin_supported_soc_model, handle_, i, &name);
    const std::string call = fmt::format("LiteRtGetCompilerPluginSupportedSocModel({})", i);
    if (status != kLiteRtStatusOk) return CallFailed(call, status);
    if (name == nullptr) return CallFailed(call + ": null name", status);
    names.emplace_back(name);
  }
  return names;
}

litert::Expected<Selection> VendorPlugin::Partition(const char* soc, Subgraph& subgraph) const {
  constexpr char kCall[] = "LiteRtCompilerPluginPartition";
  LITERT_ASSIGN_OR_RETURN(const ObservedSelection observed,
                          Witness::Get().Observe<ObservedSelection>(
                              kCall, [&]() -> litert::Expected<ObservedSelection> {
                                LiteRtOpListT list;
                                const LiteRtStatus status =
                                    VendorCall(kCall, api_->compiler_plugin_partition, handle_, soc,
                                               &subgraph, &list);
                                if (status != kLiteRtStatusOk) return CallFailed(kCall, status);
                                return ObservedSelection::Of(subgraph, list.selection());
                              }));
  return observed.In(subgraph);
}

litert::Expected<VendorResult> VendorPlugin::Compile(const char* soc, Model& partitions) const {
  constexpr char kCall[] = "LiteRtCompilerPluginCompile";
  LiteRtCompiledResult result = nullptr;
  LITERT_RETURN_IF_ERROR(Witness::Get().ObserveStatus(kCall, [&]() -> litert::Expected<void> {
    const LiteRtStatus returned =
        VendorCall(kCall, api_->compiler_plugin_compile, handle_, soc, &partitions, &result);
    if (returned != kLiteRtStatusOk) return CallFailed(kCall, returned);
    if (result == nullptr) return CallFailed("LiteRtCompilerPluginCompile: no result", returned);
    return {};
  }));
  return VendorResult(*api_, result);
}

}  // namespace npukit::conformance
