// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Devices of a library, what they are told, and memory that is registered with them.

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "litert/cc/litert_macros.h"
#include "npukit/compile_spec.h"
#include "sdk/remote/worker/library_session.h"

namespace npukit::remote {
namespace {

litert::Unexpected Mistake(const std::string& what) {
  return litert::Unexpected(kLiteRtStatusErrorInvalidArgument, what);
}

DispatchAnswer WithStatus(LiteRtStatus status) { return {.status = status}; }

}  // namespace

litert::Expected<DispatchAnswer> LibrarySession::CreateDevice(const DispatchCall& call) {
  LiteRtDispatchDeviceContext context = nullptr;
  DispatchAnswer answer = WithStatus(api().device_context_create(
      library_->options(), (call.nulls & kNullResult) != 0 ? nullptr : &context));
  if (answer.status != kLiteRtStatusOk) return answer;
  answer.is_null = context == nullptr;
  if (answer.is_null) return answer;
  const std::lock_guard lock(mutex_);
  answer.object = NumberFor(call);
  devices_.emplace(answer.object, context);
  return answer;
}

litert::Expected<DispatchAnswer> LibrarySession::DestroyDevice(const DispatchCall& call) {
  LITERT_ASSIGN_OR_RETURN(const LiteRtDispatchDeviceContext context, DeviceOf(call.object));
  const LiteRtStatus status = api().device_context_destroy(context);
  // One that refuses still has the device and its memory, and may be asked again.
  if (status != kLiteRtStatusOk) return WithStatus(status);
  Buffers ended;  // once unlocked
  const std::lock_guard lock(mutex_);
  devices_.erase(call.object);
  const auto first = buffers_.lower_bound(BufferKey(call.object, 0));
  auto end = first;
  for (; end != buffers_.end() && end->first.first == call.object; ++end)
    ended.push_back(std::move(end->second));
  buffers_.erase(first, end);
  return WithStatus(status);
}

litert::Expected<DispatchAnswer> LibrarySession::SetCompileSpecs(const DispatchCall& call) const {
  LITERT_ASSIGN_OR_RETURN(const LiteRtDispatchDeviceContext context, DeviceOf(call.object));
  const auto set = library_->Find<NpukitDispatchSetCompileSpecsT>("NpukitDispatchSetCompileSpecs");
  if (set == nullptr) return WithStatus(kLiteRtStatusErrorUnsupported);
  if (call.texts.size() % 2 != 0) return Mistake("a key without a value");
  std::vector<NpukitCompileSpec> specs;
  for (size_t i = 0; i < call.texts.size(); i += 2) {
    const std::string& value = call.texts[i + 1];
    specs.push_back({call.texts[i].c_str(), value.data(), value.size()});
  }
  return WithStatus(set(context, specs.data(), specs.size()));
}

litert::Expected<DispatchAnswer> LibrarySession::Register(const DispatchCall& call) {
  LITERT_ASSIGN_OR_RETURN(const LiteRtDispatchDeviceContext device, DeviceOf(call.object));
  std::shared_ptr<DeviceBuffer> buffer;
  if ((call.nulls & kNullBuffer) == 0) {
    LITERT_ASSIGN_OR_RETURN(buffer, DeviceBuffer::Create(call.type, call.size_bytes));
  }
  LiteRtTensorBufferHandle handle = 0;
  DispatchAnswer answer = WithStatus(
      api().register_tensor_buffer(device, buffer == nullptr ? nullptr : buffer->tensor_buffer(),
                                   (call.nulls & kNullResult) != 0 ? nullptr : &handle));
  answer.handle = handle;
  if (answer.status != kLiteRtStatusOk || buffer == nullptr) return answer;
  std::shared_ptr<DeviceBuffer> replaced;  // ends once unlocked
  const std::lock_guard lock(mutex_);
  answer.object = NumberFor(call);
  if (call.made != 0) handles_[call.made] = handle;
  buffer->set_number(answer.object);
  std::erase_if(numbered_buffers_, [](const auto& entry) { return entry.second.expired(); });
  numbered_buffers_[answer.object] = buffer;
  replaced = std::exchange(buffers_[BufferKey(call.object, handle)], std::move(buffer));
  return answer;
}

litert::Expected<DispatchAnswer> LibrarySession::Unregister(const DispatchCall& call) {
  LITERT_ASSIGN_OR_RETURN(const LiteRtDispatchDeviceContext device, DeviceOf(call.object));
  const LiteRtTensorBufferHandle handle = HandleOf(call.handle);
  const LiteRtStatus status = api().unregister_tensor_buffer(device, handle);
  if (status != kLiteRtStatusOk) return WithStatus(status);
  std::shared_ptr<DeviceBuffer> ended;  // once unlocked
  const std::lock_guard lock(mutex_);
  if (auto found = buffers_.extract(BufferKey(call.object, handle)))
    ended = std::move(found.mapped());
  handles_.erase(call.handle);
  return WithStatus(status);
}

}  // namespace npukit::remote
