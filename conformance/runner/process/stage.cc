// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/runner/process/stage.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <utility>

namespace npukit::conformance {
namespace {

constexpr size_t kMaxBytes = 200;

std::atomic<int> stage_fd = -1;
// This thread's last stage.
thread_local char last_stage[kMaxBytes + 1];
thread_local size_t last_bytes = 0;
thread_local std::string_view of_what;  // a StageOf's

void WriteLast() {
  const int fd = stage_fd;
  if (fd < 0) return;
  // One write below PIPE_BUF is atomic, so that threads do not mix their lines.
  last_stage[last_bytes] = '\n';
  [[maybe_unused]] const ssize_t written = write(fd, last_stage, last_bytes + 1);
}

void AppendToLast(std::string_view text) {
  const size_t more = std::min(text.size(), kMaxBytes - last_bytes);
  std::memcpy(last_stage + last_bytes, text.data(), more);
  last_bytes += more;
}

}  // namespace

void SetStagePipe(int fd) { stage_fd = fd; }

void SetStage(std::string_view stage) {
  last_bytes = 0;
  AppendToLast(stage);
  if (!of_what.empty()) {
    AppendToLast(": ");
    AppendToLast(of_what);
  }
  WriteLast();
}

void AddToStage(std::string_view text) {
  if (last_bytes > 0) AppendToLast(": ");
  AppendToLast(text);
  WriteLast();
}

StageOf::StageOf(std::string what) : what_(std::move(what)) { of_what = what_; }

StageOf::~StageOf() { of_what = {}; }

}  // namespace npukit::conformance
