// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// How far long work is: one line on standard error where that is a terminal, gone at the end; nothing
// elsewhere.

#ifndef NPUKIT_SDK_TOOLS_COMMAND_LINE_PROGRESS_H_
#define NPUKIT_SDK_TOOLS_COMMAND_LINE_PROGRESS_H_

#include <chrono>
#include <cstddef>
#include <cstdio>
#include <mutex>
#include <string_view>

namespace npukit::tools {

// Threads may share one.
class Progress {
 public:
  explicit Progress(std::FILE* stream = stderr);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // In place of what was shown; cut to the terminal's width.
  void Show(std::string_view text);
  // "3 of 20 runs", at most ten times a second.
  void ShowCount(size_t done, size_t total, std::string_view unit);

  // Takes back what stands on the stream, so that a message begins its line.
  static void MakeRoom(std::FILE* stream);

 private:
  std::FILE* stream_;
  bool visible_;
  std::mutex mutex_;
  std::chrono::steady_clock::time_point next_count_{};
};

}  // namespace npukit::tools

#endif  // NPUKIT_SDK_TOOLS_COMMAND_LINE_PROGRESS_H_
