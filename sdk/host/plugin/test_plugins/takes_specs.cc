// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Takes compile specs.

#include <string>
#include <utility>
#include <vector>

#include "npukit/compile_spec.h"
#include "sdk/host/plugin/test_plugins/test_plugin.h"

// Knows keys that begin with "k".
LiteRtStatus NpukitSetCompileSpecs(LiteRtCompilerPlugin plugin, size_t partition,
                                   const NpukitCompileSpec* specs, size_t num_specs) {
  std::vector<std::pair<std::string, std::string>> read;
  for (size_t i = 0; i < num_specs; ++i) {
    if (specs[i].key[0] != 'k') return kLiteRtStatusErrorUnsupported;
    read.emplace_back(specs[i].key,
                      std::string(static_cast<const char*>(specs[i].data), specs[i].size_bytes));
  }
  plugin->specs[partition] = std::move(read);
  return kLiteRtStatusOk;
}
