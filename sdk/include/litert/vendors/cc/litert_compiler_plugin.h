// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef ODML_LITERT_LITERT_VENDORS_CC_LITERT_COMPILER_PLUGIN_H_
#define ODML_LITERT_LITERT_VENDORS_CC_LITERT_COMPILER_PLUGIN_H_

// For tests that link a compiler plugin instead of loading it.

#include <memory>

#include "litert/c/litert_environment_options.h"
#include "litert/c/litert_options.h"
#include "litert/cc/litert_macros.h"
#include "litert/vendors/c/litert_compiler_plugin.h"

namespace litert {

struct LiteRtCompilerPluginDeleter {
  void operator()(LiteRtCompilerPlugin plugin) {
    if (plugin != nullptr) LiteRtDestroyCompilerPlugin(plugin);
  }
};

using PluginPtr = std::unique_ptr<LiteRtCompilerPluginT, LiteRtCompilerPluginDeleter>;

// Ends the process if the plugin cannot be created.
inline PluginPtr CreatePlugin(LiteRtEnvironmentOptions env = nullptr,
                              LiteRtOptions options = nullptr) {
  LiteRtCompilerPlugin plugin = nullptr;
  LITERT_CHECK_STATUS_OK(LiteRtCreateCompilerPlugin(&plugin, env, options));
  return PluginPtr(plugin);
}

}  // namespace litert

#endif  // ODML_LITERT_LITERT_VENDORS_CC_LITERT_COMPILER_PLUGIN_H_
