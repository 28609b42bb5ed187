// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Asynchronous runs of a compiled model: one after the other, on a thread of their own, each with
// an event that says how it ended.

#ifndef NPUKIT_SDK_HOST_C_API_RUN_QUEUE_H_
#define NPUKIT_SDK_HOST_C_API_RUN_QUEUE_H_

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

#include "litert/c/litert_common.h"
#include "litert/c/litert_event_type.h"

namespace npukit {

// What stands behind the host's own events. Counts its users, and begins with one.
class RunCompletion : public LiteRtCustomEventT {
 public:
  RunCompletion();
  RunCompletion(const RunCompletion&) = delete;
  RunCompletion& operator=(const RunCompletion&) = delete;

  // Once.
  void Signal(LiteRtStatus status);
  // The run's status; kLiteRtStatusErrorTimeoutExpired after the time, -1 waits for ever.
  LiteRtStatus WaitForStatus(int64_t timeout_ms);
  bool is_signalled();
  void Drop();

 private:
  ~RunCompletion() = default;

  std::atomic<int> references_ = 1;
  std::mutex mutex_;
  std::condition_variable signalled_;
  bool is_signalled_ = false;
  LiteRtStatus status_ = kLiteRtStatusOk;
};

class RunQueue {
 public:
  RunQueue() = default;
  // Runs what is left.
  ~RunQueue();
  RunQueue(const RunQueue&) = delete;
  RunQueue& operator=(const RunQueue&) = delete;

  // Takes over one reference to `completion`, which gets the run's status.
  void Submit(std::function<LiteRtStatus()> run, RunCompletion* completion);
  // Returns when nothing is left. Not to be called by a run.
  void WaitUntilIdle();

 private:
  struct Job {
    std::function<LiteRtStatus()> run;
    RunCompletion* completion = nullptr;
  };
  void Work();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Job> jobs_;
  bool is_running_ = false;
  bool is_closing_ = false;
  std::thread worker_;  // begins with the first run
};

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_C_API_RUN_QUEUE_H_
