// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// npukit_test_slow_link [--delay-ms D] [--one-by-one] [--end-after N] [--count FILE] COMMAND
//
// A command behind a slow way, for tests: what comes on standard input reaches it in windows of D
// milliseconds, and what it says comes back at once, so that D is the round trip. --one-by-one: a message
// a window, as a device that takes D for each. --end-after: the way breaks once N messages have passed.
// At the end FILE gets a line: the number of windows that carried something, and that of the messages in
// them.

#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <climits>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "sdk/remote/wire/frame.h"
#include "sdk/remote/wire/frame_assembler.h"

namespace {

using npukit::remote::EncodeFrame;
using npukit::remote::FrameAssembler;

bool WriteAll(int fd, const std::vector<uint8_t>& bytes) {
  size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t written = write(fd, bytes.data() + done, bytes.size() - done);
    if (written <= 0) return false;
    done += static_cast<size_t>(written);
  }
  return true;
}

// What has come by now; false: the end.
bool ReadInto(int fd, std::vector<uint8_t>& bytes) {
  std::array<uint8_t, 65536> piece;
  const ssize_t got = read(fd, piece.data(), piece.size());
  if (got > 0) bytes.insert(bytes.end(), piece.begin(), piece.begin() + got);
  return got > 0;
}

// The next window's bytes; the rest stays.
std::vector<uint8_t> TakeWindow(std::vector<uint8_t>& coming, FrameAssembler& messages,
                                bool one_by_one) {
  if (!one_by_one) return std::exchange(coming, {});
  messages.Add(std::exchange(coming, {}));
  auto next = messages.Next();
  return next && *next ? EncodeFrame(**next) : std::vector<uint8_t>();
}

struct Passed {
  int windows = 0;
  int messages = 0;
};

int CountMessages(FrameAssembler& passed, const std::vector<uint8_t>& window) {
  passed.Add(window);
  int count = 0;
  for (auto next = passed.Next(); next && *next; next = passed.Next()) ++count;
  return count;
}

struct Way {
  int delay_ms = 0;
  bool one_by_one = false;
  int end_after = INT_MAX;  // messages
};

Passed Relay(int to_command, const Way& way) {
  Passed passed;
  FrameAssembler all;
  std::vector<uint8_t> coming;
  FrameAssembler messages;
  bool is_open = true;
  bool is_busy = false;
  while (is_open || is_busy) {
    pollfd ready[2] = {{is_open ? STDIN_FILENO : -1, POLLIN, 0}, {to_command, POLLIN, 0}};
    if (poll(ready, 2, is_busy ? 0 : -1) < 0) return passed;
    if (ready[1].revents != 0) {
      std::vector<uint8_t> answer;
      if (!ReadInto(to_command, answer) || !WriteAll(STDOUT_FILENO, answer)) return passed;
    }
    if (ready[0].revents != 0) is_open = ReadInto(STDIN_FILENO, coming);
    if (coming.empty() && !is_busy) continue;
    if (ready[0].revents == 0 && ready[1].revents != 0) continue;
    usleep(static_cast<useconds_t>(way.delay_ms) * 1000);
    while (poll(ready, 1, 0) > 0 && is_open) is_open = ReadInto(STDIN_FILENO, coming);
    const std::vector<uint8_t> window = TakeWindow(coming, messages, way.one_by_one);
    is_busy = way.one_by_one && !window.empty();
    if (window.empty()) continue;
    ++passed.windows;
    passed.messages += CountMessages(all, window);
    if (passed.messages > way.end_after || !WriteAll(to_command, window)) return passed;
  }
  return passed;
}

}  // namespace

int main(int argc, char** argv) {
  Way way;
  std::string count;
  int at = 1;
  for (; at < argc && argv[at][0] == '-'; ++at) {
    const std::string_view option = argv[at];
    if (option == "--one-by-one") {
      way.one_by_one = true;
    } else if (option == "--delay-ms" && at + 1 < argc) {
      way.delay_ms = std::atoi(argv[++at]);
    } else if (option == "--end-after" && at + 1 < argc) {
      way.end_after = std::atoi(argv[++at]);
    } else if (option == "--count" && at + 1 < argc) {
      count = argv[++at];
    }
  }
  if (at + 1 != argc) return 2;
  int pair[2];
  signal(SIGPIPE, SIG_IGN);
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) return 1;
  const pid_t command = fork();
  if (command == 0) {
    dup2(pair[1], STDIN_FILENO);
    dup2(pair[1], STDOUT_FILENO);
    execl("/bin/sh", "sh", "-c", argv[at], static_cast<char*>(nullptr));
    _exit(127);
  }
  close(pair[1]);
  const Passed passed = Relay(pair[0], way);
  close(pair[0]);
  waitpid(command, nullptr, 0);
  if (!count.empty())
    std::ofstream(count, std::ios::app) << passed.windows << " " << passed.messages << "\n";
  return 0;
}
