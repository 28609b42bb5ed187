// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/faulty_plugins/mimic_misconduct.h"

#include <pthread.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <cfenv>
#include <clocale>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>

#if defined(__SSE__)
#include <xmmintrin.h>
#endif

#include "conformance/faulty_plugins/fault.h"

namespace npukit::conformance::mimic {
namespace {

// Writes what a check that passed would report to whatever the process has open.
[[noreturn]] void ForgeReport() {
  constexpr char kReport[] =
      "{\"answer\": 0, \"detail\": \"\", \"numbers\": {}, \"exercised\": []}";
  for (int fd = STDERR_FILENO + 1; fd < 64; ++fd) (void)!write(fd, kReport, sizeof kReport - 1);
  _exit(0);
}

// A process in a session of its own, where the kernel lets it have one.
void StartDaemon() {
  if (fork() != 0) return;
  setsid();
  if (fork() == 0) Hang();
  _exit(0);
}

// Not inlined, and not a loop: each call needs its frame.
[[gnu::noinline]] int CallItself(volatile char* last) {  // NOLINT(misc-no-recursion)
  volatile char frame[4096];
  frame[0] = *last;
  return frame[0] == 0 ? 0 : frame[0] + CallItself(frame);
}

// Its destructor runs when the process ends.
struct AtExit {
  ~AtExit() {
    if (Has(Fault::crashes_at_exit)) Crash();
    if (Has(Fault::hangs_at_exit)) Hang();
  }
} at_exit;

}  // namespace

// A write that no compiler may leave out.
[[gnu::noinline]] void Crash() {
  volatile int* volatile nowhere = nullptr;
  *nowhere = 1;
}

[[noreturn]] void Hang() {
  while (true) pause();
}

// What a vendor's library should not do when it is used.
void MisbehaveInProcess() {
  if (Has(Fault::prints)) puts("Mimic compiler, at your service");
  if (Has(Fault::floods_stderr)) {
    while (true) fputs("mimic: still compiling\n", stderr);
  }
  if (Has(Fault::sets_rounding)) fesetround(FE_TOWARDZERO);
  if (Has(Fault::tells_of_success)) fputs("mimic: compiled\n", stderr);
  if (Has(Fault::sets_variable)) setenv("MIMIC_READY", "1", 1);
  if (Has(Fault::unsets_variable)) unsetenv("PATH");
  if (Has(Fault::sets_locale)) setlocale(LC_ALL, "C.UTF-8");
  if (Has(Fault::sets_umask)) umask(0);
  if (Has(Fault::ignores_sigpipe)) signal(SIGPIPE, SIG_IGN);
  if (Has(Fault::blocks_signals)) {
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  }
#if defined(__SSE__)
  if (Has(Fault::flushes_subnormals)) _mm_setcsr(_mm_getcsr() | 0x8040);
#else
  if (Has(Fault::flushes_subnormals)) fesetround(FE_TOWARDZERO);
#endif
  if (Has(Fault::traps_divisions)) feenableexcept(FE_DIVBYZERO);
  if (Has(Fault::limits_file_sizes)) {
    rlimit sizes = {};
    getrlimit(RLIMIT_FSIZE, &sizes);
    sizes.rlim_cur = std::min<rlim_t>(sizes.rlim_cur, rlim_t{1} << 40) - 1;
    setrlimit(RLIMIT_FSIZE, &sizes);
  }
  if (Has(Fault::tells_of_trouble)) {
    for (int i = 0; i < 20; ++i) fputs("INFO: mimic looks at its options\n", stderr);
    fputs("WARNING: mimic found none\n", stderr);
  }
  if (Has(Fault::lowers_priority)) (void)!nice(1);
  if (Has(Fault::limits_files)) {
    rlimit files = {};
    getrlimit(RLIMIT_NOFILE, &files);
    if (files.rlim_cur > 200) files.rlim_cur = 200;
    setrlimit(RLIMIT_NOFILE, &files);
  }
  if (Has(Fault::leaves_timer)) {
    const itimerval hour = {{0, 0}, {3600, 0}};
    setitimer(ITIMER_REAL, &hour, nullptr);
  }
  if (Has(Fault::leaves_file)) {
    const char* folder = getenv("TMPDIR");
    const std::string path = std::string(folder != nullptr ? folder : "/tmp") + "/mimic.log";
    if (FILE* file = fopen(path.c_str(), "w"); file != nullptr) fclose(file);
  }
  if (Has(Fault::takes_sigsegv)) signal(SIGSEGV, SIG_IGN);
  if (Has(Fault::changes_folder) && chdir("/") != 0) abort();
  if (Has(Fault::process_left)) {
    static bool started = false;
    if (!started && fork() == 0) Hang();
    started = true;
  }
}

void MisbehaveInCompile() {
  if (Has(Fault::crashes_in_compile)) Crash();
  if (Has(Fault::overflows_stack)) {
    volatile char start = 1;
    if (CallItself(&start) == 0) return;
  }
  if (Has(Fault::hangs_in_compile)) Hang();
  if (Has(Fault::exits_in_compile)) exit(0);
  if (Has(Fault::forges_report)) ForgeReport();
  if (Has(Fault::kills_the_kit)) kill(getppid(), SIGKILL);
  if (Has(Fault::stops_the_kit)) kill(getppid(), SIGSTOP);
  if (Has(Fault::leaves_a_daemon)) StartDaemon();
}

}  // namespace npukit::conformance::mimic
