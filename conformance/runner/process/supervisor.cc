// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/runner/process/supervisor.h"

#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <optional>

#include "conformance/observation/child_outcome.h"

namespace npukit::conformance {
namespace {

// How often a stopped child is looked at; else a signal wakes the wait.
constexpr std::chrono::milliseconds kTick{200};

sigset_t AwaitedSignals() {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int signal : {SIGCHLD, SIGINT, SIGTERM}) sigaddset(&signals, signal);
  return signals;
}

class Child {
 public:
  Child(pid_t pid, std::chrono::milliseconds longest_stop) : pid_(pid), left_(longest_stop) {}

  SupervisedEnd Wait(const sigset_t& awaited) {
    while (true) {
      if (const auto end = Look()) return *end;
      const timespec tick = {0, std::chrono::nanoseconds(kTick).count()};
      const int signal = sigtimedwait(&awaited, nullptr, &tick);
      if (signal == SIGINT || signal == SIGTERM) kill(pid_, signal);
      if (signal < 0 && errno == EAGAIN && stopped_) CountTick();
    }
  }

 private:
  // Ticks count only while this process runs: who stops both has time to continue them.
  void CountTick() {
    left_ -= kTick;
    if (left_.count() > 0) return;
    is_ended_ = true;
    kill(pid_, SIGKILL);
  }

  std::optional<SupervisedEnd> Look() {
    int status = 0;
    while (waitpid(pid_, &status, WNOHANG | WUNTRACED | WCONTINUED) == pid_) {
      if (WIFEXITED(status)) return SupervisedEnd{WEXITSTATUS(status), {}};
      if (WIFSIGNALED(status)) return SupervisedEnd{0, HowItEnded(WTERMSIG(status))};
      // Other stops are the terminal's, which stops this process too.
      stopped_ = WIFSTOPPED(status) && WSTOPSIG(status) == SIGSTOP;
    }
    return std::nullopt;
  }

  std::string HowItEnded(int signal) const {
    return is_ended_ ? "was stopped by SIGSTOP" : "was ended by " + SignalName(signal);
  }

  pid_t pid_;
  std::chrono::milliseconds left_;
  bool stopped_ = false;
  bool is_ended_ = false;  // by this process
};

}  // namespace

litert::Expected<SupervisedEnd> Supervise(const std::function<int()>& work,
                                          std::chrono::milliseconds longest_stop) {
  const sigset_t awaited = AwaitedSignals();
  sigset_t before;
  // Blocked before there is a child: one that ends between two looks leaves its SIGCHLD for the
  // wait.
  sigprocmask(SIG_BLOCK, &awaited, &before);
  std::fflush(nullptr);
  const pid_t supervisor = getpid();
  const pid_t pid = fork();
  if (pid < 0) {
    const std::string why = std::strerror(errno);
    sigprocmask(SIG_SETMASK, &before, nullptr);
    return litert::Unexpected(kLiteRtStatusErrorRuntimeFailure, fmt::format("can't fork: {}", why));
  }
  if (pid == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    // This process may have ended before the child asked to die with it.
    if (getppid() != supervisor) _exit(1);
    sigprocmask(SIG_SETMASK, &before, nullptr);
    const int code = work();
    std::fflush(nullptr);
    _exit(code);
  }
  const SupervisedEnd end = Child(pid, longest_stop).Wait(awaited);
  sigprocmask(SIG_SETMASK, &before, nullptr);
  return end;
}

}  // namespace npukit::conformance
