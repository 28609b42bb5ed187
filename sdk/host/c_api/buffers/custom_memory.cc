// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/c_api/buffers/custom_memory.h"

#include <cstdint>
#include <optional>

#include "litert/c/internal/litert_tensor_buffer_registry.h"
#include "litert/c/litert_tensor_buffer.h"
#include "sdk/host/c_api/buffers/tensor_buffer.h"
#include "sdk/host/c_api/environment/environment.h"

namespace {

// A device or queue, as the environment names it; null if it does not.
void* OptionAsPointer(LiteRtEnvironmentOptionsT& options, LiteRtEnvOptionTag tag) {
  const LiteRtAny* value = options.Find(tag);
  if (!value) return nullptr;
  switch (value->type) {
    case kLiteRtAnyTypeInt:
      return reinterpret_cast<void*>(static_cast<uintptr_t>(value->int_value));
    case kLiteRtAnyTypeVoidPtr:
      return const_cast<void*>(value->ptr_value);
    default:
      return nullptr;
  }
}

LiteRtStatus HandleOf(LiteRtTensorBuffer buffer, HwMemoryHandle* handle, int first_type,
                      int last_type) {
  if (!buffer || !handle) return kLiteRtStatusErrorInvalidArgument;
  const npukit::CustomMemory* custom = buffer->custom();
  if (!custom || custom->buffer_type < first_type || custom->buffer_type > last_type) {
    return kLiteRtStatusErrorInvalidArgument;
  }
  *handle = custom->info->memory_handle;
  return kLiteRtStatusOk;
}

}  // namespace

namespace npukit {

LiteRtStatus CreateCustom(LiteRtEnvironment environment, LiteRtTensorBufferType buffer_type,
                          const LiteRtRankedTensorType& type, size_t size_bytes,
                          LiteRtTensorBuffer* buffer) {
  if (!environment) return kLiteRtStatusErrorUnsupported;
  const auto found = environment->custom_memory().Find(buffer_type);
  if (!found) return kLiteRtStatusErrorUnsupported;
  const std::optional<uint64_t> packed = PackedBytes(type);
  if (!packed || *packed > size_bytes) return kLiteRtStatusErrorInvalidArgument;
  const CustomMemoryHandlers& handlers = *found;
  HwMemoryInfoPtr info = nullptr;
  const LiteRtStatus status =
      handlers.create(OptionAsPointer(environment->options(), handlers.device_tag),
                      OptionAsPointer(environment->options(), handlers.queue_tag), &type,
                      buffer_type, size_bytes, *packed, &info);
  if (status != kLiteRtStatusOk) return status;
  if (!info) return kLiteRtStatusErrorMemoryAllocationFailure;
  *buffer = new LiteRtTensorBufferT(
      type, {.buffer_type = buffer_type, .handlers = handlers, .info = info}, size_bytes, *packed);
  return kLiteRtStatusOk;
}

}  // namespace npukit

LiteRtStatus LiteRtTensorBufferT::Map(LiteRtTensorBufferLockMode mode) {
  if (!custom_) return kLiteRtStatusOk;
  void* address = nullptr;
  const LiteRtStatus status = custom_->handlers.lock(custom_->info, mode, &address);
  if (status != kLiteRtStatusOk) return status;
  if (!address) return kLiteRtStatusErrorRuntimeFailure;
  address_ = address;
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtTensorBufferT::UnmapAndUnlock() {
  if (lock_ == 0) return kLiteRtStatusErrorRuntimeFailure;
  // While still locked: else another thread could lock and map in between, and this would end its
  // mapping.
  const LiteRtStatus unmapped = custom_ ? custom_->handlers.unlock(custom_->info) : kLiteRtStatusOk;
  return Unlock() ? unmapped : kLiteRtStatusErrorRuntimeFailure;
}

extern "C" {

LiteRtStatus LiteRtRegisterTensorBufferHandlers(
    LiteRtEnvironment env, LiteRtTensorBufferType buffer_type, CreateCustomTensorBuffer create_func,
    DestroyCustomTensorBuffer destroy_func, LockCustomTensorBuffer lock_func,
    UnlockCustomTensorBuffer unlock_func, ClearCustomTensorBuffer clear_func,
    ImportCustomTensorBuffer import_func, LiteRtEnvOptionTag device_tag,
    LiteRtEnvOptionTag queue_tag) {
  if (!env || !create_func || !destroy_func || !lock_func || !unlock_func ||
      buffer_type == kLiteRtTensorBufferTypeUnknown ||
      buffer_type == kLiteRtTensorBufferTypeHostMemory) {
    return kLiteRtStatusErrorInvalidArgument;
  }
  const npukit::CustomMemoryHandlers handlers = {.create = create_func,
                                                 .destroy = destroy_func,
                                                 .lock = lock_func,
                                                 .unlock = unlock_func,
                                                 .clear = clear_func,
                                                 .import = import_func,
                                                 .device_tag = device_tag,
                                                 .queue_tag = queue_tag};
  return env->custom_memory().Add(buffer_type, handlers) ? kLiteRtStatusOk
                                                         : kLiteRtStatusErrorAlreadyExists;
}

LiteRtStatus LiteRtGetTensorBufferRegistry(LiteRtEnvironment env, void** registry) {
  if (!env || !registry) return kLiteRtStatusErrorInvalidArgument;
  *registry = &env->custom_memory();
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtGetTensorBufferCustomTensorBufferHandle(LiteRtTensorBuffer tensor_buffer,
                                                           HwMemoryHandle* hw_memory_handle) {
  return HandleOf(tensor_buffer, hw_memory_handle, 0, INT32_MAX);
}

LiteRtStatus LiteRtGetTensorBufferWebGpuBuffer(LiteRtTensorBuffer tensor_buffer,
                                               HwMemoryHandle* hw_memory_handle) {
  return HandleOf(tensor_buffer, hw_memory_handle, kLiteRtTensorBufferTypeWebGpuBuffer,
                  kLiteRtTensorBufferTypeWebGpuBufferPacked);
}

LiteRtStatus LiteRtGetTensorBufferVulkanMemory(LiteRtTensorBuffer tensor_buffer,
                                               HwMemoryHandle* hw_memory_handle) {
  return HandleOf(tensor_buffer, hw_memory_handle, kLiteRtTensorBufferTypeVulkanBuffer,
                  kLiteRtTensorBufferTypeVulkanBufferPacked);
}

}  // extern "C"
