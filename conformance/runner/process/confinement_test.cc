// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/runner/process/confinement.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <functional>
#include <string>
#include <thread>

#include "conformance/runner/process/child_pool.h"
#include "conformance/runner/process/stage.h"
#include "conformance/runner/process/supervisor.h"
#include "conformance/runner/process/worker_setup.h"

namespace npukit::conformance {
namespace {

using End = ChildOutcome::End;

ChildOutcome RunWork(const ChildProcess::Work& work) {
  auto outcome = RunTask({work, {}});
  EXPECT_TRUE(outcome) << (outcome ? "" : outcome.Error().Message());
  return outcome ? *outcome : ChildOutcome{};
}

// Where the kernel filters no system calls, nothing of this holds, and reports say so.
bool FiltersCalls() {
  const ChildOutcome outcome =
      RunWork([] { return std::string(ConfinementGaps().empty() ? "yes" : "no"); });
  return outcome.report == "yes";
}

TEST(Confinement, AWorkerCannotSignalTheKit) {
  if (!FiltersCalls()) GTEST_SKIP() << "the kernel filters no system calls";
  struct Row {
    const char* name;
    std::function<void()> call;
  };
  const Row rows[] = {
      {"kill", [] { kill(getppid(), SIGSTOP); }},
      {"kill", [] { kill(-getppid(), SIGKILL); }},
      {"kill", [] { kill(-1, SIGCONT); }},
      {"tgkill", [] { syscall(SYS_tgkill, getppid(), getppid(), SIGSTOP); }},
      {"tkill", [] { syscall(SYS_tkill, getppid(), SIGSTOP); }},
      {"pidfd_open", [] { syscall(SYS_pidfd_open, getppid(), 0); }},
      {"rt_sigqueueinfo",
       [] {
         siginfo_t info = {};
         syscall(SYS_rt_sigqueueinfo, getppid(), SIGSTOP, &info);
       }},
  };
  for (const Row& row : rows) {
    const ChildOutcome outcome = RunWork([&] {
      SetStage("Compile");
      row.call();
      return std::string("went on");
    });
    EXPECT_EQ(outcome.end, End::kSignalled) << row.name;
    EXPECT_EQ(SignalName(outcome.signal), "SIGSYS") << row.name;
    if (HasSanitizer()) continue;  // it handles the signal itself
    EXPECT_EQ(outcome.stage, std::string("Compile: signals the kit's processes: ") + row.name);
  }
}

TEST(Confinement, WhatAWorkerNeedsItMayDo) {
  const ChildOutcome outcome = RunWork([] {
    std::string failed;
    const auto expect = [&](const char* what, bool holds) {
      if (!holds) failed += std::string(what) + "\n";
    };
    expect("asks for its parent", kill(getppid(), 0) == 0);
    signal(SIGUSR1, SIG_IGN);
    expect("signals itself", raise(SIGUSR1) == 0 && kill(getpid(), SIGUSR1) == 0);
    const pid_t child = fork();
    if (child == 0) {
      while (true) pause();
    }
    expect("ends its child", kill(child, SIGKILL) == 0 && waitpid(child, nullptr, 0) == child);
    expect("sees its descriptors", access("/proc/self/fd", R_OK) == 0);
    std::thread thread([] {});
    thread.join();
    expect("starts a shell", system("exit 3") == 3 << 8);
    return failed;
  });
  EXPECT_EQ(outcome.end, End::kReported);
  EXPECT_EQ(outcome.report, "");
}

TEST(Confinement, AWorkerCannotReachOrLeaveTheKit) {
  if (!FiltersCalls()) GTEST_SKIP() << "the kernel filters no system calls";
  // The runner's memory, not this test's: it is protected from then on.
  const auto runner = [] {
    EXPECT_EQ(ProtectRunner(), "");
    const ChildOutcome outcome = RunWork([] {
      std::string reached;
      const auto expect = [&](const char* what, bool holds) {
        if (!holds) reached += std::string(what) + "\n";
      };
      expect("has a session", getsid(0) == getpid() && getpgid(0) == getpid());
      expect("leaves its session", setsid() < 0 && errno == EPERM);
      expect("leaves its group", setpgid(0, getppid()) < 0 && errno == EPERM);
      expect("traces", ptrace(PTRACE_ATTACH, getppid(), nullptr, nullptr) < 0 && errno == EPERM);
      expect("lives on", prctl(PR_SET_PDEATHSIG, 0) < 0 && errno == EPERM);
      const std::string parent = fmt::format("/proc/{}", getppid());
      for (const char* file : {"/mem", "/fd/1"})
        expect(file, open((parent + file).c_str(), O_RDWR) < 0);
      return reached;
    });
    EXPECT_EQ(outcome.end, End::kReported);
    EXPECT_EQ(outcome.report, "");
    return ::testing::Test::HasFailure() ? 1 : 0;
  };
  const auto end = Supervise(runner, std::chrono::seconds(10));
  ASSERT_TRUE(end);
  EXPECT_EQ(end->exit_code, 0);
}

TEST(Supervisor, TellsHowTheWorkEnded) {
  struct Row {
    std::function<int()> work;
    int exit_code;
    const char* cut_short;
  };
  const Row rows[] = {
      {[] { return 7; }, 7, ""},
      {[]() -> int { _exit(3); }, 3, ""},
      {[] { return raise(SIGKILL); }, 0, "was ended by SIGKILL"},
      {[] { return raise(SIGSTOP); }, 0, "was stopped by SIGSTOP"},
  };
  for (const Row& row : rows) {
    const auto end = Supervise(row.work, std::chrono::milliseconds(300));
    ASSERT_TRUE(end);
    EXPECT_EQ(end->exit_code, row.exit_code);
    EXPECT_EQ(end->cut_short, row.cut_short);
  }
}

TEST(Supervisor, HandsSignalsOn) {
  const auto end = Supervise(
      [] {
        static volatile sig_atomic_t asked = 0;
        signal(SIGTERM, [](int) { asked = 1; });
        kill(getppid(), SIGTERM);
        while (asked == 0) usleep(1000);
        return 5;
      },
      std::chrono::seconds(10));
  ASSERT_TRUE(end);
  EXPECT_EQ(end->exit_code, 5);
}

}  // namespace
}  // namespace npukit::conformance
