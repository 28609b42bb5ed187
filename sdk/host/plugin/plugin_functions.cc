// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/plugin/plugin_functions.h"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <mutex>
#include <utility>

#include "litert/c/internal/litert_compiler_context.h"
#include "litert/cc/litert_macros.h"
#include "sdk/host/library/context_probe.h"
#include "sdk/host/library/queried_table.h"
#include "sdk/host/plugin/reasons_of_call.h"

namespace npukit {
namespace {

template <typename Function>
void Resolve(const PluginLibrary& library, const char* symbol, Function& function,
             std::string* missing) {
  function = reinterpret_cast<Function>(library.Find(symbol));
  if (function != nullptr || missing == nullptr) return;
  if (!missing->empty()) *missing += ", ";
  *missing += symbol;
}

constexpr char kCheckCompatibility[] = "LiteRtCompilerPluginCheckCompilerCompatibility";

// For plugins that can't be asked.
LiteRtStatus AlwaysCompatible(LiteRtApiVersion, LiteRtCompilerPlugin, LiteRtEnvironmentOptions,
                              LiteRtOptions, const char*) {
  return kLiteRtStatusOk;
}

// A function that takes a table, and the table.
struct Place {
  CreatePluginWithContext create = nullptr;
  const void* context = nullptr;
};

// Makes functions of the signature of abi 2.1 out of those that take a table first: one place per
// plugin, kept for the life of the process as the plugin is.
class CreateAdapters {
 public:
  // Null if all places are taken.
  static LiteRtCreateCompilerPluginT For(CreatePluginWithContext create, const void* context) {
    static std::mutex mutex;
    const std::lock_guard<std::mutex> lock(mutex);
    for (size_t i = 0; i < kPlaces; ++i) {
      // One that is taken is read without the mutex: it is never written to again.
      if (places_[i].create == nullptr) {
        places_[i] = {create, context};
      } else if (places_[i].create != create || places_[i].context != context) {
        continue;
      }
      return Functions(std::make_index_sequence<kPlaces>())[i];
    }
    return nullptr;
  }

 private:
  static constexpr size_t kPlaces = 256;
  static inline std::array<Place, kPlaces> places_;

  template <size_t kPlace>
  static LiteRtStatus Create(LiteRtCompilerPlugin* plugin, LiteRtEnvironmentOptions env,
                             LiteRtOptions options) {
    // A function of abi 2.1 has no argument to tell which plugin it is of, so each plugin gets a
    // function of its own.
    return places_[kPlace].create(places_[kPlace].context, plugin, env, options);
  }
  template <size_t... kAll>
  static std::array<LiteRtCreateCompilerPluginT, kPlaces> Functions(std::index_sequence<kAll...>) {
    return {&Create<kAll>...};
  }
};

// The host's functions as those get them whose patterns do not: without the builder's, which came
// together with the patterns' further argument.
const LiteRtCompilerContext* ContextWithoutBuilder() {
  static const LiteRtCompilerContext context = [] {
    // As much as 2.2.0 has: the host's own table is longer.
    LiteRtCompilerContext shorter = *LrtGetCompilerContext();
    shorter.abi_header.struct_size = sizeof(shorter);
    shorter.abi_header.minor_version = 0;
    return shorter;
  }();
  return &context;
}

// The patterns of abi 2.2 get two arguments up to LiteRT 2.2.0, and then the context before them:
// those that build through the host's exports are of the first kind.
void TellPatterns(const PluginLibrary& library, PluginFunctions& functions) {
  const bool is_220 = functions.generation == PluginGeneration::kV220;
  // Of the two that kV215 stands for, the later one.
  functions.has_block_wise_argument = is_220 || functions.get_result_handle != nullptr;
  if (is_220 && !library.facts().ImportsPrefix("LiteRtBuilder"))
    functions.pattern_context = LrtGetCompilerContext();
}

// For plugins that get a table of the host's functions: which table, and what abi 2.2 adds.
litert::Expected<void> ResolveWithContext(const PluginLibrary& library,
                                          PluginFunctions& functions) {
  const auto create =
      std::bit_cast<CreatePluginWithContext>(functions.litert.create_compiler_plugin);
  LITERT_ASSIGN_OR_RETURN(functions.generation,
                          ProbeContextLayout(library.path(), create, functions.litert));
  Resolve(library, "LiteRtGetCompilerPluginSDKVersion", functions.get_sdk_version, nullptr);
  Resolve(library, "LiteRtGetCompiledResultHandle", functions.get_result_handle, nullptr);
  TellPatterns(library, functions);
  const void* context = functions.pattern_context;
  if (context == nullptr) context = ContextWithoutBuilder();
  if (functions.generation == PluginGeneration::kV215)
    context = static_cast<const char*>(context) + sizeof(LiteRtAbiHeader);
  functions.litert.create_compiler_plugin = CreateAdapters::For(create, context);
  if (functions.litert.create_compiler_plugin == nullptr) {
    return litert::Unexpected(kLiteRtStatusErrorUnsupported,
                              library.path() + ": too many plugins of abi 2.2 in this process");
  }
  return {};
}

// -- Queried tables -------------------------------------------------------------------------------

const char* NameOfMember(size_t position) {
  switch (position) {
#define MEMBER(position, member) \
  case position:                 \
    return #member;
#include "sdk/host/plugin/queried_plugin.def"
    default:
      return "";
  }
}

// What stands for a function that is not there: says so, for the error of whoever calls it.
template <size_t kPosition, typename... Args>
LiteRtStatus Absent(Args...) {
  ReasonsOfCall::Say(fmt::format("the table has no {}", NameOfMember(kPosition)));
  return kLiteRtStatusErrorUnsupported;
}
template <size_t kPosition, typename... Args>
void SetAbsent(LiteRtStatus (*&function)(Args...)) {
  if (function == nullptr) function = &Absent<kPosition, Args...>;
}
template <size_t kPosition>
void SetAbsent(const char* (*&function)()) {
  if (function != nullptr) return;
  function = []() -> const char* {
    Absent<kPosition>();
    return nullptr;
  };
}
// Nothing can be given back then.
template <size_t kPosition, typename Handle>
void SetAbsent(void (*&function)(Handle)) {
  if (function == nullptr) function = [](Handle) {};
}

LiteRtStatus NoSocModels(LiteRtCompilerPlugin, LiteRtParamIndex* count) {
  *count = 0;
  return kLiteRtStatusOk;
}
LiteRtStatus NoTransformations(LiteRtCompilerPlugin, LiteRtTransformation**,
                               LiteRtParamIndex* count) {
  *count = 0;
  return kLiteRtStatusOk;
}
LiteRtStatus OnlyNpu(LiteRtCompilerPlugin, LiteRtHwAccelerators* hardware) {
  *hardware = kLiteRtHwAcceleratorNpu;
  return kLiteRtStatusOk;
}

litert::Expected<void> ResolveQueried(const PluginLibrary& library, PluginFunctions& functions) {
  // Positions of members behind the header of the queried table.
  constexpr size_t kCreate = 2;
  constexpr size_t kSdkVersion = 15;
  constexpr size_t kHandle = 16;
  const auto query = reinterpret_cast<QueryInterface>(library.Find(kPluginQueryFunction));
  LITERT_ASSIGN_OR_RETURN(
      const QueriedTable table,
      QueriedTable::Query(library.path(), kPluginQueryFunction, query, /*id=*/0));
  LiteRtCompilerPluginApi& api = functions.litert;
#define MEMBER(position, member) api.member = table.Find<decltype(api.member)>(position);
#include "sdk/host/plugin/queried_plugin.def"
  functions.get_sdk_version = table.Find<GetPluginSdkVersion>(kSdkVersion);
  functions.get_result_handle = table.Find<GetCompiledResultHandle>(kHandle);
  // By hand: its signature is not that of the member that it becomes.
  const auto create = table.Find<CreatePluginWithContext>(kCreate);
  if (create == nullptr) {
    return litert::Unexpected(kLiteRtStatusErrorInvalidArgument,
                              fmt::format("{}: {}: the table has no create_compiler_plugin",
                                          library.path(), kPluginQueryFunction));
  }
  const auto set = [](auto& function, auto otherwise) {
    if (function == nullptr) function = otherwise;
  };
  set(api.check_compiler_compatibility, AlwaysCompatible);
  set(api.register_all_transformations, NoTransformations);
  set(api.get_num_compiler_plugin_supported_models, NoSocModels);
  set(api.get_compiler_plugin_supported_hardware, OnlyNpu);
#define MEMBER(position, member) SetAbsent<position>(api.member);
#include "sdk/host/plugin/queried_plugin.def"
  functions.has_block_wise_argument = true;
  functions.pattern_context = LrtGetCompilerContext();
  api.create_compiler_plugin = CreateAdapters::For(create, LrtGetCompilerContext());
  if (api.create_compiler_plugin != nullptr) return {};
  return litert::Unexpected(kLiteRtStatusErrorUnsupported,
                            library.path() + ": too many plugins of abi 2.3 in this process");
}

// The functions that the library exports one by one.
litert::Expected<void> ResolveExports(const PluginLibrary& library, PluginFunctions& functions) {
  std::string missing;
#define FUNCTION(symbol, member) Resolve(library, #symbol, functions.litert.member, &missing);
#include "sdk/host/plugin/plugin_functions.def"
  if (functions.generation == PluginGeneration::kV210 && missing == kCheckCompatibility) {
    missing.clear();
  }
  if (!missing.empty()) {
    return litert::Unexpected(kLiteRtStatusErrorDynamicLoading,
                              library.path() + ": no compiler plugin: does not export " + missing);
  }
  if (functions.generation == PluginGeneration::kV210) {
    functions.litert.check_compiler_compatibility = AlwaysCompatible;
  }
  if (functions.generation >= PluginGeneration::kV215) {
    LITERT_RETURN_IF_ERROR(ResolveWithContext(library, functions));
  }
  return {};
}

}  // namespace

litert::Expected<PluginFunctions> ResolveFunctions(const PluginLibrary& library) {
  PluginFunctions functions;
  LITERT_ASSIGN_OR_RETURN(functions.generation,
                          GenerationByExports(library.path(), library.facts()));
  LITERT_RETURN_IF_ERROR(functions.generation == PluginGeneration::kQueried
                             ? ResolveQueried(library, functions)
                             : ResolveExports(library, functions));
  Resolve(library, "NpukitExplainOp", functions.explain_op, nullptr);
  Resolve(library, "NpukitSetCompileSpecs", functions.set_compile_specs, nullptr);
  Resolve(library, "NpukitGetNumDebugHandles", functions.get_num_debug_handles, nullptr);
  Resolve(library, "NpukitGetDebugHandle", functions.get_debug_handle, nullptr);
  Resolve(library, "NpukitGetInPlaceInput", functions.get_in_place_input, nullptr);
  Resolve(library, "NpukitLastError", functions.last_error, nullptr);
  if (library.is_linked())
    Resolve(library, kRewriteElsewhere, functions.rewrite_elsewhere, nullptr);
  return functions;
}

}  // namespace npukit
