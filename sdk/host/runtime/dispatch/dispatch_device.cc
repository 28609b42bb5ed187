// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/runtime/dispatch/dispatch_device.h"

#include <algorithm>
#include <utility>

#include "litert/c/litert_tensor_buffer.h"
#include "litert/c/litert_tensor_buffer_requirements.h"
#include "litert/cc/litert_macros.h"
#include "npukit/compile_spec.h"
#include "npukit/event_status.h"

namespace npukit {

void ErrorCollector::Add(const litert::Error& error) {
  if (status_ == kLiteRtStatusOk) status_ = error.Status();
  if (!messages_.empty()) messages_ += "; ";
  messages_ += error.Message();
}

litert::Expected<void> ErrorCollector::Result() const {
  if (status_ == kLiteRtStatusOk) return {};
  return litert::Unexpected(status_, messages_);
}

// -- Device
// ---------------------------------------------------------------------------------------------------------

litert::Expected<std::unique_ptr<DispatchDevice>> DispatchDevice::Create(
    std::shared_ptr<const DispatchLibrary> library) {
  std::unique_ptr<DispatchDevice> device(new DispatchDevice(std::move(library)));
  const DispatchLibrary& lib = device->library();
  LiteRtStatus status = lib.functions().device_context_create(lib.options(), &device->context_);
  if (status != kLiteRtStatusOk) {
    device->context_ = nullptr;  // nothing that may be destroyed
    return lib.CallError(status, "device_context_create");
  }
  if (device->context_ == nullptr)
    return lib.Misbehaved("device_context_create", "gave a null device context");
  return device;
}

litert::Expected<void> DispatchDevice::Close() {
  if (context_ == nullptr) return {};
  LiteRtStatus status =
      library_->functions().device_context_destroy(std::exchange(context_, nullptr));
  if (status != kLiteRtStatusOk) return library_->CallError(status, "device_context_destroy");
  return {};
}

litert::Expected<void> DispatchDevice::SetCompileSpecs(std::span<const CompileSpec> specs) {
  const auto set = library_->Find<NpukitDispatchSetCompileSpecsT>("NpukitDispatchSetCompileSpecs");
  if (set == nullptr) return {};
  std::vector<NpukitCompileSpec> known;
  for (const CompileSpec& spec : specs) {
    const NpukitCompileSpec one = {spec.key.c_str(), spec.bytes.data(), spec.bytes.size()};
    const LiteRtStatus status = set(context_, &one, 1);
    if (status == kLiteRtStatusErrorUnsupported) continue;
    if (status != kLiteRtStatusOk)
      return library_->CallError(status, "NpukitDispatchSetCompileSpecs(" + spec.key + ")");
    known.push_back(one);
  }
  const LiteRtStatus status = set(context_, known.empty() ? nullptr : known.data(), known.size());
  if (status == kLiteRtStatusOk) return {};
  return library_->CallError(status, "NpukitDispatchSetCompileSpecs");
}

// -- Memory
// ---------------------------------------------------------------------------------------------------------

litert::Expected<std::unique_ptr<RegisteredBuffer>> RegisteredBuffer::Create(
    DispatchDevice& device, std::span<uint8_t> memory, const LiteRtRankedTensorType& type) {
  std::unique_ptr<RegisteredBuffer> buffer(new RegisteredBuffer(device));
  LITERT_RETURN_IF_ERROR(LiteRtCreateTensorBufferFromHostMemory(&type, memory.data(), memory.size(),
                                                                /*deallocator=*/nullptr,
                                                                &buffer->buffer_));
  const DispatchLibrary& lib = device.library();
  LiteRtStatus status =
      lib.functions().register_tensor_buffer(device.context(), buffer->buffer_, &buffer->handle_);
  if (status != kLiteRtStatusOk) {
    return lib.CallError(status, "register_tensor_buffer(" + std::to_string(memory.size()) +
                                     " bytes of host memory)");
  }
  buffer->registered_ = true;
  return buffer;
}

litert::Expected<void> RegisteredBuffer::Close() {
  litert::Expected<void> result;
  if (std::exchange(registered_, false)) {
    const DispatchLibrary& lib = device_->library();
    LiteRtStatus status = lib.functions().unregister_tensor_buffer(device_->context(), handle_);
    if (status != kLiteRtStatusOk) {
      result =
          lib.CallError(status, "unregister_tensor_buffer(handle " + std::to_string(handle_) + ")");
    }
  }
  if (buffer_ != nullptr) LiteRtDestroyTensorBuffer(std::exchange(buffer_, nullptr));
  return result;
}

// -- Invocation
// -----------------------------------------------------------------------------------------------------

namespace {

// abi 2.2's kLiteRtDispatchExecutableTypeJitHandle.
constexpr auto kJitHandle = static_cast<LiteRtDispatchExecutableType>(3);

}  // namespace

litert::Expected<std::unique_ptr<DispatchInvocation>> DispatchInvocation::Create(
    DispatchDevice& device, std::string entry_point, std::span<const uint8_t> bytecode,
    size_t num_inputs, size_t num_outputs, LiteRtJitExecutable executable) {
  std::unique_ptr<DispatchInvocation> invocation(
      new DispatchInvocation(device, std::move(entry_point)));
  LiteRtMemBuffer memory = {};
  memory.fd = -1;
  memory.base_addr = bytecode.data();
  memory.offset = 0;
  memory.size = bytecode.size();
  LiteRtDispatchExecutableType type = kLiteRtDispatchExecutableTypeMlModel;
  if (executable != nullptr) {
    type = kJitHandle;
    memory.base_addr = executable;
    memory.size = 0;
  }
  const DispatchLibrary& lib = device.library();
  const std::string call = invocation->Call(
      "invocation_context_create(" +
      (executable != nullptr ? "a compiled executable, "
                             : std::to_string(bytecode.size()) + " bytes of bytecode, ") +
      std::to_string(num_inputs) + " inputs, " + std::to_string(num_outputs) + " outputs)");
  LiteRtStatus status = lib.functions().invocation_context_create(
      device.context(), type, &memory, invocation->entry_point_.c_str(),
      static_cast<int>(num_inputs), static_cast<int>(num_outputs), &invocation->context_);
  if (status != kLiteRtStatusOk) {
    invocation->context_ = nullptr;
    return lib.CallError(status, call);
  }
  if (invocation->context_ == nullptr)
    return lib.Misbehaved(call, "gave a null invocation context");
  return invocation;
}

litert::Expected<BufferRequirements> DispatchInvocation::InputRequirements(
    size_t index, const DispatchPort& port) const {
  return Requirements(/*is_input=*/true, index, port);
}

litert::Expected<BufferRequirements> DispatchInvocation::OutputRequirements(
    size_t index, const DispatchPort& port) const {
  return Requirements(/*is_input=*/false, index, port);
}

litert::Expected<BufferRequirements> DispatchInvocation::Requirements(
    bool is_input, size_t index, const DispatchPort& port) const {
  const DispatchLibrary& lib = device_->library();
  const std::string call =
      Call(std::string(is_input ? "get_input_requirements(" : "get_output_requirements(") +
           std::to_string(index) + ", '" + port.tensor + "')");
  LiteRtTensorBufferRequirements handle = nullptr;
  auto function =
      is_input ? lib.functions().get_input_requirements : lib.functions().get_output_requirements;
  LiteRtStatus status = function(context_, static_cast<int>(index), &port.type, &handle);
  if (status != kLiteRtStatusOk) return lib.CallError(status, call);
  if (handle == nullptr) return lib.Misbehaved(call, "gave null requirements");
  litert::Expected<BufferRequirements> read = ReadRequirements(handle, port);
  LiteRtDestroyTensorBufferRequirements(handle);
  if (!read) return lib.Misbehaved(call, read.Error().Message());
  return read;
}

litert::Expected<void> DispatchInvocation::AttachInput(size_t index,
                                                       const RegisteredBuffer& buffer) {
  return Attach(/*is_input=*/true, index, buffer);
}

litert::Expected<void> DispatchInvocation::AttachOutput(size_t index,
                                                        const RegisteredBuffer& buffer) {
  return Attach(/*is_input=*/false, index, buffer);
}

litert::Expected<void> DispatchInvocation::Attach(bool is_input, size_t index,
                                                  const RegisteredBuffer& buffer) {
  const DispatchLibrary& lib = device_->library();
  auto function = is_input ? lib.functions().attach_input : lib.functions().attach_output;
  LiteRtStatus status = function(context_, static_cast<int>(index), buffer.handle());
  if (status != kLiteRtStatusOk) {
    return lib.CallError(
        status, Call(std::string(is_input ? "attach_input(" : "attach_output(") +
                     std::to_string(index) + ", handle " + std::to_string(buffer.handle()) + ")"));
  }
  attachments_.push_back({is_input, static_cast<int>(index), buffer.handle()});
  return {};
}

litert::Expected<void> DispatchInvocation::Invoke() {
  const DispatchLibrary& lib = device_->library();
  LiteRtStatus status = lib.functions().invoke(context_);
  if (status != kLiteRtStatusOk) return lib.CallError(status, Call("invoke"));
  return {};
}

litert::Expected<void> DispatchInvocation::AttachInputEvent(size_t index, LiteRtEvent event) {
  const DispatchLibrary& lib = device_->library();
  const LiteRtStatus status =
      lib.tables().async->attach_input_event(context_, static_cast<int>(index), event);
  if (status == kLiteRtStatusOk) return {};
  return lib.CallError(status, Call("attach_input_event(" + std::to_string(index) + ")"));
}

litert::Expected<void> DispatchInvocation::Start(size_t num_outputs) {
  const DispatchLibrary& lib = device_->library();
  ReleaseEvents();
  output_events_.assign(num_outputs, nullptr);
  const LiteRtStatus status = lib.tables().async->invoke_async(
      context_, static_cast<int>(num_outputs), output_events_.data());
  if (status != kLiteRtStatusOk) {
    output_events_.clear();  // none that may be destroyed
    return lib.CallError(status, Call("invoke_async"));
  }
  if (std::count(output_events_.begin(), output_events_.end(), nullptr) == 0) return {};
  (void)Finish();
  ReleaseEvents();
  return lib.Misbehaved(Call("invoke_async"), "gave a null event");
}

litert::Expected<void> DispatchInvocation::StatusOf(LiteRtEvent event) const {
  const DispatchLibrary& lib = device_->library();
  if (const LiteRtStatus waited = LiteRtWaitEvent(event, /*timeout_in_ms=*/-1);
      waited != kLiteRtStatusOk) {
    return lib.CallError(waited, "waiting for an output event of " + Call("invoke_async"));
  }
  constexpr char kSymbol[] = "NpukitDispatchGetEventStatus";
  const auto get = lib.Find<NpukitDispatchGetEventStatusT>(kSymbol);
  if (get == nullptr) return {};
  LiteRtStatus status = kLiteRtStatusOk;
  NpukitDebugHandle handle = NPUKIT_NO_DEBUG_HANDLE;
  const LiteRtStatus asked = get(event, &status, &handle, /*buffer=*/nullptr, /*size_bytes=*/0);
  if (asked != kLiteRtStatusOk) return lib.CallError(asked, kSymbol);
  if (status != kLiteRtStatusOk) return lib.CallError(status, Call("invoke_async"));
  return {};
}

litert::Expected<void> DispatchInvocation::Finish() {
  litert::Expected<void> result;
  for (LiteRtEvent event : output_events_) {
    if (event == nullptr) continue;
    litert::Expected<void> ended = StatusOf(event);
    if (result) result = std::move(ended);
  }
  return result;
}

void DispatchInvocation::ReleaseEvents() {
  for (LiteRtEvent event : output_events_) {
    if (event != nullptr) LiteRtDestroyEvent(event);
  }
  output_events_.clear();
}

litert::Expected<void> DispatchInvocation::SetSchedulingInfo(const LiteRtSchedulingInfo* info) {
  const DispatchLibrary& lib = device_->library();
  if (lib.functions().invocation_context_set_scheduling_info == nullptr) return {};
  const LiteRtStatus status =
      lib.functions().invocation_context_set_scheduling_info(context_, info);
  if (status == kLiteRtStatusOk || status == kLiteRtStatusErrorUnsupported) return {};
  return lib.CallError(status, Call("invocation_context_set_scheduling_info"));
}

litert::Expected<void> DispatchInvocation::SetOptions(LiteRtOptions options) {
  const DispatchLibrary& lib = device_->library();
  if (lib.functions().invocation_context_set_options == nullptr) return {};
  const LiteRtStatus status = lib.functions().invocation_context_set_options(context_, options);
  if (status == kLiteRtStatusOk || status == kLiteRtStatusErrorUnsupported) return {};
  return lib.CallError(status, Call("invocation_context_set_options"));
}

litert::Expected<void> DispatchInvocation::StartMetrics(int detail_level) {
  const DispatchLibrary& lib = device_->library();
  if (!lib.has_metrics()) {
    return litert::Unexpected(kLiteRtStatusErrorUnsupported, lib.path() + ": has no metrics");
  }
  LiteRtStatus status = lib.functions().start_metrics_collection(context_, detail_level);
  if (status != kLiteRtStatusOk) {
    return lib.CallError(status,
                         Call("start_metrics_collection(" + std::to_string(detail_level) + ")"));
  }
  return {};
}

litert::Expected<DispatchMetrics> DispatchInvocation::StopMetrics() {
  const DispatchLibrary& lib = device_->library();
  if (!lib.has_metrics()) {
    return litert::Unexpected(kLiteRtStatusErrorUnsupported, lib.path() + ": has no metrics");
  }
  LiteRtDispatchMetrics metrics = nullptr;
  LiteRtStatus status = lib.functions().stop_metrics_collection(context_, &metrics);
  if (status != kLiteRtStatusOk) return lib.CallError(status, Call("stop_metrics_collection"));
  if (metrics == nullptr)
    return lib.Misbehaved(Call("stop_metrics_collection"), "gave null metrics");
  litert::Expected<DispatchMetrics> read = ReadMetrics(metrics);
  status = lib.functions().destroy_metrics(metrics);
  if (read && status != kLiteRtStatusOk) return lib.CallError(status, Call("destroy_metrics"));
  return read;
}

litert::Expected<DispatchMetrics> DispatchInvocation::ReadMetrics(
    LiteRtDispatchMetrics metrics) const {
  const DispatchLibrary& lib = device_->library();
  int count = 0;
  LiteRtStatus status = lib.functions().get_num_metrics(metrics, &count);
  if (status != kLiteRtStatusOk) return lib.CallError(status, Call("get_num_metrics"));
  DispatchMetrics read;
  for (int i = 0; i < count; ++i) {
    LiteRtMetric metric = {};
    const std::string call = Call("get_metric(" + std::to_string(i) + ")");
    status = lib.functions().get_metric(metrics, i, &metric);
    if (status != kLiteRtStatusOk) return lib.CallError(status, call);
    if (metric.name == nullptr) return lib.Misbehaved(call, "gave a metric without a name");
    read.Set(metric.name, DispatchMetrics::FromAny(metric.value));
  }
  return read;
}

litert::Expected<void> DispatchInvocation::DetachAll() {
  const DispatchLibrary& lib = device_->library();
  ErrorCollector errors;
  while (!attachments_.empty()) {
    const Attachment attachment = attachments_.back();
    attachments_.pop_back();
    auto function =
        attachment.is_input ? lib.functions().detach_input : lib.functions().detach_output;
    LiteRtStatus status = function(context_, attachment.index, attachment.handle);
    if (status != kLiteRtStatusOk) {
      errors.Add(lib.CallError(
          status, Call(std::string(attachment.is_input ? "detach_input(" : "detach_output(") +
                       std::to_string(attachment.index) + ", handle " +
                       std::to_string(attachment.handle) + ")")));
    }
  }
  return errors.Result();
}

litert::Expected<void> DispatchInvocation::Close() {
  ErrorCollector errors;
  ReleaseEvents();
  errors.Add(DetachAll());
  if (context_ != nullptr) {
    const DispatchLibrary& lib = device_->library();
    LiteRtStatus status =
        lib.functions().invocation_context_destroy(std::exchange(context_, nullptr));
    if (status != kLiteRtStatusOk)
      errors.Add(lib.CallError(status, Call("invocation_context_destroy")));
  }
  return errors.Result();
}

}  // namespace npukit
