// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Runs one signature (or the main subgraph) of a session's model. Where all shapes are known its
// plan and memory are laid out once, and running allocates nothing on the host's side; what lies
// behind a shape that only a run shows is planned by the run (execution/graph_runner.h).

#ifndef NPUKIT_SDK_HOST_RUNTIME_RUNNER_SIGNATURE_RUNNER_H_
#define NPUKIT_SDK_HOST_RUNTIME_RUNNER_SIGNATURE_RUNNER_H_

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "litert/c/internal/litert_scheduling_info.h"
#include "litert/c/litert_common.h"
#include "litert/cc/litert_expected.h"
#include "sdk/host/kernels/hybrid_mode.h"
#include "sdk/host/model/graph/model.h"
#include "sdk/host/runtime/dispatch/client/dispatch_metrics.h"
#include "sdk/host/runtime/dispatch/handle_records.h"
#include "sdk/host/runtime/runner/step_info.h"

namespace npukit {

class DispatchDevices;
class DispatchInvocation;
class ModelState;
namespace kernels {
class ThreadPool;
}

// Errors of runs name the op and tensor, or the dispatch library and its call. After an error the
// runner may run again.
class SignatureRunner {
 public:
  struct Options {
    int threads = 1;
    kernels::HybridMode hybrid = kernels::HybridMode::kAsTflite;
    // New shapes of graph inputs.
    std::map<const Tensor*, std::vector<int32_t>> resized_inputs;
    uint64_t max_arena_bytes = uint64_t{8} << 30;
    // Every tensor keeps memory of its own, so that TensorBytes works after a run.
    bool keep_intermediates = false;
    bool async = true;  // dispatch ops run beside others where they can
    // Tensors whose name in the signature is another than their own.
    std::unordered_map<const Tensor*, std::string> port_names;
    // Inputs and outputs, by those names, that lie in memory of `state`, one for all signatures: what
    // one writes the next reads, and an output replaces the input of its name.
    std::set<std::string> shared_ports;
    // What lasts from run to run; outlives the runner. Null: the runner has its own.
    ModelState* state = nullptr;
  };
  // Turns of loops and calls of subgraphs, of a runner with a state of its own.
  static constexpr uint64_t kDefaultMaxCallsPerRun = 10'000'000;

  // Model, pool (null for one thread) and devices (null if there is no dispatch op) must outlive
  // the runner.
  static litert::Expected<std::unique_ptr<SignatureRunner>> Create(const Model& model,
                                                                   const Subgraph& subgraph,
                                                                   Options options,
                                                                   kernels::ThreadPool* pool,
                                                                   DispatchDevices* devices);
  ~SignatureRunner();
  SignatureRunner(const SignatureRunner&) = delete;
  SignatureRunner& operator=(const SignatureRunner&) = delete;
  // Gives the dispatch libraries their objects back; no run afterwards.
  litert::Expected<void> Close();

  std::span<const PortInfo> inputs() const;
  // A run may change the shapes of those that were not known before (PortInfo).
  std::span<const PortInfo> outputs() const;
  // The memory of an input, to write to before a run; it keeps its value over runs. Aligned to 64
  // bytes.
  std::span<uint8_t> input(size_t index);
  // Copies into it. An error gives both sizes if `bytes` has the wrong one.
  litert::Expected<void> SetInput(size_t index, std::span<const uint8_t> bytes);
  // Valid until the next run. An output that is a constant of the model has its bytes before any
  // run.
  std::span<const uint8_t> output(size_t index) const;

  litert::Expected<void> Run();
  // State tensors and variables as before the first run, for all runners that share them.
  void ResetState();
  // Whether all of its dispatch libraries run asynchronously, and there is one. Run() makes use of
  // it where steps can run side by side; it ends when all of them have.
  bool IsAsync() const;

  // The value of a tensor after a run, whatever subgraph it is of; empty if it holds none. Only
  // with keep_intermediates; constants, inputs and outputs always.
  std::span<const uint8_t> TensorBytes(const Tensor& tensor) const;
  std::span<uint8_t> MutableTensorBytes(const Tensor& tensor);
  // Shape in this runner; empty for a tensor that the runner does not compute.
  std::optional<std::vector<int32_t>> TensorShape(const Tensor& tensor) const;

  // Whether all shapes are known before any run, so that a run plans nothing.
  bool is_static() const;
  // As far as planned: all of them, if all shapes are known, else those of the last run. Ops that
  // call subgraphs are one step each.
  std::span<const StepInfo> steps() const;
  // Runs step `index` alone, with what its inputs hold now; needs keep_intermediates.
  litert::Expected<void> RunStep(size_t index);
  // Of the last run; all zero unless times were asked for.
  void EnableStepTimes(bool enable);
  std::span<const StepTime> step_times() const;

  // For the runs that follow, on every dispatch op, also those that a run plans; null resets. What is pointed to must outlive
  // those runs. Libraries without such a function run without.
  litert::Expected<void> SetSchedulingInfo(const LiteRtSchedulingInfo* info);
  litert::Expected<void> SetRunOptions(LiteRtOptions options);

  // Starts collecting on every dispatch op at a detail level of npukit/metrics.h, and on those that
  // runs plan meanwhile. Unsupported if a library has no metrics; after an error none collects.
  litert::Expected<void> StartMetrics(int detail_level);
  // One entry per step, empty for CPU steps. Of what a run planned anew: since then.
  litert::Expected<std::vector<DispatchMetrics>> StopMetrics();

  // npukit/delegate_debug.h. What the next runs record on the dispatch ops, bits of NpukitRecord;
  // libraries that can't are passed over, Unsupported if none can, or there is no dispatch op.
  litert::Expected<void> SetRecording(uint32_t record);
  // Of a dispatch op's last run.
  litert::Expected<std::vector<HandleEvent>> StepProfile(size_t index) const;
  litert::Expected<HandleValue> StepIntermediate(size_t index, uint32_t handle, int output) const;

  MemoryReport memory() const;
  // Of shared ports, what each run copies since it may not be written in place; mostly 0.
  uint64_t copied_port_bytes() const;

 private:
  // Plan, memory and dispatch ops, whose headers those who run a model need not see.
  struct State;

  explicit SignatureRunner(std::unique_ptr<State> state);
  void DescribeOutputs();
  StepInfo DescribeStep(size_t index) const;
  // Null for a CPU step.
  const DispatchInvocation* InvocationOf(size_t step) const;
  // Of all dispatch ops that are planned.
  std::vector<const DispatchInvocation*> Invocations() const;

  std::unique_ptr<State> state_;
};

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_RUNTIME_RUNNER_SIGNATURE_RUNNER_H_
