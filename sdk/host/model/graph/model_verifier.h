// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Whether a graph makes sense: what the rest of the host takes for granted
// about a model. The reader runs it on every file, the builder on every model
// made, the partitioner may after an edit.

#ifndef NPUKIT_SDK_HOST_MODEL_GRAPH_MODEL_VERIFIER_H_
#define NPUKIT_SDK_HOST_MODEL_GRAPH_MODEL_VERIFIER_H_

#include "litert/cc/litert_expected.h"
#include "sdk/host/model/graph/model.h"

namespace npukit {

// Checks, and on the first failure names the subgraph, op or tensor, what was
// expected and what was found:
//  - there is a subgraph; the subgraphs that options name exist, and none is
//    called while it runs (no recursion);
//  - ops stand in topological order, which excludes cycles; inputs and outputs
//    of an op are tensors of its subgraph; no tensor is written twice, no
//    subgraph input at all;
//  - what ops write is written before it is read. A tensor that nothing gives a
//    value may stand for an omitted input: planning refuses it where it does not;
//  - shapes: dimensions >= -1, the size in bits fits 63 bits, the signature has
//    the shape's rank;
//  - constants hold at least the bytes that type and shape ask for (not checked
//    for sparse tensors and types without a fixed size);
//  - quantisation: as many zero points as scales or none; per channel: the
//    dimension, if it exists, has that size; blockwise: the scales exist, the block
//    size is positive;
//  - signatures name inputs and outputs of their subgraph.
litert::Expected<void> VerifyModel(const Model& model);

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_MODEL_GRAPH_MODEL_VERIFIER_H_
