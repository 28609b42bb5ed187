// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/runner/process/stage.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstring>

namespace npukit::conformance {
namespace {

std::atomic<int> stage_fd = -1;

}  // namespace

void SetStagePipe(int fd) { stage_fd = fd; }

void SetStage(std::string_view stage) {
  const int fd = stage_fd;
  if (fd < 0) return;
  // One write below PIPE_BUF is atomic, so that threads do not mix their lines.
  char line[208];
  const size_t length = std::min<size_t>(stage.size(), 200);
  std::memcpy(line, stage.data(), length);
  line[length] = '\n';
  [[maybe_unused]] const ssize_t written = write(fd, line, length + 1);
}

}  // namespace npukit::conformance
