// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The simulated NPU as a LiteRT device.
//
// Which chip: the one named by the compile spec "soc_model" or the environment variable
// ACME_SOC_MODEL, or described by the YAML file of the spec "soc_file" or the environment variable
// ACME_SOC_FILE, which go before a name; a module for another chip is then refused. With none of
// them the simulator is the chip that the module was compiled for. The spec "check_races" ("1") or
// ACME_CHECK_RACES=1 makes the simulator fail at the first access that no semaphore orders. The spec
// "device_memory" ("1") or ACME_DEVICE_MEMORY=1 asks for tensor buffers in the device's own memory
// (device_memory.h) rather than in the host's, for hosts that take its functions.

#ifndef NPUKIT_REFERENCE_PLUGIN_DISPATCH_NPU_DEVICE_H_
#define NPUKIT_REFERENCE_PLUGIN_DISPATCH_NPU_DEVICE_H_

#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "npukit/dispatch.h"
#include "reference_plugin/dispatch/device_memory.h"
#include "reference_plugin/dispatch/driver_handle.h"
#include "reference_plugin/dispatch/hook_trace.h"

namespace acme::dispatch {

class NpuDevice final : public npukit::Device {
 public:
  static constexpr const char* kVendorId = "AcmeCorp";
  static constexpr const char* kBuildId = "0.1.0";
  static constexpr bool kRunsAsync = true;
  static constexpr bool kRunsGraphs = true;
  static constexpr bool kHasScratchpads = true;
  static constexpr bool kHasHooks = true;
  static constexpr const LiteRtCustomTensorBufferHandlersDef* kBufferHandlers =
      &kDeviceMemoryHandlers;

  static litert::Expected<std::unique_ptr<NpuDevice>> Open(const npukit::DeviceConfig& config);

  litert::Expected<std::unique_ptr<npukit::Invocation>> Load(
      const npukit::LoadRequest& request) override;
  litert::Expected<void> CheckModule(LiteRtDispatchExecutableType type,
                                     litert::internal::Span<const uint8_t> bytecode) override;
  // The workspace of an entry point: what lies in DRAM between its steps.
  litert::Expected<npukit::BufferRequirements> ScratchpadRequirements(
      const npukit::LoadRequest& request) override;
  void* AddressOf(HwMemoryHandle memory) const override { return DeviceAddress(memory); }
  bool WantsHooks() const override { return trace_ != nullptr; }
  void OnHook(LiteRtHookType type) override { trace_->OnHook(type); }
  void ClearSpecs() override;
  litert::Expected<void> SetSpec(const std::string& key,
                                 litert::internal::Span<const uint8_t> bytes) override;

 private:
  // The chip that the module is to run on; opened once each.
  // With mutex_ held, or before anybody else has the device.
  litert::Expected<DeviceHandle> DeviceFor(litert::internal::Span<const uint8_t> bytecode);
  litert::Expected<DeviceHandle> OpenNamed(const std::string& soc_model);
  litert::Expected<DeviceHandle> OpenFile(const std::string& path);

  const std::shared_ptr<HookTrace> trace_ = HookTrace::FromEnvironment();  // null: not asked for
  std::mutex mutex_;
  std::string soc_model_;  // empty: the module's
  std::string soc_file_;
  bool check_races_ = false;
  bool prefers_device_memory_ = false;
  std::map<std::string, DeviceHandle> devices_;            // by SoC model
  std::map<std::string, DeviceHandle> described_devices_;  // by file
};

}  // namespace acme::dispatch

#endif  // NPUKIT_REFERENCE_PLUGIN_DISPATCH_NPU_DEVICE_H_
