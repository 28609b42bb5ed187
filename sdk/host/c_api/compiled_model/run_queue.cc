// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/c_api/compiled_model/run_queue.h"

#include <utility>

namespace npukit {

RunQueue::~RunQueue() {
  {
    const std::lock_guard lock(mutex_);
    is_closing_ = true;
  }
  changed_.notify_all();
  if (worker_.joinable()) worker_.join();
}

void RunQueue::Submit(std::function<LiteRtStatus()> run, RunCompletion* completion) {
  {
    const std::lock_guard lock(mutex_);
    if (!worker_.joinable()) worker_ = std::thread([this] { Work(); });
    jobs_.push_back({std::move(run), completion});
  }
  changed_.notify_all();
}

void RunQueue::WaitUntilIdle() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return jobs_.empty() && !is_running_; });
}

void RunQueue::Work() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return is_closing_ || !jobs_.empty(); });
    // Closing, and nothing left: those that were submitted before are still run.
    if (jobs_.empty()) return;
    Job job = std::move(jobs_.front());
    jobs_.pop_front();
    is_running_ = true;
    lock.unlock();
    const LiteRtStatus status = job.run();
    job.run = nullptr;  // lets go of the buffers before anybody is told
    // Before the queue counts as idle: when WaitUntilIdle returns, all events have been signalled.
    job.completion->Signal(status);
    job.completion->Drop();
    lock.lock();
    is_running_ = false;
    changed_.notify_all();
  }
}

}  // namespace npukit
