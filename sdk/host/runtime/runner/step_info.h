// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What a signature's run consists of: its inputs and outputs, its steps and what they took.

#ifndef NPUKIT_SDK_HOST_RUNTIME_RUNNER_STEP_INFO_H_
#define NPUKIT_SDK_HOST_RUNTIME_RUNNER_STEP_INFO_H_

#include <cstdint>
#include <string>
#include <vector>

#include "litert/c/litert_model_types.h"
#include "litert/c/litert_tensor_buffer_types.h"
#include "sdk/host/model/graph/op.h"
#include "sdk/host/model/graph/tensor.h"
#include "sdk/host/model/metadata/delegate_metadata.h"
#include "sdk/host/runtime/execution/step_time.h"
#include "sdk/host/runtime/runner/session_placement.h"

namespace npukit {

namespace kernels {
struct Node;
}

// An input or output, with the shape that it has in this run (after resizing). One whose shape only
// a run shows has that of the last run; before the first the file's, a dimension that it leaves open
// as -1, and a size of 0.
struct PortInfo {
  std::string name;  // in the signature; the tensor's own name where there is no signature
  const Tensor* tensor = nullptr;
  LiteRtElementType element_type = kLiteRtElementTypeNone;
  std::vector<int32_t> shape;
  size_t size_bytes = 0;
  bool has_fixed_shape = true;  // no run changes it
  // What a dispatch library would have it lie in: host memory, or a type of its own.
  LiteRtTensorBufferType buffer_type = kLiteRtTensorBufferTypeHostMemory;
};

// One thing that a run does, in order.
struct StepInfo {
  Target target = Target::kCpu;
  std::string op;    // "CONV_2D"; "DISPATCH_OP"
  std::string name;  // of its first output tensor; the entry point's name for a dispatch op
  const Op* source = nullptr;
  // With resolved shapes, e.g. for kernels::RunOracle; null for a dispatch op.
  const kernels::Node* node = nullptr;
  // Of a CPU op, counted from shapes; 0 for dispatch ops, whose library counts.
  uint64_t macs = 0;
  const DelegateRecord* delegate = nullptr;  // where an op came from; null if not known
  std::vector<PortInfo> inputs;              // constants included, omitted ones left out
  std::vector<PortInfo> outputs;
};

struct MemoryReport {
  uint64_t arena_bytes = 0;  // what the plan uses
  // Largest sum of live tensors at any step: no plan is smaller.
  uint64_t ideal_arena_bytes = 0;
  // Beside the arena, for dispatch buffers with strides of their own and constants.
  uint64_t staging_bytes = 0;
  uint64_t folded_bytes = 0;  // constants computed while planning
  uint64_t packed_bytes = 0;  // weights and tables that CPU kernels hold in a form of their own
};

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_RUNTIME_RUNNER_STEP_INFO_H_
