// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/runner/process/guarded_regions.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <mutex>

namespace npukit::conformance {
namespace {

constexpr size_t kMaxRegions = 256;
constexpr size_t kMaxNameBytes = 40;

// Fixed in size and never freed: a signal handler reads it.
struct Entry {
  std::atomic<bool> used = false;
  GuardedRegion region;
  char name[kMaxNameBytes + 1] = "";
};
Entry entries[kMaxRegions];
std::mutex entries_mutex;

// Appends as much as fits.
size_t Append(const char* what, char* text, size_t length, size_t capacity) {
  const size_t more = std::min(std::strlen(what), capacity - length);
  std::copy_n(what, more, text + length);
  return length + more;
}

const char* Place(const GuardedRegion& region, const uint8_t* address) {
  if (address < region.data) return " before the start of ";
  if (address >= region.data + region.size_bytes) return " past the end of ";
  return " to ";
}

}  // namespace

size_t AddGuardedRegion(const GuardedRegion& region) {
  const std::lock_guard<std::mutex> lock(entries_mutex);
  for (size_t i = 0; i < kMaxRegions; ++i) {
    if (entries[i].used) continue;
    entries[i].region = region;
    std::strcpy(entries[i].name, "a buffer");
    // Last: the handler reads without the lock, and must find the whole of what is used.
    entries[i].used = true;
    return i;
  }
  return kNoGuardedRegion;
}

void NameGuardedRegion(size_t number, std::string_view name) {
  if (number >= kMaxRegions) return;
  const std::lock_guard<std::mutex> lock(entries_mutex);
  const size_t length = std::min(name.size(), kMaxNameBytes);
  // A handler at that moment tells a mixture of two names at worst: the last byte is always zero.
  std::memcpy(entries[number].name, name.data(), length);
  entries[number].name[length] = '\0';
}

void RemoveGuardedRegion(size_t number) {
  if (number >= kMaxRegions) return;
  const std::lock_guard<std::mutex> lock(entries_mutex);
  entries[number].used = false;
}

size_t DescribeGuardedAccess(const void* address, bool is_write, char* text, size_t capacity) {
  const auto* at = static_cast<const uint8_t*>(address);
  for (const Entry& entry : entries) {
    if (!entry.used) continue;
    if (at < entry.region.mapping_begin || at >= entry.region.mapping_end) continue;
    size_t length = Append(is_write ? "wrote" : "read", text, 0, capacity);
    length = Append(Place(entry.region, at), text, length, capacity);
    return Append(entry.name, text, length, capacity);
  }
  return 0;
}

}  // namespace npukit::conformance
