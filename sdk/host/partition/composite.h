// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// StableHLO composites: ops that carry the subgraph they stand for.

#ifndef NPUKIT_SDK_HOST_PARTITION_COMPOSITE_H_
#define NPUKIT_SDK_HOST_PARTITION_COMPOSITE_H_

#include <functional>
#include <memory>
#include <vector>

#include "litert/cc/litert_expected.h"
#include "sdk/host/model/graph/model.h"
#include "sdk/host/partition/copy.h"

namespace npukit {

inline constexpr char kNpuCallComposite[] = "odml.npu_call";

enum class CompositeKind {
  kNone,     // no composite
  kPlain,    // "odml.rms_norm" and whatever else
  kNpuCall,  // "odml.npu_call": the author wants it on the NPU
  kCpuCall,  // "odml.cpu_call": the author wants it on the CPU
};
CompositeKind KindOf(const Op& op);
// The composite's name; empty for other ops.
std::string CompositeName(const Op& op);

// Null if the index in the options is out of range or op is no composite.
const Subgraph* DecompositionOf(const Model& model, const Op& op);

// Checks every composite of the model: its decomposition is there, is not the
// main subgraph, has as many inputs and outputs as the op, and no composite
// contains itself.
litert::Expected<void> CheckComposites(const Model& model);

// True for the subgraphs that are the decomposition of some composite.
std::vector<bool> DecompositionSubgraphs(const Model& model);

// Adds copies of the decomposition's ops to the copier's target in place of
// `op`, an op of the copier's source; nested composites stay composites. Output
// tensors of `op` that the decomposition does not compute (an input passed
// through, a constant, one tensor put out twice) are bound to that tensor, so
// they must not have been copied before: PassedThroughOutputs lists them.
// `visit` is told of each copied op, with the op it was copied from.
void InlineComposite(const Model& model, const Op& op, SubgraphCopier& copier,
                     const std::function<void(const Op& from, Op& to)>& visit);
std::vector<const Tensor*> PassedThroughOutputs(const Model& model, const Op& op);

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_PARTITION_COMPOSITE_H_
