// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What stands in the way of running a model, all of it in one message.

#ifndef NPUKIT_SDK_HOST_RUNTIME_PLAN_UNSUPPORTED_OPS_H_
#define NPUKIT_SDK_HOST_RUNTIME_PLAN_UNSUPPORTED_OPS_H_

#include "litert/cc/litert_expected.h"
#include "sdk/host/model/graph/model.h"
#include "sdk/host/model/graph/model_verifier.h"
#include "sdk/host/runtime/plan/special_ops.h"

namespace npukit {

// Of models that VerifyModel has not seen: more than kMaxNestedSubgraphs.
litert::Unexpected NestedTooDeep(const Subgraph& innermost);

// The decomposition of a composite; null for any other op. An error if its options name no subgraph
// of the model, or one with other inputs and outputs.
litert::Expected<const Subgraph*> CheckedDecomposition(const Model& model, const Op& op);
// The same, but null too for a composite that a kernel knows by name.
litert::Expected<const Subgraph*> DecompositionToRun(const Model& model, const Op& op);

// An error that names every operator, in the subgraph and those it reaches, that no kernel, special
// op (null: there are none) or dispatch library runs: "2 unsupported operators: SKIP_GRAM (op 3,
// 'y'), FOO (3 times, first op 5, 'z')". Also if subgraphs call each other in a circle, or are nested
// too deep.
litert::Expected<void> CheckOpsSupported(const Model& model, const Subgraph& subgraph,
                                         const SpecialOps* special_ops);

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_RUNTIME_PLAN_UNSUPPORTED_OPS_H_
