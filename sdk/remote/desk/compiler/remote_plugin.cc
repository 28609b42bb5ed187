// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/remote/desk/compiler/remote_plugin.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "litert/c/litert_model.h"
#include "litert/cc/litert_macros.h"
#include "npukit/compile_spec.h"
#include "npukit/extensions/explain.h"
#include "npukit/static_plugin.h"
#include "sdk/host/library/linked_plugins.h"
#include "sdk/host/model/writing/model_writer.h"
#include "sdk/host/rewrite/rewrite.h"
#include "sdk/remote/desk/compiler/plugin_state.h"
#include "sdk/remote/desk/compiler/received_rewrite.h"
#include "sdk/remote/desk/compiler/remote_results.h"
#include "sdk/remote/desk/compiler/sent_graph.h"
#include "sdk/remote/desk/copied_text.h"
#include "sdk/remote/desk/readable_specs.h"

namespace npukit::remote {
namespace {

// -- The plugin -----------------------------------------------------------------------------------

LiteRtStatus GetVersion(LiteRtApiVersion* version) {
  PluginCall call{.function = PluginFunction::kVersion};
  if (version == nullptr) call.nulls |= kNullFirstResult;
  PluginAnswer answer;
  const LiteRtStatus status = PluginState::Get().Call(std::move(call), answer);
  if (status != kLiteRtStatusOk || version == nullptr) return status;
  *version = {answer.numbers[0], answer.numbers[1], answer.numbers[2]};
  return status;
}

const char* GetManufacturer() {
  PluginAnswer answer;
  PluginState& state = PluginState::Get();
  if (state.Call({.function = PluginFunction::kManufacturer}, answer) != kLiteRtStatusOk ||
      answer.is_null) {
    return nullptr;
  }
  // Names stay for the life of the process, as those of a plugin's file do.
  static auto* const names = new std::set<std::string>;
  const auto lock = state.Lock();
  return names->insert(std::move(answer.text)).first->c_str();
}

LiteRtStatus CreatePlugin(LiteRtCompilerPlugin* plugin, LiteRtEnvironmentOptions, LiteRtOptions) {
  PluginCall call{.function = PluginFunction::kCreate};
  if (plugin == nullptr) call.nulls |= kNullFirstResult;
  PluginAnswer answer;
  PluginState& state = PluginState::Get();
  const LiteRtStatus status = state.Call(std::move(call), answer);
  if (status != kLiteRtStatusOk || plugin == nullptr) return status;
  *plugin = answer.is_null ? nullptr : state.AddPlugin(answer.object);
  return status;
}

void DestroyPlugin(LiteRtCompilerPlugin plugin) {
  PluginAnswer ignored;
  PluginState::Get().Call(CallOn(PluginFunction::kDestroy, plugin), ignored);
  if (plugin != nullptr) PluginState::Get().Remove(plugin);
}

LiteRtStatus GetSupportedHardware(LiteRtCompilerPlugin plugin, LiteRtHwAccelerators* hardware) {
  return CallForNumber(CallOn(PluginFunction::kSupportedHardware, plugin), hardware);
}

LiteRtStatus GetNumSocModels(LiteRtCompilerPlugin plugin, LiteRtParamIndex* count) {
  return CallForNumber(CallOn(PluginFunction::kNumSocModels, plugin), count);
}

LiteRtStatus GetSocModel(LiteRtCompilerPlugin plugin, LiteRtParamIndex index, const char** name) {
  PluginCall call = CallOn(PluginFunction::kSocModel, plugin);
  call.index = index;
  if (name == nullptr) call.nulls |= kNullFirstResult;
  PluginAnswer answer;
  PluginState& state = PluginState::Get();
  const LiteRtStatus status = state.Call(std::move(call), answer);
  if (status != kLiteRtStatusOk || name == nullptr) return status;
  *name = nullptr;
  if (answer.is_null || plugin == nullptr) return status;
  const auto lock = state.Lock();
  *name = FromHandle(plugin)->texts.insert(std::move(answer.text)).first->c_str();
  return status;
}

// Stands for a pattern on the device, which edits graphs of its own process: RewriteThere is what calls it.
LiteRtStatus PatternThere(LiteRtBuilder, LiteRtOp) { return kLiteRtStatusErrorUnsupported; }

LiteRtStatus RegisterTransformations(LiteRtCompilerPlugin plugin,
                                     LiteRtTransformation** transformations,
                                     LiteRtParamIndex* count) {
  PluginCall call = CallOn(PluginFunction::kTransformations, plugin);
  if (transformations == nullptr) call.nulls |= kNullFirstResult;
  if (count == nullptr) call.nulls |= kNullSecondResult;
  PluginAnswer answer;
  PluginState& state = PluginState::Get();
  const LiteRtStatus status = state.Call(std::move(call), answer);
  if (status != kLiteRtStatusOk) return status;
  if (count != nullptr) *count = static_cast<LiteRtParamIndex>(answer.number);
  if (transformations != nullptr) *transformations = nullptr;
  // Where the numbers differ, the plugin's list was none that could be read.
  if (transformations == nullptr || plugin == nullptr || answer.number == 0 ||
      answer.transformations.size() != answer.number) {
    return status;
  }
  const auto lock = state.Lock();
  DeskTransformations& kept = FromHandle(plugin)->transformations.emplace_back();
  for (RemoteTransformation& one : answer.transformations) {
    const char* const name =
        one.has_name ? kept.names.emplace_back(std::move(one.name)).c_str() : nullptr;
    kept.list.push_back({.pattern = one.has_pattern ? PatternThere : nullptr,
                         .name = name,
                         .benefit = static_cast<size_t>(one.benefit)});
  }
  *transformations = kept.list.data();
  return status;
}

void PutSoc(const char* soc, PluginCall& call) {
  if (soc == nullptr) {
    call.nulls |= kNullSoc;
  } else {
    call.soc = soc;
  }
}

LiteRtStatus CheckCompatibility(LiteRtApiVersion version, LiteRtCompilerPlugin plugin,
                                LiteRtEnvironmentOptions, LiteRtOptions, const char* soc) {
  PluginCall call = CallOn(PluginFunction::kCheckCompatibility, plugin);
  call.numbers[0] = version.major;
  call.numbers[1] = version.minor;
  call.numbers[2] = version.patch;
  PutSoc(soc, call);
  PluginAnswer ignored;
  return PluginState::Get().Call(std::move(call), ignored);
}

LiteRtStatus SetSpecs(LiteRtCompilerPlugin plugin, size_t partition, const NpukitCompileSpec* specs,
                      size_t num_specs) {
  PluginCall call = CallOn(PluginFunction::kSetCompileSpecs, plugin);
  call.index = partition;
  if (!AreReadable(specs, num_specs)) return kLiteRtStatusErrorInvalidArgument;
  for (size_t i = 0; i < num_specs; ++i) {
    const auto* const bytes = static_cast<const uint8_t*>(specs[i].data);
    call.specs.push_back({specs[i].key, {bytes, bytes + specs[i].size_bytes}});
  }
  PluginAnswer ignored;
  return PluginState::Get().Call(std::move(call), ignored);
}

// -- Graphs ---------------------------------------------------------------------------------------

LiteRtStatus PutSubgraph(LiteRtSubgraph subgraph, PluginCall& call) {
  if (subgraph != nullptr) return PluginState::Get().PutModel(SerializeSubgraph(*subgraph), call);
  call.nulls |= kNullModel;
  return kLiteRtStatusOk;
}

// The op at a position, or what stands for another pointer that the plugin gave: the host finds
// that it is none of the subgraph's, and says so, as of a plugin of this machine.
LiteRtOp OpOf(LiteRtSubgraph subgraph, uint32_t op) {
  static auto* const foreign = new Op;  // of no subgraph
  if (op == RemoteSelectedOp::kNullOp) return nullptr;
  return subgraph == nullptr || op >= subgraph->ops().size() ? foreign : &subgraph->op(op);
}

LiteRtStatus Partition(LiteRtCompilerPlugin plugin, const char* soc, LiteRtSubgraph subgraph,
                       LiteRtOpList selected_ops) {
  PluginCall call = CallOn(PluginFunction::kPartition, plugin);
  PutSoc(soc, call);
  if (selected_ops == nullptr) call.nulls |= kNullFirstResult;
  if (const LiteRtStatus put = PutSubgraph(subgraph, call); put != kLiteRtStatusOk) return put;
  PluginAnswer answer;
  PluginState& state = PluginState::Get();
  const LiteRtStatus status = state.Call(std::move(call), answer);
  if (plugin != nullptr) {
    const auto lock = state.Lock();
    // Reasons are remembered by the subgraph's address, which another one may have by now.
    FromHandle(plugin)->explained = nullptr;
  }
  if (selected_ops == nullptr) return status;
  for (const RemoteSelectedOp& selected : answer.selection) {
    LiteRtPushOp(selected_ops, OpOf(subgraph, selected.op),
                 static_cast<LiteRtParamIndex>(selected.partition_index));
  }
  return status;
}

// All ops are asked about at once, when the first is.
LiteRtStatus ExplainAll(LiteRtCompilerPlugin plugin, const char* soc, LiteRtSubgraph subgraph) {
  PluginState& state = PluginState::Get();
  DeskPlugin& kept = *FromHandle(plugin);
  const std::string soc_key = soc == nullptr ? std::string() : std::string("=") + soc;
  {
    const auto lock = state.Lock();
    if (kept.explained == subgraph && kept.explained_for == soc_key) return kLiteRtStatusOk;
  }
  PluginCall call = CallOn(PluginFunction::kExplain, plugin);
  PutSoc(soc, call);
  if (const LiteRtStatus put = PutSubgraph(subgraph, call); put != kLiteRtStatusOk) return put;
  PluginAnswer answer;
  const LiteRtStatus status = state.Call(std::move(call), answer);
  if (status != kLiteRtStatusOk) return status;
  const auto lock = state.Lock();
  kept.explained = subgraph;
  kept.explained_for = soc_key;
  kept.reasons = std::move(answer.texts);
  return status;
}

LiteRtStatus ExplainOp(LiteRtCompilerPlugin plugin, const char* soc, LiteRtSubgraph subgraph,
                       LiteRtOp op, char* buffer, size_t buffer_size) {
  if (plugin == nullptr || subgraph == nullptr || op == nullptr || buffer == nullptr)
    return kLiteRtStatusErrorInvalidArgument;
  if (const LiteRtStatus status = ExplainAll(plugin, soc, subgraph); status != kLiteRtStatusOk)
    return status;
  const bool is_of_it = op->index < subgraph->ops().size() && &subgraph->op(op->index) == op;
  const auto lock = PluginState::Get().Lock();
  const std::vector<std::string>& reasons = FromHandle(plugin)->reasons;
  const bool is_told = is_of_it && op->index < reasons.size();
  CopyText(is_told ? reasons[op->index] : std::string(), buffer, buffer_size);
  return kLiteRtStatusOk;
}

LiteRtStatus Compile(LiteRtCompilerPlugin plugin, const char* soc, LiteRtModel partitions,
                     LiteRtCompiledResult* result) {
  PluginCall call = CallOn(PluginFunction::kCompile, plugin);
  PutSoc(soc, call);
  if (result == nullptr) call.nulls |= kNullFirstResult;
  PluginState& state = PluginState::Get();
  if (partitions == nullptr) {
    call.nulls |= kNullModel;
  } else if (const LiteRtStatus put = state.PutModel(SerializeModel(*partitions), call);
             put != kLiteRtStatusOk) {
    return put;
  }
  PluginAnswer answer;
  const LiteRtStatus status = state.Call(std::move(call), answer);
  if (status != kLiteRtStatusOk || result == nullptr) return status;
  *result = answer.is_null ? nullptr : state.AddResult(answer.object);
  return status;
}

litert::Expected<RewriteCount> RewriteThere(LiteRtCompilerPlugin plugin,
                                            std::unique_ptr<Model>& model) {
  PluginCall call = CallOn(PluginFunction::kRewrite, plugin);
  PluginState& state = PluginState::Get();
  LiteRtStatus status = state.PutModel(SerializeModel(*model), call);
  PluginAnswer answer;
  if (status == kLiteRtStatusOk) status = state.Call(std::move(call), answer);
  if (status != kLiteRtStatusOk) {
    const std::string& trouble = InstalledLink::trouble();
    return litert::Unexpected(status, trouble.empty() ? answer.text : trouble);
  }
  auto received = ReceiveRewrite(*model, answer);
  if (!received) {
    const std::string why = "what it rewrote can't be used: " + received.Error().Message();
    state.link().Refuse(why, NameOf(PluginFunction::kRewrite));
    return litert::Unexpected(received.Error().Status(), why);
  }
  if (received->model != nullptr) model = std::move(received->model);
  return std::move(received->count);
}

// Whatever the plugin exports: the worker also says which function is not in a queried table.
const char* LastError() { return PluginState::LastError().c_str(); }

// -- Its registration -----------------------------------------------------------------------------

template <typename Function>
NpukitStaticSymbol PluginSymbol(const char* name, Function function) {
  return {name, reinterpret_cast<NpukitStaticFunction>(function)};
}

const std::vector<NpukitStaticSymbol>& PluginFunctionsOfAll() {
  static const auto* const all = new std::vector<NpukitStaticSymbol>{
      PluginSymbol("LiteRtGetCompilerPluginVersion", GetVersion),
      PluginSymbol("LiteRtGetCompilerPluginSocManufacturer", GetManufacturer),
      PluginSymbol("LiteRtCreateCompilerPlugin", CreatePlugin),
      PluginSymbol("LiteRtDestroyCompilerPlugin", DestroyPlugin),
      PluginSymbol("LiteRtGetCompilerPluginSupportedHardware", GetSupportedHardware),
      PluginSymbol("LiteRtGetNumCompilerPluginSupportedSocModels", GetNumSocModels),
      PluginSymbol("LiteRtGetCompilerPluginSupportedSocModel", GetSocModel),
      PluginSymbol("LiteRtCompilerPluginPartition", Partition),
      PluginSymbol("LiteRtCompilerPluginCompile", Compile),
      PluginSymbol("LiteRtDestroyCompiledResult", DestroyCompiledResult),
      PluginSymbol("LiteRtCompiledResultNumByteCodeModules", NumByteCodeModules),
      PluginSymbol("LiteRtGetCompiledResultByteCode", GetByteCode),
      PluginSymbol("LiteRtGetNumCompiledResultCalls", NumCalls),
      PluginSymbol("LiteRtGetCompiledResultCallInfo", GetCallInfo),
      PluginSymbol("LiteRtCompilerPluginRegisterAllTransformations", RegisterTransformations),
      PluginSymbol("LiteRtCompilerPluginCheckCompilerCompatibility", CheckCompatibility),
      PluginSymbol("NpukitLastError", LastError),
      PluginSymbol(kRewriteElsewhere, RewriteThere)};
  return *all;
}

const std::vector<NpukitStaticSymbol>& PluginExportsOfSome() {
  static const auto* const some = new std::vector<NpukitStaticSymbol>{
      PluginSymbol("NpukitExplainOp", ExplainOp), PluginSymbol("NpukitSetCompileSpecs", SetSpecs),
      PluginSymbol("NpukitGetNumDebugHandles", NumDebugHandles),
      PluginSymbol("NpukitGetDebugHandle", GetDebugHandle),
      PluginSymbol("NpukitGetInPlaceInput", GetInPlaceInput)};
  return *some;
}

// What the plugin is announced as; empty: it is not.
std::string& AnnouncedPlugin() {
  static auto* const announced = new std::string;
  return *announced;
}

litert::Expected<void> RegisterRemotePlugin(const std::string& name, const PluginFacts& facts) {
  std::vector<NpukitStaticSymbol> symbols = PluginFunctionsOfAll();
  for (const NpukitStaticSymbol& symbol : PluginExportsOfSome()) {
    if (std::find(facts.exports.begin(), facts.exports.end(), symbol.name) != facts.exports.end())
      symbols.push_back(symbol);
  }
  const NpukitStaticPlugin plugin = {.struct_size = sizeof(NpukitStaticPlugin),
                                     .kind = kNpukitStaticPluginCompiler,
                                     .name = name.c_str(),
                                     .symbols = symbols.data(),
                                     .num_symbols = symbols.size()};
  if (!AnnouncedPlugin().empty())
    NpukitUnregisterStaticPlugin(kNpukitStaticPluginCompiler, AnnouncedPlugin().c_str());
  AnnouncedPlugin().clear();
  const LiteRtStatus status = NpukitRegisterStaticPlugin(&plugin);
  if (status != kLiteRtStatusOk) {
    return litert::Unexpected(status, fmt::format("the device's plugin can't be named '{}'", name));
  }
  AnnouncedPlugin() = name;
  return {};
}

}  // namespace

litert::Expected<std::string> AnnounceRemotePlugin(const LibraryFile& file) {
  const std::string name = file.vendor.empty() ? "device" : file.vendor;
  SetPlaceOfLinked(kNpukitStaticPluginCompiler, name, file.Place());
  if (AnnouncedPlugin() != name) LITERT_RETURN_IF_ERROR(RegisterRemotePlugin(name, {}));
  return LinkedPath(name);
}

litert::Expected<void> AnnouncePluginExports(const PluginFacts& facts) {
  return RegisterRemotePlugin(std::string(AnnouncedPlugin()), facts);
}

litert::Expected<std::string> InstallRemotePlugin(Link& link, const LibraryFile& file,
                                                  RemoteHooks hooks) {
  PluginState::Get().Install(&link, &file, std::move(hooks));
  return AnnounceRemotePlugin(file);
}

litert::Expected<PluginFacts> OpenRemotePlugin() {
  PluginState& state = PluginState::Get();
  if (const LiteRtStatus status = state.Open(); status != kLiteRtStatusOk)
    return litert::Unexpected(status, InstalledLink::trouble());
  LITERT_RETURN_IF_ERROR(AnnouncePluginExports(state.facts()));
  return state.facts();
}

void UninstallRemotePlugin() { PluginState::Get().Install(nullptr, nullptr, {}); }

std::string RemotePluginTrouble() { return PluginState::Get().link().first_trouble(); }

}  // namespace npukit::remote
