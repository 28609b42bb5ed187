// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Runs one signature (or the main subgraph) of a session's model, with memory of its own: an arena
// planned once. Running allocates nothing on the host's side.

#ifndef NPUKIT_SDK_HOST_RUNTIME_RUNNER_SIGNATURE_RUNNER_H_
#define NPUKIT_SDK_HOST_RUNTIME_RUNNER_SIGNATURE_RUNNER_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "litert/c/internal/litert_scheduling_info.h"
#include "litert/c/litert_common.h"
#include "litert/c/litert_model_types.h"
#include "litert/cc/litert_expected.h"
#include "sdk/host/model/graph/op.h"
#include "sdk/host/model/graph/tensor.h"
#include "sdk/host/runtime/dispatch/dispatch_debug.h"
#include "sdk/host/runtime/dispatch/client/dispatch_metrics.h"
#include "sdk/host/runtime/runner/placement.h"

namespace npukit {

namespace kernels {
struct Node;
}

// An input or output, with the shape that it has in this runner (after resizing).
struct PortInfo {
  std::string name;  // in the signature; the tensor's own name where there is no signature
  const Tensor* tensor = nullptr;
  LiteRtElementType element_type = kLiteRtElementTypeNone;
  std::vector<int32_t> shape;
  size_t size_bytes = 0;
};

// One thing that a run does, in order.
struct StepInfo {
  Target target = Target::kCpu;
  std::string op;    // "CONV_2D"; "DISPATCH_OP"
  std::string name;  // of its first output tensor; the entry point's name for a dispatch op
  const Op* source = nullptr;
  const kernels::Node* node =
      nullptr;        // with resolved shapes, e.g. for kernels::RunOracle; null for a dispatch op
  uint64_t macs = 0;  // of a CPU op, counted from shapes; 0 for dispatch ops, whose library counts
  const DelegateRecord* delegate = nullptr;  // where an op came from; null if not known
  std::vector<PortInfo> inputs;              // constants included, omitted ones left out
  std::vector<PortInfo> outputs;
};

// When a step ran, in nanoseconds of the steady clock since the run began.
struct StepTime {
  uint64_t begin_ns = 0;
  uint64_t end_ns = 0;
};

struct MemoryReport {
  uint64_t arena_bytes = 0;        // what the plan uses
  uint64_t ideal_arena_bytes = 0;  // largest sum of live tensors at any step: no plan is smaller
  uint64_t staging_bytes =
      0;  // beside the arena, for dispatch buffers with strides of their own and constants
  uint64_t folded_bytes = 0;  // constants computed while planning
  uint64_t packed_bytes = 0;  // weights and tables that CPU kernels hold in a form of their own
};

class SignatureRunner {
 public:
  virtual ~SignatureRunner() = default;

  virtual std::span<const PortInfo> inputs() const = 0;
  virtual std::span<const PortInfo> outputs() const = 0;

  // The memory of an input, to write to before a run; it keeps its value over runs. Aligned to 64
  // bytes.
  virtual std::span<uint8_t> input(size_t index) = 0;
  // Copies into it. An error gives both sizes if `bytes` has the wrong one.
  litert::Expected<void> SetInput(size_t index, std::span<const uint8_t> bytes);
  // Valid until the next run. An output that is a constant of the model has its bytes before any
  // run.
  virtual std::span<const uint8_t> output(size_t index) const = 0;

  // Errors name the op and tensor, or the dispatch library and its call. After an error the runner
  // may run again.
  virtual litert::Expected<void> Run() = 0;
  // Whether all of its dispatch libraries run asynchronously, and there is one. Run() makes use of
  // it where steps can run side by side; it ends when all of them have.
  virtual bool IsAsync() const = 0;

  // Sets the model's state tensors to zero, as they are at first (int8: to their zero point).
  virtual void ResetVariables() = 0;

  // The value of a tensor after a run, whatever subgraph it is of; empty if it holds none. Only
  // with SessionOptions::keep_intermediates; constants, inputs and outputs always.
  virtual std::span<const uint8_t> TensorBytes(const Tensor& tensor) const = 0;
  virtual std::span<uint8_t> MutableTensorBytes(const Tensor& tensor) = 0;
  // Shape in this runner; empty for a tensor that the runner does not compute.
  virtual std::optional<std::vector<int32_t>> TensorShape(const Tensor& tensor) const = 0;

  virtual std::span<const StepInfo> steps() const = 0;
  // Runs step `index` alone, with what its inputs hold now; needs
  // SessionOptions::keep_intermediates.
  virtual litert::Expected<void> RunStep(size_t index) = 0;
  // Of the last run; all zero unless times were asked for.
  virtual void EnableStepTimes(bool enable) = 0;
  virtual std::span<const StepTime> step_times() const = 0;

  // For the runs that follow, on every dispatch op; null resets. What is pointed to must outlive
  // those runs. Libraries without such a function run without.
  virtual litert::Expected<void> SetSchedulingInfo(const LiteRtSchedulingInfo* info) = 0;
  virtual litert::Expected<void> SetRunOptions(LiteRtOptions options) = 0;

  // Starts collecting on every dispatch op at a detail level of npukit/metrics.h; Unsupported if a
  // library has no metrics.
  virtual litert::Expected<void> StartMetrics(int detail_level) = 0;
  // One entry per step, empty for CPU steps.
  virtual litert::Expected<std::vector<DispatchMetrics>> StopMetrics() = 0;

  // npukit/delegate_debug.h. What the next runs record on the dispatch ops, bits of NpukitRecord;
  // libraries that can't are passed over, Unsupported if none can.
  virtual litert::Expected<void> SetRecording(uint32_t record) = 0;
  // Of a dispatch op's last run.
  virtual litert::Expected<std::vector<HandleEvent>> StepProfile(size_t index) const = 0;
  virtual litert::Expected<HandleValue> StepIntermediate(size_t index, uint32_t handle,
                                                         int output) const = 0;

  virtual MemoryReport memory() const = 0;
};

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_RUNTIME_RUNNER_SIGNATURE_RUNNER_H_
