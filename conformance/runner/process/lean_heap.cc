// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/runner/process/lean_heap.h"

#include <malloc.h>
#include <sys/mman.h>

#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "conformance/runner/process/worker_setup.h"

namespace npukit::conformance {
namespace {

struct Mapping {
  uint64_t begin;
  uint64_t end;
};

// Memory that belongs to no file and to neither the main heap nor the stack: heaps of other threads,
// and large blocks.
std::vector<Mapping> FindNamelessMemory() {
  std::vector<Mapping> found;
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    Mapping mapping{};
    char access[5] = "";
    uint64_t inode = 0;
    int name_at = 0;
    const int fields =
        std::sscanf(line.c_str(), "%" SCNx64 "-%" SCNx64 " %4s %*s %*s %" SCNu64 " %n",
                    &mapping.begin, &mapping.end, access, &inode, &name_at);
    const bool has_name = static_cast<size_t>(name_at) < line.size();
    if (fields == 4 && std::string(access) == "rw-p" && inode == 0 && !has_name)
      found.push_back(mapping);
  }
  return found;
}

}  // namespace

void OnAnotherHeap(const std::function<void()>& work) { std::thread(work).join(); }

void TrimHeaps() {
  constexpr int kLargeBytes = 256 << 10;
  mallopt(M_MMAP_THRESHOLD, kLargeBytes);
  malloc_trim(0);
}

void ShareInHugePages() {
  if (HasSanitizer()) return;    // its shadow memory is nameless, too, and has terabytes
  constexpr int kCollapse = 25;  // MADV_COLLAPSE, of Linux 6.1; headers of C libraries are older
  constexpr uint64_t kHugeBytes = uint64_t{2} << 20;
  for (const Mapping& mapping : FindNamelessMemory()) {
    const uint64_t begin = (mapping.begin + kHugeBytes - 1) / kHugeBytes * kHugeBytes;
    const uint64_t end = mapping.end / kHugeBytes * kHugeBytes;
    // A kernel that can't leaves the pages as they are.
    if (begin < end) madvise(reinterpret_cast<void*>(begin), end - begin, kCollapse);
  }
}

}  // namespace npukit::conformance
