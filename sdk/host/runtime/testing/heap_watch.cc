// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/runtime/testing/heap_watch.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdint>

#ifdef NPUKIT_WATCHES_HEAP
#include <malloc.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

#ifndef NPUKIT_WATCHES_HEAP
namespace npukit::testing {
int64_t HeapAllocations() { return 0; }
int64_t HeapBytes() { return 0; }
void OnHeapEvent(HeapCallback /*callback*/) {}
}  // namespace npukit::testing
#else

namespace {

using npukit::testing::HeapCallback;
using npukit::testing::HeapEvent;

constexpr size_t kLargeBytes = 128 << 10;  // malloc maps blocks of this size and more by themselves

std::atomic<int64_t> g_allocations{0};
std::atomic<int64_t> g_small_bytes{0};
std::atomic<HeapCallback> g_callback{nullptr};
std::array<std::atomic<void*>, 4096> g_large{};  // null where free

void Report(HeapEvent event) {
  if (const HeapCallback callback = g_callback; callback != nullptr) callback(event);
}

void Exchange(void* from, void* to) {
  for (std::atomic<void*>& slot : g_large) {
    void* expected = from;
    if (slot.compare_exchange_strong(expected, to)) return;
  }
}

void Add(void* memory) {
  if (memory == nullptr) return;
  const size_t size = malloc_usable_size(memory);
  if (size < kLargeBytes) {
    g_small_bytes += static_cast<int64_t>(size + sizeof(size_t));
  } else {
    Exchange(nullptr, memory);
  }
}

void Remove(void* memory) {
  if (memory == nullptr) return;
  const size_t size = malloc_usable_size(memory);
  if (size < kLargeBytes) {
    g_small_bytes -= static_cast<int64_t>(size + sizeof(size_t));
  } else {
    Exchange(memory, nullptr);
  }
}

void* Counted(void* memory) {
  g_allocations.fetch_add(1, std::memory_order_relaxed);
  Add(memory);
  Report(HeapEvent::kAllocated);
  return memory;
}

// Of the pages in which the block lies.
int64_t ResidentBytes(void* memory) {
  const auto page_bytes = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
  const auto begin = reinterpret_cast<uintptr_t>(memory) / page_bytes * page_bytes;
  const uintptr_t end = reinterpret_cast<uintptr_t>(memory) + malloc_usable_size(memory);
  int64_t pages = 0;
  std::array<unsigned char, 1024> present;
  for (uintptr_t at = begin; at < end; at += present.size() * page_bytes) {
    const size_t bytes = std::min<uintptr_t>(end - at, present.size() * page_bytes);
    if (mincore(reinterpret_cast<void*>(at), bytes, present.data()) != 0) return 0;
    const size_t count = (bytes + page_bytes - 1) / page_bytes;
    for (size_t i = 0; i < count; ++i) pages += present[i] & 1;
  }
  return pages * static_cast<int64_t>(page_bytes);
}

}  // namespace

namespace npukit::testing {

int64_t HeapAllocations() { return g_allocations; }

int64_t HeapBytes() {
  int64_t bytes = g_small_bytes;
  for (const std::atomic<void*>& slot : g_large) {
    if (void* memory = slot; memory != nullptr) bytes += ResidentBytes(memory);
  }
  return bytes;
}

void OnHeapEvent(HeapCallback callback) {
  // Else malloc learns to take large blocks from its own heap, once one has been freed.
  mallopt(M_MMAP_THRESHOLD, kLargeBytes);
  g_callback = callback;
}

}  // namespace npukit::testing

extern "C" {
void* __libc_malloc(size_t);            // NOLINT(bugprone-reserved-identifier)
void* __libc_calloc(size_t, size_t);    // NOLINT(bugprone-reserved-identifier)
void* __libc_realloc(void*, size_t);    // NOLINT(bugprone-reserved-identifier)
void* __libc_memalign(size_t, size_t);  // NOLINT(bugprone-reserved-identifier)
void __libc_free(void*);                // NOLINT(bugprone-reserved-identifier)

void* malloc(size_t size) { return Counted(__libc_malloc(size)); }
void* calloc(size_t count, size_t size) { return Counted(__libc_calloc(count, size)); }
void* realloc(void* old, size_t size) {
  Remove(old);
  void* memory = __libc_realloc(old, size);
  if (memory == nullptr && size != 0) Add(old);
  return Counted(memory);
}
void* aligned_alloc(size_t alignment, size_t size) {
  return Counted(__libc_memalign(alignment, size));
}
int posix_memalign(void** out, size_t alignment, size_t size) {
  *out = Counted(__libc_memalign(alignment, size));
  return *out == nullptr ? ENOMEM : 0;
}
void free(void* memory) {
  Remove(memory);
  __libc_free(memory);
}
int madvise(void* address, size_t size, int advice) noexcept {
  Report(HeapEvent::kAdvising);
  return static_cast<int>(syscall(SYS_madvise, address, size, advice));
}
}
#endif
