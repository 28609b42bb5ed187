// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// A program that links heap_watch.cc has its own malloc and kin (and with them operator new), which
// count. glibc alone, and no sanitizer.

#ifndef NPUKIT_SDK_HOST_RUNTIME_TESTING_HEAP_WATCH_H_
#define NPUKIT_SDK_HOST_RUNTIME_TESTING_HEAP_WATCH_H_

#include <cstdint>

#include "npukit/internal/sanitizers.h"

#if !defined(NPUKIT_INTERNAL_SANITIZER) && defined(__GLIBC__)
#define NPUKIT_WATCHES_HEAP 1
#endif

namespace npukit::testing {

// Of all threads, since the program began.
int64_t HeapAllocations();
// Of memory in use, with what malloc rounds up and keeps beside it. Large blocks, which are pages
// of their own, count as far as they have been touched.
int64_t HeapBytes();

// What is called after each allocation and before each madvise; null for nothing. Must not
// allocate.
enum class HeapEvent { kAllocated, kAdvising };
using HeapCallback = void (*)(HeapEvent event);
void OnHeapEvent(HeapCallback callback);

}  // namespace npukit::testing

#endif  // NPUKIT_SDK_HOST_RUNTIME_TESTING_HEAP_WATCH_H_
