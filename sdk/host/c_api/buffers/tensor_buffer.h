// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What is behind LiteRtTensorBuffer: typed host memory with a reference count,
// a lock state and an event.

#ifndef NPUKIT_SDK_HOST_C_API_BUFFERS_TENSOR_BUFFER_H_
#define NPUKIT_SDK_HOST_C_API_BUFFERS_TENSOR_BUFFER_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>

#include "litert/c/litert_event.h"
#include "litert/c/litert_model_types.h"
#include "litert/c/litert_tensor_buffer_types.h"
#include "sdk/host/c_api/buffers/custom_memory.h"

namespace npukit {

// Bytes of a tensor of that type without padding; nullopt if its rank or a
// dimension is not known, or its elements have no fixed size.
std::optional<uint64_t> PackedBytes(const LiteRtRankedTensorType& type);

// Memory of a kind that is registered with the environment, which may be null;
// kLiteRtStatusErrorUnsupported if it is not. No pointer is null.
LiteRtStatus CreateCustom(LiteRtEnvironment environment, LiteRtTensorBufferType buffer_type,
                          const LiteRtRankedTensorType& type, size_t size_bytes,
                          LiteRtTensorBuffer* buffer);

struct EventDeleter {
  void operator()(LiteRtEventT* event) const { LiteRtDestroyEvent(event); }
};

}  // namespace npukit

// Reference counting and locking are thread-safe; setting the event is not, but for a thread that only looks at
// the buffer meanwhile.
class LiteRtTensorBufferT {
 public:
  // With one reference. `address` is aligned and holds `size_bytes`, which is
  // not below `packed_bytes`; it goes to the deallocator, if there is one, at
  // the end.
  LiteRtTensorBufferT(const LiteRtRankedTensorType& type, void* address, size_t size_bytes,
                      size_t packed_bytes, LiteRtHostMemoryDeallocator deallocator)
      : type_(type),
        address_(address),
        size_bytes_(size_bytes),
        packed_bytes_(packed_bytes),
        deallocator_(deallocator) {}
  // Of memory that only a library's own functions reach.
  LiteRtTensorBufferT(const LiteRtRankedTensorType& type, const npukit::CustomMemory& memory,
                      size_t size_bytes, size_t packed_bytes)
      : type_(type),
        address_(nullptr),
        size_bytes_(size_bytes),
        packed_bytes_(packed_bytes),
        deallocator_(nullptr),
        custom_(memory) {}
  LiteRtTensorBufferT(const LiteRtTensorBufferT&) = delete;
  LiteRtTensorBufferT& operator=(const LiteRtTensorBufferT&) = delete;
  ~LiteRtTensorBufferT() {
    if (deallocator_) deallocator_(address_);
    if (custom_) custom_->handlers.destroy(custom_->info);
  }

  const LiteRtRankedTensorType& type() const { return type_; }
  LiteRtTensorBufferType buffer_type() const {
    return custom_ ? custom_->buffer_type : kLiteRtTensorBufferTypeHostMemory;
  }
  // Of custom memory: where it was mapped last, which holds while the buffer is locked.
  void* address() const { return address_; }
  // Null for host memory.
  const npukit::CustomMemory* custom() const { return custom_ ? &*custom_ : nullptr; }
  size_t size_bytes() const { return size_bytes_; }
  size_t packed_bytes() const { return packed_bytes_; }

  void AddReference() { references_.fetch_add(1, std::memory_order_relaxed); }
  // True if it was the last one.
  bool DropReference() { return references_.fetch_sub(1, std::memory_order_acq_rel) == 1; }

  // False if the buffer is locked in a way that excludes it.
  bool TryLock(LiteRtTensorBufferLockMode mode);
  // False if the buffer is not locked.
  bool Unlock();
  // How many readers have locked it; -1: it is locked for writing.
  int lock_state() const { return lock_.load(); }
  // What a lock also takes for custom memory; nothing for host memory.
  LiteRtStatus Map(LiteRtTensorBufferLockMode mode);
  // Ends both: another's lock does not begin before this one's mapping has ended. RuntimeFailure if
  // the buffer is not locked.
  LiteRtStatus UnmapAndUnlock();

  LiteRtEventT* event() const { return event_.get(); }
  void set_event(LiteRtEventT* event) {
    // The one before ends outside: it may wait for others who look.
    std::unique_ptr<LiteRtEventT, npukit::EventDeleter> previous(event);
    const std::lock_guard lock(event_mutex_);
    event_.swap(previous);
  }
  // Takes it away without ending it.
  LiteRtEventT* release_event() {
    const std::lock_guard lock(event_mutex_);
    return event_.release();
  }
  // For a thread that only looks: the custom event that is set, retained for the caller. Null: there is none.
  LiteRtCustomEvent RetainCustomEvent() const;

 private:
  static constexpr int kWriteLocked = -1;

  const LiteRtRankedTensorType type_;
  std::atomic<void*> address_;
  const size_t size_bytes_;
  const size_t packed_bytes_;
  const LiteRtHostMemoryDeallocator deallocator_;
  const std::optional<npukit::CustomMemory> custom_;
  std::atomic<int> references_ = 1;
  std::atomic<int> lock_ = 0;  // number of readers, or kWriteLocked
  mutable std::mutex event_mutex_;
  std::unique_ptr<LiteRtEventT, npukit::EventDeleter> event_;
};

#endif  // NPUKIT_SDK_HOST_C_API_BUFFERS_TENSOR_BUFFER_H_
