// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/runtime/dispatch/client/dispatch_invocation.h"

#include <fmt/format.h>

#include <algorithm>

#include "litert/c/litert_tensor_buffer_requirements.h"
#include "litert/cc/litert_macros.h"
#include "npukit/extensions/event_status.h"
#include "sdk/host/runtime/dispatch/client/buffer_handlers.h"
#include "sdk/host/runtime/dispatch/client/error_collector.h"

namespace npukit {
namespace {

// abi 2.2's kLiteRtDispatchExecutableTypeJitHandle.
constexpr auto kJitHandle = static_cast<LiteRtDispatchExecutableType>(3);

std::string Describe(const DispatchExecutable& executable) {
  if (executable.type == kJitHandle) return "a compiled executable";
  return fmt::format("{} bytes of bytecode", executable.memory.size);
}

}  // namespace

DispatchExecutable DispatchExecutable::OfBytecode(std::span<const uint8_t> bytecode) {
  DispatchExecutable executable;
  // No file: the library reads from the address.
  executable.memory.fd = -1;
  executable.memory.base_addr = bytecode.data();
  executable.memory.size = bytecode.size();
  return executable;
}

DispatchExecutable DispatchExecutable::OfJit(LiteRtJitExecutable jit) {
  DispatchExecutable executable{.type = kJitHandle, .memory = {}};
  executable.memory.fd = -1;
  executable.memory.base_addr = jit;
  return executable;
}

litert::Expected<std::unique_ptr<DispatchInvocation>> DispatchInvocation::Create(
    const DispatchDevice& device, const DispatchExecutable& executable, const char* entry_point,
    size_t num_inputs, size_t num_outputs) {
  std::unique_ptr<DispatchInvocation> invocation(
      new DispatchInvocation(device, entry_point == nullptr ? "" : entry_point));
  const DispatchClient& client = device.client();
  const auto call = [&] {
    return invocation->OfThis(fmt::format("invocation_context_create({}, {} inputs, {} outputs)",
                                          Describe(executable), num_inputs, num_outputs));
  };
  const LiteRtStatus status = client.Call(
      "invocation_context_create", client.functions().invocation_context_create, device.context(),
      executable.type, &executable.memory, entry_point, static_cast<int>(num_inputs),
      static_cast<int>(num_outputs), &invocation->context_);
  if (status != kLiteRtStatusOk) {
    invocation->context_ = nullptr;  // nothing that may be destroyed
    return client.CallError(status, call());
  }
  if (invocation->context_ == nullptr)
    return client.Misbehaved(call(), "gave a null invocation context");
  return invocation;
}

std::unique_ptr<DispatchInvocation> DispatchInvocation::Adopt(
    const DispatchDevice& device, LiteRtDispatchInvocationContext context, std::string name) {
  std::unique_ptr<DispatchInvocation> invocation(new DispatchInvocation(device, std::move(name)));
  invocation->context_ = context;
  return invocation;
}

litert::Expected<void> DispatchInvocation::Close() {
  // Closed already, maybe with its device, which must not be asked for its client then.
  if (context_ == nullptr) return {};
  ErrorCollector errors;
  errors.Add(DetachAll());
  constexpr char kCall[] = "invocation_context_destroy";
  const LiteRtStatus status = client().Call(kCall, client().functions().invocation_context_destroy,
                                            std::exchange(context_, nullptr));
  if (status != kLiteRtStatusOk) errors.Add(Failed(status, kCall));
  return errors.Result();
}

litert::Expected<PortRequirements> DispatchInvocation::Requirements(
    const DispatchPort& port) const {
  const LiteRtDispatchInterface& table = client().functions();
  const char* const name = port.is_input ? "get_input_requirements" : "get_output_requirements";
  const auto call = [&] { return fmt::format("{}({}, '{}')", name, port.index, port.tensor); };
  LiteRtTensorBufferRequirements handle = nullptr;
  const LiteRtStatus status = client().Call(
      name, port.is_input ? table.get_input_requirements : table.get_output_requirements, context_,
      port.index, &port.type, &handle);
  if (status != kLiteRtStatusOk) return Failed(status, call());
  if (handle == nullptr) return client().Misbehaved(OfThis(call()), "gave null requirements");
  const BufferHandlers* const handlers = client().tables().buffer_handlers;
  litert::Expected<PortRequirements> read = ReadRequirements(
      handle, port,
      handlers != nullptr ? HandledTypes(*handlers) : std::span<const LiteRtTensorBufferType>());
  LiteRtDestroyTensorBufferRequirements(handle);
  if (!read) return client().Misbehaved(OfThis(call()), read.Error().Message());
  return read;
}

litert::Expected<void> DispatchInvocation::Attach(const DispatchPort& port,
                                                  const BufferRegistration& buffer) {
  const LiteRtDispatchInterface& table = client().functions();
  const char* const name = port.is_input ? "attach_input" : "attach_output";
  const LiteRtStatus status =
      client().Call(name, port.is_input ? table.attach_input : table.attach_output, context_,
                    port.index, buffer.handle());
  if (status != kLiteRtStatusOk)
    return Failed(status, fmt::format("{}({}, handle {})", name, port.index, buffer.handle()));
  attachments_.push_back({port.is_input, port.index, buffer.handle()});
  return {};
}

litert::Expected<void> DispatchInvocation::DetachAll() {
  const LiteRtDispatchInterface& table = client().functions();
  ErrorCollector errors;
  // From the last to the first; one that fails is not tried again.
  while (!attachments_.empty()) {
    const Attachment attachment = attachments_.back();
    attachments_.pop_back();
    const char* const name = attachment.is_input ? "detach_input" : "detach_output";
    const LiteRtStatus status =
        client().Call(name, attachment.is_input ? table.detach_input : table.detach_output,
                      context_, attachment.index, attachment.handle);
    if (status != kLiteRtStatusOk) {
      errors.Add(Failed(
          status, fmt::format("{}({}, handle {})", name, attachment.index, attachment.handle)));
    }
  }
  return errors.Result();
}

litert::Expected<void> DispatchInvocation::Invoke() const {
  const LiteRtStatus status = client().Call("invoke", client().functions().invoke, context_);
  if (status != kLiteRtStatusOk) return Failed(status, "invoke");
  return {};
}

litert::Expected<void> DispatchInvocation::AttachInputEvent(int input, LiteRtEvent event) const {
  const LiteRtStatus status = client().Call(
      "attach_input_event", client().tables().async->attach_input_event, context_, input, event);
  if (status != kLiteRtStatusOk)
    return Failed(status, fmt::format("attach_input_event({})", input));
  return {};
}

litert::Expected<void> DispatchInvocation::InvokeAsync(size_t num_outputs,
                                                       OutputEvents& events) const {
  constexpr char kCall[] = "invoke_async";
  const std::span<LiteRtEvent> room = events.Renew(num_outputs);
  const LiteRtStatus status = client().Call(kCall, client().tables().async->invoke_async, context_,
                                            static_cast<int>(num_outputs), room.data());
  if (status != kLiteRtStatusOk) {
    events.Forget();
    return Failed(status, kCall);
  }
  if (std::count(room.begin(), room.end(), nullptr) == 0) return {};
  // The run is under way all the same, and works on the caller's memory.
  (void)WaitFor(events);
  events.Clear();
  return client().Misbehaved(OfThis(kCall), "gave a null event");
}

litert::Expected<void> DispatchInvocation::WaitFor(const OutputEvents& events) const {
  litert::Expected<void> result;
  for (LiteRtEvent event : events.all()) {
    if (event == nullptr) continue;
    litert::Expected<void> ended = StatusOf(event);
    // All are waited for: also after a failure the device may still write to the other outputs. The
    // first error is the one to tell.
    if (result) result = std::move(ended);
  }
  return result;
}

litert::Expected<void> DispatchInvocation::StatusOf(LiteRtEvent event) const {
  if (const LiteRtStatus waited = LiteRtWaitEvent(event, /*timeout_in_ms=*/-1);
      waited != kLiteRtStatusOk) {
    return Failed(waited, "waiting for an output event of invoke_async");
  }
  constexpr char kSymbol[] = "NpukitDispatchGetEventStatus";
  const auto get = client().Find<NpukitDispatchGetEventStatusT>(kSymbol);
  if (get == nullptr) return {};
  LiteRtStatus status = kLiteRtStatusOk;
  NpukitDebugHandle handle = NPUKIT_NO_DEBUG_HANDLE;
  const LiteRtStatus asked =
      client().Call(kSymbol, get, event, &status, &handle, /*buffer=*/nullptr, size_t{0});
  if (asked != kLiteRtStatusOk) return client().CallError(asked, kSymbol);
  if (status != kLiteRtStatusOk) return Failed(status, "invoke_async");
  return {};
}

litert::Expected<void> DispatchInvocation::SetSchedulingInfo(
    const LiteRtSchedulingInfo* info) const {
  constexpr char kCall[] = "invocation_context_set_scheduling_info";
  const auto set = client().functions().invocation_context_set_scheduling_info;
  // A hint: LiteRT runs without, too.
  if (set == nullptr) return {};
  const LiteRtStatus status = client().Call(kCall, set, context_, info);
  if (status == kLiteRtStatusOk || status == kLiteRtStatusErrorUnsupported) return {};
  return Failed(status, kCall);
}

litert::Expected<void> DispatchInvocation::SetOptions(LiteRtOptions options) const {
  constexpr char kCall[] = "invocation_context_set_options";
  const auto set = client().functions().invocation_context_set_options;
  if (set == nullptr) return {};
  const LiteRtStatus status = client().Call(kCall, set, context_, options);
  if (status == kLiteRtStatusOk || status == kLiteRtStatusErrorUnsupported) return {};
  return Failed(status, kCall);
}

litert::Expected<void> DispatchInvocation::StartMetrics(int detail_level) const {
  constexpr char kCall[] = "start_metrics_collection";
  if (!client().has_metrics())
    return litert::Unexpected(kLiteRtStatusErrorUnsupported,
                              client().library() + ": has no metrics");
  const LiteRtStatus status =
      client().Call(kCall, client().functions().start_metrics_collection, context_, detail_level);
  if (status != kLiteRtStatusOk) return Failed(status, fmt::format("{}({})", kCall, detail_level));
  return {};
}

litert::Expected<DispatchMetrics> DispatchInvocation::StopMetrics() const {
  constexpr char kCall[] = "stop_metrics_collection";
  constexpr char kDestroy[] = "destroy_metrics";
  if (!client().has_metrics())
    return litert::Unexpected(kLiteRtStatusErrorUnsupported,
                              client().library() + ": has no metrics");
  const LiteRtDispatchInterface& table = client().functions();
  LiteRtDispatchMetrics metrics = nullptr;
  LiteRtStatus status = client().Call(kCall, table.stop_metrics_collection, context_, &metrics);
  if (status != kLiteRtStatusOk) return Failed(status, kCall);
  if (metrics == nullptr) return client().Misbehaved(OfThis(kCall), "gave null metrics");
  litert::Expected<DispatchMetrics> read = ReadMetrics(metrics);
  status = client().Call(kDestroy, table.destroy_metrics, metrics);
  if (read && status != kLiteRtStatusOk) return Failed(status, kDestroy);
  return read;
}

litert::Expected<DispatchMetrics> DispatchInvocation::ReadMetrics(
    LiteRtDispatchMetrics metrics) const {
  constexpr char kCount[] = "get_num_metrics";
  const LiteRtDispatchInterface& table = client().functions();
  int count = 0;
  LiteRtStatus status = client().Call(kCount, table.get_num_metrics, metrics, &count);
  if (status != kLiteRtStatusOk) return Failed(status, kCount);
  DispatchMetrics read;
  for (int i = 0; i < count; ++i) {
    const auto call = [i] { return fmt::format("get_metric({})", i); };
    LiteRtMetric metric = {};
    status = client().Call("get_metric", table.get_metric, metrics, i, &metric);
    if (status != kLiteRtStatusOk) return Failed(status, call());
    if (metric.name == nullptr)
      return client().Misbehaved(OfThis(call()), "gave a metric without a name");
    read.Set(metric.name, DispatchMetrics::FromAny(metric.value));
  }
  return read;
}

std::string DispatchInvocation::OfThis(std::string_view call) const {
  return fmt::format("{} of '{}'", call, entry_point_);
}

litert::Error DispatchInvocation::Failed(LiteRtStatus status, std::string_view call) const {
  return client().CallError(status, OfThis(call));
}

}  // namespace npukit
