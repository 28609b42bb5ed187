// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// From groups to subgraphs of their own.

#ifndef NPUKIT_SDK_HOST_PARTITION_OUTLINE_H_
#define NPUKIT_SDK_HOST_PARTITION_OUTLINE_H_

#include <vector>

#include "litert/cc/litert_expected.h"
#include "sdk/host/model/model.h"
#include "sdk/host/partition/grouping.h"

namespace npukit {

struct OutlinedPartition {
  Op* call = nullptr;        // in the outer graph: a custom op DISPATCH_OP, still without bytecode
  Subgraph* body = nullptr;  // in the partitions model; inputs and outputs stand as in `call`
};

// Moves each group of `outer` into a new subgraph of `partitions`, in the groups' order, and puts one op in its place; the
// outer ops then stand in the grouping's order. Inputs of a partition: those that are inputs of `outer` first, in outer's
// order, then the others by first use. Constants are cloned into the partition under the same buffer id, and dropped from
// `outer` once nothing there reads them. Outputs: what an op outside reads or `outer` puts out, by first definition.
// Both models must share one buffer store.
std::vector<OutlinedPartition> OutlineGroups(Subgraph& outer, const Grouping& grouping, Model& partitions);

// Why an op can't be moved to another subgraph: it calls subgraphs, keeps state in a variable tensor, is a dispatch op
// already. Null if it can.
const char* WhyNotOutlinable(const Op& op);

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_PARTITION_OUTLINE_H_
