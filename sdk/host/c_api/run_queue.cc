// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/c_api/run_queue.h"

#include <chrono>
#include <utility>

namespace npukit {
namespace {

RunCompletion& From(LiteRtCustomEvent event) { return *static_cast<RunCompletion*>(event); }

}  // namespace

RunCompletion::RunCompletion() : LiteRtCustomEventT{} {
  Retain = [](LiteRtCustomEvent event) { From(event).references_.fetch_add(1); };
  Release = [](LiteRtCustomEvent event) { From(event).Drop(); };
  Wait = [](LiteRtCustomEvent event, int64_t timeout_ms) {
    (void)From(event).WaitForStatus(timeout_ms);
  };
  IsSignaled = [](LiteRtCustomEvent event) { return From(event).is_signalled() ? 1 : 0; };
  GetNative = [](LiteRtCustomEvent) -> void* { return nullptr; };
}

void RunCompletion::Drop() {
  if (references_.fetch_sub(1) == 1) delete this;
}

void RunCompletion::Signal(LiteRtStatus status) {
  {
    const std::lock_guard lock(mutex_);
    status_ = status;
    is_signalled_ = true;
  }
  signalled_.notify_all();
}

LiteRtStatus RunCompletion::WaitForStatus(int64_t timeout_ms) {
  std::unique_lock lock(mutex_);
  const auto done = [this] { return is_signalled_; };
  if (timeout_ms < 0) {
    signalled_.wait(lock, done);
  } else if (!signalled_.wait_for(lock, std::chrono::milliseconds(timeout_ms), done)) {
    return kLiteRtStatusErrorTimeoutExpired;
  }
  return status_;
}

bool RunCompletion::is_signalled() {
  const std::lock_guard lock(mutex_);
  return is_signalled_;
}

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
    if (jobs_.empty()) return;
    Job job = std::move(jobs_.front());
    jobs_.pop_front();
    is_running_ = true;
    lock.unlock();
    const LiteRtStatus status = job.run();
    job.run = nullptr;  // lets go of the buffers before anybody is told
    job.completion->Signal(status);
    job.completion->Drop();
    lock.lock();
    is_running_ = false;
    changed_.notify_all();
  }
}

}  // namespace npukit
