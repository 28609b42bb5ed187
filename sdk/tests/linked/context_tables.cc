// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/tests/linked/context_tables.h"

#include "litert/vendors/c/litert_compiler_plugin.h"

std::vector<NpukitStaticSymbol> ContextPluginSymbols() {
  return {
#define FUNCTION(symbol, member) NPUKIT_STATIC_SYMBOL(symbol),
#include "sdk/host/plugin/plugin_functions.def"
      NPUKIT_STATIC_SYMBOL(LiteRtGetCompilerPluginSDKVersion),
      NPUKIT_STATIC_SYMBOL(LiteRtGetCompiledResultHandle),
  };
}
