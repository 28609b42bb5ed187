// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Inputs and outputs of a graph that lie in memory of the caller's: a cache that several signatures
// have, or that one takes and gives back in the same place.

#ifndef NPUKIT_SDK_HOST_RUNTIME_MEMORY_GIVEN_MEMORY_H_
#define NPUKIT_SDK_HOST_RUNTIME_MEMORY_GIVEN_MEMORY_H_

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "litert/cc/litert_expected.h"
#include "sdk/host/model/graph/model.h"
#include "sdk/host/model/graph/tensor.h"
#include "sdk/host/model/metadata/delegate_metadata.h"
#include "sdk/host/runtime/plan/execution_plan.h"

namespace npukit {

// By input or output: at least the tensor's bytes, aligned to 64. The same memory may stand for an
// input and an output.
using GivenMemory = std::map<const Tensor*, std::span<uint8_t>>;

// Whether output `out` may be written where input `in` lies: every other reader of the input is a CPU
// step before the one that computes the output, which works in place there or does not read it. A
// dispatch op works in place where its compiler says so.
bool MayOverwrite(const ExecutionPlan& plan, const std::vector<DelegateRecord>& delegates, int in,
                  int out);

// Makes the inputs and outputs that have memory lie there. An output that may not be written where
// its input lies keeps memory of its own, as do constants and states; the caller copies these. An
// error names the tensor whose memory is too short.
litert::Expected<void> BindGivenMemory(const GivenMemory& given, const Model& model,
                                       ExecutionPlan& plan);

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_RUNTIME_MEMORY_GIVEN_MEMORY_H_
