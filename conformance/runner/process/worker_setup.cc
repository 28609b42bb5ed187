// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/runner/process/worker_setup.h"

#include <execinfo.h>
#include <sys/resource.h>
#include <ucontext.h>
#include <unistd.h>

#include <csignal>
#include <cstring>

#include "conformance/runner/process/confinement.h"
#include "conformance/runner/process/guarded_regions.h"
#include "conformance/runner/process/stage.h"
#include "npukit/internal/sanitizers.h"

namespace npukit::conformance {
namespace {

constexpr int kCrashSignals[] = {SIGSEGV, SIGBUS,  SIGILL, SIGFPE,
                                 SIGABRT, SIGTRAP, SIGSYS, SIGXCPU};
constexpr int kMaxFrames = 48;

alignas(16) char handler_stack[64 << 10];
int stack_fd = -1;

// Whether the access that crashed was a write, where the processor says so.
bool IsWrite(const void* context) {
#if defined(__x86_64__)
  constexpr int64_t kWriteBit = 2;  // of the page fault's error code
  return (static_cast<const ucontext_t*>(context)->uc_mcontext.gregs[REG_ERR] & kWriteBit) != 0;
#elif defined(__aarch64__)
  // Among records of which each begins with its kind and its size in bytes, up to one of size 0.
  constexpr uint64_t kWriteBit = 1 << 6;  // of the syndrome of a data abort
  const mcontext_t& machine = static_cast<const ucontext_t*>(context)->uc_mcontext;
  const auto* const end = machine.__reserved + sizeof machine.__reserved;
  const auto* at = machine.__reserved;
  while (at + sizeof(esr_context) <= end) {
    esr_context record;
    std::memcpy(&record, at, sizeof record);
    if (record.head.magic == ESR_MAGIC) return (record.esr & kWriteBit) != 0;
    if (record.head.size == 0) break;
    at += record.head.size;
  }
  return false;
#else
  (void)context;
  return false;
#endif
}

// At a guard page: the stage says what was overrun.
void TellGuardedAccess(const siginfo_t& info, const void* context) {
  constexpr size_t kCapacity = 120;
  char text[kCapacity];
  const size_t length = DescribeGuardedAccess(info.si_addr, IsWrite(context), text, kCapacity);
  if (length > 0) AddToStage({text, length});
}

// At a call that confinement forbids: the stage says which.
void TellForbiddenCall(const siginfo_t& info) {
  const char* name = ForbiddenCallName(info.si_syscall);
  if (name == nullptr) return;
  AddToStage("signals the kit's processes");
  AddToStage(name);
}

void WriteStackAndDie(int signal, siginfo_t* info, void* context) {
  if (signal == SIGSYS) TellForbiddenCall(*info);
  if (signal == SIGSEGV || signal == SIGBUS) TellGuardedAccess(*info, context);
  void* frames[kMaxFrames];
  const int count = backtrace(frames, kMaxFrames);
  // The handler itself and the kernel's trampoline say nothing.
  constexpr int kOwnFrames = 2;
  if (count > kOwnFrames) backtrace_symbols_fd(frames + kOwnFrames, count - kOwnFrames, stack_fd);
  // SA_RESETHAND restored the default action, and SA_NODEFER keeps the signal open in its handler:
  // the process dies of it here.
  raise(signal);
}

}  // namespace

bool HasSanitizer() {
#if defined(NPUKIT_INTERNAL_SANITIZER)
  return true;
#else
  return false;
#endif
}

void LimitMemory(uint64_t bytes) {
  if (bytes == 0 || HasSanitizer()) return;
  const rlimit limit{bytes, bytes};
  setrlimit(RLIMIT_AS, &limit);
}

void LoadUnwinder() {
  void* frames[1];
  backtrace(frames, 1);
}

void InstallCrashHandler(int fd) {
  stack_fd = fd;
  stack_t stack = {};
  stack.ss_sp = handler_stack;
  stack.ss_size = sizeof handler_stack;
  sigaltstack(&stack, nullptr);
  struct sigaction action = {};
  action.sa_sigaction = WriteStackAndDie;
  action.sa_flags = static_cast<int>(SA_ONSTACK | SA_RESETHAND | SA_NODEFER | SA_SIGINFO);
  sigemptyset(&action.sa_mask);
  for (int signal : kCrashSignals) sigaction(signal, &action, nullptr);
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
}

}  // namespace npukit::conformance
