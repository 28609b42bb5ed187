// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The last stage of applying plugins: bytecode and metadata go into the outer model.

#ifndef NPUKIT_SDK_HOST_PLACEMENT_EMBED_H_
#define NPUKIT_SDK_HOST_PLACEMENT_EMBED_H_

#include <vector>

#include "litert/cc/litert_expected.h"
#include "sdk/host/placement/apply_result.h"
#include "sdk/host/placement/compiled_share.h"

namespace npukit {

// Fills `result`, whose shares have their plugins' names already, but for times, constants, failures
// and warnings. `given` is the model as it was before any rewrite, `origins` say where the ops after
// it come from; null: there was none. Errors: a share with another number of calls than partitions;
// the stamp does not fit; metadata that can't be read.
litert::Expected<void> Embed(const Model& given, const OpOrigins* origins,
                             PartitionedModel partitioned, std::vector<CompiledShare> compiled,
                             ApplyResult& result);

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_PLACEMENT_EMBED_H_
