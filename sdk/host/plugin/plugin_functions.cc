// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/plugin/plugin_functions.h"

#include <array>
#include <bit>
#include <mutex>
#include <utility>

#include "litert/c/internal/litert_compiler_context.h"
#include "litert/cc/litert_macros.h"
#include "sdk/host/library/context_probe.h"

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
      if (places_[i].create != nullptr &&
          (places_[i].create != create || places_[i].context != context)) {
        continue;
      }
      places_[i] = {create, context};
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
    return places_[kPlace].create(places_[kPlace].context, plugin, env, options);
  }
  template <size_t... kAll>
  static std::array<LiteRtCreateCompilerPluginT, kPlaces> Functions(std::index_sequence<kAll...>) {
    return {&Create<kAll>...};
  }
};

// For plugins that get a table of the host's functions: which table, and what abi 2.2 adds.
litert::Expected<void> ResolveWithContext(const PluginLibrary& library,
                                          PluginFunctions& functions) {
  const auto create =
      std::bit_cast<CreatePluginWithContext>(functions.litert.create_compiler_plugin);
  LITERT_ASSIGN_OR_RETURN(functions.generation,
                          ProbeContextLayout(library.path(), create, functions.litert));
  const auto* const table = reinterpret_cast<const char*>(LrtGetCompilerContext());
  functions.litert.create_compiler_plugin = CreateAdapters::For(
      create,
      functions.generation == PluginGeneration::kV220 ? table : table + sizeof(LiteRtAbiHeader));
  if (functions.litert.create_compiler_plugin == nullptr) {
    return litert::Unexpected(kLiteRtStatusErrorUnsupported,
                              library.path() + ": too many plugins of abi 2.2 in this process");
  }
  Resolve(library, "LiteRtGetCompilerPluginSDKVersion", functions.get_sdk_version, nullptr);
  Resolve(library, "LiteRtGetCompiledResultHandle", functions.get_result_handle, nullptr);
  return {};
}

}  // namespace

litert::Expected<PluginFunctions> ResolveFunctions(const PluginLibrary& library) {
  PluginFunctions functions;
  LITERT_ASSIGN_OR_RETURN(functions.generation,
                          GenerationByExports(library.path(), library.facts()));
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
  Resolve(library, "NpukitExplainOp", functions.explain_op, nullptr);
  Resolve(library, "NpukitSetCompileSpecs", functions.set_compile_specs, nullptr);
  Resolve(library, "NpukitGetNumDebugHandles", functions.get_num_debug_handles, nullptr);
  Resolve(library, "NpukitGetDebugHandle", functions.get_debug_handle, nullptr);
  return functions;
}

}  // namespace npukit
