// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Whether a graph makes sense: what the rest of the host takes for granted
// about a model. The reader runs it on every file, the builder on every model
// made, and so does who lets a plugin rewrite one.

#ifndef NPUKIT_SDK_HOST_MODEL_GRAPH_MODEL_VERIFIER_H_
#define NPUKIT_SDK_HOST_MODEL_GRAPH_MODEL_VERIFIER_H_

#include <cstddef>

#include "litert/cc/litert_expected.h"
#include "sdk/host/model/graph/model.h"

namespace npukit {

// Subgraphs within subgraphs, of composites and of ops that call them: what is done with models goes
// down them on the stack, and a file decides how many there are.
inline constexpr size_t kMaxNestedSubgraphs = 128;

// Checks, and on the first failure names the subgraph, op or tensor, what was
// expected and what was found:
//  - there is a subgraph; the subgraphs that options name exist, none is
//    called while it runs (no recursion), and calls are nested at most
//    kMaxNestedSubgraphs deep;
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
//    dimension, if it exists, has that size; blockwise: the scales exist and
//    name no other tensors in turn, the block size is positive;
//  - signatures name inputs and outputs of their subgraph.
litert::Expected<void> VerifyModel(const Model& model);

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_MODEL_GRAPH_MODEL_VERIFIER_H_
