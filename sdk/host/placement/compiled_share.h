// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What one plugin compiles of a partitioned model.

#ifndef NPUKIT_SDK_HOST_PLACEMENT_COMPILED_SHARE_H_
#define NPUKIT_SDK_HOST_PLACEMENT_COMPILED_SHARE_H_

#include <cstddef>
#include <string>
#include <vector>

#include "litert/cc/litert_expected.h"
#include "sdk/host/placement/preparation.h"
#include "sdk/host/plugin/loaded_plugin.h"

namespace npukit {

struct CompiledShare {
  size_t plugin = 0;                            // of Preparation::plugins
  std::vector<size_t> partitions;               // of the partitioned model
  CompiledPartitions result;                    // of those
  std::vector<std::vector<CompileSpec>> specs;  // likewise, as the plugin got them
};

// Compiles those partitions, which are all of that plugin. Errors: the plugin's own.
litert::Expected<CompiledShare> CompileShare(Preparation& preparation, const Attempt& attempt,
                                             size_t plugin, std::vector<size_t> partitions);

// One line per module and call; bytecode as size and hash.
std::string ToString(const CompiledShare& share);

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_PLACEMENT_COMPILED_SHARE_H_
