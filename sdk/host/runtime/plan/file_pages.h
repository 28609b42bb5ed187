// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Pages of the model's file that planning has touched and no run reads: they need not stay in
// memory beside what was made of them.

#ifndef NPUKIT_SDK_HOST_RUNTIME_PLAN_FILE_PAGES_H_
#define NPUKIT_SDK_HOST_RUNTIME_PLAN_FILE_PAGES_H_

#include <cstdint>

#include "sdk/host/runtime/plan/execution_plan.h"

namespace npukit {

// Of a constant whose first bytes a kernel has in a form of its own.
void ReleaseFront(const kernels::Operand& constant, int64_t first_bytes);

// Of the constants that the step's kernel does not read again, and of those around them that the
// system has mapped too.
void ReleasePackedConstants(const PlanStep& step);

// Planning has looked at much that no run reads, and the system maps pages around those that are
// touched: everything is given back at last.
void ReleaseFiles(const ExecutionPlan& plan);

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_RUNTIME_PLAN_FILE_PAGES_H_
