// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/runner/vendor/guarded_memory.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

namespace npukit::conformance {
namespace {

constexpr uint8_t kPattern = 0xa7;

size_t PageBytes() {
  static const auto page_bytes = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  return page_bytes;
}

}  // namespace

litert::Expected<GuardedMemory> GuardedMemory::Allocate(size_t size_bytes, size_t alignment_bytes,
                                                        size_t offset_bytes) {
  const size_t page = PageBytes();
  const size_t alignment = std::max<size_t>(alignment_bytes, 1);
  const size_t inner = (size_bytes + alignment + offset_bytes + page - 1) / page * page;
  GuardedMemory memory;
  memory.mapping_bytes_ = inner + 2 * page;
  void* mapping =
      mmap(nullptr, memory.mapping_bytes_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapping == MAP_FAILED) {
    return litert::Unexpected(kLiteRtStatusErrorMemoryAllocationFailure,
                              "no memory for a tensor buffer");
  }
  memory.mapping_ = static_cast<uint8_t*>(mapping);
  mprotect(memory.mapping_ + page, inner, PROT_READ | PROT_WRITE);
  std::memset(memory.mapping_ + page, kPattern, inner);
  uint8_t* const latest_start = memory.mapping_ + page + inner - size_bytes;
  const size_t past_alignment =
      (reinterpret_cast<uintptr_t>(latest_start) - offset_bytes) % alignment;
  memory.data_ = latest_start - past_alignment;
  memory.size_bytes_ = size_bytes;
  std::memset(memory.data_, 0, size_bytes);
  return memory;
}

GuardedMemory::GuardedMemory(GuardedMemory&& other) noexcept
    : mapping_(std::exchange(other.mapping_, nullptr)),
      mapping_bytes_(other.mapping_bytes_),
      data_(other.data_),
      size_bytes_(other.size_bytes_) {}

GuardedMemory& GuardedMemory::operator=(GuardedMemory&& other) noexcept {
  std::swap(mapping_, other.mapping_);
  std::swap(mapping_bytes_, other.mapping_bytes_);
  std::swap(data_, other.data_);
  std::swap(size_bytes_, other.size_bytes_);
  return *this;
}

GuardedMemory::~GuardedMemory() {
  if (mapping_ != nullptr) munmap(mapping_, mapping_bytes_);
}

bool GuardedMemory::Intact() const {
  const uint8_t* begin = mapping_ + PageBytes();
  const uint8_t* end = mapping_ + mapping_bytes_ - PageBytes();
  auto untouched = [](uint8_t byte) { return byte == kPattern; };
  return std::all_of(begin, static_cast<const uint8_t*>(data_), untouched) &&
         std::all_of(static_cast<const uint8_t*>(data_) + size_bytes_, end, untouched);
}

void GuardedMemory::MakeReadOnly() {
  mprotect(mapping_ + PageBytes(), mapping_bytes_ - 2 * PageBytes(), PROT_READ);
}

}  // namespace npukit::conformance
