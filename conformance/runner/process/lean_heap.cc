// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/runner/process/lean_heap.h"

#include <malloc.h>

#include <thread>

namespace npukit::conformance {

void OnAnotherHeap(const std::function<void()>& work) { std::thread(work).join(); }

void TrimHeaps() {
  constexpr int kLargeBytes = 256 << 10;
  mallopt(M_MMAP_THRESHOLD, kLargeBytes);
  malloc_trim(0);
}

}  // namespace npukit::conformance
