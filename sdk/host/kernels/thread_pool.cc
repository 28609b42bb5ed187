// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/kernels/thread_pool.h"

#define EIGEN_USE_THREADS
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <unsupported/Eigen/CXX11/ThreadPool>

namespace npukit::kernels {
namespace {

// The caller looks for so long, some tens of microseconds, whether the others are done before it
// lets the system wake it: that takes as long as a whole layer of a small network.
constexpr int kLooks = 4000;

void PauseBriefly() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

// What one ParallelFor hands out. The caller takes ranges from the front, the others from the back:
// from op to op a core then finds much of what it wrote before in its own cache. Ranges shrink
// towards the end, so that all finish together, also on a busy machine.
class Job {
 public:
  Job(RangeTask task, size_t count, size_t grain, int workers)
      : task_(task),
        grain_(std::max(grain, size_t{1})),
        shares_(2 * static_cast<size_t>(workers)),
        left_(Range{.begin = 0, .end = static_cast<uint32_t>(count)}) {}

  // Relaxed order is enough: ranges are disjoint, and what tasks wrote is published when `helping_`
  // falls.
  void Work(int worker) {
    for (;;) {
      Range left = left_.load(std::memory_order_relaxed);
      Range taken;
      do {
        if (left.begin == left.end) return;
        taken = Take(left, worker);
      } while (!left_.compare_exchange_weak(left, Rest(left, taken), std::memory_order_relaxed));
      task_(taken.begin, taken.end, worker);
    }
  }

 private:
  struct Range {
    uint32_t begin;
    uint32_t end;
  };

  Range Take(Range left, int worker) const {
    const size_t count = left.end - left.begin;
    const auto share = static_cast<uint32_t>(std::min(std::max(count / shares_, grain_), count));
    if (worker == 0) return {.begin = left.begin, .end = left.begin + share};
    return {.begin = left.end - share, .end = left.end};
  }
  static Range Rest(Range left, Range taken) {
    if (taken.begin == left.begin) return {.begin = taken.end, .end = left.end};
    return {.begin = left.begin, .end = taken.begin};
  }

  const RangeTask task_;
  const size_t grain_;
  const size_t shares_;
  alignas(64) std::atomic<Range> left_;  // not on a line with what the workers only read
};

class EigenPool final : public ThreadPool {
 public:
  explicit EigenPool(int num_threads) : num_threads_(num_threads), pool_(num_threads - 1) {}

  int num_threads() const override { return num_threads_; }

  void ParallelFor(size_t count, size_t grain, RangeTask task) override {
    // Both ends of a range are in one word of 64 bits, which a processor exchanges at once.
    if (count > UINT32_MAX) return task(0, count, 0);
    const size_t ranges = (count + grain - 1) / std::max(grain, size_t{1});
    const int workers = static_cast<int>(std::min<size_t>(ranges, num_threads_));
    Job job(task, count, grain, workers);
    job_ = &job;
    // One pointer: a std::function that holds more allocates.
    for (int helper = 1; helper < workers; ++helper) pool_.Schedule([this] { Help(); });
    job.Work(0);
    // The job lies on this stack. A helper counts itself before it reads job_, and the caller looks
    // at the count after it has taken job_ away, both in one order for all threads: who still saw
    // the job has been counted by then.
    // A thread that has not begun by now need not: the caller does not wait for it to wake up.
    job_ = nullptr;
    for (int i = 0; i < kLooks && helping_ > 0; ++i) PauseBriefly();
    for (int helping = helping_; helping > 0; helping = helping_) helping_.wait(helping);
  }

 private:
  // Whichever job there is; one that was called for an earlier job may help a later one.
  void Help() {
    ++helping_;
    if (Job* job = job_; job != nullptr) job->Work(pool_.CurrentThreadId() + 1);
    --helping_;
    helping_.notify_one();
  }

  const int num_threads_;
  std::atomic<Job*> job_{nullptr};
  alignas(64) std::atomic<int> helping_{0};  // threads that may know job_
  Eigen::ThreadPool pool_;                   // joined first
};

class CallerOnly final : public ThreadPool {
 public:
  int num_threads() const override { return 1; }
  void ParallelFor(size_t count, size_t /*grain*/, RangeTask task) override {
    if (count > 0) task(0, count, 0);
  }
};

}  // namespace

std::unique_ptr<ThreadPool> ThreadPool::Create(int num_threads) {
  if (num_threads <= 1) return std::make_unique<CallerOnly>();
  return std::make_unique<EigenPool>(num_threads);
}

}  // namespace npukit::kernels
