// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// One entry point of a module on the simulated NPU.

#ifndef NPUKIT_REFERENCE_PLUGIN_DISPATCH_ACME_INVOCATION_H_
#define NPUKIT_REFERENCE_PLUGIN_DISPATCH_ACME_INVOCATION_H_

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "npukit/dispatch.h"
#include "reference_plugin/dispatch/driver_handle.h"
#include "reference_plugin/dispatch/hook_trace.h"
#include "reference_plugin/dispatch/intermediate_run.h"
#include "reference_plugin/dispatch/run_metrics.h"

namespace acme::dispatch {

class AcmeInvocation : public npukit::Invocation {
 public:
  // Errors: no such entry point; other numbers of inputs and outputs than the caller's.
  static litert::Expected<std::unique_ptr<AcmeInvocation>> Create(
      DeviceHandle device, ModuleHandle module, const npukit::LoadRequest& request,
      bool check_races);

  // Null: none.
  void SetTrace(std::shared_ptr<HookTrace> trace) { trace_ = std::move(trace); }
  // Whether its buffers had better lie in the device's memory; they may lie in the host's.
  void PreferDeviceMemory(bool prefers) { prefers_device_memory_ = prefers; }

  litert::Expected<void> Run(npukit::InputViews inputs, npukit::OutputViews outputs) override;
  // What a buffer of that size must be.
  static npukit::BufferRequirements RequirementsOf(size_t size_bytes, bool prefers_device_memory);
  litert::Expected<npukit::BufferRequirements> InputRequirements(
      size_t input, const litert::RankedTensorType& type) override;
  litert::Expected<npukit::BufferRequirements> OutputRequirements(
      size_t output, const litert::RankedTensorType& type) override;
  litert::Expected<size_t> OutputBytes(size_t output) override;
  void UseScratchpad(const npukit::ScratchpadView& memory) override { workspace_ = memory; }
  litert::Expected<void> StartMetrics(int detail_level) override;
  litert::Expected<std::vector<npukit::Metric>> StopMetrics() override;
  npukit::InvocationError LastError() const override { return error_; }
  litert::Expected<void> SetRecording(uint32_t record) override;
  litert::internal::Span<const npukit::ProfileEvent> Profile() const override { return events_; }
  litert::Expected<npukit::Intermediate> GetIntermediate(uint32_t handle, size_t output) override;

 private:
  AcmeInvocation(DeviceHandle device, ModuleHandle module, bool check_races)
      : device_(std::move(device)), module_(std::move(module)), check_races_(check_races) {}

  litert::Expected<void> Bind(size_t binding, const void* data, size_t size_bytes);
  litert::Expected<void> BindAndRun(npukit::InputViews inputs, npukit::OutputViews outputs);
  litert::Expected<void> RunBound();
  litert::Expected<void> ReadProfile(HookTrace::Clock::time_point begin);
  litert::Expected<void> CollectMetrics();
  std::string HandleName(uint32_t handle) const;

  // Released last to first: the context before its module before its device.
  DeviceHandle device_;
  ModuleHandle module_;
  ContextHandle context_;
  std::string entry_point_;
  size_t entry_ = 0;
  size_t num_inputs_ = 0;
  size_t num_outputs_ = 0;
  npukit::ScratchpadView workspace_;  // of the next run; null data: the driver's own
  bool prefers_device_memory_ = false;
  bool check_races_;
  int detail_level_ = 0;
  std::optional<RunMetrics> metrics_;  // while measuring
  npukit::InvocationError error_;
  uint32_t record_ = 0;  // NpukitRecord
  std::shared_ptr<HookTrace> trace_;
  std::vector<npukit::ProfileEvent> events_;
  std::unique_ptr<IntermediateRun> intermediates_;  // while they are recorded
};

}  // namespace acme::dispatch

#endif  // NPUKIT_REFERENCE_PLUGIN_DISPATCH_ACME_INVOCATION_H_
