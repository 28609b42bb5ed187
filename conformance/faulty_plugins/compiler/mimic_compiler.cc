// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Mimic's compiler plugin. It is written against the bare C API, so that a fault can be planted in
// every function of it.

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "conformance/faulty_plugins/compiler/mimic_compiled_result.h"
#include "conformance/faulty_plugins/compiler/mimic_in_place.h"
#include "conformance/faulty_plugins/compiler/mimic_support.h"
#include "conformance/faulty_plugins/compiler/planted_requests.h"
#include "conformance/faulty_plugins/fault.h"
#include "conformance/faulty_plugins/mimic_bytecode.h"
#include "conformance/faulty_plugins/mimic_misconduct.h"
#include "litert/c/litert_model.h"
#include "litert/vendors/c/litert_compiler_plugin.h"
#include "litert/vendors/c/litert_compiler_plugin_api.h"
#include "sdk/host/model/graph/model.h"

using npukit::conformance::mimic::Crash;
using npukit::conformance::mimic::EncodeBytecode;
using npukit::conformance::mimic::EntryPointName;
using npukit::conformance::mimic::Fault;
using npukit::conformance::mimic::Hang;
using npukit::conformance::mimic::Has;
using npukit::conformance::mimic::HasDynamicShape;
using npukit::conformance::mimic::HasLargeTensor;
using npukit::conformance::mimic::IsDecode;
using npukit::conformance::mimic::IsMissed;
using npukit::conformance::mimic::KnowsSoc;
using npukit::conformance::mimic::kSecondSocMark;
using npukit::conformance::mimic::LeakWithPlugin;
using npukit::conformance::mimic::LeakWithResult;
using npukit::conformance::mimic::MisbehaveInProcess;
using npukit::conformance::mimic::PlantInCompile;
using npukit::conformance::mimic::PlantInPartition;
using npukit::conformance::mimic::SocModels;
using npukit::conformance::mimic::Supports;

class LiteRtCompilerPluginT {
 public:
  std::vector<const char*> socs;
  int partition_calls = 0;
  uint64_t number = 0;  // of all that were made
};

namespace {

LiteRtCompilerPluginT* NewPlugin() {
  auto plugin = std::make_unique<LiteRtCompilerPluginT>();
  plugin->socs = SocModels();
  static std::atomic<uint64_t> made = 0;
  plugin->number = ++made;
  if (Has(Fault::create_race)) {
    static std::atomic<int> creating = 0;
    const bool alone = ++creating == 1;
    // Long enough for another thread to come, also on a busy machine.
    const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(2);
    while (alone && creating == 1 && std::chrono::steady_clock::now() < end)
      std::this_thread::yield();
    --creating;
    if (!alone) plugin->socs.clear();
  }
  return plugin.release();
}

bool Selects(LiteRtOpT& op, const char* soc_model) {
  if (IsMissed(op)) return false;
  if (Has(Fault::second_soc_declines) && soc_model != nullptr && std::strcmp(soc_model, "m2") == 0)
    return false;
  if (Has(Fault::selects_unsupported_op) && !HasDynamicShape(op)) return true;
  return Supports(op);
}

LiteRtStatus SelectOps(LiteRtCompilerPluginT& plugin, const char* soc_model,
                       LiteRtSubgraphT& subgraph, LiteRtOpList list) {
  if (Has(Fault::decode_left_out) && IsDecode(subgraph)) return kLiteRtStatusOk;
  if (Has(Fault::selects_every_other_time) && ++plugin.partition_calls % 2 == 0)
    return kLiteRtStatusOk;
  static int calls_in_process = 0;
  if (Has(Fault::selects_at_first) && ++calls_in_process > 2) return kLiteRtStatusOk;
  static LiteRtParamIndex calls = 0;
  LiteRtParamIndex index = Has(Fault::random_indices) ? ++calls : 0;
  for (const auto& op : subgraph.ops()) {
    if (!Selects(*op, soc_model)) continue;
    LiteRtStatus status = LiteRtPushOp(list, op.get(), index);
    if (status != kLiteRtStatusOk) return status;
    if (Has(Fault::selects_twice)) LiteRtPushOp(list, op.get(), index);
    if (Has(Fault::splits_partitions)) ++index;
    if (Has(Fault::selects_first_op_only)) break;
  }
  if (Has(Fault::selects_foreign_pointer)) {
    static LiteRtOpT* const foreign = new LiteRtOpT;
    LiteRtPushOp(list, foreign, 0);
  }
  return kLiteRtStatusOk;
}

bool HasUnclaimedOp(const LiteRtModelT& partitions) {
  for (const auto& subgraph : partitions.subgraphs()) {
    for (const auto& op : subgraph->ops()) {
      if (!Supports(*op)) return true;
    }
  }
  return false;
}

bool IsSecondSoc(const char* soc_model) {
  return soc_model != nullptr && std::strcmp(soc_model, "m2") == 0;
}

// What the bytecode is marked with for faults; 0: nothing.
uint64_t MarkFor(const char* soc_model) {
  if ((Has(Fault::second_soc_wrong) || Has(Fault::one_soc_a_process)) && IsSecondSoc(soc_model))
    return kSecondSocMark;
  if (!Has(Fault::compilations_race)) return 0;
  static std::atomic<int> compiling = 0;
  ++compiling;
  std::this_thread::sleep_for(std::chrono::milliseconds(2));
  const bool alone = compiling == 1;
  std::this_thread::sleep_for(std::chrono::milliseconds(2));
  --compiling;
  return alone ? 0 : 7;
}

LiteRtStatus CompileAll(LiteRtCompilerPluginT& plugin, LiteRtModelT& partitions,
                        const char* soc_model, LiteRtCompiledResult* out) {
  const uint64_t mark = Has(Fault::counts_instances) ? plugin.number : MarkFor(soc_model);
  auto bytecode = EncodeBytecode(partitions, mark);
  if (!bytecode) return bytecode.Error().Status();
  auto result = std::make_unique<LiteRtCompiledResultT>();
  result->bytecode = std::make_shared<std::vector<uint8_t>>(std::move(*bytecode));
  for (size_t i = 0; i < partitions.subgraphs().size(); ++i) {
    result->entry_points.push_back(EntryPointName(i));
    result->in_place.push_back(npukit::conformance::mimic::InPlaceInputs(partitions.subgraph(i)));
    std::vector<uint32_t>& indices = result->op_indices.emplace_back();
    for (uint32_t op = 0; op < partitions.subgraph(i).ops().size(); ++op) indices.push_back(op);
  }
  if (Has(Fault::drops_a_call)) result->entry_points.pop_back();
  if (Has(Fault::shared_result)) {
    static LiteRtCompiledResultT shared;
    shared = *result;
    *out = &shared;
    return kLiteRtStatusOk;
  }
  LeakWithResult();
  if (Has(Fault::result_leak)) new std::shared_ptr<std::vector<uint8_t>>(result->bytecode);
  *out = result.release();
  return kLiteRtStatusOk;
}

}  // namespace

extern "C" {

LiteRtStatus LiteRtGetCompilerPluginVersion(LiteRtApiVersion* version) {
  if (version == nullptr && !Has(Fault::version_null_crash))
    return kLiteRtStatusErrorInvalidArgument;
  if (version == nullptr) Crash();
  *version = {LITERT_API_VERSION_MAJOR, LITERT_API_VERSION_MINOR, LITERT_API_VERSION_PATCH};
  if (Has(Fault::wrong_version)) version->minor = 2;
  return kLiteRtStatusOk;
}

const char* LiteRtGetCompilerPluginSocManufacturer() {
  return Has(Fault::long_manufacturer) ? "MimicCorporationOfElsewhere" : "Mimic";
}

#if defined(NPUKIT_ABI_2_3)
LiteRtStatus LiteRtCreateCompilerPlugin(const LiteRtCompilerContext*, LiteRtCompilerPlugin* plugin,
                                        LiteRtEnvironmentOptions, LiteRtOptions) {
#else
LiteRtStatus LiteRtCreateCompilerPlugin(LiteRtCompilerPlugin* plugin, LiteRtEnvironmentOptions,
                                        LiteRtOptions) {
#endif
  if (plugin == nullptr && !Has(Fault::create_null_crash)) return kLiteRtStatusErrorInvalidArgument;
  if (plugin == nullptr) Crash();
  if (Has(Fault::hangs_in_create)) Hang();
  if (Has(Fault::shared_instance)) {
    // Of a thread: several that used it at once would crash before anybody saw that it is one.
    static thread_local LiteRtCompilerPluginT shared;
    shared.socs = SocModels();
    *plugin = &shared;
    return kLiteRtStatusOk;
  }
  LeakWithPlugin();
  *plugin = NewPlugin();
  return kLiteRtStatusOk;
}

void LiteRtDestroyCompilerPlugin(LiteRtCompilerPlugin plugin) {
  if (plugin == nullptr && Has(Fault::destroy_null_crash)) Crash();
  if (Has(Fault::shared_instance)) {
    if (plugin != nullptr) plugin->socs.clear();
    return;
  }
  delete plugin;
}

LiteRtStatus LiteRtGetCompilerPluginSupportedHardware(LiteRtCompilerPlugin plugin,
                                                      LiteRtHwAccelerators* hardware) {
  const bool taken = (plugin == nullptr && Has(Fault::hardware_of_nobody)) ||
                     (hardware == nullptr && Has(Fault::hardware_null_crash));
  if ((plugin == nullptr || hardware == nullptr) && !taken)
    return kLiteRtStatusErrorInvalidArgument;
  *hardware = Has(Fault::no_npu) ? kLiteRtHwAcceleratorCpu : kLiteRtHwAcceleratorNpu;
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtGetNumCompilerPluginSupportedSocModels(LiteRtCompilerPlugin plugin,
                                                          LiteRtParamIndex* count) {
  if (plugin == nullptr) return kLiteRtStatusErrorInvalidArgument;
  if (count == nullptr && !Has(Fault::soc_count_null_crash))
    return kLiteRtStatusErrorInvalidArgument;
  if (Has(Fault::socs_change)) std::reverse(plugin->socs.begin(), plugin->socs.end());
  *count = plugin->socs.size();
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtGetCompilerPluginSupportedSocModel(LiteRtCompilerPlugin plugin,
                                                      LiteRtParamIndex index, const char** name) {
  if (plugin == nullptr || name == nullptr) return kLiteRtStatusErrorInvalidArgument;
  if (index >= plugin->socs.size()) {
    if (!Has(Fault::soc_index_unchecked)) return kLiteRtStatusErrorIndexOOB;
    index = plugin->socs.size() - 1;
  }
  *name = plugin->socs[index];
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtCompilerPluginPartition(LiteRtCompilerPlugin plugin, const char* soc_model,
                                           LiteRtSubgraph subgraph, LiteRtOpList list) {
  if (subgraph == nullptr && Has(Fault::partition_null_crash)) Crash();
  if (plugin == nullptr || subgraph == nullptr || list == nullptr)
    return kLiteRtStatusErrorInvalidArgument;
  if (!KnowsSoc(soc_model) && !Has(Fault::any_soc)) return kLiteRtStatusErrorUnsupported;
  MisbehaveInProcess();
  PlantInPartition(*subgraph);
  return SelectOps(*plugin, soc_model, *subgraph, list);
}

LiteRtStatus LiteRtCompilerPluginCompile(LiteRtCompilerPlugin plugin, const char* soc_model,
                                         LiteRtModel partitions, LiteRtCompiledResult* result) {
  if (plugin == nullptr || (partitions == nullptr && !Has(Fault::compile_null_crash)) ||
      (result == nullptr && !Has(Fault::result_null_crash))) {
    return kLiteRtStatusErrorInvalidArgument;
  }
  if (!KnowsSoc(soc_model) && !Has(Fault::compiles_any_soc)) return kLiteRtStatusErrorUnsupported;
  if (Has(Fault::soc_not_compiled) && soc_model != nullptr && std::strcmp(soc_model, "m2") == 0) {
    return kLiteRtStatusErrorCompilation;
  }
  if (HasUnclaimedOp(*partitions) && !Has(Fault::selects_unsupported_op)) {
    if (Has(Fault::crashes_on_unclaimed)) Crash();
    return kLiteRtStatusErrorUnsupported;
  }
  if (Has(Fault::declines_large) && HasLargeTensor(*partitions))
    return kLiteRtStatusErrorCompilation;
  PlantInCompile(*partitions);
  return CompileAll(*plugin, *partitions, soc_model, result);
}

void LiteRtDestroyCompiledResult(LiteRtCompiledResult result) {
  if (!Has(Fault::shared_result)) delete result;
}

LiteRtStatus LiteRtGetCompiledResultByteCode(LiteRtCompiledResult result, LiteRtParamIndex index,
                                             const void** bytes, size_t* size_bytes) {
  if (result == nullptr || bytes == nullptr ||
      (size_bytes == nullptr && !Has(Fault::size_null_crash))) {
    return kLiteRtStatusErrorInvalidArgument;
  }
  if (index != 0 && !Has(Fault::module_index_unchecked)) return kLiteRtStatusErrorIndexOOB;
  *bytes = result->bytecode->data();
  *size_bytes = result->bytecode->size();
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtCompiledResultNumByteCodeModules(LiteRtCompiledResult result,
                                                    LiteRtParamIndex* count) {
  if (count == nullptr) return kLiteRtStatusErrorInvalidArgument;
  // LiteRT's host asks this of a null result when nothing was selected.
  if (result == nullptr && Has(Fault::null_result_crash)) Crash();
  *count = result == nullptr ? 0 : 1;
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtGetCompiledResultCallInfo(LiteRtCompiledResult result, LiteRtParamIndex index,
                                             const void** info, size_t* size_bytes,
                                             LiteRtParamIndex* module) {
  if (result == nullptr || info == nullptr || size_bytes == nullptr || module == nullptr) {
    return kLiteRtStatusErrorInvalidArgument;
  }
  if (index >= result->entry_points.size()) {
    if (!Has(Fault::call_index_unchecked)) return kLiteRtStatusErrorIndexOOB;
    index = result->entry_points.size() - 1;
  }
  *info = result->entry_points[index].data();
  *size_bytes = result->entry_points[index].size();
  *module = Has(Fault::module_past_end) && index + 1 == result->entry_points.size() ? 1 : 0;
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtGetNumCompiledResultCalls(LiteRtCompiledResult result, LiteRtParamIndex* count) {
  if (result == nullptr || count == nullptr) return kLiteRtStatusErrorInvalidArgument;
  *count = result->entry_points.size();
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtCompilerPluginRegisterAllTransformations(LiteRtCompilerPlugin plugin,
                                                            LiteRtTransformation** list,
                                                            LiteRtParamIndex* count) {
  if (plugin == nullptr || count == nullptr ||
      (list == nullptr && !Has(Fault::transformations_null_crash))) {
    return kLiteRtStatusErrorInvalidArgument;
  }
  *list = nullptr;
  *count = 0;
  constexpr auto kNoMatch = [](auto...) -> LiteRtStatus { return kLiteRtStatusLegalizeNoMatch; };
  static LiteRtTransformation planted[] = {
      {kNoMatch, Has(Fault::nameless_transformation) ? "" : "one", 1}, {kNoMatch, "one", 1}};
  if (Has(Fault::patternless_transformation)) planted[0].pattern = nullptr;
  if (Has(Fault::nameless_transformation) || Has(Fault::patternless_transformation)) *count = 1;
  if (Has(Fault::same_transformation_twice)) *count = 2;
  if (*count > 0) *list = planted;
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtCompilerPluginCheckCompilerCompatibility(LiteRtApiVersion version,
                                                            LiteRtCompilerPlugin plugin,
                                                            LiteRtEnvironmentOptions, LiteRtOptions,
                                                            const char* soc_model) {
  if (plugin == nullptr) return kLiteRtStatusErrorInvalidArgument;
  if (Has(Fault::any_api_version)) return kLiteRtStatusOk;
  if (version.major != LITERT_API_VERSION_MAJOR)
    return kLiteRtStatusErrorUnsupportedCompilerVersion;
  if (Has(Fault::incompatible_with_own_soc) && IsSecondSoc(soc_model))
    return kLiteRtStatusErrorUnsupported;
  return KnowsSoc(soc_model) ? kLiteRtStatusOk : kLiteRtStatusErrorUnsupported;
}

#if defined(NPUKIT_ABI_2_3)
LiteRtStatus LiteRtGetCompilerPluginSDKVersion(LiteRtCompilerPlugin plugin, const char** version) {
  if (plugin == nullptr || version == nullptr) return kLiteRtStatusErrorInvalidArgument;
  *version = "1";
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtGetCompiledResultHandle(LiteRtCompiledResult result, LiteRtParamIndex module,
                                           LiteRtJitExecutable* handle) {
  if (result == nullptr || handle == nullptr) return kLiteRtStatusErrorInvalidArgument;
  if (module != 0) return kLiteRtStatusErrorIndexOOB;
  *handle = Has(Fault::queried_handle_ahead_of_time)
                ? reinterpret_cast<LiteRtJitExecutable>(result->bytecode.get())
                : nullptr;
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtCompilerPluginQueryInterface(LiteRtCompilerPluginInterfaceId id,
                                                LiteRtApiVersion version, LiteRtInterface* given) {
  static const LiteRtCompilerPluginInterface_V1 table = {
      {sizeof(LiteRtCompilerPluginInterface_V1), 1, 0, 0},
      LiteRtGetCompilerPluginVersion,
      LiteRtGetCompilerPluginSocManufacturer,
      LiteRtCreateCompilerPlugin,
      LiteRtDestroyCompilerPlugin,
      LiteRtGetCompilerPluginSupportedHardware,
      LiteRtGetNumCompilerPluginSupportedSocModels,
      LiteRtGetCompilerPluginSupportedSocModel,
      LiteRtCompilerPluginPartition,
      LiteRtCompilerPluginCompile,
      LiteRtDestroyCompiledResult,
      LiteRtGetCompiledResultByteCode,
      LiteRtCompiledResultNumByteCodeModules,
      LiteRtGetCompiledResultCallInfo,
      LiteRtGetNumCompiledResultCalls,
      LiteRtCompilerPluginRegisterAllTransformations,
      LiteRtGetCompilerPluginSDKVersion,
      LiteRtGetCompiledResultHandle,
      LiteRtCompilerPluginCheckCompilerCompatibility};
  if (given == nullptr) return kLiteRtStatusErrorInvalidArgument;
  *given = nullptr;
  const bool is_known = id == kLiteRtCompilerPluginInterfaceBasic && version.major == 1;
  if (!is_known && !Has(Fault::queried_any_version)) return kLiteRtStatusErrorUnsupported;
  *given = &table;
  return kLiteRtStatusOk;
}
#endif

}  // extern "C"
