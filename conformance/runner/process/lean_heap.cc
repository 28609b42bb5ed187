// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/runner/process/lean_heap.h"

#include <malloc.h>
#include <sys/mman.h>

#include <algorithm>
#include <cinttypes>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <mutex>
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

// Waits for work until it is destroyed.
class OwnHeap::Thread {
 public:
  Thread() : thread_([this] { Run(); }) {}

  ~Thread() {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      is_over_ = true;
    }
    changed_.notify_all();
    thread_.join();
  }

  void Do(const std::function<void()>& work) {
    std::unique_lock<std::mutex> lock(mutex_);
    work_ = &work;
    changed_.notify_all();
    changed_.wait(lock, [this] { return work_ == nullptr; });
  }

  // Where it allocates.
  uint64_t FindHeap() {
    uint64_t address = 0;
    Do([&] { address = reinterpret_cast<uint64_t>(std::make_unique<std::vector<int>>(64).get()); });
    return address;
  }

 private:
  void Run() {
    std::unique_lock<std::mutex> lock(mutex_);
    while (true) {
      changed_.wait(lock, [this] { return work_ != nullptr || is_over_; });
      if (is_over_) return;
      (*work_)();
      work_ = nullptr;
      changed_.notify_all();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  const std::function<void()>* work_ = nullptr;
  bool is_over_ = false;
  std::thread thread_;  // last: it uses the others
};

OwnHeap::OwnHeap() {
  if (HasSanitizer()) return;
  constexpr size_t kMostThreads = 8;  // a C library with few heaps has none to spare
  const std::vector<Mapping> before = FindNamelessMemory();
  bool is_own = false;
  while (!is_own && threads_.size() < kMostThreads) {
    threads_.push_back(std::make_unique<Thread>());
    const uint64_t heap = threads_.back()->FindHeap();
    is_own = std::none_of(before.begin(), before.end(), [heap](const Mapping& mapping) {
      return mapping.begin <= heap && heap < mapping.end;
    });
  }
}

OwnHeap::~OwnHeap() = default;

void OwnHeap::Do(const std::function<void()>& work) {
  if (threads_.empty()) return work();
  threads_.back()->Do(work);
}

void DoOn(OwnHeap* heap, const std::function<void()>& work) {
  if (heap == nullptr) return work();
  heap->Do(work);
}

void TrimHeaps() {
  constexpr int kLargeBytes = 96 << 10;
  mallopt(M_MMAP_THRESHOLD, kLargeBytes);
  // Small free blocks are joined at once: put aside, a worker's first large block would visit them all.
  mallopt(M_MXFAST, 0);
  malloc_trim(0);
}

void KeepFreedMemory() {
  constexpr int kNoBlockBytes = 32 << 20;  // the most that can be said
  mallopt(M_MMAP_THRESHOLD, kNoBlockBytes);
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
  mallopt(M_TOP_PAD, 1 << 20);
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
