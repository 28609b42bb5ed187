// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/runtime/dispatch/dispatch_debug.h"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "litert/cc/litert_macros.h"

namespace npukit {
namespace {

constexpr size_t kMaxEvents = size_t{1} << 26;
constexpr size_t kMaxMessageBytes = 1024;

litert::Unexpected NoFunction(const DispatchInvocation& invocation, const char* symbol) {
  return litert::Unexpected(
      kLiteRtStatusErrorUnsupported,
      fmt::format("{}: does not export {}", invocation.client().library(), symbol));
}

}  // namespace

litert::Expected<void> SetRecording(const DispatchInvocation& invocation, uint32_t record) {
  constexpr char kSymbol[] = "NpukitDispatchSetRecording";
  const auto set = invocation.client().Find<NpukitDispatchSetRecordingT>(kSymbol);
  if (set == nullptr) return NoFunction(invocation, kSymbol);
  const LiteRtStatus status = invocation.client().Call(kSymbol, set, invocation.context(), record);
  if (status != kLiteRtStatusOk) return invocation.client().CallError(status, kSymbol);
  return {};
}

litert::Expected<std::vector<HandleEvent>> ReadProfile(const DispatchInvocation& invocation) {
  constexpr char kCountSymbol[] = "NpukitDispatchGetNumProfileEvents";
  constexpr char kSymbol[] = "NpukitDispatchGetProfileEvent";
  const DispatchClient& client = invocation.client();
  const auto get_count = client.Find<NpukitDispatchGetNumProfileEventsT>(kCountSymbol);
  const auto get = client.Find<NpukitDispatchGetProfileEventT>(kSymbol);
  if (get_count == nullptr || get == nullptr) return NoFunction(invocation, kSymbol);
  size_t count = 0;
  LiteRtStatus status = client.Call(kCountSymbol, get_count, invocation.context(), &count);
  if (status != kLiteRtStatusOk) return client.CallError(status, kCountSymbol);
  if (count > kMaxEvents)
    return client.Misbehaved(kCountSymbol, fmt::format("says {} events", count));
  std::vector<HandleEvent> events;
  for (size_t i = 0; i < count; ++i) {
    NpukitProfileEvent event = {};
    event.struct_size = sizeof(event);
    status = client.Call(kSymbol, get, invocation.context(), i, &event);
    if (status != kLiteRtStatusOk) return client.CallError(status, kSymbol);
    if (event.end_cycle < event.start_cycle)
      return client.Misbehaved(kSymbol, "gives an event that ends before it starts");
    events.push_back({event.handle, event.unit == nullptr ? "" : event.unit, event.start_cycle,
                      event.end_cycle});
  }
  return events;
}

litert::Expected<HandleValue> ReadIntermediate(const DispatchInvocation& invocation,
                                               uint32_t handle, int output) {
  constexpr char kSymbol[] = "NpukitDispatchGetIntermediate";
  const DispatchClient& client = invocation.client();
  const auto get = client.Find<NpukitDispatchGetIntermediateT>(kSymbol);
  if (get == nullptr) return NoFunction(invocation, kSymbol);
  HandleValue value;
  const void* data = nullptr;
  size_t size_bytes = 0;
  const LiteRtStatus status = client.Call(kSymbol, get, invocation.context(), handle, output,
                                          &value.type, &data, &size_bytes);
  if (status == kLiteRtStatusErrorNotFound) {
    return litert::Unexpected(status, fmt::format("handle {} was not recorded", handle));
  }
  if (status != kLiteRtStatusOk) return client.CallError(status, kSymbol);
  if (data == nullptr && size_bytes != 0) return client.Misbehaved(kSymbol, "gives a null pointer");
  const auto* bytes = static_cast<const uint8_t*>(data);
  value.bytes.assign(bytes, bytes + size_bytes);
  return value;
}

litert::Expected<HandleError> ReadLastError(const DispatchInvocation& invocation) {
  constexpr char kSymbol[] = "NpukitDispatchGetLastError";
  const DispatchClient& client = invocation.client();
  const auto get = client.Find<NpukitDispatchGetLastErrorT>(kSymbol);
  if (get == nullptr) return NoFunction(invocation, kSymbol);
  HandleError error;
  std::array<char, kMaxMessageBytes> message = {};
  const LiteRtStatus status = client.Call(kSymbol, get, invocation.context(), &error.handle,
                                          message.data(), message.size());
  if (status != kLiteRtStatusOk) return client.CallError(status, kSymbol);
  message.back() = '\0';
  error.message = message.data();
  return error;
}

std::string DescribeHandle(const DelegateRecord* delegate, uint32_t handle) {
  const DelegateRecord::Handle* found =
      delegate == nullptr ? nullptr : delegate->FindHandle(handle);
  if (found == nullptr) return fmt::format("handle {}", handle);
  std::string text;
  for (uint32_t index : found->ops)
    text += (text.empty() ? "op " : ", op ") + Describe(delegate->ops[index]);
  if (!text.empty()) return text;
  return found->name.empty() ? fmt::format("handle {}", handle) : found->name;
}

litert::Error JoinLastError(const DispatchInvocation& invocation, const DelegateRecord* delegate,
                            const litert::Error& error) {
  std::string text = error.Message();
  if (const auto told = ReadLastError(invocation)) {
    if (told->handle != NPUKIT_NO_DEBUG_HANDLE)
      text += ", in " + DescribeHandle(delegate, told->handle);
    if (!told->message.empty()) text += ": " + told->message;
  }
  return litert::Error(error.Status(), std::move(text));
}

}  // namespace npukit
