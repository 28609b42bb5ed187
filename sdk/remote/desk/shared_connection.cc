// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/remote/desk/shared_connection.h"

#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "sdk/remote/desk/courier.h"

namespace npukit::remote {
namespace {

litert::Unexpected Failed(const std::string& what) {
  return litert::Unexpected(kLiteRtStatusErrorRuntimeFailure, what);
}

// Others' pipes and links would not end as long as they are open here: a process that is forked has
// copies of all, and none is executed that CLOEXEC would close them for.
void CloseAllBut(int a, int b) {
  const auto first = static_cast<unsigned>(std::min(a, b));
  const auto second = static_cast<unsigned>(std::max(a, b));
  if (first > 3) close_range(3, first - 1, 0);
  if (second > first + 1) close_range(first + 1, second - 1, 0);
  close_range(second + 1, ~0U, 0);
}

}  // namespace

litert::Expected<std::unique_ptr<SharedConnection>> SharedConnection::Start(
    std::unique_ptr<Connection> connection) {
  int control[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, control) != 0)
    return Failed(strerror(errno));
  const pid_t parent = getpid();
  const pid_t courier = fork();
  if (courier < 0) {
    const std::string why = strerror(errno);
    close(control[0]);
    close(control[1]);
    return Failed(fmt::format("can't fork: {}", why));
  }
  if (courier == 0) {
    // A Ctrl-C is for the one that it works for.
    signal(SIGINT, SIG_IGN);
    signal(SIGTERM, SIG_DFL);
    // The signal comes when the thread ends that forked, not the process (prctl(2)). A parent that
    // ended before this call is seen by getppid(), which gives another number then.
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(0);
    CloseAllBut(control[1], connection->fd());
    RunCourier(control[1], connection->fd());
    _exit(0);
  }
  close(control[1]);
  connection->CloseEnd();
  return std::unique_ptr<SharedConnection>(
      new SharedConnection(std::move(connection), control[0], courier));
}

SharedConnection::~SharedConnection() {
  // The courier first: it holds the end of the connection by whose closing the command and the
  // worker see that it is over, which connection_ then waits for.
  close(control_);
  kill(courier_, SIGKILL);
  while (waitpid(courier_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

litert::Expected<std::unique_ptr<Link>> SharedConnection::OpenLink(const LinkLimits& limits) {
  int pair[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) return Failed(strerror(errno));
  const bool is_handed = HandToCourier(control_, pair[1]);
  close(pair[1]);
  if (!is_handed) {
    close(pair[0]);
    return Failed("no worker answers: the connection ended" + connection_->HowItEnded());
  }
  auto link = Link::Adopt(pair[0], pair[0], limits);
  if (!link) return Failed(link.Error().Message() + connection_->HowItEnded());
  return link;
}

}  // namespace npukit::remote
