// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Takes compile specs.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "npukit/compile_spec.h"
#include "sdk/host/plugin/test_plugins/test_plugin.h"

// Knows keys that begin with "k", "k_common" for all partitions alone.
LiteRtStatus NpukitSetCompileSpecs(LiteRtCompilerPlugin plugin, size_t partition,
                                   const NpukitCompileSpec* specs, size_t num_specs) {
  std::vector<std::pair<std::string, std::string>> read;
  for (size_t i = 0; i < num_specs; ++i) {
    const std::string_view key = specs[i].key;
    if (!key.starts_with('k') && key != NPUKIT_SPEC_SOC_MODEL) return kLiteRtStatusErrorUnsupported;
    if (key == "k_common" && partition != NPUKIT_ALL_PARTITIONS)
      return kLiteRtStatusErrorInvalidArgument;
    read.emplace_back(specs[i].key,
                      std::string(static_cast<const char*>(specs[i].data), specs[i].size_bytes));
  }
  plugin->specs[partition] = std::move(read);
  return kLiteRtStatusOk;
}
