// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// litert_tensor_buffer.h for host memory, and what is the same for custom memory. The functions for
// memory of other devices stand in unsupported_functions.def.

#include "sdk/host/c_api/buffers/tensor_buffer.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "litert/c/litert_tensor_buffer.h"
#include "sdk/host/c_api/buffers/event.h"
#include "sdk/host/c_api/buffers/tensor_buffer_requirements.h"
#include "sdk/host/model/graph/tensor.h"

namespace npukit {

std::optional<uint64_t> PackedBytes(const LiteRtRankedTensorType& type) {
  if (type.layout.rank > LITERT_TENSOR_MAX_RANK) return std::nullopt;
  return DenseBytes(type.element_type, {type.layout.dimensions, type.layout.rank});
}

}  // namespace npukit

bool LiteRtTensorBufferT::TryLock(LiteRtTensorBufferLockMode mode) {
  int seen = lock_.load();
  while (true) {
    const bool read = mode == kLiteRtTensorBufferLockModeRead;
    if (seen == kWriteLocked || (seen > 0 && !read)) return false;
    const int wanted = read ? seen + 1 : kWriteLocked;
    if (lock_.compare_exchange_weak(seen, wanted)) return true;
  }
}

LiteRtCustomEvent LiteRtTensorBufferT::RetainCustomEvent() const {
  const std::lock_guard lock(event_mutex_);
  const LiteRtCustomEvent custom = event_ == nullptr ? nullptr : event_->custom();
  if (custom != nullptr && custom->Retain) custom->Retain(custom);
  return custom;
}

bool LiteRtTensorBufferT::Unlock() {
  int seen = lock_.load();
  while (true) {
    if (seen == 0) return false;
    const int wanted = seen == kWriteLocked ? 0 : seen - 1;
    if (lock_.compare_exchange_weak(seen, wanted)) return true;
  }
}

namespace {

// Zeroed, so that reading unwritten memory gives the same every time.
LiteRtStatus CreateOnHost(const LiteRtRankedTensorType& type, size_t size_bytes,
                          size_t alignment_bytes, LiteRtTensorBuffer* buffer) {
  const std::optional<uint64_t> packed = npukit::PackedBytes(type);
  if (!packed || *packed > size_bytes) return kLiteRtStatusErrorInvalidArgument;
  alignment_bytes = std::max<size_t>(alignment_bytes, LITERT_HOST_MEMORY_BUFFER_ALIGNMENT);
  void* address = nullptr;
  if (posix_memalign(&address, alignment_bytes, std::max<size_t>(size_bytes, 1)) != 0) {
    return kLiteRtStatusErrorMemoryAllocationFailure;
  }
  std::memset(address, 0, size_bytes);
  *buffer = new LiteRtTensorBufferT(type, address, size_bytes, *packed,
                                    [](void* memory) { std::free(memory); });
  return kLiteRtStatusOk;
}

// Before the buffer is locked: who signals the event may hold the lock until then.
LiteRtStatus WaitForEvent(LiteRtTensorBuffer buffer) {
  if (buffer->event() == nullptr) return kLiteRtStatusOk;
  return LiteRtWaitEvent(buffer->event(), /*timeout_in_ms=*/-1);
}

}  // namespace

extern "C" {

LiteRtStatus LiteRtCreateTensorBufferFromHostMemory(const LiteRtRankedTensorType* tensor_type,
                                                    void* host_buffer_addr, size_t host_buffer_size,
                                                    LiteRtHostMemoryDeallocator deallocator,
                                                    LiteRtTensorBuffer* buffer) {
  if (!tensor_type || !host_buffer_addr || !buffer) {
    return kLiteRtStatusErrorInvalidArgument;
  }
  const std::optional<uint64_t> packed = npukit::PackedBytes(*tensor_type);
  if (!packed || *packed > host_buffer_size ||
      reinterpret_cast<uintptr_t>(host_buffer_addr) % LITERT_HOST_MEMORY_BUFFER_ALIGNMENT != 0) {
    return kLiteRtStatusErrorRuntimeFailure;
  }
  *buffer = new LiteRtTensorBufferT(*tensor_type, host_buffer_addr, host_buffer_size, *packed,
                                    deallocator);
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtGetTensorBufferHostMemory(LiteRtTensorBuffer tensor_buffer,
                                             void** host_memory_addr) {
  if (!tensor_buffer || !host_memory_addr) {
    return kLiteRtStatusErrorInvalidArgument;
  }
  if (tensor_buffer->custom()) return kLiteRtStatusErrorUnsupported;
  *host_memory_addr = tensor_buffer->address();
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtCreateManagedTensorBuffer(LiteRtEnvironment env,
                                             LiteRtTensorBufferType buffer_type,
                                             const LiteRtRankedTensorType* tensor_type,
                                             size_t buffer_size, LiteRtTensorBuffer* buffer) {
  if (!tensor_type || !buffer) return kLiteRtStatusErrorInvalidArgument;
  if (buffer_type != kLiteRtTensorBufferTypeHostMemory) {
    return npukit::CreateCustom(env, buffer_type, *tensor_type, buffer_size, buffer);
  }
  return CreateOnHost(*tensor_type, buffer_size, LITERT_HOST_MEMORY_BUFFER_ALIGNMENT, buffer);
}

LiteRtStatus LiteRtCreateManagedTensorBufferFromRequirements(
    LiteRtEnvironment env, const LiteRtRankedTensorType* tensor_type,
    LiteRtTensorBufferRequirements requirements, LiteRtTensorBuffer* buffer) {
  if (!tensor_type || !requirements || !buffer) {
    return kLiteRtStatusErrorInvalidArgument;
  }
  LiteRtRankedTensorType type = *tensor_type;
  const auto& strides = requirements->strides;
  if (!strides.empty()) {
    if (strides.size() != type.layout.rank) {
      return kLiteRtStatusErrorInvalidArgument;
    }
    type.layout.has_strides = true;
    std::copy(strides.begin(), strides.end(), type.layout.strides);
  }
  for (const LiteRtTensorBufferType kind : requirements->types) {
    if (kind == kLiteRtTensorBufferTypeHostMemory)
      return CreateOnHost(type, requirements->size_bytes, requirements->alignment_bytes, buffer);
    const LiteRtStatus status =
        npukit::CreateCustom(env, kind, type, requirements->size_bytes, buffer);
    // Of a kind that nobody brings functions for: the next one.
    if (status != kLiteRtStatusErrorUnsupported) return status;
  }
  return kLiteRtStatusErrorUnsupported;
}

LiteRtStatus LiteRtDuplicateTensorBuffer(LiteRtTensorBuffer tensor_buffer) {
  if (!tensor_buffer) return kLiteRtStatusErrorInvalidArgument;
  tensor_buffer->AddReference();
  return kLiteRtStatusOk;
}

void LiteRtDestroyTensorBuffer(LiteRtTensorBuffer buffer) {
  if (buffer && buffer->DropReference()) delete buffer;
}

LiteRtStatus LiteRtGetTensorBufferType(LiteRtTensorBuffer tensor_buffer,
                                       LiteRtTensorBufferType* buffer_type) {
  if (!tensor_buffer || !buffer_type) return kLiteRtStatusErrorInvalidArgument;
  *buffer_type = tensor_buffer->buffer_type();
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtGetTensorBufferTensorType(LiteRtTensorBuffer tensor_buffer,
                                             LiteRtRankedTensorType* tensor_type) {
  if (!tensor_buffer || !tensor_type) return kLiteRtStatusErrorInvalidArgument;
  *tensor_type = tensor_buffer->type();
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtGetTensorBufferSize(LiteRtTensorBuffer tensor_buffer, size_t* size) {
  if (!tensor_buffer || !size) return kLiteRtStatusErrorInvalidArgument;
  *size = tensor_buffer->size_bytes();
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtGetTensorBufferPackedSize(LiteRtTensorBuffer tensor_buffer, size_t* size) {
  if (!tensor_buffer || !size) return kLiteRtStatusErrorInvalidArgument;
  *size = tensor_buffer->packed_bytes();
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtGetTensorBufferOffset(LiteRtTensorBuffer tensor_buffer, size_t* offset) {
  if (!tensor_buffer || !offset) return kLiteRtStatusErrorInvalidArgument;
  *offset = 0;
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtHasTensorBufferEvent(LiteRtTensorBuffer tensor_buffer, bool* has_event) {
  if (!tensor_buffer || !has_event) return kLiteRtStatusErrorInvalidArgument;
  *has_event = tensor_buffer->event() != nullptr;
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtGetTensorBufferEvent(LiteRtTensorBuffer tensor_buffer, LiteRtEvent* event) {
  if (!tensor_buffer || !event) return kLiteRtStatusErrorInvalidArgument;
  if (!tensor_buffer->event()) return kLiteRtStatusErrorRuntimeFailure;
  *event = tensor_buffer->event();
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtSetTensorBufferEvent(LiteRtTensorBuffer tensor_buffer, LiteRtEvent event) {
  if (!tensor_buffer || !event) return kLiteRtStatusErrorInvalidArgument;
  if (event != tensor_buffer->event()) tensor_buffer->set_event(event);
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtClearTensorBufferEvent(LiteRtTensorBuffer tensor_buffer) {
  if (!tensor_buffer) return kLiteRtStatusErrorInvalidArgument;
  tensor_buffer->set_event(nullptr);
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtLockTensorBuffer(LiteRtTensorBuffer tensor_buffer, void** host_mem_addr,
                                    LiteRtTensorBufferLockMode lock_mode) {
  if (!tensor_buffer || !host_mem_addr) {
    return kLiteRtStatusErrorInvalidArgument;
  }
  if (const LiteRtStatus waited = WaitForEvent(tensor_buffer); waited != kLiteRtStatusOk)
    return waited;
  if (!tensor_buffer->TryLock(lock_mode)) {
    return kLiteRtStatusErrorRuntimeFailure;
  }
  const LiteRtStatus mapped = tensor_buffer->Map(lock_mode);
  if (mapped != kLiteRtStatusOk) {
    tensor_buffer->Unlock();
    return mapped;
  }
  *host_mem_addr = tensor_buffer->address();
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtUnlockTensorBuffer(LiteRtTensorBuffer buffer) {
  if (!buffer) return kLiteRtStatusErrorInvalidArgument;
  return buffer->UnmapAndUnlock();
}

LiteRtStatus LiteRtClearTensorBuffer(LiteRtTensorBuffer buffer) {
  if (!buffer) return kLiteRtStatusErrorInvalidArgument;
  if (const npukit::CustomMemory* custom = buffer->custom()) {
    if (!custom->handlers.clear) return kLiteRtStatusErrorUnsupported;
    if (const LiteRtStatus waited = WaitForEvent(buffer); waited != kLiteRtStatusOk) return waited;
    if (!buffer->TryLock(kLiteRtTensorBufferLockModeWrite)) return kLiteRtStatusErrorRuntimeFailure;
    const LiteRtStatus status = custom->handlers.clear(custom->info);
    buffer->Unlock();
    return status;
  }
  void* address = nullptr;
  const LiteRtStatus locked =
      LiteRtLockTensorBuffer(buffer, &address, kLiteRtTensorBufferLockModeWrite);
  if (locked != kLiteRtStatusOk) return locked;
  std::memset(address, 0, buffer->size_bytes());
  return LiteRtUnlockTensorBuffer(buffer);
}

}  // extern "C"
