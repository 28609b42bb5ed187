// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Memory that begins as zeros, page by page as it is touched: what a program never uses of a
// scratchpad of megabytes costs neither time nor memory. calloc does not keep that promise: where the
// heap has room it clears all of it.

#ifndef NPUKIT_SIMULATOR_UNITS_ZEROED_ARRAY_H_
#define NPUKIT_SIMULATOR_UNITS_ZEROED_ARRAY_H_

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace acme {

// Aligned to 64 bytes. A page that nobody may touch follows within 64 bytes of the end: whoever goes
// beyond crashes, instead of reading what lies there.
class ZeroedPages {
 public:
  // Throws std::bad_alloc.
  explicit ZeroedPages(size_t size_bytes);
  ~ZeroedPages();
  ZeroedPages(ZeroedPages&& other) noexcept
      : mapping_(std::exchange(other.mapping_, nullptr)),
        body_bytes_(std::exchange(other.body_bytes_, 0)),
        data_(std::exchange(other.data_, nullptr)) {}
  ZeroedPages& operator=(ZeroedPages&&) = delete;

  uint8_t* data() const { return data_; }
  // All are zeros again, and take no memory.
  void Clear();

 private:
  uint8_t* mapping_ = nullptr;
  size_t body_bytes_ = 0;  // before the page that nobody may touch
  uint8_t* data_ = nullptr;
};

template <class T>
class ZeroedArray {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

 public:
  // Throws std::bad_alloc.
  explicit ZeroedArray(size_t count_elems) : pages_(count_elems * sizeof(T)) {}

  T* data() { return reinterpret_cast<T*>(pages_.data()); }
  const T* data() const { return reinterpret_cast<const T*>(pages_.data()); }
  void Clear() { pages_.Clear(); }

 private:
  ZeroedPages pages_;
};

}  // namespace acme

#endif  // NPUKIT_SIMULATOR_UNITS_ZEROED_ARRAY_H_
