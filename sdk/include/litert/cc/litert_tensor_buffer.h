// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef ODML_LITERT_LITERT_CC_LITERT_TENSOR_BUFFER_H_
#define ODML_LITERT_LITERT_CC_LITERT_TENSOR_BUFFER_H_

#include <cstddef>
#include <cstring>
#include <string>
#include <utility>

#include "litert/c/litert_common.h"
#include "litert/c/litert_tensor_buffer.h"
#include "litert/c/litert_tensor_buffer_types.h"
#include "litert/cc/internal/litert_handle.h"
#include "litert/cc/internal/litert_span.h"
#include "litert/cc/internal/litert_text.h"
#include "litert/cc/litert_abseil.h"
#include "litert/cc/litert_common.h"
#include "litert/cc/litert_environment.h"
#include "litert/cc/litert_event.h"
#include "litert/cc/litert_expected.h"
#include "litert/cc/litert_macros.h"
#include "litert/cc/litert_ranked_tensor_type.h"
#include "litert/cc/litert_tensor_buffer_types.h"

namespace litert {

// A tensor's memory. Move-only; Duplicate() gives a second reference.
class TensorBuffer : public internal::BaseHandle<LiteRtTensorBuffer> {
 public:
  TensorBuffer() = default;

  // Allocates `buffer_size` bytes.
  // In host memory, of no environment.
  static Expected<TensorBuffer> CreateManagedHostMemory(const RankedTensorType& tensor_type,
                                                        size_t buffer_size) {
    const auto c_type = static_cast<LiteRtRankedTensorType>(tensor_type);
    LiteRtTensorBuffer buffer = nullptr;
    LITERT_RETURN_IF_ERROR(LiteRtCreateManagedTensorBuffer(
        /*env=*/nullptr, kLiteRtTensorBufferTypeHostMemory, &c_type, buffer_size, &buffer));
    return TensorBuffer(buffer, OwnHandle::kYes);
  }
  static Expected<TensorBuffer> CreateManaged(const Environment& env, TensorBufferType buffer_type,
                                              const RankedTensorType& tensor_type,
                                              size_t buffer_size) {
    const auto c_type = static_cast<LiteRtRankedTensorType>(tensor_type);
    LiteRtTensorBuffer buffer = nullptr;
    LITERT_RETURN_IF_ERROR(
        LiteRtCreateManagedTensorBuffer(env.Get(), static_cast<LiteRtTensorBufferType>(buffer_type),
                                        &c_type, buffer_size, &buffer));
    return TensorBuffer(buffer, OwnHandle::kYes);
  }

  // Wraps memory that stays the caller's and outlives the buffer, aligned to
  // kHostMemoryBufferAlignment.
  static Expected<TensorBuffer> CreateFromHostMemory(const Environment&,
                                                     const RankedTensorType& tensor_type,
                                                     void* host_mem_addr, size_t buffer_size) {
    return CreateFromHostMemory(tensor_type, host_mem_addr, buffer_size);
  }
  static Expected<TensorBuffer> CreateFromHostMemory(const RankedTensorType& tensor_type,
                                                     void* host_mem_addr, size_t buffer_size) {
    const auto c_type = static_cast<LiteRtRankedTensorType>(tensor_type);
    LiteRtTensorBuffer buffer = nullptr;
    LITERT_RETURN_IF_ERROR(LiteRtCreateTensorBufferFromHostMemory(
        &c_type, host_mem_addr, buffer_size, /*deallocator=*/nullptr, &buffer));
    return TensorBuffer(buffer, OwnHandle::kYes);
  }

  static TensorBuffer WrapCObject(LiteRtTensorBuffer buffer, OwnHandle own) {
    return TensorBuffer(buffer, own);
  }
  static TensorBuffer WrapCObject(const internal::EnvironmentHolder&, LiteRtTensorBuffer buffer,
                                  OwnHandle own) {
    return TensorBuffer(buffer, own);
  }

  // A second reference to the same memory.
  Expected<TensorBuffer> Duplicate() const {
    if (!IsOwned()) {
      return Error(Status::kErrorInvalidArgument, "cannot duplicate a buffer that is not owned");
    }
    LITERT_RETURN_IF_ERROR(LiteRtDuplicateTensorBuffer(Get()));
    return TensorBuffer(Get(), OwnHandle::kYes);
  }

  Expected<TensorBufferType> BufferType() const {
    LITERT_ASSIGN_OR_RETURN(const auto type,
                            Ask<LiteRtTensorBufferType>(LiteRtGetTensorBufferType));
    return static_cast<TensorBufferType>(type);
  }
  bool IsOpenClMemory() const { return Is(::litert::IsOpenClMemory); }
  bool IsWebGpuMemory() const { return Is(::litert::IsWebGpuMemory); }
  bool IsMetalMemory() const { return Is(::litert::IsMetalMemory); }
  bool IsVulkanMemory() const { return Is(::litert::IsVulkanMemory); }

  Expected<RankedTensorType> TensorType() const {
    LITERT_ASSIGN_OR_RETURN(const auto type,
                            Ask<LiteRtRankedTensorType>(LiteRtGetTensorBufferTensorType));
    return RankedTensorType(type);
  }
  bool HasType(const RankedTensorType& type) const {
    const auto own = TensorType();
    return own && *own == type;
  }
  bool HasType(const LiteRtRankedTensorType& type) const { return HasType(RankedTensorType(type)); }

  // Bytes of the memory, with strides and padding.
  Expected<size_t> Size() const { return Ask<size_t>(LiteRtGetTensorBufferSize); }
  // Bytes of the elements alone.
  Expected<size_t> PackedSize() const { return Ask<size_t>(LiteRtGetTensorBufferPackedSize); }
  Expected<size_t> Offset() const { return Ask<size_t>(LiteRtGetTensorBufferOffset); }

  bool HasEvent() const {
    const auto has_event = Ask<bool>(LiteRtHasTensorBufferEvent);
    return has_event && *has_event;
  }
  // Stays owned by the buffer.
  Expected<Event> GetEvent() const {
    LITERT_ASSIGN_OR_RETURN(LiteRtEvent event, Ask<LiteRtEvent>(LiteRtGetTensorBufferEvent));
    return Event::WrapCObject({}, event, OwnHandle::kNo);
  }
  Expected<void> SetEvent(Event&& event) {
    if (!event.IsOwned()) {
      return Error(Status::kErrorInvalidArgument, "the event is not owned");
    }
    LITERT_RETURN_IF_ERROR(LiteRtSetTensorBufferEvent(Get(), event.Release()));
    return {};
  }
  Expected<void> ClearEvent() {
    LITERT_RETURN_IF_ERROR(LiteRtClearTensorBufferEvent(Get()));
    return {};
  }

  enum class LockMode {
    kRead = kLiteRtTensorBufferLockModeRead,
    kWrite = kLiteRtTensorBufferLockModeWrite,
    kReadWrite = kLiteRtTensorBufferLockModeReadWrite,
  };
  static LiteRtTensorBufferLockMode ToLiteRtLockMode(LockMode mode) {
    return static_cast<LiteRtTensorBufferLockMode>(mode);
  }

  // The memory as PackedSize() bytes of dense elements, until Unlock().
  Expected<void*> Lock(LockMode mode = LockMode::kWrite) {
    void* address = nullptr;
    LITERT_RETURN_IF_ERROR(LiteRtLockTensorBuffer(Get(), &address, ToLiteRtLockMode(mode)));
    return address;
  }
  Expected<void> Unlock() {
    LITERT_RETURN_IF_ERROR(LiteRtUnlockTensorBuffer(Get()));
    return {};
  }

  // Copies from or to `data`, at the start of the buffer. An error if it is
  // larger than the buffer.
  template <typename T>
  Expected<void> Write(internal::Span<const T> data) {
    return Copy(data.size() * sizeof(T), LockMode::kWrite,
                [&](void* buffer, size_t bytes) { std::memcpy(buffer, data.data(), bytes); });
  }
  template <typename C>
  Expected<void> Write(const C& data) {
    return Write(internal::MakeConstSpan(data));
  }
  template <typename T>
  Expected<void> Read(internal::Span<T> data) {
    return Copy(data.size() * sizeof(T), LockMode::kRead,
                [&](void* buffer, size_t bytes) { std::memcpy(data.data(), buffer, bytes); });
  }
  template <typename C>
  Expected<void> Read(C&& data) {
    return Read(internal::MakeSpan(data.data(), data.size()));
  }

  // Sets the elements to zero.
  Expected<void> Clear() {
    if (LiteRtClearTensorBuffer(Get()) == kLiteRtStatusOk) return {};
    LITERT_ASSIGN_OR_RETURN(const size_t size, PackedSize());
    return Copy(size, LockMode::kWrite,
                [](void* buffer, size_t bytes) { std::memset(buffer, 0, bytes); });
  }

 private:
  explicit TensorBuffer(LiteRtTensorBuffer buffer, OwnHandle own)
      : internal::BaseHandle<LiteRtTensorBuffer>(buffer, LiteRtDestroyTensorBuffer, own) {}

  template <class T>
  Expected<T> Ask(LiteRtStatus (*get)(LiteRtTensorBuffer, T*)) const {
    T value{};
    LITERT_RETURN_IF_ERROR(get(Get(), &value));
    return Expected<T>(value);
  }
  bool Is(bool (*pred)(TensorBufferType)) const {
    const auto type = BufferType();
    return type && pred(*type);
  }
  template <class F>
  Expected<void> Copy(size_t bytes, LockMode mode, F copy) {
    LITERT_ASSIGN_OR_RETURN(const size_t size, PackedSize());
    if (bytes > size) {
      return Unexpected(
          Status::kErrorRuntimeFailure,
          internal::Text({"the data has ", bytes, " bytes, the tensor buffer ", size}));
    }
    LITERT_ASSIGN_OR_RETURN(void* buffer, Lock(mode));
    if (bytes != 0) copy(buffer, bytes);
    return Unlock();
  }
};

// Locks a tensor buffer for as long as it lives.
class TensorBufferScopedLock {
 public:
  TensorBufferScopedLock(TensorBufferScopedLock&& other) noexcept
      : buffer_(std::exchange(other.buffer_, nullptr)) {}
  TensorBufferScopedLock& operator=(TensorBufferScopedLock&& other) noexcept {
    std::swap(buffer_, other.buffer_);
    return *this;
  }
  ~TensorBufferScopedLock() {
    if (buffer_ != nullptr) (void)LiteRtUnlockTensorBuffer(buffer_);
  }

  template <typename T = void>
  static Expected<std::pair<TensorBufferScopedLock, T*>> Create(TensorBuffer& buffer,
                                                                TensorBuffer::LockMode mode) {
    return Create<T>(buffer.Get(), mode);
  }
  template <typename T = void>
  static Expected<std::pair<TensorBufferScopedLock, const T*>> Create(const TensorBuffer& buffer,
                                                                      TensorBuffer::LockMode mode) {
    return Create<const T>(buffer.Get(), mode);
  }
  template <typename T = void>
  static Expected<std::pair<TensorBufferScopedLock, T*>> Create(LiteRtTensorBuffer buffer,
                                                                TensorBuffer::LockMode mode) {
    void* address = nullptr;
    LITERT_RETURN_IF_ERROR(
        LiteRtLockTensorBuffer(buffer, &address, TensorBuffer::ToLiteRtLockMode(mode)));
    return std::make_pair(TensorBufferScopedLock(buffer), static_cast<T*>(address));
  }

 private:
  explicit TensorBufferScopedLock(LiteRtTensorBuffer buffer) : buffer_(buffer) {}

  LiteRtTensorBuffer buffer_;
};

}  // namespace litert

#endif  // ODML_LITERT_LITERT_CC_LITERT_TENSOR_BUFFER_H_
