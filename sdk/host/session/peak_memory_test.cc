// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What a model costs while it is loaded, planned and run: at most the model's file and 1.3 times
// the ideal arena. What counts for large models is
//   the heap, byte by byte, with what malloc adds (large blocks: the pages touched), and
//   the pages of the mapped file that are resident, as the page tables have them,
// whenever the heap has grown and before pages are given back. For small models only the heap
// counts, with an allowance: a read of one byte of a mapped file maps as much around it as the page
// cache holds together, which of a small file is anything from 4 KiB to the whole, from one machine
// to the next. What a process costs by itself, and
// the libraries' code, are not the model's. (The system's own peak, VmHWM, is a sum that each
// processor adds to in batches of pages: it is off by some 100 KiB, more than most of these models
// take.)

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "sdk/host/runtime/testing/heap_watch.h"
#include "sdk/host/session/session.h"
#include "tests/support/shared_dir.h"

namespace npukit {
namespace {

namespace fs = std::filesystem;

// Records of graph and plan, some 1.2 KiB for a tensor and its op; bias and multipliers in the order of
// packed weights beside those of the file; what a session has without any op, some 10 KiB. Measured: 55 KB
// at most; panels of 16 channels pad more than those of 8. Large models make up for that: they have none.
constexpr int64_t kAllowanceBytes = int64_t{64} << 10;
constexpr int64_t kLargeModelBytes = int64_t{2} << 20;

// Reads the resident bytes of one mapped file. Allocates nothing after construction.
class ResidentFile {
 public:
  explicit ResidentFile(const std::string& path) : path_(fs::canonical(path).string() + "\n") {}

  // 0 if it is not mapped, -1 if the system does not tell.
  int64_t Bytes() {
    const int file = open("/proc/self/smaps", O_RDONLY | O_CLOEXEC);
    if (file < 0) return -1;
    size_t size = 0;
    for (ssize_t got; (got = read(file, text_.data() + size, text_.size() - 1 - size)) > 0;)
      size += static_cast<size_t>(got);
    close(file);
    text_[size] = 0;
    const char* mapping = std::strstr(text_.data(), path_.c_str());
    if (mapping == nullptr) return 0;
    const char* resident = std::strstr(mapping, "\nRss:");
    return resident == nullptr ? -1 : std::strtoll(resident + 5, nullptr, 10) << 10;
  }

 private:
  std::string path_;
  std::vector<char> text_ = std::vector<char>(size_t{1} << 20);
};

// The highest sum of heap and file seen while it lives. One at a time.
class PeakWatch {
 public:
  explicit PeakWatch(const std::string& path) : file_(path) {
    self_ = this;
    before_bytes_ = testing::HeapBytes();
    testing::OnHeapEvent([](testing::HeapEvent event) {
      const int64_t change_bytes = testing::HeapBytes() - self_->before_bytes_ - self_->seen_bytes_;
      if (event == testing::HeapEvent::kAdvising || std::abs(change_bytes) >= kStepBytes)
        self_->Look();
    });
  }
  ~PeakWatch() { testing::OnHeapEvent(nullptr); }

  void Look() {
    seen_bytes_ = testing::HeapBytes() - before_bytes_;
    peak_heap_bytes_ = std::max(peak_heap_bytes_, seen_bytes_);
    const int64_t file_bytes = file_.Bytes();
    if (file_bytes < 0) is_told_ = false;
    if (seen_bytes_ + file_bytes <= peak_bytes()) return;
    heap_bytes_ = seen_bytes_;
    file_bytes_ = file_bytes;
  }

  int64_t heap_bytes() const { return heap_bytes_; }  // when the peak was reached
  int64_t file_bytes() const { return file_bytes_; }
  int64_t peak_bytes() const { return heap_bytes_ + file_bytes_; }
  int64_t peak_heap_bytes() const { return peak_heap_bytes_; }
  bool is_told() const { return is_told_; }

 private:
  static constexpr int64_t kStepBytes = 4096;

  static inline PeakWatch* self_ = nullptr;
  ResidentFile file_;
  int64_t before_bytes_ = 0;
  int64_t seen_bytes_ = 0;
  int64_t heap_bytes_ = 0;
  int64_t file_bytes_ = 0;
  int64_t peak_heap_bytes_ = 0;
  bool is_told_ = true;
};

struct Cost {
  int64_t limit_bytes = 0;
  int64_t peak_bytes = 0;
  bool is_measured = false;
};

Cost Measure(const fs::path& path) {
  PeakWatch watch(path.string());
  auto session = Session::Open(path.string(), {});
  if (!session) return {};
  SignatureRunner& runner = (*session)->default_runner();
  if (!runner.Run()) return {};
  watch.Look();
  testing::OnHeapEvent(nullptr);
  const MemoryReport report = runner.memory();
  EXPECT_LE(report.arena_bytes * 10, report.ideal_arena_bytes * 13) << path;
  const auto model_bytes = static_cast<int64_t>(fs::file_size(path));
  const int64_t goal_bytes = model_bytes + static_cast<int64_t>(report.ideal_arena_bytes) * 13 / 10;
  const bool is_large = model_bytes >= kLargeModelBytes;
  const Cost cost = {.limit_bytes = goal_bytes + (is_large ? 0 : kAllowanceBytes),
                     .peak_bytes = is_large ? watch.peak_bytes() : watch.peak_heap_bytes(),
                     .is_measured = watch.is_told()};
  std::printf(
      "%-44s model %8jd  arena %8jd (ideal %8jd)  packed %8jd  peak: heap %8jd, file %7jd; "
      "above the goal %+9jd\n",
      path.stem().c_str(), intmax_t{model_bytes}, static_cast<intmax_t>(report.arena_bytes),
      static_cast<intmax_t>(report.ideal_arena_bytes), static_cast<intmax_t>(report.packed_bytes),
      intmax_t{watch.heap_bytes()}, intmax_t{watch.file_bytes()},
      intmax_t{cost.peak_bytes - goal_bytes});
  return cost;
}

TEST(PeakMemory, TheModelAndTheArena) {
#ifndef NPUKIT_WATCHES_HEAP
  GTEST_SKIP() << "malloc cannot be replaced in this build";
#endif
  const fs::path folder = fs::path(SharedDir()) / "models";
  if (!fs::exists(folder)) GTEST_SKIP() << folder << " is absent: real models are not measured";
  size_t measured = 0;
  for (const auto& file : fs::directory_iterator(folder)) {
    if (file.path().extension() != ".tflite") continue;
    const Cost cost = Measure(file.path());
    if (!cost.is_measured) continue;  // golden_model_test says which run
    ++measured;
    EXPECT_LE(cost.peak_bytes, cost.limit_bytes) << file.path();
  }
  if (measured == 0) GTEST_SKIP() << "the system does not tell which pages are resident";
}

}  // namespace
}  // namespace npukit
