// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What all graphs that run for one session have in common.

#ifndef NPUKIT_SDK_HOST_RUNTIME_EXECUTION_GRAPH_CONTEXT_H_
#define NPUKIT_SDK_HOST_RUNTIME_EXECUTION_GRAPH_CONTEXT_H_

#include <cstdint>

#include "sdk/host/kernels/hybrid_mode.h"
#include "sdk/host/model/graph/model.h"
#include "sdk/host/runtime/plan/special_ops.h"
#include "sdk/host/runtime/state/model_state.h"

namespace npukit {

class DispatchDevices;
namespace kernels {
class ThreadPool;
}

// Everything pointed to outlives the graphs.
struct GraphContext {
  const Model* model = nullptr;
  ModelState* state = nullptr;
  SpecialOps* special_ops = nullptr;
  kernels::ThreadPool* pool = nullptr;  // null for one thread
  DispatchDevices* devices = nullptr;   // null if there is no dispatch op
  int threads = 1;
  kernels::HybridMode hybrid = kernels::HybridMode::kAsTflite;
  uint64_t max_arena_bytes = uint64_t{8} << 30;
  bool async = true;  // dispatch ops run beside others where they can
};

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_RUNTIME_EXECUTION_GRAPH_CONTEXT_H_
