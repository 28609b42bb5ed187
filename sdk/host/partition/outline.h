// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// From groups to subgraphs of their own.

#ifndef NPUKIT_SDK_HOST_PARTITION_OUTLINE_H_
#define NPUKIT_SDK_HOST_PARTITION_OUTLINE_H_

#include <vector>

#include "litert/cc/litert_expected.h"
#include "sdk/host/model/graph/model.h"
#include "sdk/host/partition/copy.h"
#include "sdk/host/partition/grouping/grouping.h"

namespace npukit {

// One subgraph cut up. Copies `source` through `outer`, a copier into a fresh
// subgraph: ops in the grouping's order, in place of each group one custom op
// DISPATCH_OP, still without bytecode. Adds a subgraph to `bodies` for each
// group, in the groups' order.
//
// Inputs of a partition, and of the op in its place: those that are inputs of
// `source` first, in its order, then the others by first use. Outputs: what an
// op outside reads, `source` puts out or `observed` (tensors by index) names, by
// first definition. Constants are copied into the partition under the same
// buffer id, and left out of the outer subgraph unless an op there reads them.
//
// A group of one odml.npu_call becomes a copy of its decomposition. An
// odml.cpu_call is inlined into the outer subgraph; nested composites there
// must have been inlined before.
//
// Returns the ops that stand for the groups. Errors: an npu_call with an
// omitted input.
litert::Expected<std::vector<Op*>> OutlineGroups(const Model& model, const Subgraph& source,
                                                 const Grouping& grouping,
                                                 const std::vector<bool>& observed,
                                                 SubgraphCopier& outer, Model& bodies);

// Why an op can't be moved to another subgraph: it is a dispatch op already,
// has effects beyond its outputs, refers to subgraphs, or keeps state in a
// variable tensor. Null if it can.
const char* WhyNotOutlinable(const Op& op);

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_PARTITION_OUTLINE_H_
