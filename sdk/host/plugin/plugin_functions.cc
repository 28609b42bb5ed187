// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/plugin/plugin_functions.h"

namespace npukit {
namespace {

constexpr const char* kMandatory[] = {
#define FUNCTION(symbol, member) #symbol,
#include "sdk/host/plugin/plugin_functions.def"
};

static_assert(std::size(kMandatory) * sizeof(void*) == sizeof(LiteRtCompilerPluginApi));

template <typename Function>
void Resolve(const SharedLibrary& library, const char* symbol, Function& function,
             std::string* missing) {
  function = reinterpret_cast<Function>(library.Find(symbol));
  if (function != nullptr || missing == nullptr) return;
  if (!missing->empty()) *missing += ", ";
  *missing += symbol;
}

}  // namespace

std::string PluginAbi(const ElfFacts& facts) {
  return facts.Exports("LiteRtGetCompilerPluginSDKVersion") ? "2.2" : "2.1";
}

std::vector<std::string> MissingFunctions(const ElfFacts& facts) {
  std::vector<std::string> missing;
  for (const char* symbol : kMandatory) {
    if (!facts.Exports(symbol)) missing.emplace_back(symbol);
  }
  return missing;
}

litert::Expected<PluginFunctions> ResolveFunctions(const SharedLibrary& library) {
  PluginFunctions functions;
  std::string missing;
#define FUNCTION(symbol, member) Resolve(library, #symbol, functions.litert.member, &missing);
#include "sdk/host/plugin/plugin_functions.def"
  if (!missing.empty()) {
    return litert::Unexpected(kLiteRtStatusErrorDynamicLoading,
                              library.path() + ": no compiler plugin: does not export " + missing);
  }
  Resolve(library, "NpukitExplainOp", functions.explain_op, nullptr);
  Resolve(library, "NpukitSetCompileSpecs", functions.set_compile_specs, nullptr);
  Resolve(library, "NpukitGetNumDebugHandles", functions.get_num_debug_handles, nullptr);
  Resolve(library, "NpukitGetDebugHandle", functions.get_debug_handle, nullptr);
  return functions;
}

}  // namespace npukit
