// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Partitioning by a function in place of plugins: what tests and the conformance kit need, by the
// same stages.

#ifndef NPUKIT_SDK_HOST_PLACEMENT_PARTITION_BY_SELECTOR_H_
#define NPUKIT_SDK_HOST_PLACEMENT_PARTITION_BY_SELECTOR_H_

#include "litert/cc/litert_expected.h"
#include "sdk/host/partition/partition_model.h"
#include "sdk/host/placement/place.h"

namespace npukit {

// The selector is asked once per subgraph, and again when unfolding brought new ops to light. It
// never sees dispatch ops: where there are any it gets a copy of the subgraph without them. Errors:
// as PlaceModel and PartitionModel.
litert::Expected<PartitionedModel> PartitionBySelector(const Model& model, const Selector& selector,
                                                       const KeepWhole& keep_whole = nullptr);

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_PLACEMENT_PARTITION_BY_SELECTOR_H_
