// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <new>
#include <sstream>
#include <string>
#include <thread>
#include <utility>

#include "conformance/runner/process/child_pool.h"
#include "conformance/runner/process/child_process.h"
#include "conformance/runner/process/guarded_regions.h"
#include "conformance/runner/process/stack_symbols.h"
#include "conformance/runner/process/stage.h"
#include "conformance/runner/process/worker_setup.h"

namespace npukit::conformance {
namespace {

using ::testing::HasSubstr;
using End = ChildOutcome::End;

ChildOutcome RunWork(const ChildProcess::Work& work, ChildLimits limits = {}) {
  auto outcome = RunTask({work, std::move(limits)});
  EXPECT_TRUE(outcome) << (outcome ? "" : outcome.Error().Message());
  return outcome ? *outcome : ChildOutcome{};
}

ChildLimits ShortTimeout() {
  ChildLimits limits;
  limits.timeout = std::chrono::milliseconds(100);
  return limits;
}

TEST(ChildProcess, ReportsWhatTheWorkReturns) {
  const ChildOutcome outcome = RunWork([] { return std::string("all well\0and more", 17); });
  EXPECT_EQ(outcome.end, End::kReported);
  EXPECT_EQ(outcome.report, std::string("all well\0and more", 17));
  EXPECT_GT(outcome.peak_memory_bytes, 0u);
  EXPECT_FALSE(outcome.left_processes);
}

TEST(ChildProcess, ACrashAtAGuardPageIsTold) {
  for (const bool is_write : {false, true}) {
    const ChildOutcome outcome = RunWork([&] {
      const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
      auto* mapping = static_cast<uint8_t*>(
          mmap(nullptr, 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
      mprotect(mapping, page, PROT_READ | PROT_WRITE);
      const size_t region =
          AddGuardedRegion({mapping, mapping + 2 * page, mapping + page - 10, 10});
      NameGuardedRegion(region, "output 3");
      SetStage("invoke");
      volatile uint8_t* const past = mapping + page;
      if (is_write) *past = 1;
      return std::string(1, static_cast<char>(*past));
    });
    EXPECT_EQ(outcome.end, End::kSignalled);
    EXPECT_EQ(outcome.stage, is_write ? "invoke: wrote past the end of output 3"
                                      : "invoke: read past the end of output 3");
  }
}

// Writes to every descriptor that the worker has beside the standard ones, as a library might.
void WriteEverywhere(const std::string& text) {
  for (int fd = STDERR_FILENO + 1; fd < 64; ++fd) (void)!write(fd, text.data(), text.size());
}

TEST(ChildProcess, AReportOfAnotherHandIsForged) {
  const ChildOutcome instead = RunWork([]() -> std::string {
    WriteEverywhere("all well\x04");
    _exit(0);
  });
  EXPECT_EQ(instead.end, End::kForged);
  EXPECT_EQ(instead.report, "");
  const ChildOutcome before = RunWork([] {
    WriteEverywhere("all well");
    return std::string("not at all");
  });
  EXPECT_EQ(before.end, End::kForged);
}

TEST(ChildProcess, ALargeReportArrivesWhole) {
  const size_t size = 3'000'000;
  EXPECT_EQ(RunWork([&] { return std::string(size, 'x'); }).report, std::string(size, 'x'));
}

// Not exported, as most functions of a plugin.
[[gnu::noinline]] void WriteNowhere() {
  volatile int* volatile nowhere = nullptr;
  *nowhere = 1;
}

TEST(ChildProcess, StagesSayOfWhatTheyAre) {
  const ChildOutcome outcome = RunWork([]() -> std::string {
    {
      const StageOf stage("the first");
      SetStage("Partition");
    }
    const StageOf stage("the second");
    SetStage("Compile");
    AddToStage("read past the end");
    abort();
  });
  EXPECT_EQ(outcome.stage, "Compile: the second: read past the end");
}

TEST(ChildProcess, ASignalIsNamedWithStageAndStack) {
  if (HasSanitizer()) GTEST_SKIP() << "the sanitizer ends the process itself";
  const ChildOutcome outcome = RunWork([] {
    SetStage("first");
    SetStage("LiteRtCompilerPluginCompile");
    WriteNowhere();
    return std::string("not reached");
  });
  EXPECT_EQ(outcome.end, End::kSignalled);
  EXPECT_EQ(SignalName(outcome.signal), "SIGSEGV");
  EXPECT_EQ(outcome.stage, "LiteRtCompilerPluginCompile");
  EXPECT_THAT(outcome.stack, HasSubstr("conformance_worker_test("));
  EXPECT_THAT(outcome.stack, HasSubstr("WriteNowhere()+0x"));
}

[[gnu::noinline]] void GiveUp() { abort(); }

TEST(ChildProcess, AbortIsASignal) {
  const ChildOutcome outcome = RunWork([]() -> std::string {
    GiveUp();
    return "";
  });
  EXPECT_EQ(outcome.end, End::kSignalled);
  EXPECT_EQ(outcome.signal, SIGABRT);
  if (!HasSanitizer()) {
    EXPECT_THAT(outcome.stack, HasSubstr("GiveUp()+0x"));
  }
}

TEST(ChildProcess, AnOverflowOfTheStackIsSurvived) {
  if (HasSanitizer()) GTEST_SKIP() << "the sanitizer ends the process itself";
  struct Recursion {
    static int Deeper(volatile char* last) {  // NOLINT(misc-no-recursion)
      volatile char frame[4096];
      frame[0] = *last;
      return frame[0] == 0 ? 0
                           : frame[0] + Deeper(frame);  // it never is, which only the reader knows
    }
  };
  const ChildOutcome outcome = RunWork([] {
    volatile char start = 1;
    return fmt::format("{}", Recursion::Deeper(&start));
  });
  EXPECT_EQ(outcome.end, End::kSignalled);
  EXPECT_EQ(outcome.signal, SIGSEGV);
  EXPECT_THAT(outcome.stack, HasSubstr("Recursion::Deeper(char volatile*)+0x"));
}

TEST(ChildProcess, ExitBeforeTheReportIsNoSuccess) {
  if (HasSanitizer()) GTEST_SKIP() << "the sanitizer looks for leaks in exit() and takes its code";
  for (int code : {0, 3}) {
    const ChildOutcome outcome = RunWork([code]() -> std::string { exit(code); });
    EXPECT_EQ(outcome.end, End::kExited);
    EXPECT_EQ(outcome.exit_code, code);
  }
}

TEST(ChildProcess, AHangIsEndedAndItsStackTaken) {
  const ChildOutcome outcome = RunWork(
      []() -> std::string {
        SetStage("LiteRtDispatchInvoke");
        while (true) pause();
      },
      ShortTimeout());
  EXPECT_EQ(outcome.end, End::kTimedOut);
  EXPECT_EQ(outcome.stage, "LiteRtDispatchInvoke");
  if (!HasSanitizer()) {
    EXPECT_THAT(outcome.stack, HasSubstr("pause"));
  }
}

TEST(ChildProcess, AHangThatIgnoresSignalsIsEndedToo) {
  const ChildOutcome outcome = RunWork(
      []() -> std::string {
        sigset_t all;
        sigfillset(&all);
        sigprocmask(SIG_BLOCK, &all, nullptr);
        while (true) pause();
      },
      ShortTimeout());
  EXPECT_EQ(outcome.end, End::kTimedOut);
}

TEST(ChildProcess, OutputIsCapturedAndLimited) {
  const ChildOutcome little = RunWork([] {
    printf("to out");
    fprintf(stderr, "to err");
    return std::string();
  });
  EXPECT_EQ(little.end, End::kReported);
  EXPECT_EQ(little.standard_output, "to out");
  EXPECT_EQ(little.standard_error, "to err");

  ChildLimits limits;
  limits.output_bytes = 100'000;
  const ChildOutcome spam = RunWork(
      []() -> std::string {
        while (true) puts("spam");
      },
      limits);
  EXPECT_EQ(spam.end, End::kOutputLimit);
  EXPECT_LE(spam.standard_output.size(), 100'000u);
}

TEST(ChildProcess, MemoryIsLimited) {
  if (HasSanitizer()) GTEST_SKIP() << "address space can't be limited under a sanitizer";
  ChildLimits limits;
  limits.memory_bytes = uint64_t{256} << 20;
  const ChildOutcome outcome = RunWork(
      [] {
        void* const large =
            mmap(nullptr, size_t{512} << 20, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        return std::string(large == MAP_FAILED ? "refused" : "granted");
      },
      limits);
  EXPECT_EQ(outcome.report, "refused");
}

TEST(ChildProcess, AProcessLeftBehindIsSeenAndKilled) {
  const ChildOutcome outcome = RunWork([] {
    const pid_t pid = fork();
    if (pid == 0) {
      while (true) pause();
    }
    return fmt::format("{}", pid);
  });
  EXPECT_EQ(outcome.end, End::kReported);
  EXPECT_TRUE(outcome.left_processes);
}

TEST(ChildProcess, AReportCutOffByACrashIsNoReport) {
  const ChildOutcome outcome = RunWork([]() -> std::string {
    std::atexit([] { kill(getpid(), SIGKILL); });
    exit(0);
  });
  EXPECT_EQ(outcome.end, End::kSignalled);
  EXPECT_EQ(outcome.signal, SIGKILL);
}

TEST(ChildProcess, AnotherThreadsCrashIsSeen) {
  if (HasSanitizer()) GTEST_SKIP() << "the sanitizer ends the process itself";
  const ChildOutcome outcome = RunWork([] {
    std::thread thread([] { raise(SIGILL); });
    thread.join();
    return std::string();
  });
  EXPECT_EQ(outcome.end, End::kSignalled);
  EXPECT_EQ(SignalName(outcome.signal), "SIGILL");
}

TEST(StackSymbols, WhatIsNoFrameStays) {
  const char* texts[] = {"",
                         "no frame\n",
                         "/no/such/file(+0x10)[0x7f]\n",
                         "(+0x)[]\n",
                         "x(+0xzz)[0]\n",
                         "/proc/self/exe(+0xffffffffffffffff)[0x0]\n",
                         "/etc/hostname(+0x10)[0x7f]\n",
                         "a(b\n",
                         "+0x1)(\n"};
  for (const char* text : texts) EXPECT_EQ(NameFrames(text), text);
  EXPECT_EQ(NameFrames("f(_ZN1a1bEv+0x3)[0x1]\n"), "f(a::b()+0x3)[0x1]\n");
}

// A library that was damaged gives no names, and no worse.
TEST(StackSymbols, DamagedFilesAreSurvived) {
  std::ifstream self("/proc/self/exe", std::ios::binary);
  const std::string whole{std::istreambuf_iterator<char>(self), std::istreambuf_iterator<char>()};
  const std::string path =
      (std::filesystem::temp_directory_path() / fmt::format("npukit_damaged_{}", getpid()))
          .string();
  const std::string frame = path + "(+0x20000)[0x7f]\n";
  for (size_t at = 0; at < 64 + 8 * 64; at += 3) {  // the header, then the sections' headers
    std::string damaged = whole;
    const size_t sections = whole.size() > 48 ? *reinterpret_cast<const uint64_t*>(&whole[40]) : 0;
    const size_t where = at < 64 ? at : sections + (at - 64);
    if (where < damaged.size()) damaged[where] = static_cast<char>(damaged[where] ^ 0xff);
    std::ofstream(path, std::ios::binary) << damaged;
    EXPECT_FALSE(NameFrames(frame).empty());
  }
  for (size_t length : {size_t{0}, size_t{3}, size_t{63}, size_t{64}, whole.size() / 2}) {
    std::ofstream(path, std::ios::binary) << whole.substr(0, length);
    EXPECT_EQ(NameFrames(frame), frame);
  }
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace npukit::conformance
