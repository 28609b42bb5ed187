// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The end of a delegation: bytecode and metadata go into the outer model.

#ifndef NPUKIT_SDK_HOST_PLACEMENT_DELEGATION_EMBED_H_
#define NPUKIT_SDK_HOST_PLACEMENT_DELEGATION_EMBED_H_

#include <cstddef>
#include <vector>

#include "litert/cc/litert_expected.h"
#include "sdk/host/placement/delegation.h"

namespace npukit {

// What one plugin compiled.
struct CompiledShare {
  size_t plugin = 0;                            // into Delegation::shares
  std::vector<size_t> partitions;               // of the partitioned model
  CompiledPartitions result;                    // of those
  std::vector<std::vector<CompileSpec>> specs;  // likewise, as the plugin got them
};

// Fills `result`, whose shares have their plugins' names already. `given` is the model as it was
// before any rewrite, `origins` say where the ops after it come from; null: there was none. Errors:
// the stamp does not fit; metadata that can't be read.
litert::Expected<void> EmbedShares(const Model& given, const OpOrigins* origins,
                                   PartitionedModel partitioned,
                                   std::vector<CompiledShare> compiled, Delegation& result);

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_PLACEMENT_DELEGATION_EMBED_H_
