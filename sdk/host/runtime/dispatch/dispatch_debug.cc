// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/runtime/dispatch/dispatch_debug.h"

#include <array>

#include "litert/cc/litert_macros.h"

namespace npukit {
namespace {

constexpr size_t kMaxEvents = size_t{1} << 26;
constexpr size_t kMaxMessageBytes = 1024;

const DispatchLibrary& LibraryOf(const DispatchInvocation& invocation) {
  return invocation.device().library();
}

litert::Unexpected NoFunction(const DispatchInvocation& invocation, const char* symbol) {
  return litert::Unexpected(kLiteRtStatusErrorUnsupported,
                            LibraryOf(invocation).path() + ": does not export " + symbol);
}

}  // namespace

litert::Expected<void> SetRecording(const DispatchInvocation& invocation, uint32_t record) {
  constexpr char kSymbol[] = "NpukitDispatchSetRecording";
  const auto set = LibraryOf(invocation).Find<NpukitDispatchSetRecordingT>(kSymbol);
  if (set == nullptr) return NoFunction(invocation, kSymbol);
  const LiteRtStatus status = set(invocation.context(), record);
  if (status != kLiteRtStatusOk) return LibraryOf(invocation).CallError(status, kSymbol);
  return {};
}

litert::Expected<std::vector<HandleEvent>> ReadProfile(const DispatchInvocation& invocation) {
  constexpr char kCountSymbol[] = "NpukitDispatchGetNumProfileEvents";
  constexpr char kSymbol[] = "NpukitDispatchGetProfileEvent";
  const DispatchLibrary& library = LibraryOf(invocation);
  const auto get_count = library.Find<NpukitDispatchGetNumProfileEventsT>(kCountSymbol);
  const auto get = library.Find<NpukitDispatchGetProfileEventT>(kSymbol);
  if (get_count == nullptr || get == nullptr) return NoFunction(invocation, kSymbol);
  size_t count = 0;
  LiteRtStatus status = get_count(invocation.context(), &count);
  if (status != kLiteRtStatusOk) return library.CallError(status, kCountSymbol);
  if (count > kMaxEvents)
    return library.Misbehaved(kCountSymbol, "says " + std::to_string(count) + " events");
  std::vector<HandleEvent> events;
  for (size_t i = 0; i < count; ++i) {
    NpukitProfileEvent event = {};
    event.struct_size = sizeof(event);
    status = get(invocation.context(), i, &event);
    if (status != kLiteRtStatusOk) return library.CallError(status, kSymbol);
    if (event.end_cycle < event.start_cycle)
      return library.Misbehaved(kSymbol, "gives an event that ends before it starts");
    events.push_back({event.handle, event.unit == nullptr ? "" : event.unit, event.start_cycle,
                      event.end_cycle});
  }
  return events;
}

litert::Expected<HandleValue> ReadIntermediate(const DispatchInvocation& invocation,
                                               uint32_t handle, int output) {
  constexpr char kSymbol[] = "NpukitDispatchGetIntermediate";
  const DispatchLibrary& library = LibraryOf(invocation);
  const auto get = library.Find<NpukitDispatchGetIntermediateT>(kSymbol);
  if (get == nullptr) return NoFunction(invocation, kSymbol);
  HandleValue value;
  const void* data = nullptr;
  size_t size_bytes = 0;
  const LiteRtStatus status =
      get(invocation.context(), handle, output, &value.type, &data, &size_bytes);
  if (status == kLiteRtStatusErrorNotFound) {
    return litert::Unexpected(status, "handle " + std::to_string(handle) + " was not recorded");
  }
  if (status != kLiteRtStatusOk) return library.CallError(status, kSymbol);
  if (data == nullptr && size_bytes != 0)
    return library.Misbehaved(kSymbol, "gives a null pointer");
  const auto* bytes = static_cast<const uint8_t*>(data);
  value.bytes.assign(bytes, bytes + size_bytes);
  return value;
}

std::string DescribeHandle(const DelegateRecord* delegate, uint32_t handle) {
  const DelegateRecord::Handle* found =
      delegate == nullptr ? nullptr : delegate->FindHandle(handle);
  if (found == nullptr) return "handle " + std::to_string(handle);
  std::string text;
  for (uint32_t index : found->ops)
    text += (text.empty() ? "op " : ", op ") + Describe(delegate->ops[index]);
  if (!text.empty()) return text;
  return found->name.empty() ? "handle " + std::to_string(handle) : found->name;
}

litert::Error JoinLastError(const DispatchInvocation& invocation, const DelegateRecord* delegate,
                            const litert::Error& error) {
  const auto get =
      LibraryOf(invocation).Find<NpukitDispatchGetLastErrorT>("NpukitDispatchGetLastError");
  if (get == nullptr) return litert::Error(error.Status(), error.Message());
  NpukitDebugHandle handle = NPUKIT_NO_DEBUG_HANDLE;
  std::array<char, kMaxMessageBytes> message = {};
  if (get(invocation.context(), &handle, message.data(), message.size()) != kLiteRtStatusOk)
    return litert::Error(error.Status(), error.Message());
  message.back() = '\0';
  std::string text = error.Message();
  if (handle != NPUKIT_NO_DEBUG_HANDLE) text += ", in " + DescribeHandle(delegate, handle);
  if (message[0] != '\0') text += std::string(": ") + message.data();
  return litert::Error(error.Status(), text);
}

}  // namespace npukit
