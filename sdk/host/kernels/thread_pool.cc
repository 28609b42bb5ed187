// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/kernels/thread_pool.h"

#define EIGEN_USE_THREADS
#include <algorithm>
#include <atomic>
#include <unsupported/Eigen/CXX11/ThreadPool>

namespace npukit::kernels {
namespace {

// Ranges are handed out one after the other, so that uneven work and a busy
// machine even out.
constexpr size_t kRangesPerThread = 4;

class EigenPool final : public ThreadPool {
 public:
  explicit EigenPool(int num_threads) : num_threads_(num_threads), pool_(num_threads - 1) {}

  int num_threads() const override { return num_threads_; }

  void ParallelFor(size_t count, size_t grain, RangeTask task) override {
    const size_t wanted = static_cast<size_t>(num_threads_) * kRangesPerThread;
    const size_t range = std::max({grain, (count + wanted - 1) / wanted, size_t{1}});
    const size_t ranges = (count + range - 1) / range;
    const int helpers =
        static_cast<int>(std::min<size_t>(ranges - 1, static_cast<size_t>(num_threads_) - 1));
    Job job{.task = task, .count = count, .range = range};
    Eigen::Barrier done(static_cast<unsigned>(helpers));
    for (int worker = 1; worker <= helpers; ++worker) {
      pool_.Schedule([&job, &done, worker] {
        job.Work(worker);
        done.Notify();
      });
    }
    job.Work(0);
    done.Wait();
  }

 private:
  struct Job {
    RangeTask task;
    size_t count;
    size_t range;
    std::atomic<size_t> next{0};

    void Work(int worker) {
      for (;;) {
        const size_t begin = next.fetch_add(range, std::memory_order_relaxed);
        if (begin >= count) return;
        task(begin, std::min(begin + range, count), worker);
      }
    }
  };

  int num_threads_;
  Eigen::ThreadPool pool_;
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
