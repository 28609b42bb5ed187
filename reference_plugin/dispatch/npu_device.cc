// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/dispatch/npu_device.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <span>
#include <string_view>
#include <utility>

#include "npukit/compile_spec.h"
#include "reference_plugin/dispatch/acme_invocation.h"
#include "reference_plugin/module/jit_executable.h"
#include "simulator/module/module.h"

namespace acme::dispatch {
namespace {

// Those that the compiler has followed; a compiled model remembers them.
constexpr std::string_view kCompilerSpecs[] = {NPUKIT_SPEC_DUMP_DIR, NPUKIT_SPEC_KEEP_INTERMEDIATES,
                                               "optimization_level", "force_partition_index"};

std::string FromEnvironment(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

litert::Expected<DeviceHandle> Adopt(AcmeStatus status, AcmeDevice* device,
                                     const std::string& what) {
  if (status != kAcmeOk) return DriverError(status, what);
  return DeviceHandle(device, AcmeDeviceClose);
}

litert::Expected<litert::internal::Span<const uint8_t>> ModuleOf(
    const npukit::LoadRequest& request) {
  if (request.executable != nullptr) {
    const auto& executable = *static_cast<const JitExecutable*>(request.executable);
    if (executable.magic != JitExecutable::kMagic)
      return litert::Unexpected(litert::Status::kErrorInvalidArgument, "not AcmeCorp's executable");
    return litert::internal::Span<const uint8_t>(executable.module, executable.module_bytes);
  }
  if (request.type == kLiteRtDispatchExecutableTypeMlModel) return request.bytecode;
  return litert::Unexpected(litert::Status::kErrorUnsupported, "only ML models can be run");
}

// The module's constants stay in the bytecode.
litert::Expected<Module> Parse(litert::internal::Span<const uint8_t> bytecode) {
  auto module = ParseModuleInPlace({.bytes = {bytecode.data(), bytecode.size()}});
  if (module) return std::move(*module);
  const bool incompatible = module.Error().Code() == ErrorCode::kIncompatible;
  return litert::Unexpected(incompatible ? litert::Status::kErrorIncompatibleByteCodeVersion
                                         : litert::Status::kErrorInvalidArgument,
                            "bytecode: " + module.Error().Message());
}

}  // namespace

litert::Expected<std::unique_ptr<NpuDevice>> NpuDevice::Open(const npukit::DeviceConfig&) {
  auto device = std::make_unique<NpuDevice>();
  device->soc_model_ = FromEnvironment("ACME_SOC_MODEL");
  device->soc_file_ = FromEnvironment("ACME_SOC_FILE");
  device->check_races_ = FromEnvironment("ACME_CHECK_RACES") == "1";
  device->prefers_device_memory_ = FromEnvironment("ACME_DEVICE_MEMORY") == "1";
  // A wrong name is told here, not at the first model.
  if (!device->soc_model_.empty()) {
    LITERT_RETURN_IF_ERROR(device->OpenNamed(device->soc_model_));
  }
  if (!device->soc_file_.empty()) {
    LITERT_RETURN_IF_ERROR(device->OpenFile(device->soc_file_));
  }
  return device;
}

void NpuDevice::ClearSpecs() {
  const std::lock_guard lock(mutex_);
  soc_model_ = FromEnvironment("ACME_SOC_MODEL");
  soc_file_ = FromEnvironment("ACME_SOC_FILE");
  check_races_ = FromEnvironment("ACME_CHECK_RACES") == "1";
  prefers_device_memory_ = FromEnvironment("ACME_DEVICE_MEMORY") == "1";
}

litert::Expected<void> NpuDevice::SetSpec(const std::string& key,
                                          litert::internal::Span<const uint8_t> bytes) {
  const std::string value(bytes.begin(), bytes.end());
  const std::lock_guard lock(mutex_);
  if (key == "soc_model") {
    // Before it counts: a spec that is refused changes nothing.
    LITERT_RETURN_IF_ERROR(OpenNamed(value));
    soc_model_ = value;
  } else if (key == NPUKIT_SPEC_SOC_FILE) {
    described_devices_.erase(value);  // what the file says now counts, as for the compiler
    LITERT_RETURN_IF_ERROR(OpenFile(value));
    soc_file_ = value;
  } else if (key == "check_races") {
    check_races_ = value == "1";
  } else if (key == "device_memory") {
    prefers_device_memory_ = value == "1";
  } else if (std::find(std::begin(kCompilerSpecs), std::end(kCompilerSpecs), key) ==
             std::end(kCompilerSpecs)) {
    return npukit::Device::SetSpec(key, bytes);
  }
  return {};
}

litert::Expected<DeviceHandle> NpuDevice::OpenFile(const std::string& path) {
  DeviceHandle& device = described_devices_[path];
  if (device == nullptr) {
    AcmeDevice* opened = nullptr;
    const AcmeStatus status = AcmeDeviceOpenFile(path.c_str(), &opened);
    LITERT_ASSIGN_OR_RETURN(device, Adopt(status, opened, "SoC file '" + path + "'"));
  }
  return device;
}

litert::Expected<DeviceHandle> NpuDevice::OpenNamed(const std::string& soc_model) {
  DeviceHandle& device = devices_[soc_model];
  if (device == nullptr) {
    AcmeDevice* opened = nullptr;
    const AcmeStatus status = AcmeDeviceOpen(soc_model.c_str(), &opened);
    LITERT_ASSIGN_OR_RETURN(device, Adopt(status, opened, "SoC model '" + soc_model + "'"));
  }
  return device;
}

litert::Expected<DeviceHandle> NpuDevice::DeviceFor(
    litert::internal::Span<const uint8_t> bytecode) {
  if (!soc_file_.empty()) return OpenFile(soc_file_);
  if (!soc_model_.empty()) return OpenNamed(soc_model_);
  LITERT_ASSIGN_OR_RETURN(const Module module, Parse(bytecode));
  return OpenNamed(module.soc_model);
}

litert::Expected<void> NpuDevice::CheckModule(LiteRtDispatchExecutableType type,
                                              litert::internal::Span<const uint8_t> bytecode) {
  if (type != kLiteRtDispatchExecutableTypeMlModel)
    return litert::Unexpected(litert::Status::kErrorUnsupported, "only ML models can be run");
  LITERT_RETURN_IF_ERROR(Parse(bytecode));
  return {};
}

litert::Expected<npukit::BufferRequirements> NpuDevice::ScratchpadRequirements(
    const npukit::LoadRequest& request) {
  LITERT_ASSIGN_OR_RETURN(const auto bytecode, ModuleOf(request));
  LITERT_ASSIGN_OR_RETURN(const Module module, Parse(bytecode));
  const std::string& name = request.function_name;
  for (const ModuleEntry& entry : module.entries) {
    if (entry.name != name && !(name.empty() && module.entries.size() == 1)) continue;
    const std::lock_guard lock(mutex_);
    return AcmeInvocation::RequirementsOf(entry.workspace_bytes, prefers_device_memory_);
  }
  return litert::Unexpected(litert::Status::kErrorNotFound, "no entry point '" + name + "'");
}

litert::Expected<std::unique_ptr<npukit::Invocation>> NpuDevice::Load(
    const npukit::LoadRequest& request) {
  LITERT_ASSIGN_OR_RETURN(const auto bytecode, ModuleOf(request));
  std::unique_lock lock(mutex_);
  LITERT_ASSIGN_OR_RETURN(DeviceHandle device, DeviceFor(bytecode));
  const bool check_races = check_races_;
  const bool prefers_device_memory = prefers_device_memory_;
  // To load a module is to walk its programs, which takes as long as they have steps. The device is
  // shared, so that it stays whatever specs come meanwhile.
  lock.unlock();
  AcmeModule* loaded = nullptr;
  const AcmeStatus status = AcmeModuleLoad(device.get(), bytecode.data(), bytecode.size(), &loaded);
  if (status != kAcmeOk) return DriverError(status, "bytecode");
  LITERT_ASSIGN_OR_RETURN(
      auto invocation,
      AcmeInvocation::Create(std::move(device), ModuleHandle(loaded), request, check_races));
  invocation->SetTrace(trace_);
  invocation->PreferDeviceMemory(prefers_device_memory);
  return std::unique_ptr<npukit::Invocation>(std::move(invocation));
}

}  // namespace acme::dispatch

NPUKIT_EXPORT_DISPATCH(acme::dispatch::NpuDevice);
