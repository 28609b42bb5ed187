// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Invocations of a library, from bytecode to a run that waits for its end.

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "litert/c/litert_tensor_buffer_requirements.h"
#include "litert/cc/litert_macros.h"
#include "sdk/remote/worker/library_session.h"

namespace npukit::remote {
namespace {

// Of a library's list, against one that counts wrongly.
constexpr int kMaxBufferTypes = 64;

litert::Unexpected Mistake(const std::string& what) {
  return litert::Unexpected(kLiteRtStatusErrorInvalidArgument, what);
}

DispatchAnswer WithStatus(LiteRtStatus status) { return {.status = status}; }

litert::Expected<Requirements> ReadRequirements(LiteRtTensorBufferRequirements handle) {
  Requirements read;
  int count = 0;
  LITERT_RETURN_IF_ERROR(LiteRtGetNumTensorBufferRequirementsSupportedBufferTypes(handle, &count));
  for (int i = 0; i < std::min(count, kMaxBufferTypes); ++i) {
    LiteRtTensorBufferType type = kLiteRtTensorBufferTypeUnknown;
    LITERT_RETURN_IF_ERROR(
        LiteRtGetTensorBufferRequirementsSupportedTensorBufferType(handle, i, &type));
    read.buffer_types.push_back(type);
  }
  size_t value = 0;
  LITERT_RETURN_IF_ERROR(LiteRtGetTensorBufferRequirementsBufferSize(handle, &value));
  read.size_bytes = value;
  LITERT_RETURN_IF_ERROR(LiteRtGetTensorBufferRequirementsAlignment(handle, &value));
  read.alignment_bytes = value;
  int num_strides = 0;
  const uint32_t* strides = nullptr;
  LITERT_RETURN_IF_ERROR(LiteRtGetTensorBufferRequirementsStrides(handle, &num_strides, &strides));
  if (strides != nullptr) read.strides_elems.assign(strides, strides + std::max(num_strides, 0));
  return read;
}

}  // namespace

litert::Expected<void> LibrarySession::TakeBytecode(const DispatchCall& call,
                                                    std::vector<uint8_t>& bytes,
                                                    LiteRtMemBuffer& memory) const {
  bytes = call.bytes;
  if (!call.digest.empty()) {
    LITERT_ASSIGN_OR_RETURN(bytes, cache_.Read(call.digest));
  }
  if (call.handle > bytes.size()) return Mistake("bytecode behind its end");
  memory = {};
  memory.fd = -1;
  memory.base_addr = (call.nulls & kNullBytes) != 0 ? nullptr : bytes.data();
  memory.offset = call.handle;
  memory.size = call.size_bytes;
  return {};
}

litert::Expected<DispatchAnswer> LibrarySession::CreateInvocation(const DispatchCall& call) {
  LITERT_ASSIGN_OR_RETURN(const LiteRtDispatchDeviceContext device, DeviceOf(call.object));
  if (call.texts.size() > 1) return Mistake("more than one entry point");
  Invocation made;
  made.device = call.object;
  LiteRtMemBuffer memory = {};
  LITERT_RETURN_IF_ERROR(TakeBytecode(call, made.bytecode, memory));
  const char* const entry_point = call.texts.empty() ? nullptr : call.texts.front().c_str();
  const bool has_memory = (call.nulls & kNullBuffer) == 0;
  const LiteRtStatus status = api().invocation_context_create(
      device, static_cast<LiteRtDispatchExecutableType>(call.index), has_memory ? &memory : nullptr,
      entry_point, call.numbers[0], call.numbers[1],
      (call.nulls & kNullResult) != 0 ? nullptr : &made.context);
  return Keep(call, status, std::move(made));
}

DispatchAnswer LibrarySession::Keep(const DispatchCall& call, LiteRtStatus status,
                                    Invocation made) {
  DispatchAnswer answer = WithStatus(status);
  if (status != kLiteRtStatusOk) return answer;
  answer.is_null = made.context == nullptr;
  if (answer.is_null) return answer;
  const std::lock_guard lock(mutex_);
  answer.object = NumberFor(call);
  // A vector that is moved keeps its memory: what the library was told of the bytecode stays true.
  invocations_.emplace(answer.object, std::make_shared<Invocation>(std::move(made)));
  return answer;
}

litert::Expected<DispatchAnswer> LibrarySession::DestroyInvocation(const DispatchCall& call) {
  LITERT_ASSIGN_OR_RETURN(const auto invocation, InvocationOf(call.object));
  const LiteRtStatus status = api().invocation_context_destroy(ContextOf(invocation));
  // One that refuses still has it, and may be asked again.
  if (status != kLiteRtStatusOk) return WithStatus(status);
  const std::lock_guard lock(mutex_);
  if (invocation != nullptr) ForgetInputEvents(*invocation, 0);
  invocations_.erase(call.object);
  return WithStatus(status);
}

litert::Expected<DispatchAnswer> LibrarySession::GetRequirements(const DispatchCall& call,
                                                                 bool is_input) {
  LITERT_ASSIGN_OR_RETURN(const auto invocation, InvocationOf(call.object));
  LiteRtTensorBufferRequirements requirements = nullptr;
  const auto get = is_input ? api().get_input_requirements : api().get_output_requirements;
  DispatchAnswer answer = WithStatus(
      get(ContextOf(invocation), call.index, (call.nulls & kNullType) != 0 ? nullptr : &call.type,
          (call.nulls & kNullResult) != 0 ? nullptr : &requirements));
  if (answer.status != kLiteRtStatusOk) return answer;
  answer.is_null = requirements == nullptr;
  if (answer.is_null) return answer;
  auto read = ReadRequirements(requirements);
  LiteRtDestroyTensorBufferRequirements(requirements);
  if (!read) return read.Error();
  answer.requirements = std::move(*read);
  return answer;
}

litert::Expected<DispatchAnswer> LibrarySession::Attach(const DispatchCall& call, bool is_input) {
  LITERT_ASSIGN_OR_RETURN(const auto invocation, InvocationOf(call.object));
  const auto attach = is_input ? api().attach_input : api().attach_output;
  const LiteRtTensorBufferHandle handle = HandleOf(call.handle);
  const LiteRtStatus status = attach(ContextOf(invocation), call.index, handle);
  const std::lock_guard lock(mutex_);
  if (status == kLiteRtStatusOk && invocation != nullptr)
    invocation->attached[{is_input, call.index}] = handle;
  return WithStatus(status);
}

litert::Expected<DispatchAnswer> LibrarySession::Detach(const DispatchCall& call, bool is_input) {
  LITERT_ASSIGN_OR_RETURN(const auto invocation, InvocationOf(call.object));
  const auto detach = is_input ? api().detach_input : api().detach_output;
  const LiteRtStatus status = detach(ContextOf(invocation), call.index, HandleOf(call.handle));
  const std::lock_guard lock(mutex_);
  if (status == kLiteRtStatusOk && invocation != nullptr)
    invocation->attached.erase({is_input, call.index});
  return WithStatus(status);
}

LibrarySession::Buffers LibrarySession::BuffersOf(const Invocation& invocation) const {
  Buffers buffers;
  for (const auto& [port, handle] : invocation.attached) {
    const auto found = buffers_.find(BufferKey(invocation.device, handle));
    if (found != buffers_.end() &&
        std::find(buffers.begin(), buffers.end(), found->second) == buffers.end()) {
      buffers.push_back(found->second);
    }
  }
  return buffers;
}

// What it writes is told with the answer (AddNews).
litert::Expected<DispatchAnswer> LibrarySession::Invoke(const DispatchCall& call) {
  LITERT_ASSIGN_OR_RETURN(const auto invocation, InvocationOf(call.object));
  return WithStatus(api().invoke(ContextOf(invocation)));
}

}  // namespace npukit::remote
