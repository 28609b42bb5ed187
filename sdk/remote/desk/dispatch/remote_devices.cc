// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/remote/desk/dispatch/remote_devices.h"

#include <memory>
#include <utility>

#include "litert/c/litert_tensor_buffer.h"
#include "litert/cc/litert_macros.h"
#include "sdk/remote/desk/dispatch/remote_state.h"

namespace npukit::remote {

LiteRtStatus CreateDevice(LiteRtOptions, LiteRtDispatchDeviceContext* context) {
  RemoteState& state = RemoteState::Get();
  DispatchAnswer answer;
  const LiteRtStatus status = state.Call(
      {.function = DispatchFunction::kDeviceCreate, .nulls = context == nullptr ? kNullResult : 0U},
      answer);
  if (status != kLiteRtStatusOk || context == nullptr) return status;
  *context = answer.is_null
                 ? nullptr
                 : reinterpret_cast<LiteRtDispatchDeviceContext>(state.AddDevice(answer.object));
  return status;
}

LiteRtStatus DestroyDevice(LiteRtDispatchDeviceContext context) {
  RemoteState& state = RemoteState::Get();
  DispatchAnswer answer;
  const LiteRtStatus status = state.Call(
      {.function = DispatchFunction::kDeviceDestroy, .object = NumberOf(context)}, answer);
  if (context == nullptr) return status;
  if (status == kLiteRtStatusOk) {
    state.Remove(FromHandle(context));
  } else if (!InstalledLink::trouble().empty()) {
    state.LetGo(FromHandle(context));
  }
  return status;
}

LiteRtStatus Register(LiteRtDispatchDeviceContext context, LiteRtTensorBuffer buffer,
                      LiteRtTensorBufferHandle* handle) {
  DispatchCall call{.function = DispatchFunction::kRegister, .object = NumberOf(context)};
  if (handle == nullptr) call.nulls |= kNullResult;
  if (buffer == nullptr) call.nulls |= kNullBuffer;
  void* address = nullptr;
  size_t size_bytes = 0;
  if (buffer != nullptr) {
    LiteRtTensorBufferType kind = kLiteRtTensorBufferTypeUnknown;
    if (const LiteRtStatus status = LiteRtGetTensorBufferType(buffer, &kind);
        status != kLiteRtStatusOk) {
      return status;
    }
    if (kind != kLiteRtTensorBufferTypeHostMemory) return kLiteRtStatusErrorUnsupported;
    LITERT_RETURN_IF_ERROR(LiteRtGetTensorBufferTensorType(buffer, &call.type));
    LITERT_RETURN_IF_ERROR(LiteRtGetTensorBufferSize(buffer, &size_bytes));
    LITERT_RETURN_IF_ERROR(LiteRtGetTensorBufferHostMemory(buffer, &address));
    call.size_bytes = size_bytes;
  }
  RemoteState& state = RemoteState::Get();
  DispatchAnswer answer;
  const LiteRtStatus status = state.Call(call, answer);
  if (status != kLiteRtStatusOk || handle == nullptr) return status;
  *handle = answer.handle;
  if (context == nullptr || buffer == nullptr) return status;
  LITERT_RETURN_IF_ERROR(LiteRtDuplicateTensorBuffer(buffer));
  auto kept = std::make_shared<DeskBuffer>(
      DeskBuffer{.number = answer.object,
                 .tensor_buffer = {buffer, LiteRtDestroyTensorBuffer},
                 .memory = {static_cast<uint8_t*>(address), size_bytes},
                 .on_device = {},
                 .told = {.buffer = answer.object}});
  const auto lock = state.Lock();
  FromHandle(context)->buffers[answer.handle].swap(kept);
  if (kept != nullptr) kept->is_registered = false;
  return status;
}

LiteRtStatus Unregister(LiteRtDispatchDeviceContext context, LiteRtTensorBufferHandle handle) {
  RemoteState& state = RemoteState::Get();
  DispatchAnswer answer;
  const LiteRtStatus status = state.Call(
      {.function = DispatchFunction::kUnregister, .object = NumberOf(context), .handle = handle},
      answer);
  if (status != kLiteRtStatusOk || context == nullptr) return status;
  std::shared_ptr<DeskBuffer> erased;  // once unlocked
  const auto lock = state.Lock();
  auto& buffers = FromHandle(context)->buffers;
  const auto found = buffers.find(handle);
  if (found == buffers.end()) return status;
  erased = std::move(found->second);
  erased->is_registered = false;
  buffers.erase(found);
  return status;
}

}  // namespace npukit::remote
