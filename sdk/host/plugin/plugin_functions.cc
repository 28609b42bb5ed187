// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/plugin/plugin_functions.h"

namespace npukit {
namespace {

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

litert::Expected<void> CheckAbi(const std::string& path, const ElfFacts& facts) {
  const std::string abi = PluginAbi(facts);
  if (abi == "2.1") return {};
  return litert::Unexpected(kLiteRtStatusErrorUnsupported,
                            path + ": exports LiteRtGetCompilerPluginSDKVersion, so it is of abi " +
                                abi + " (LiteRT 2.1.5 and later): expected abi 2.1");
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
