// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/runner/process/confinement.h"

#include <fmt/format.h>
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "npukit/internal/sanitizers.h"

namespace npukit::conformance {
namespace {

#if defined(__x86_64__)
#define NPUKIT_HAS_FILTER 1
constexpr uint32_t kArchitecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
#define NPUKIT_HAS_FILTER 1
constexpr uint32_t kArchitecture = AUDIT_ARCH_AARCH64;
#else
#define NPUKIT_HAS_FILTER 0
#endif

std::vector<std::string>& Gaps() {
  static std::vector<std::string> gaps;
  return gaps;
}

void NoteGap(const char* what) {
  Gaps().push_back(fmt::format("{}: {}", what, std::strerror(errno)));
}

// System calls that reach the process, or the group if negative, that is their first argument.
struct ReachingCall {
  uint32_t number;
  const char* name;
  int signal_argument;  // -1: none, it always counts
};
constexpr ReachingCall kReachingCalls[] = {
    {SYS_kill, "kill", 1},
    {SYS_tkill, "tkill", 1},
    {SYS_tgkill, "tgkill", 2},
    {SYS_rt_sigqueueinfo, "rt_sigqueueinfo", 1},
    {SYS_rt_tgsigqueueinfo, "rt_tgsigqueueinfo", 2},
    {SYS_pidfd_open, "pidfd_open", -1},
};

#if NPUKIT_HAS_FILTER

constexpr uint32_t kRefused = SECCOMP_RET_ERRNO | EPERM;

// Refused whatever their arguments.
constexpr uint32_t kRefusedCalls[] = {SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev,
                                      SYS_setsid, SYS_setpgid,          SYS_pidfd_getfd};

// A program for the kernel's filter, written as a list of tests with an answer each. It takes nothing of the heap, on
// which every first allocation of a worker copies a page.
class Filter {
 public:
  void Load(size_t offset) { Add(BPF_LD | BPF_W | BPF_ABS, static_cast<uint32_t>(offset)); }
  void LoadArgument(int index) {
    // The low half: little-endian, as both architectures are.
    Load(offsetof(seccomp_data, args) + static_cast<size_t>(index) * sizeof(uint64_t));
  }
  void AnswerIfEqual(uint32_t value, uint32_t answer) { Test(BPF_JEQ, value, answer); }
  void AnswerIfAtLeast(uint32_t value, uint32_t answer) { Test(BPF_JGE, value, answer); }
  // Leaves out the next `count` instructions if what was loaded is `value`, or unless it is.
  void SkipIfEqual(uint32_t value, size_t count) {
    Put({BPF_JMP | BPF_JEQ | BPF_K, static_cast<uint8_t>(count), 0, value});
  }
  void SkipUnlessEqual(uint32_t value, size_t count) {
    Put({BPF_JMP | BPF_JEQ | BPF_K, 0, static_cast<uint8_t>(count), value});
  }
  void Append(const Filter& other) {
    for (size_t i = 0; i < other.size_; ++i) Put(other.code_[i]);
  }
  void Answer(uint32_t answer) { Add(BPF_RET | BPF_K, answer); }
  size_t size() const { return size_; }
  bool Install() {
    const sock_fprog program = {static_cast<uint16_t>(size_), code_.data()};
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
  }

 private:
  // Beyond the end it aborts: in every worker alike, so that no run goes on without a filter.
  void Put(const sock_filter& instruction) { code_.at(size_++) = instruction; }
  void Add(uint16_t operation, uint32_t value) { Put({operation, 0, 0, value}); }
  void Test(uint16_t operation, uint32_t value, uint32_t answer) {
    Put({static_cast<uint16_t>(BPF_JMP | operation | BPF_K), 0, 1, value});
    Answer(answer);
  }

  static constexpr size_t kMaxInstructions = 256;
  std::array<sock_filter, kMaxInstructions> code_{};
  size_t size_ = 0;
};

constexpr pid_t kEveryone = -1;

// What is answered to `call`, once it is known to be it.
Filter RulesOf(const ReachingCall& call, const KitProcesses& kit) {
  Filter rules;
  if (call.signal_argument >= 0) {
    rules.LoadArgument(call.signal_argument);
    rules.AnswerIfEqual(0, SECCOMP_RET_ALLOW);
  }
  rules.LoadArgument(0);
  // The low half says all: a pid is an int, and the kernel does not look further either.
  for (const pid_t process : {kit.runner, kit.parent, -kit.runner, -kit.parent, kEveryone})
    rules.AnswerIfEqual(static_cast<uint32_t>(process), SECCOMP_RET_TRAP);
  rules.Answer(SECCOMP_RET_ALLOW);
  return rules;
}

Filter MakeFilter(const KitProcesses& kit) {
  Filter filter;
  // First the architecture: 32-bit programs have the same calls by other numbers.
  filter.Load(offsetof(seccomp_data, arch));
  filter.SkipIfEqual(kArchitecture, 1);
  filter.Answer(kRefused);
  filter.Load(offsetof(seccomp_data, nr));
#if defined(__x86_64__)
  constexpr uint32_t kOtherNumbers = 0x40000000;  // the same calls by numbers of x32
  filter.AnswerIfAtLeast(kOtherNumbers, kRefused);
#endif
  for (const uint32_t number : kRefusedCalls) filter.AnswerIfEqual(number, kRefused);
  for (const ReachingCall& call : kReachingCalls) {
    const Filter rules = RulesOf(call, kit);
    filter.SkipUnlessEqual(call.number, rules.size());
    filter.Append(rules);
  }
  Filter death;
  death.LoadArgument(0);
  death.AnswerIfEqual(PR_SET_PDEATHSIG, kRefused);
  death.Answer(SECCOMP_RET_ALLOW);
  filter.SkipUnlessEqual(SYS_prctl, death.size());
  filter.Append(death);
  filter.Answer(SECCOMP_RET_ALLOW);
  return filter;
}

// Of this process, and those that it forks.
bool may_not_trace = false;

void FilterCalls(const KitProcesses& kit) {
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || !MakeFilter(kit).Install())
    return NoteGap("system calls are not filtered");
  may_not_trace = true;
}

#else

void FilterCalls(const KitProcesses&) {
  errno = ENOSYS;
  NoteGap("system calls are not filtered");
}

#endif

// Root could look into the runner all the same.
void DropTracing() {
  __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3] = {};
  if (syscall(SYS_capget, &header, data) != 0) return NoteGap("capabilities are not known");
  constexpr uint32_t kKept = ~(uint32_t{1} << CAP_SYS_PTRACE);
  if (((data[0].effective | data[0].permitted | data[0].inheritable) & ~kKept) == 0) return;
  data[0].effective &= kKept;
  data[0].permitted &= kKept;
  data[0].inheritable &= kKept;
  if (syscall(SYS_capset, &header, data) != 0) NoteGap("root may look into the kit's processes");
}

}  // namespace

#if defined(NPUKIT_INTERNAL_ADDRESS_SANITIZER) && NPUKIT_HAS_FILTER
// Asked by the leak checker as a process exits. It traces that process, and where it may not it ends it with an error,
// which would be taken for the plugin's.
extern "C" int __lsan_is_turned_off();  // NOLINT(bugprone-reserved-identifier): the checker's name
extern "C" int __lsan_is_turned_off() { return may_not_trace ? 1 : 0; }  // NOLINT: the same
#endif

KitProcesses KitProcesses::Current() { return {getpid(), getppid()}; }

std::string ProtectRunner() {
  if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0) return {};
  return fmt::format("the kit's memory can be opened: {}", std::strerror(errno));
}

void ConfineWorker(const KitProcesses& kit) {
  if (setsid() < 0) NoteGap("the worker has no session of its own");
  // The worker can read its own /proc/self again.
  if (prctl(PR_SET_DUMPABLE, 1, 0, 0, 0) != 0) NoteGap("the worker can't look at itself");
  DropTracing();
  FilterCalls(kit);
}

const std::vector<std::string>& ConfinementGaps() { return Gaps(); }

const char* ForbiddenCallName(int number) {
  for (const ReachingCall& call : kReachingCalls) {
    if (static_cast<int>(call.number) == number) return call.name;
  }
  return nullptr;
}

}  // namespace npukit::conformance
