// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Runs a part of a test in a process of its own: what it loads stays there, and a crash is an answer.

#ifndef NPUKIT_TESTS_SUPPORT_IN_CHILD_H_
#define NPUKIT_TESTS_SUPPORT_IN_CHILD_H_

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstring>
#include <string>

namespace npukit {

// What `work` gives in a copy of this process, or "ended by SIGNAL". `work` must not use threads that
// are there already.
template <typename Work>
std::string InChild(Work work) {
  int ends[2];
  if (pipe(ends) != 0) return "no pipe";
  const pid_t child = fork();
  if (child == 0) {
    const std::string answer = work();
    for (size_t at = 0; at < answer.size();) {
      const ssize_t count = write(ends[1], answer.data() + at, answer.size() - at);
      if (count <= 0) _exit(1);
      at += static_cast<size_t>(count);
    }
    _exit(0);
  }
  close(ends[1]);
  std::string answer;
  char buffer[512];
  for (ssize_t count; (count = read(ends[0], buffer, sizeof(buffer))) > 0;)
    answer.append(buffer, static_cast<size_t>(count));
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFSIGNALED(status)) return std::string("ended by ") + strsignal(WTERMSIG(status));
  return answer;
}

}  // namespace npukit

#endif  // NPUKIT_TESTS_SUPPORT_IN_CHILD_H_
