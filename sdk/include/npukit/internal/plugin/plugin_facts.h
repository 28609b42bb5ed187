// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_INTERNAL_PLUGIN_PLUGIN_FACTS_H_
#define NPUKIT_INTERNAL_PLUGIN_PLUGIN_FACTS_H_

#include <cstddef>
#include <memory>

#include "npukit/compiler_plugin.h"
#include "npukit/internal/namespace.h"

NPUKIT_NAMESPACE_BEGIN
namespace internal {
inline namespace NPUKIT_INTERNAL_ABI {

// What a vendor's class says of itself.
struct PluginFacts {
  std::unique_ptr<CompilerPlugin> (*make)(const PluginConfig& config);
  const char* options_identifier;  // null: it has no options
  const char* sdk_version;
  const char* const* soc_models;
  size_t num_soc_models;
};

}  // namespace NPUKIT_INTERNAL_ABI
}  // namespace internal
NPUKIT_NAMESPACE_END

#endif  // NPUKIT_INTERNAL_PLUGIN_PLUGIN_FACTS_H_
