// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Steps that can be run while planning: all they read is constant, or only its shape matters.

#ifndef NPUKIT_SDK_HOST_RUNTIME_PLAN_CONSTANT_FOLDING_H_
#define NPUKIT_SDK_HOST_RUNTIME_PLAN_CONSTANT_FOLDING_H_

#include "litert/cc/litert_expected.h"
#include "sdk/host/runtime/plan/execution_plan.h"

namespace npukit {

// The inputs of the step, which keeps no state and takes no random numbers, have values.
bool CanFold(const ExecutionPlan& plan, const PlanStep& step);

// Runs the step's kernel; its outputs become constants of the plan.
litert::Expected<void> Fold(ExecutionPlan& plan, const PlanStep& step);

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_RUNTIME_PLAN_CONSTANT_FOLDING_H_
