// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_INTERNAL_DISPATCH_DISPATCH_QUEUE_H_
#define NPUKIT_INTERNAL_DISPATCH_DISPATCH_QUEUE_H_

// The asynchronous runs of one device, one after the other on a thread of its
// own, in the order in which they were asked for.

#include <algorithm>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "litert/c/litert_common.h"
#include "litert/c/litert_event.h"
#include "litert/cc/litert_expected.h"
#include "npukit/internal/boundary.h"
#include "npukit/internal/dispatch/input_event.h"
#include "npukit/internal/dispatch/run_event.h"
#include "npukit/internal/namespace.h"

NPUKIT_NAMESPACE_BEGIN
namespace internal {

class DispatchQueue {
 public:
  DispatchQueue() = default;
  DispatchQueue(const DispatchQueue&) = delete;
  DispatchQueue& operator=(const DispatchQueue&) = delete;
  // Nobody has a run left in the queue: their owners have called Drain().
  ~DispatchQueue() {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      is_closing_ = true;
    }
    changed_.notify_all();
    if (worker_.joinable()) worker_.join();
  }

  struct Job {
    const void* owner = nullptr;
    std::vector<InputEvent> wait_for;
    std::vector<std::shared_ptr<void>> uses;  // kept until the run has ended
    std::function<RunOutcome()> run;
    RunEvent::Pointer event;
  };

  // The first one starts the thread; throws, without taking the job, if there can be none.
  void Submit(Job job) {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      if (!worker_.joinable()) worker_ = std::thread([this] { Work(); });
      jobs_.push_back(std::move(job));
    }
    changed_.notify_all();
  }

  // Returns once no run is left that uses the object, or one is held up by an event, which it may be
  // the caller's to signal.
  void WaitForUsersOf(const void* object) {
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(lock, [&] { return is_held_up_ || !HasUserOf(object); });
  }

  // The same for the runs of an owner.
  void WaitForRunsOf(const void* owner) {
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(lock, [&] { return is_held_up_ || !HasJobOf(owner); });
  }

  // Returns once no run of the owner is left. With `cancel`, those that have not begun never do.
  void Drain(const void* owner, bool cancel) {
    std::vector<Job> dropped;
    std::unique_lock<std::mutex> lock(mutex_);
    if (cancel) {
      for (auto job = jobs_.begin(); job != jobs_.end();) {
        if (job->owner != owner) {
          ++job;
          continue;
        }
        dropped.push_back(std::move(*job));
        job = jobs_.erase(job);
      }
      if (current_ == owner) current_is_cancelled_ = true;
    }
    lock.unlock();
    for (Job& job : dropped) Finish(job, Cancelled());
    lock.lock();
    changed_.wait(lock, [&] { return !HasJobOf(owner); });
  }

 private:
  static RunOutcome Cancelled() {
    return {kLiteRtStatusCancelled, {0, "the invocation context was destroyed"}};
  }
  // Without the mutex: what the job lets go may call the vendor and the host.
  static void Finish(Job& job, RunOutcome outcome) {
    job.uses.clear();
    job.wait_for.clear();
    job.event->Signal(std::move(outcome));
    job.event.reset();
  }

  bool HasJobOf(const void* owner) const {
    if (current_ == owner) return true;
    for (const Job& job : jobs_) {
      if (job.owner == owner) return true;
    }
    return false;
  }

  bool HasUserOf(const void* object) const {
    const auto is_among = [&](const std::vector<const void*>& uses) {
      return std::find(uses.begin(), uses.end(), object) != uses.end();
    };
    if (is_among(current_uses_)) return true;
    for (const Job& job : jobs_) {
      if (is_among(UsesOf(job))) return true;
    }
    return false;
  }
  static std::vector<const void*> UsesOf(const Job& job) {
    std::vector<const void*> uses;
    for (const auto& used : job.uses) uses.push_back(used.get());
    return uses;
  }

  void Work() {
    std::unique_lock<std::mutex> lock(mutex_);
    while (true) {
      changed_.wait(lock, [this] { return is_closing_ || !jobs_.empty(); });
      // Closing, then: what is queued yet is run before the thread ends.
      if (jobs_.empty()) return;
      Job job = std::move(jobs_.front());
      jobs_.pop_front();
      current_ = job.owner;
      current_uses_ = UsesOf(job);
      current_is_cancelled_ = false;
      lock.unlock();
      RunOutcome outcome = WaitFor(job);
      if (outcome.status == kLiteRtStatusOk) outcome = RunJob(job);
      lock.lock();
      // Its owner may be gone as soon as it is nobody's current job; its events tell after that, so
      // that who waited for them finds the queue idle.
      current_ = nullptr;
      current_uses_.clear();
      lock.unlock();
      changed_.notify_all();
      Finish(job, std::move(outcome));
      lock.lock();
    }
  }

  static RunOutcome RunJob(const Job& job) {
    RunOutcome outcome;
    const LiteRtStatus status = Guard("invoke_async", [&]() -> ::litert::Expected<void> {
      outcome = job.run();
      return {};
    });
    if (status != kLiteRtStatusOk) outcome = {status, {0, "the run ended with an exception"}};
    return outcome;
  }

  RunOutcome WaitFor(const Job& job) {
    // Short, for the sake of Drain: an event that is signalled ends the wait at once.
    constexpr int64_t kSliceMs = 20;
    for (const InputEvent& event : job.wait_for) {
      LiteRtStatus status = event.Wait(0);
      while (status == kLiteRtStatusErrorTimeoutExpired) {
        if (IsCancelled()) {
          SetHeldUp(false);
          return Cancelled();
        }
        SetHeldUp(true);
        status = event.Wait(kSliceMs);
      }
      SetHeldUp(false);
      if (status != kLiteRtStatusOk) {
        return {status, {0, "what an input waited for failed"}};
      }
    }
    if (IsCancelled()) return Cancelled();
    return {};
  }

  void SetHeldUp(bool is_held_up) {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      if (is_held_up_ == is_held_up) return;
      is_held_up_ = is_held_up;
    }
    changed_.notify_all();
  }

  bool IsCancelled() {
    const std::lock_guard<std::mutex> lock(mutex_);
    return current_is_cancelled_;
  }

  std::mutex mutex_;
  std::condition_variable changed_;  // anything below
  std::deque<Job> jobs_;
  const void* current_ = nullptr;  // whose job has been taken out
  std::vector<const void*> current_uses_;
  bool current_is_cancelled_ = false;
  bool is_held_up_ = false;  // the current one waits for an event
  bool is_closing_ = false;
  std::thread worker_;
};

}  // namespace internal
NPUKIT_NAMESPACE_END

#endif  // NPUKIT_INTERNAL_DISPATCH_DISPATCH_QUEUE_H_
