// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Asynchronous runs of a compiled model: one after the other, on a thread of their own, each with
// an event that says how it ended.

#ifndef NPUKIT_SDK_HOST_C_API_COMPILED_MODEL_RUN_QUEUE_H_
#define NPUKIT_SDK_HOST_C_API_COMPILED_MODEL_RUN_QUEUE_H_

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

#include "litert/c/litert_common.h"
#include "sdk/host/c_api/buffers/run_completion.h"

namespace npukit {

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

#endif  // NPUKIT_SDK_HOST_C_API_COMPILED_MODEL_RUN_QUEUE_H_
