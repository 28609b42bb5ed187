// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_INTERNAL_PLUGIN_HANDLES_H_
#define NPUKIT_INTERNAL_PLUGIN_HANDLES_H_

// What stands behind the arguments of a compiler plugin's functions.

#include <cstddef>
#include <cstring>
#include <string>

#include "litert/cc/internal/litert_text.h"
#include "litert/cc/litert_common.h"
#include "litert/cc/litert_expected.h"
#include "litert/vendors/c/litert_compiler_plugin.h"
#include "npukit/compiler_plugin.h"
#include "npukit/internal/namespace.h"
#include "npukit/internal/plugin/plugin_facts.h"

NPUKIT_NAMESPACE_BEGIN
namespace internal {

inline CompilerPlugin* PluginOf(LiteRtCompilerPlugin handle) {
  return reinterpret_cast<CompilerPlugin*>(handle);
}

// The SoC model that a caller means. kErrorUnsupported if there is none.
inline ::litert::Expected<std::string> SocOf(const PluginFacts& facts, const char* soc_model) {
  if (soc_model == nullptr || *soc_model == '\0') return std::string(facts.soc_models[0]);
  for (size_t i = 0; i < facts.num_soc_models; ++i) {
    if (std::strcmp(facts.soc_models[i], soc_model) == 0) return std::string(facts.soc_models[i]);
  }
  return ::litert::Unexpected(::litert::Status::kErrorUnsupported,
                              ::litert::internal::Text({"unknown SoC model '", soc_model, "'"}));
}

}  // namespace internal
NPUKIT_NAMESPACE_END

#endif  // NPUKIT_INTERNAL_PLUGIN_HANDLES_H_
