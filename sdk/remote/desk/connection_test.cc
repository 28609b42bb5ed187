// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/remote/desk/connection.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <string>
#include <utility>

namespace npukit::remote {
namespace {

// What the command says until it ends.
std::string Said(const Connection& connection) {
  std::string text;
  std::array<char, 256> piece;
  for (;;) {
    const ssize_t got = read(connection.fd(), piece.data(), piece.size());
    if (got <= 0) return text;
    text.append(piece.data(), static_cast<size_t>(got));
  }
}

// In a process of its own.
template <typename Work>
int ExitCodeOf(Work work) {
  const pid_t pid = fork();
  if (pid == 0) _exit(work());
  int status = 0;
  EXPECT_EQ(waitpid(pid, &status, 0), pid);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(ConnectionTest, IsTheCommandsInputAndOutput) {
  const auto connection = Connection::Start("read line; echo \"$line, too\"");
  ASSERT_TRUE(connection);
  ASSERT_EQ(write((*connection)->fd(), "this\n", 5), 5);
  EXPECT_EQ(Said(**connection), "this, too\n");
}

// Also of a process that was started without descriptors of these numbers: then the pair has them.
TEST(ConnectionTest, NeedsNoDescriptorsOfItsOwnProcess) {
  for (const auto& [first, second] : {std::pair(0, 1), {0, 0}, {1, 1}}) {
    const int code = ExitCodeOf([first = first, second = second] {
      close(first);
      close(second);
      const auto connection = Connection::Start("read line; echo \"$line\"");
      if (!connection) return 1;
      if (write((*connection)->fd(), "this\n", 5) != 5) return 2;
      return Said(**connection) == "this\n" ? 0 : 3;
    });
    EXPECT_EQ(code, 0) << "without " << first << " and " << second;
  }
}

// A desk ignores SIGPIPE; a command that did would go on writing to a pipe that nobody reads.
TEST(ConnectionTest, TheCommandEndsBySignalsAsElsewhere) {
  const auto before = signal(SIGPIPE, SIG_IGN);
  const auto connection = Connection::Start("kill -PIPE $$; echo ignored");
  signal(SIGPIPE, before);
  ASSERT_TRUE(connection);
  EXPECT_EQ(Said(**connection), "");
  EXPECT_EQ((*connection)->HowItEnded(), "; its command ended by signal 13");
}

}  // namespace
}  // namespace npukit::remote
