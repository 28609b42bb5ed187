// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_INTERNAL_DISPATCH_ATTACHED_BUFFERS_H_
#define NPUKIT_INTERNAL_DISPATCH_ATTACHED_BUFFERS_H_

// The tensor buffers that are registered with a device and attached to an invocation, and the
// memory behind them.

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "litert/c/litert_common.h"
#include "litert/c/litert_model_types.h"
#include "litert/c/litert_tensor_buffer.h"
#include "litert/cc/internal/litert_text.h"
#include "litert/cc/litert_common.h"
#include "litert/cc/litert_expected.h"
#include "litert/cc/litert_macros.h"
#include "litert/cc/litert_ranked_tensor_type.h"
#include "npukit/device.h"
#include "npukit/internal/handle_table.h"
#include "npukit/internal/namespace.h"

NPUKIT_NAMESPACE_BEGIN
namespace internal {

struct RegisteredBuffer {
  // Keeps the tensor buffer, where the host has that function: applications and LiteRT itself let it go
  // while an event still holds up a run that uses it.
  RegisteredBuffer(LiteRtTensorBuffer tensor_buffer, uint64_t number)
      : buffer(tensor_buffer),
        registration(number),
        is_kept_(LiteRtDuplicateTensorBuffer(tensor_buffer) == kLiteRtStatusOk) {}
  // Tells the device that it went, if it was unregistered while runs used it.
  ~RegisteredBuffer() {
    if (told_late != nullptr) (void)told_late->Unregister(registration);
    if (is_kept_) LiteRtDestroyTensorBuffer(buffer);
  }
  RegisteredBuffer(const RegisteredBuffer&) = delete;
  RegisteredBuffer& operator=(const RegisteredBuffer&) = delete;

  LiteRtTensorBuffer buffer;
  uint64_t registration;
  Device* told_late = nullptr;  // outlives every run
  // Held by a run that has the buffer as its scratchpad.
  const std::shared_ptr<std::mutex> in_use{new std::mutex};

 private:
  bool is_kept_;
};

// The memory behind a tensor buffer, and what it holds.
struct BufferMemory {
  void* data = nullptr;
  size_t size_bytes = 0;
  LiteRtRankedTensorType type{};
  uint64_t registration = 0;
  std::shared_ptr<std::mutex> in_use;

  // All but the address.
  static ::litert::Expected<BufferMemory> Describe(const RegisteredBuffer& registered) {
    BufferMemory memory;
    LITERT_RETURN_IF_ERROR(LiteRtGetTensorBufferTensorType(registered.buffer, &memory.type));
    LITERT_RETURN_IF_ERROR(LiteRtGetTensorBufferPackedSize(registered.buffer, &memory.size_bytes));
    memory.registration = registered.registration;
    memory.in_use = registered.in_use;
    return memory;
  }

  template <class View>
  View As() const {
    return View{static_cast<decltype(View::data)>(data), size_bytes,
                ::litert::RankedTensorType(type), registration};
  }
};

// A tensor buffer locked for as long as it lives.
class LockedBuffer {
 public:
  static ::litert::Expected<LockedBuffer> Lock(const RegisteredBuffer& registered,
                                               LiteRtTensorBufferLockMode mode) {
    LockedBuffer locked;
    LITERT_ASSIGN_OR_RETURN(locked.memory_, BufferMemory::Describe(registered));
    LITERT_RETURN_IF_ERROR(LiteRtLockTensorBuffer(registered.buffer, &locked.memory_.data, mode));
    locked.buffer_ = registered.buffer;
    return locked;
  }

  LockedBuffer(LockedBuffer&& other) noexcept { *this = std::move(other); }
  LockedBuffer& operator=(LockedBuffer&& other) noexcept {
    std::swap(buffer_, other.buffer_);
    std::swap(memory_, other.memory_);
    return *this;
  }
  ~LockedBuffer() { (void)Unlock(); }

  // For outputs this is where the data gets to where it belongs.
  LiteRtStatus Unlock() {
    if (buffer_ == nullptr) return kLiteRtStatusOk;
    return LiteRtUnlockTensorBuffer(std::exchange(buffer_, nullptr));
  }

  const BufferMemory& memory() const { return memory_; }

 private:
  LockedBuffer() = default;

  LiteRtTensorBuffer buffer_ = nullptr;
  BufferMemory memory_;
};

// The buffers attached to one side of an invocation; 0 where there is none.
class Bindings {
 public:
  Bindings(const char* side, size_t size) : side_(side), handles_(size) {}
  Bindings(const char* side, std::vector<uint64_t> handles)
      : side_(side), handles_(std::move(handles)) {}

  ::litert::Expected<void> Attach(int index, uint64_t handle) {
    LITERT_RETURN_IF_ERROR(CheckIndex(index));
    handles_[static_cast<size_t>(index)] = handle;
    return {};
  }
  // What is attached elsewhere, or was replaced, stays as it is: LiteRT from 2.2.0 on detaches a
  // buffer once the next one is attached in its place.
  ::litert::Expected<void> Detach(int index, uint64_t handle) {
    LITERT_RETURN_IF_ERROR(CheckIndex(index));
    uint64_t& attached = handles_[static_cast<size_t>(index)];
    if (attached == handle) attached = 0;
    return {};
  }

  bool IsAttached(int index, uint64_t handle) const {
    return handle != 0 && CheckIndex(index) && handles_[static_cast<size_t>(index)] == handle;
  }

  size_t size() const { return handles_.size(); }
  const std::vector<uint64_t>& handles() const { return handles_; }

  ::litert::Expected<void> CheckIndex(int index) const {
    if (index >= 0 && static_cast<size_t>(index) < handles_.size()) return {};
    return ::litert::Unexpected(
        ::litert::Status::kErrorIndexOOB,
        ::litert::internal::Text({"no ", side_, " ", index, ", there are ", handles_.size()}));
  }

  // For a run that ends before the caller goes on.
  ::litert::Expected<std::vector<LockedBuffer>> LockAll(
      const HandleTable<RegisteredBuffer>& buffers, LiteRtTensorBufferLockMode mode) const {
    std::vector<LockedBuffer> locked;
    locked.reserve(handles_.size());
    for (size_t i = 0; i < handles_.size(); ++i) {
      LITERT_ASSIGN_OR_RETURN(const auto registered, Find(buffers, i));
      auto one = LockedBuffer::Lock(*registered, mode);
      if (!one) {
        return ::litert::Unexpected(one.Error().Status(),
                                    ::litert::internal::Text({"cannot lock ", side_, " ", i, ": ",
                                                              one.Error().ToString()}));
      }
      locked.push_back(std::move(*one));
    }
    return locked;
  }

  // For a run that goes on after the call: no lock. A lock waits for the event that a host sets on
  // the buffer of an output, which is the run's own; and an application may hold one. Nullopt if a
  // buffer lies where only a lock tells.
  ::litert::Expected<std::optional<std::vector<BufferMemory>>> Memory(
      const HandleTable<RegisteredBuffer>& buffers, const Device& device) const {
    std::vector<BufferMemory> all;
    all.reserve(handles_.size());
    for (size_t i = 0; i < handles_.size(); ++i) {
      LITERT_ASSIGN_OR_RETURN(const auto registered, Find(buffers, i));
      LITERT_ASSIGN_OR_RETURN(BufferMemory memory, BufferMemory::Describe(*registered));
      LITERT_ASSIGN_OR_RETURN(memory.data, AddressOf(registered->buffer, device));
      if (memory.data == nullptr) return std::optional<std::vector<BufferMemory>>();
      all.push_back(memory);
    }
    return std::optional<std::vector<BufferMemory>>(std::move(all));
  }

  // What is attached, for who must keep it.
  void AddTo(std::vector<std::shared_ptr<void>>& all,
             const HandleTable<RegisteredBuffer>& buffers) const {
    for (uint64_t handle : handles_) all.push_back(buffers.Find(handle));
  }

 private:
  ::litert::Expected<std::shared_ptr<RegisteredBuffer>> Find(
      const HandleTable<RegisteredBuffer>& buffers, size_t index) const {
    if (handles_[index] == 0) return Bad({side_, " ", index, " is not attached"});
    auto registered = buffers.Find(handles_[index]);
    if (registered == nullptr) {
      return Bad({side_, " ", index, ": its buffer ", handles_[index], " was unregistered"});
    }
    return registered;
  }
  // Null where only a lock tells.
  static ::litert::Expected<void*> AddressOf(LiteRtTensorBuffer buffer, const Device& device) {
    LiteRtTensorBufferType type = kLiteRtTensorBufferTypeUnknown;
    LITERT_RETURN_IF_ERROR(LiteRtGetTensorBufferType(buffer, &type));
    void* address = nullptr;
    if (type == kLiteRtTensorBufferTypeHostMemory) {
      LITERT_RETURN_IF_ERROR(LiteRtGetTensorBufferHostMemory(buffer, &address));
      return address;
    }
    HwMemoryHandle memory = nullptr;
    const LiteRtStatus status = LiteRtGetTensorBufferCustomTensorBufferHandle(buffer, &memory);
    return status == kLiteRtStatusOk ? device.AddressOf(memory) : nullptr;
  }
  static ::litert::Unexpected Bad(std::initializer_list<::litert::internal::TextPiece> what) {
    return ::litert::Unexpected(::litert::Status::kErrorInvalidArgument,
                                ::litert::internal::Text(what));
  }

  const char* side_;
  std::vector<uint64_t> handles_;
};

}  // namespace internal
NPUKIT_NAMESPACE_END

#endif  // NPUKIT_INTERNAL_DISPATCH_ATTACHED_BUFFERS_H_
