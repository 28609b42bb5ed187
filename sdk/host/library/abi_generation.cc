// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/library/abi_generation.h"

namespace npukit {

std::string AbiName(PluginGeneration generation) {
  if (generation == PluginGeneration::kQueried) return "2.3";
  return generation < PluginGeneration::kV215 ? "2.1" : "2.2";
}

std::string GenerationName(PluginGeneration generation) {
  switch (generation) {
    case PluginGeneration::kV210:
      return "LiteRT 2.1.0 to 2.1.1";
    case PluginGeneration::kV212:
      return "LiteRT 2.1.2 to 2.1.4";
    case PluginGeneration::kV215:
      return "LiteRT 2.1.5 to 2.1.6";
    case PluginGeneration::kV220:
      return "LiteRT 2.2.0";
    case PluginGeneration::kQueried:
      return "LiteRT main of September 2026";
  }
  return "unknown";
}

litert::Expected<PluginGeneration> GenerationByExports(const std::string& path,
                                                       const ElfFacts& facts) {
  // Whatever else it exports is for other hosts.
  if (facts.Exports(kPluginQueryFunction)) return PluginGeneration::kQueried;
  if (facts.Exports("LiteRtGetCompilerPluginSDKVersion")) return PluginGeneration::kV215;
  if (facts.Exports("LiteRtGetCompiledResultHandle")) {
    return litert::Unexpected(
        kLiteRtStatusErrorUnsupported,
        path +
            ": exports LiteRtGetCompiledResultHandle, as of LiteRT 2.1.6, but not "
            "LiteRtGetCompilerPluginSDKVersion, which every plugin from 2.1.5 on "
            "has: its ABI can't be told");
  }
  return facts.Exports("LiteRtCompilerPluginCheckCompilerCompatibility") ? PluginGeneration::kV212
                                                                         : PluginGeneration::kV210;
}

}  // namespace npukit
