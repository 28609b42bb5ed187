// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// One function for each special op: its step, or an error that names op and tensor.

#ifndef NPUKIT_SDK_HOST_RUNTIME_CONTROL_SPECIAL_KERNELS_H_
#define NPUKIT_SDK_HOST_RUNTIME_CONTROL_SPECIAL_KERNELS_H_

#include "litert/cc/litert_expected.h"
#include "sdk/host/runtime/execution/graph_context.h"
#include "sdk/host/runtime/plan/special_ops.h"

namespace npukit {

litert::Expected<SpecialStep> MakeCall(const GraphContext& context, const kernels::Node& node);
litert::Expected<SpecialStep> MakeCallOnce(const GraphContext& context, const kernels::Node& node);
litert::Expected<SpecialStep> MakeCase(const GraphContext& context, const kernels::Node& node);
litert::Expected<SpecialStep> MakeIf(const GraphContext& context, const kernels::Node& node);
litert::Expected<SpecialStep> MakeWhile(const GraphContext& context, const kernels::Node& node);

litert::Expected<SpecialStep> MakeReduceWindow(const GraphContext& context,
                                               const kernels::Node& node);
litert::Expected<SpecialStep> MakeScatter(const GraphContext& context, const kernels::Node& node);

litert::Expected<SpecialStep> MakeVarHandle(const GraphContext& context, const kernels::Node& node);
litert::Expected<SpecialStep> MakeReadVariable(const GraphContext& context,
                                               const kernels::Node& node);
litert::Expected<SpecialStep> MakeAssignVariable(const GraphContext& context,
                                                 const kernels::Node& node);

litert::Expected<SpecialStep> MakeTable(const GraphContext& context, const kernels::Node& node);
litert::Expected<SpecialStep> MakeTableImport(const GraphContext& context,
                                              const kernels::Node& node);
litert::Expected<SpecialStep> MakeTableFind(const GraphContext& context, const kernels::Node& node);
litert::Expected<SpecialStep> MakeTableSize(const GraphContext& context, const kernels::Node& node);

litert::Expected<SpecialStep> MakeMultinomial(const GraphContext& context,
                                              const kernels::Node& node);
litert::Expected<SpecialStep> MakeRandomNormal(const GraphContext& context,
                                               const kernels::Node& node);
litert::Expected<SpecialStep> MakeRandomUniform(const GraphContext& context,
                                                const kernels::Node& node);

// Any operator that moves or compares elements, of strings.
litert::Expected<SpecialStep> MakeStringOp(const GraphContext& context, const kernels::Node& node);
litert::Expected<SpecialStep> MakeSkipGram(const GraphContext& context, const kernels::Node& node);

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_RUNTIME_CONTROL_SPECIAL_KERNELS_H_
