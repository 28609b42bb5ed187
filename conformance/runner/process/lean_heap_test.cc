// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/runner/process/lean_heap.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cstdint>
#include <cstring>
#include <fstream>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "conformance/runner/process/worker_setup.h"

namespace npukit::conformance {
namespace {

// Of this process, in KiB.
uint64_t InHugePages() {
  std::ifstream file("/proc/self/smaps_rollup");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("AnonHugePages:")) return std::stoull(line.substr(line.find(':') + 1));
  }
  return 0;
}

// Whether this kernel puts pages together when it is asked to.
bool HasHugePages() {
  constexpr size_t kHugeBytes = size_t{2} << 20;
  constexpr int kCollapse = 25;  // MADV_COLLAPSE
  void* memory =
      mmap(nullptr, 2 * kHugeBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return false;
  std::memset(memory, 1, 2 * kHugeBytes);
  const auto aligned = (reinterpret_cast<uintptr_t>(memory) + kHugeBytes - 1) & ~(kHugeBytes - 1);
  const bool has = madvise(reinterpret_cast<void*>(aligned), kHugeBytes, kCollapse) == 0;
  munmap(memory, 2 * kHugeBytes);
  return has;
}

TEST(LeanHeap, OtherHeapsLieInHugePagesAndKeepTheirValues) {
  if (HasSanitizer()) GTEST_SKIP() << "a sanitizer's memory is left alone";
  if (!HasHugePages()) GTEST_SKIP() << "this kernel makes no huge pages when it is asked to";
  constexpr size_t kTexts = 100'000;
  std::vector<std::unique_ptr<std::string>> texts;
  OnAnotherHeap([&] {
    for (size_t i = 0; i < kTexts; ++i)
      texts.push_back(
          std::make_unique<std::string>(fmt::format("a text that is not short: {}", i)));
  });
  ASSERT_EQ(InHugePages(), 0U);
  TrimHeaps();
  ShareInHugePages();
  constexpr uint64_t kHalf = kTexts * sizeof(std::string) / 2 / 1024;
  EXPECT_GT(InHugePages(), kHalf);
  for (size_t i = 0; i < kTexts; ++i)
    ASSERT_EQ(*texts[i], fmt::format("a text that is not short: {}", i));
}

TEST(LeanHeap, AProcessWithoutOtherHeapsStaysAsItIs) {
  const uint64_t before = InHugePages();
  ShareInHugePages();
  EXPECT_GE(InHugePages(), before);
}

TEST(LeanHeap, WorkOnAnotherHeapIsDoneWhenTheCallReturns) {
  std::thread::id where;
  OnAnotherHeap([&] { where = std::this_thread::get_id(); });
  EXPECT_NE(where, std::thread::id());
  EXPECT_NE(where, std::this_thread::get_id());
}

TEST(LeanHeap, AnOwnHeapIsNotOneThatThreadsLeftBehind) {
  if (HasSanitizer()) GTEST_SKIP() << "a sanitizer's heap is one for all threads";
  constexpr uint64_t kHeapBytes = uint64_t{64} << 20;  // a multiple of which each begins at
  const auto heap_of = [](const void* memory) {
    return reinterpret_cast<uint64_t>(memory) / kHeapBytes;
  };
  std::unique_ptr<std::string> left;
  const auto allocate = [] { return std::make_unique<std::string>(1000, 'x'); };
  OnAnotherHeap([&] { left = allocate(); });
  OwnHeap heap;
  std::unique_ptr<std::string> own;
  heap.Do([&] { own = allocate(); });
  EXPECT_NE(heap_of(own->data()), heap_of(left->data()));
  EXPECT_NE(heap_of(own->data()), heap_of(allocate()->data()));
  std::unique_ptr<std::string> again;
  heap.Do([&] { again = allocate(); });
  EXPECT_EQ(heap_of(own->data()), heap_of(again->data()));
}

TEST(LeanHeap, WorkOnAnOwnHeapIsDoneWhenTheCallReturnsInOrder) {
  OwnHeap heap;
  std::vector<int> order;
  for (int i = 0; i < 1000; ++i) heap.Do([&] { order.push_back(i); });
  ASSERT_EQ(order.size(), 1000U);
  for (int i = 0; i < 1000; ++i) ASSERT_EQ(order[static_cast<size_t>(i)], i);
}

}  // namespace
}  // namespace npukit::conformance
