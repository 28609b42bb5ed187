// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_INTERNAL_HANDLE_TABLE_H_
#define NPUKIT_INTERNAL_HANDLE_TABLE_H_

// The objects that a dispatch library has given out, so that a handle that it
// never gave, or has taken back, is an error and not a crash.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "npukit/internal/namespace.h"

NPUKIT_NAMESPACE_BEGIN
namespace internal {

// Numbers, never 0 and never reused, for objects that the table shares with
// whoever is using them. Thread-safe.
class AnyHandleTable {
 public:
  uint64_t Add(std::shared_ptr<void> object) {
    const std::lock_guard<std::mutex> lock(mutex_);
    entries_.push_back(Entry{++last_, std::move(object)});
    return last_;
  }

  std::shared_ptr<void> Find(uint64_t handle) const {
    const std::lock_guard<std::mutex> lock(mutex_);
    const size_t i = IndexOf(handle);
    return i < entries_.size() ? entries_[i].object : nullptr;
  }

  std::shared_ptr<void> Remove(uint64_t handle) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const size_t i = IndexOf(handle);
    if (i == entries_.size()) return nullptr;
    std::shared_ptr<void> object = std::move(entries_[i].object);
    entries_.erase(entries_.begin() + static_cast<ptrdiff_t>(i));
    return object;
  }

 private:
  struct Entry {
    uint64_t handle;
    std::shared_ptr<void> object;
  };

  // The size if there is none. The entries are in ascending order.
  size_t IndexOf(uint64_t handle) const {
    size_t low = 0;
    size_t high = entries_.size();
    while (low < high) {
      const size_t middle = low + (high - low) / 2;
      if (entries_[middle].handle < handle) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low < entries_.size() && entries_[low].handle == handle ? low : entries_.size();
  }

  mutable std::mutex mutex_;
  std::vector<Entry> entries_;
  uint64_t last_ = 0;
};

// The same for objects of type T.
template <class T>
class HandleTable {
 public:
  // Takes the object over. (std::make_shared would leave a symbol that keeps
  // the library from being unloaded.)
  uint64_t Add(T* object) { return table_.Add(std::shared_ptr<T>(object)); }
  // Null if there is no such object.
  std::shared_ptr<T> Find(uint64_t handle) const {
    return std::static_pointer_cast<T>(table_.Find(handle));
  }
  // Takes the object out: the last user destroys it.
  std::shared_ptr<T> Remove(uint64_t handle) {
    return std::static_pointer_cast<T>(table_.Remove(handle));
  }

 private:
  AnyHandleTable table_;
};

// The same behind LiteRT's opaque pointers: the number stands in the pointer,
// which nobody follows.
template <class Handle, class T>
class PointerTable {
 public:
  Handle Add(T* object) {
    // Multiples of 16, as pointers are, in case a caller looks at the low bits.
    const auto number = static_cast<uintptr_t>(table_.Add(object)) << 4;
    return reinterpret_cast<Handle>(number);  // NOLINT(performance-no-int-to-ptr)
  }
  std::shared_ptr<T> Find(Handle handle) const { return table_.Find(ToNumber(handle)); }
  std::shared_ptr<T> Remove(Handle handle) { return table_.Remove(ToNumber(handle)); }

 private:
  static uint64_t ToNumber(Handle handle) {
    const auto bits = reinterpret_cast<uintptr_t>(handle);
    return (bits & 15) == 0 ? bits >> 4 : 0;
  }

  HandleTable<T> table_;
};

}  // namespace internal
NPUKIT_NAMESPACE_END

#endif  // NPUKIT_INTERNAL_HANDLE_TABLE_H_
