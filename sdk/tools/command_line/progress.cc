// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/tools/command_line/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>

#include "sdk/tools/command_line/terminal.h"

namespace npukit::tools {
namespace {

constexpr std::chrono::milliseconds kBetweenCounts(100);

// The stream on which something is shown. Of the process, as messages, which know of no Progress,
// clear the line, too.
std::atomic<std::FILE*> shown_on = nullptr;

}  // namespace

Progress::Progress(std::FILE* stream) : stream_(stream), visible_(isatty(fileno(stream)) == 1) {}

Progress::~Progress() {
  const std::lock_guard lock(mutex_);
  if (visible_) MakeRoom(stream_);
}

void Progress::MakeRoom(std::FILE* stream) {
  std::FILE* expected = stream;
  if (!shown_on.compare_exchange_strong(expected, nullptr)) return;
  fmt::print(stream, "\r\033[K");
  std::fflush(stream);
}

void Progress::Show(std::string_view text) {
  if (!visible_) return;
  const std::lock_guard lock(mutex_);
  // A line that is full goes on in the next on some terminals, and only that would be taken back.
  const auto room = static_cast<size_t>(std::max(1, ColumnsOf(stream_) - 1));
  fmt::print(stream_, "\r\033[K{}", text.substr(0, room));
  shown_on = stream_;
  std::fflush(stream_);
}

void Progress::ShowCount(size_t done, size_t total, std::string_view unit) {
  if (!visible_) return;
  {
    const std::lock_guard lock(mutex_);
    const auto now = std::chrono::steady_clock::now();
    if (now < next_count_) return;
    next_count_ = now + kBetweenCounts;
  }
  Show(fmt::format("{} of {} {}", done, total, unit));
}

}  // namespace npukit::tools
