// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/runner/checks/robustness/process_state.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include <clocale>
#include <csignal>
#include <cstdint>
#include <filesystem>
#include <map>
#include <system_error>

#if defined(__SSE__)
#include <xmmintrin.h>
#endif

#include "conformance/spec/text/text_hash.h"

extern char** environ;

namespace npukit::conformance {
namespace {

constexpr struct {
  decltype(RLIMIT_NOFILE) resource;
  const char* name;
} kLimits[] = {
    {RLIMIT_AS, "address space"},  {RLIMIT_CORE, "core files"},  {RLIMIT_CPU, "processor time"},
    {RLIMIT_DATA, "data"},         {RLIMIT_FSIZE, "file sizes"}, {RLIMIT_MEMLOCK, "locked memory"},
    {RLIMIT_NOFILE, "open files"}, {RLIMIT_NPROC, "processes"},  {RLIMIT_STACK, "the stack"}};

// Results that are subnormal become zero; on x86 operands that are count as zero, too.
#if defined(__SSE__)
constexpr unsigned kFlushes = 0x8040;
#elif defined(__aarch64__)
constexpr uint64_t kFlushes = uint64_t{1} << 24;
#endif

}  // namespace

std::string Change(const ProcessState& before, const ProcessState& after) {
  const std::map<std::string, std::string> then(before.begin(), before.end());
  const std::map<std::string, std::string> now(after.begin(), after.end());
  for (const auto& [name, value] : then) {
    const auto found = now.find(name);
    if (found == now.end()) return name + " is gone";
    if (found->second != value) return name + " changed";
  }
  for (const auto& [name, value] : now) {
    if (!then.contains(name)) return name + " was set";
  }
  return {};
}

ProcessState ReadProcessState() {
  ProcessState state;
  state.emplace_back("the rounding mode", fmt::format("{}", fegetround()));
#if defined(__SSE__)
  state.emplace_back("the floating-point control register",
                     // Less six flags of what has happened, which any computation sets.
                     fmt::format("{}", _mm_getcsr() & ~0x3fU));
#endif
#if defined(__x86_64__)
  uint16_t x87_control = 0;
  asm("fnstcw %0" : "=m"(x87_control));
  state.emplace_back("the x87 control word", fmt::format("{}", x87_control));
#elif defined(__aarch64__)
  uint64_t control = 0;
  asm("mrs %0, fpcr" : "=r"(control));
  state.emplace_back("the floating-point control register", fmt::format("{}", control));
#endif
  state.emplace_back("the trapped floating-point exceptions", fmt::format("{}", fegetexcept()));
  std::error_code error;
  state.emplace_back("the working directory", std::filesystem::current_path(error).string());
  const mode_t mask = umask(0);
  umask(mask);
  state.emplace_back("the umask", fmt::format("{}", mask));
  state.emplace_back("the locale", std::setlocale(LC_ALL, nullptr));
  for (int signal = 1; signal < 32; ++signal) {
    struct sigaction action = {};
    if (sigaction(signal, nullptr, &action) != 0) continue;
    state.emplace_back(fmt::format("the handler of signal {}", signal),
                       fmt::format("{}", reinterpret_cast<uintptr_t>(action.sa_handler)));
  }
  sigset_t blocked;
  sigprocmask(SIG_BLOCK, nullptr, &blocked);
  std::string mask_text;
  for (int signal = 1; signal < 32; ++signal)
    mask_text += sigismember(&blocked, signal) == 1 ? '1' : '0';
  state.emplace_back("the signal mask", mask_text);
  state.emplace_back("the priority", fmt::format("{}", getpriority(PRIO_PROCESS, 0)));
  for (const auto& [resource, name] : kLimits) {
    rlimit limit = {};
    if (getrlimit(resource, &limit) != 0) continue;
    state.emplace_back(fmt::format("the limit of {}", name),
                       fmt::format("{} of {}", limit.rlim_cur, limit.rlim_max));
  }
  itimerval timer = {};
  if (getitimer(ITIMER_REAL, &timer) == 0)
    state.emplace_back(
        "the interval timer",
        timer.it_value.tv_sec != 0 || timer.it_value.tv_usec != 0 ? "running" : "stopped");
  // Each by itself, so that the one that changed is named. Values are secret: observations are kept.
  for (char** variable = environ; variable != nullptr && *variable != nullptr; ++variable) {
    const std::string text = *variable;
    const size_t equals = text.find('=');
    state.emplace_back("the environment variable " + text.substr(0, equals), DigestOf(text));
  }
  return state;
}

OwnFloatMode::OwnFloatMode() {
  fegetenv(&before_);
#if defined(__SSE__)
  _mm_setcsr(_mm_getcsr() | kFlushes);
#elif defined(__aarch64__)
  uint64_t control = 0;
  asm("mrs %0, fpcr" : "=r"(control));
  asm("msr fpcr, %0" : : "r"(control | kFlushes));
#else
  fesetround(FE_UPWARD);
#endif
}

OwnFloatMode::~OwnFloatMode() { fesetenv(&before_); }

}  // namespace npukit::conformance
