// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "simulator/units/zeroed_array.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <limits>
#include <new>

namespace acme {
namespace {

constexpr size_t kAlignmentBytes = 64;

size_t PageBytes() {
  static const auto kBytes = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  return kBytes;
}

size_t RoundUp(size_t bytes, size_t to) { return (bytes + to - 1) / to * to; }

}  // namespace

ZeroedPages::ZeroedPages(size_t size_bytes) {
  const size_t page = PageBytes();
  if (size_bytes > std::numeric_limits<size_t>::max() / 2) throw std::bad_alloc();
  const size_t used = RoundUp(size_bytes, kAlignmentBytes);
  const size_t body = RoundUp(used, page);
  void* const mapping =
      mmap(nullptr, body + page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapping == MAP_FAILED) throw std::bad_alloc();
  mapping_ = static_cast<uint8_t*>(mapping);
  body_bytes_ = body;
  data_ = mapping_ + (body - used);
  if (body > 0 && mprotect(mapping_, body, PROT_READ | PROT_WRITE) != 0) {
    munmap(mapping_, body + page);
    throw std::bad_alloc();
  }
}

ZeroedPages::~ZeroedPages() {
  if (mapping_ != nullptr) munmap(mapping_, body_bytes_ + PageBytes());
}

void ZeroedPages::Clear() {
  // A kernel that does not take pages back gets them cleared.
  if (body_bytes_ > 0 && madvise(mapping_, body_bytes_, MADV_DONTNEED) != 0)
    std::memset(mapping_, 0, body_bytes_);
}

}  // namespace acme
