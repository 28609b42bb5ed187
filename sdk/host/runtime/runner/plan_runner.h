// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// A SignatureRunner over an execution plan: the arena allocated, every span that a step needs
// worked out beforehand.

#ifndef NPUKIT_SDK_HOST_RUNTIME_RUNNER_PLAN_RUNNER_H_
#define NPUKIT_SDK_HOST_RUNTIME_RUNNER_PLAN_RUNNER_H_

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "sdk/host/kernels/thread_pool.h"
#include "sdk/host/runtime/dispatch/dispatch_steps.h"
#include "sdk/host/runtime/plan/aligned_memory.h"
#include "sdk/host/runtime/plan/execution_plan.h"
#include "sdk/host/runtime/plan/memory_plan.h"
#include "sdk/host/runtime/runner/signature_runner.h"

namespace npukit {

class PlanRunner : public SignatureRunner {
 public:
  struct Options {
    PlanOptions plan;
    bool keep_intermediates = false;
    kernels::ThreadPool* pool = nullptr;
    DispatchDevices* devices = nullptr;  // null if the subgraph has no dispatch op
    bool async = true;                   // dispatch ops run beside others where they can
  };
  // Tensors whose name in the signature is another than their own.
  using PortNames = std::unordered_map<const Tensor*, std::string>;

  // Model, pool and devices must outlive the runner.
  static litert::Expected<std::unique_ptr<PlanRunner>> Create(const Model& model,
                                                              const Subgraph& subgraph,
                                                              const PortNames& names,
                                                              const Options& options);
  ~PlanRunner() override { (void)Close(); }

  // Gives the dispatch library its objects back; no run afterwards.
  litert::Expected<void> Close() { return dispatch_.Close(); }

  std::span<const PortInfo> inputs() const override { return inputs_; }
  std::span<const PortInfo> outputs() const override { return outputs_; }
  std::span<uint8_t> input(size_t index) override;
  std::span<const uint8_t> output(size_t index) const override;
  litert::Expected<void> Run() override;
  void ResetVariables() override;
  std::span<const uint8_t> TensorBytes(const Tensor& tensor) const override;
  std::span<uint8_t> MutableTensorBytes(const Tensor& tensor) override;
  std::optional<std::vector<int32_t>> TensorShape(const Tensor& tensor) const override;
  std::span<const StepInfo> steps() const override;
  litert::Expected<void> RunStep(size_t index) override;
  bool IsAsync() const override { return dispatch_.IsAsync(); }
  void EnableStepTimes(bool enable) override { times_enabled_ = enable; }
  std::span<const StepTime> step_times() const override { return step_times_; }
  litert::Expected<void> SetSchedulingInfo(const LiteRtSchedulingInfo* info) override;
  litert::Expected<void> SetRunOptions(LiteRtOptions options) override;
  litert::Expected<void> StartMetrics(int detail_level) override;
  litert::Expected<std::vector<DispatchMetrics>> StopMetrics() override;
  litert::Expected<void> SetRecording(uint32_t record) override;
  litert::Expected<std::vector<HandleEvent>> StepProfile(size_t index) const override;
  litert::Expected<HandleValue> StepIntermediate(size_t index, uint32_t handle,
                                                 int output) const override;
  MemoryReport memory() const override;

 private:
  // What a CPU step is run with; the context's spans point into the vectors.
  struct Bound {
    std::vector<std::span<const uint8_t>> inputs;
    std::vector<std::span<uint8_t>> outputs;
    std::vector<std::span<uint8_t>> variables;
    kernels::RunContext context;
  };

  PlanRunner() = default;
  litert::Expected<void> AllocateMemory();
  // Waits for the steps under way that must have ended before `step`.
  litert::Expected<void> Join(size_t step);
  void BindSteps(kernels::ThreadPool* pool);
  PortInfo DescribePort(int value) const;
  StepInfo DescribeStep(size_t index) const;
  PlanValue& ValueAt(int index) { return plan_.values[static_cast<size_t>(index)]; }

  ExecutionPlan plan_;
  DispatchSteps dispatch_;
  MemoryPlan memory_;
  AlignedMemory arena_;
  AlignedMemory variables_;
  bool keep_intermediates_ = false;
  AsyncSchedule schedule_;
  std::vector<size_t> under_way_;  // steps, in the order in which they began
  uint64_t run_begin_ns_ = 0;
  std::vector<std::span<uint8_t>>
      memory_of_value_;  // with what a device demanded beyond the dense bytes
  std::vector<std::span<const uint8_t>> bytes_of_value_;  // dense; constants too
  std::vector<Bound> bound_;
  std::vector<PortInfo> inputs_;
  std::vector<PortInfo> outputs_;
  PortNames names_;
  mutable std::vector<StepInfo> step_infos_;  // made when first asked for: few runs want them
  std::vector<StepTime> step_times_;
  bool times_enabled_ = false;
};

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_RUNTIME_RUNNER_PLAN_RUNNER_H_
