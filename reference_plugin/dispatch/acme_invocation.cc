// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/dispatch/acme_invocation.h"

#include <fmt/format.h>

#include <utility>

#include "npukit/metrics.h"
#include "reference_plugin/dispatch/device_memory.h"
#include "reference_plugin/dispatch/doubled_devices.h"
#include "reference_plugin/dispatch/driver_trace.h"

namespace acme::dispatch {

litert::Expected<std::unique_ptr<AcmeInvocation>> AcmeInvocation::Create(
    DeviceHandle device, ModuleHandle module, const npukit::LoadRequest& request,
    bool check_races) {
  std::unique_ptr<AcmeInvocation> invocation(
      new AcmeInvocation(std::move(device), std::move(module), check_races));
  const std::string what = "entry point '" + request.function_name + "'";
  invocation->entry_point_ = request.function_name;
  AcmeModule* loaded = invocation->module_.get();
  LITERT_RETURN_IF_ERROR(CheckDriver(
      AcmeModuleFindEntry(loaded, request.function_name.c_str(), &invocation->entry_), what));
  AcmeEntryInfo info;
  LITERT_RETURN_IF_ERROR(CheckDriver(AcmeModuleGetEntry(loaded, invocation->entry_, &info), what));
  // The numbers are the dispatch op's. A module that is not of this model is told here, and never
  // bound.
  if (info.input_count != request.num_inputs || info.output_count != request.num_outputs) {
    return litert::Unexpected(
        litert::Status::kErrorInvalidArgument,
        fmt::format("{} has {} inputs and {} outputs, asked for are {} and {}", what,
                    info.input_count, info.output_count, request.num_inputs, request.num_outputs));
  }
  invocation->num_inputs_ = info.input_count;
  invocation->num_outputs_ = info.output_count;
  AcmeContext* context = nullptr;
  LITERT_RETURN_IF_ERROR(
      CheckDriver(AcmeContextCreate(loaded, invocation->entry_, &context), what));
  invocation->context_.reset(context);
  return invocation;
}

litert::Expected<void> AcmeInvocation::Bind(size_t binding, const void* data, size_t size_bytes) {
  // The driver writes only to outputs.
  return CheckDriver(AcmeContextBind(context_.get(), binding, const_cast<void*>(data), size_bytes),
                     fmt::format("binding {}", binding));
}

litert::Expected<void> AcmeInvocation::Run(npukit::InputViews inputs, npukit::OutputViews outputs) {
  error_ = {};
  if (inputs.size() != num_inputs_ || outputs.size() != num_outputs_) {
    return litert::Unexpected(litert::Status::kErrorInvalidArgument,
                              "wrong number of inputs or outputs");
  }
  auto result = BindAndRun(inputs, outputs);
  // The views' memory is the caller's again, whatever happened.
  for (size_t i = 0; i < num_inputs_ + num_outputs_; ++i)
    AcmeContextBind(context_.get(), i, nullptr, 0);
  AcmeContextUseWorkspace(context_.get(), nullptr, 0);
  workspace_ = {};
  return result;
}

litert::Expected<void> AcmeInvocation::BindAndRun(npukit::InputViews inputs,
                                                  npukit::OutputViews outputs) {
  for (size_t i = 0; i < inputs.size(); ++i)
    LITERT_RETURN_IF_ERROR(Bind(i, inputs[i].data, inputs[i].size_bytes));
  for (size_t i = 0; i < outputs.size(); ++i) {
    LITERT_RETURN_IF_ERROR(Bind(num_inputs_ + i, outputs[i].data, outputs[i].size_bytes));
  }
  if (workspace_.data != nullptr) {
    LITERT_RETURN_IF_ERROR(
        CheckDriver(AcmeContextUseWorkspace(context_.get(), workspace_.data, workspace_.size_bytes),
                    "scratchpad"));
  }
  LITERT_RETURN_IF_ERROR(RunBound());
  // After the run that counts: its metrics, profile and error are taken, and nothing of what
  // follows is in them.
  if (intermediates_ == nullptr) return {};
  return intermediates_->Run(inputs);
}

npukit::BufferRequirements AcmeInvocation::RequirementsOf(size_t size_bytes,
                                                          bool prefers_device_memory) {
  // Types stand in the order of preference, and the host's memory is there already.
  npukit::BufferRequirements requirements;
  requirements.size_bytes = size_bytes;
  requirements.types.insert(
      prefers_device_memory ? requirements.types.begin() : requirements.types.end(), kDeviceMemory);
  return requirements;
}

litert::Expected<npukit::BufferRequirements> AcmeInvocation::InputRequirements(
    size_t, const litert::RankedTensorType& type) {
  LITERT_ASSIGN_OR_RETURN(const size_t size_bytes, type.Bytes());
  return RequirementsOf(size_bytes, prefers_device_memory_);
}

litert::Expected<npukit::BufferRequirements> AcmeInvocation::OutputRequirements(
    size_t output, const litert::RankedTensorType& type) {
  return InputRequirements(output, type);
}

litert::Expected<size_t> AcmeInvocation::OutputBytes(size_t output) {
  if (output >= num_outputs_)
    return litert::Unexpected(litert::Status::kErrorIndexOOB, fmt::format("no output {}", output));
  AcmeBindingInfo info;
  LITERT_RETURN_IF_ERROR(CheckDriver(
      AcmeModuleGetBinding(module_.get(), entry_, num_inputs_ + output, &info), "output"));
  return static_cast<size_t>(info.size_bytes);
}

litert::Expected<void> AcmeInvocation::RunBound() {
  AcmeRunOptions options = {};
  options.struct_size = sizeof(options);
  options.check_races = check_races_;
  options.profile = metrics_ && detail_level_ >= NPUKIT_METRICS_DETAIL_PER_OP;
  const bool records_profile = (record_ & kNpukitRecordProfile) != 0 || trace_ != nullptr;
  const HookTrace::Clock::time_point begin = HookTrace::Clock::now();
  events_.clear();
  options.trace = records_profile || (metrics_ && detail_level_ >= NPUKIT_METRICS_DETAIL_TRACE);
  const AcmeStatus status = AcmeContextRun(context_.get(), &options);
  if (status != kAcmeOk) {
    // At once: the driver keeps the message of this thread's last failed call alone.
    const litert::Unexpected failure = DriverError(status, "run");
    error_.handle = AcmeContextFailedHandle(context_.get());
    error_.message = failure.Error().Message();
    if (error_.handle != NPUKIT_NO_DEBUG_HANDLE)
      error_.message += ", in op '" + HandleName(error_.handle) + "'";
    return litert::Unexpected(failure.Error().StatusCC(), error_.message);
  }
  if (records_profile) LITERT_RETURN_IF_ERROR(ReadProfile(begin));
  return metrics_ ? CollectMetrics() : litert::Expected<void>();
}

litert::Expected<void> AcmeInvocation::SetRecording(uint32_t record) {
  intermediates_.reset();
  record_ = 0;
  if ((record & ~uint32_t{kNpukitRecordProfile | kNpukitRecordIntermediates}) != 0)
    return litert::Unexpected(litert::Status::kErrorUnsupported, "unknown kind of recording");
  if ((record & kNpukitRecordIntermediates) != 0) {
    LITERT_ASSIGN_OR_RETURN(
        intermediates_, IntermediateRun::Create(module_.get(), entry_, num_inputs_, num_outputs_));
  }
  record_ = record;
  return {};
}

litert::Expected<npukit::Intermediate> AcmeInvocation::GetIntermediate(uint32_t handle,
                                                                       size_t output) {
  if (intermediates_ == nullptr || output != 0)
    return litert::Unexpected(litert::Status::kErrorNotFound, "not recorded");
  return intermediates_->Get(handle);
}

litert::Expected<void> AcmeInvocation::ReadProfile(HookTrace::Clock::time_point begin) {
  const HookTrace::Clock::time_point end = HookTrace::Clock::now();
  AcmeDeviceInfo info;
  LITERT_RETURN_IF_ERROR(CheckDriver(AcmeDeviceGetInfo(device_.get(), &info), "device"));
  LITERT_ASSIGN_OR_RETURN(events_, dispatch::ReadProfile(context_.get(), info.clock_mhz));
  if (trace_ != nullptr) {
    trace_->AddRun(entry_point_, begin, end, events_, info.clock_mhz,
                   [this](uint32_t handle) { return HandleName(handle); });
  }
  return {};
}

std::string AcmeInvocation::HandleName(uint32_t handle) const {
  const char* name = nullptr;
  const uint32_t* ops = nullptr;
  size_t op_count = 0;
  if (AcmeModuleGetHandle(module_.get(), handle, &name, &ops, &op_count) != kAcmeOk ||
      name == nullptr) {
    return fmt::format("{}", handle);
  }
  return name;
}

litert::Expected<void> AcmeInvocation::CollectMetrics() {
  AcmeCounters counters = {};
  counters.struct_size = sizeof(counters);
  LITERT_RETURN_IF_ERROR(
      CheckDriver(AcmeContextGetCounters(context_.get(), &counters), "counters"));
  metrics_->AddRun(counters);
  if (detail_level_ >= NPUKIT_METRICS_DETAIL_PER_OP) {
    const AcmeHandleProfile* profiles = nullptr;
    size_t count = 0;
    LITERT_RETURN_IF_ERROR(
        CheckDriver(AcmeContextGetProfile(context_.get(), &profiles, &count), "profile"));
    for (size_t i = 0; i < count; ++i) {
      if (profiles[i].handle != NPUKIT_NO_DEBUG_HANDLE)
        metrics_->AddProfile(HandleName(profiles[i].handle), profiles[i]);
    }
  }
  if (detail_level_ >= NPUKIT_METRICS_DETAIL_TRACE) {
    LITERT_ASSIGN_OR_RETURN(std::string trace, ReadTrace(context_.get()));
    metrics_->SetTrace(std::move(trace));
    metrics_->SetDoubled(DescribeDoubled(device_.get()));
  }
  return {};
}

litert::Expected<void> AcmeInvocation::StartMetrics(int detail_level) {
  AcmeDeviceInfo info;
  LITERT_RETURN_IF_ERROR(CheckDriver(AcmeDeviceGetInfo(device_.get(), &info), "device"));
  detail_level_ = detail_level;
  metrics_.emplace(info);
  return {};
}

litert::Expected<std::vector<npukit::Metric>> AcmeInvocation::StopMetrics() {
  if (!metrics_) return std::vector<npukit::Metric>();
  std::vector<npukit::Metric> taken = metrics_->Take();
  metrics_.reset();
  return taken;
}

}  // namespace acme::dispatch
