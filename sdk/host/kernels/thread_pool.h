// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The threads that kernels share. One pool serves one run at a time.

#ifndef NPUKIT_SDK_HOST_KERNELS_THREAD_POOL_H_
#define NPUKIT_SDK_HOST_KERNELS_THREAD_POOL_H_

#include <cstddef>
#include <memory>
#include <type_traits>

namespace npukit::kernels {

// A callable by reference; must not outlive it. (std::function may allocate.)
class RangeTask {
 public:
  template <typename F, typename = std::enable_if_t<!std::is_same_v<std::decay_t<F>, RangeTask>>>
  RangeTask(F&& callable)  // NOLINT(google-explicit-constructor)
      : object_(const_cast<void*>(static_cast<const void*>(&callable))),
        call_([](void* object, size_t begin, size_t end, int worker) {
          (*static_cast<std::remove_reference_t<F>*>(object))(begin, end, worker);
        }) {}
  void operator()(size_t begin, size_t end, int worker) const {
    call_(object_, begin, end, worker);
  }

 private:
  void* object_;
  void (*call_)(void*, size_t, size_t, int);
};

class ThreadPool {
 public:
  virtual ~ThreadPool() = default;
  // num_threads counts the caller's thread. On Eigen's pool; threads are joined
  // on destruction.
  static std::unique_ptr<ThreadPool> Create(int num_threads);

  virtual int num_threads() const = 0;
  // Calls task(begin, end, worker) for disjoint ranges that cover [0, count),
  // at most one at a time per worker (0 is the caller, up to num_threads()-1),
  // ranges of at least `grain` but for one. Returns when all are done.
  virtual void ParallelFor(size_t count, size_t grain, RangeTask task) = 0;
};

// On the pool, or on the caller's thread as worker 0 if there is none.
inline void ParallelFor(ThreadPool* pool, size_t count, size_t grain, RangeTask task) {
  if (count == 0) return;
  if (pool == nullptr || pool->num_threads() == 1 || count <= grain) {
    task(0, count, 0);
  } else {
    pool->ParallelFor(count, grain, task);
  }
}

}  // namespace npukit::kernels

#endif  // NPUKIT_SDK_HOST_KERNELS_THREAD_POOL_H_
