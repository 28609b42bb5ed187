// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Which memory lies between guard pages, so that a crash there can be told as what it is: "wrote past
// the end of output 0".

#ifndef NPUKIT_CONFORMANCE_RUNNER_PROCESS_GUARDED_REGIONS_H_
#define NPUKIT_CONFORMANCE_RUNNER_PROCESS_GUARDED_REGIONS_H_

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace npukit::conformance {

// The mapping with its guard pages, and the bytes within that belong to the buffer.
struct GuardedRegion {
  const uint8_t* mapping_begin = nullptr;
  const uint8_t* mapping_end = nullptr;
  const uint8_t* data = nullptr;
  size_t size_bytes = 0;
};

inline constexpr size_t kNoGuardedRegion = ~size_t{0};

// A number for the region; kNoGuardedRegion if there are too many, which then have no name.
// Thread-safe, as is all of this.
size_t AddGuardedRegion(const GuardedRegion& region);
void NameGuardedRegion(size_t number, std::string_view name);
void RemoveGuardedRegion(size_t number);  // kNoGuardedRegion does nothing

// What an access that crashed at `address` did: "read past the end of input 0". Writes up to
// `capacity` bytes, returns how many; 0 if the address is in no region. May be called in a signal
// handler.
size_t DescribeGuardedAccess(const void* address, bool is_write, char* text, size_t capacity);

}  // namespace npukit::conformance

#endif  // NPUKIT_CONFORMANCE_RUNNER_PROCESS_GUARDED_REGIONS_H_
