// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/c_api/buffers/run_completion.h"

#include <chrono>

namespace npukit {
namespace {

RunCompletion& From(LiteRtCustomEvent event) { return *static_cast<RunCompletion*>(event); }

}  // namespace

RunCompletion::RunCompletion() {
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

}  // namespace npukit
