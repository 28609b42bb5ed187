// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/remote/desk/connection.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace npukit::remote {
namespace {

// A command whose connection ended has so long to end itself.
constexpr int kGraceMs = 2000;

litert::Unexpected Failed(const std::string& what) {
  return litert::Unexpected(kLiteRtStatusErrorRuntimeFailure, what);
}

[[noreturn]] void RunCommand(const std::string& command, int fd) {
  // A session is a process group, too: by that ~Connection() reaches all that the shell has
  // started. A signal that this process ignores would be ignored by the command.
  setsid();
  // What dup2() makes stays open when a program is executed; the pair itself does not. It has one of
  // these numbers where this process was started without them, and then dup2() makes nothing.
  for (const int its : {STDIN_FILENO, STDOUT_FILENO}) {
    dup2(fd, its);
    fcntl(its, F_SETFD, 0);
  }
  for (const int number : {SIGINT, SIGTERM, SIGPIPE}) signal(number, SIG_DFL);
  execl("/bin/sh", "sh", "-c", command.c_str(), static_cast<char*>(nullptr));
  _exit(127);
}

}  // namespace

litert::Expected<std::unique_ptr<Connection>> Connection::Start(const std::string& command) {
  int pair[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) return Failed(strerror(errno));
  const pid_t pid = fork();
  if (pid < 0) {
    const std::string why = strerror(errno);
    close(pair[0]);
    close(pair[1]);
    return Failed(fmt::format("can't fork: {}", why));
  }
  if (pid == 0) RunCommand(command, pair[1]);
  close(pair[1]);
  return std::unique_ptr<Connection>(new Connection(pair[0], pid));
}

Connection::~Connection() {
  CloseEnd();
  if (command_ <= 0) return;
  // Asked again and again, since there is no waitpid() with a time.
  for (int waited_ms = 0; waited_ms < kGraceMs; waited_ms += 5) {
    if (waitpid(command_, nullptr, WNOHANG) != 0) return;
    usleep(5'000);
  }
  kill(-command_, SIGKILL);
  waitpid(command_, nullptr, 0);
}

std::string Connection::HowItEnded() {
  // It may be about to end.
  for (int waited_ms = 0; command_ > 0 && waited_ms < 200; waited_ms += 10) {
    int status = 0;
    if (waitpid(command_, &status, WNOHANG) == command_) {
      command_ = 0;
      if (WIFSIGNALED(status))
        return fmt::format("; its command ended by signal {}", WTERMSIG(status));
      return fmt::format("; its command ended with exit code {}", WEXITSTATUS(status));
    }
    usleep(10'000);
  }
  return {};
}

void Connection::CloseEnd() {
  if (fd_ >= 0) close(std::exchange(fd_, -1));
}

void Connection::Abandon() {
  CloseEnd();
  command_ = 0;
}

}  // namespace npukit::remote
