// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/runner/process/child_process.h"

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>

#include "conformance/runner/process/confinement.h"
#include "conformance/runner/process/lean_heap.h"
#include "conformance/runner/process/stack_symbols.h"
#include "conformance/runner/process/stage.h"
#include "conformance/runner/process/worker_setup.h"

namespace npukit::conformance {
namespace {

using Clock = std::chrono::steady_clock;

constexpr uint64_t kMaxReportBytes = uint64_t{1} << 30;
constexpr int kReportPipeBytes = 1 << 20;  // the most that the kernel gives to anybody
constexpr uint64_t kMaxStackBytes = uint64_t{64} << 10;
// A worker that was told to stop may still write its stack for that long.
constexpr std::chrono::milliseconds kGrace{300};
// Of a report's seal. Guessing it is hopeless; a vendor's library that searches its process's memory
// for it is past what can be told from here.
constexpr size_t kSealBytes = 32;

struct PipeEnds {
  int read[ChildProcess::kPipes];
  int write[ChildProcess::kPipes];
};

void CloseAll(const int (&fds)[ChildProcess::kPipes]) {
  for (int fd : fds) {
    if (fd >= 0) close(fd);
  }
}

bool OpenPipes(PipeEnds& ends, int report) {
  std::fill(std::begin(ends.read), std::end(ends.read), -1);
  std::fill(std::begin(ends.write), std::end(ends.write), -1);
  for (int i = 0; i < ChildProcess::kPipes; ++i) {
    int pair[2];
    if (pipe2(pair, O_CLOEXEC) != 0) {
      CloseAll(ends.read);
      CloseAll(ends.write);
      return false;
    }
    ends.read[i] = pair[0];
    ends.write[i] = pair[1];
    fcntl(pair[0], F_SETFL, O_NONBLOCK);
    // A worker should not wait for its reader; where no more room is to be had, it does.
    if (i == report) fcntl(pair[1], F_SETPIPE_SZ, kReportPipeBytes);
  }
  return true;
}

// Random; empty if the kernel has none to give.
std::string MakeSeal() {
  std::string seal(kSealBytes, '\0');
  return getrandom(seal.data(), seal.size(), 0) == static_cast<ssize_t>(seal.size())
             ? seal
             : std::string();
}

void WriteWhole(int fd, const std::string& text) {
  size_t done = 0;
  while (done < text.size()) {
    const ssize_t written = write(fd, text.data() + done, text.size() - done);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;
    done += static_cast<size_t>(written);
  }
}

// Descriptors that the parent has open for other workers must not keep those workers' pipes alive.
void CloseInherited(const int (&pipes)[ChildProcess::kPipes], std::vector<int> keep) {
  keep.insert(keep.end(), std::begin(pipes), std::end(pipes));
  const int highest = *std::max_element(keep.begin(), keep.end());
  for (int fd = 3; fd < highest; ++fd) {
    if (std::find(keep.begin(), keep.end(), fd) == keep.end()) close(fd);
  }
  syscall(SYS_close_range, static_cast<unsigned>(highest) + 1, ~0U, 0);
}

[[noreturn]] void RunWorker(const ChildProcess::Work& work, const ChildLimits& limits,
                            const KitProcesses& kit, const std::string& seal, const PipeEnds& ends,
                            StagePage* stage, int report, int stack, int output, int error) {
  // The order counts. What the filter of ConfineWorker forbids, as this call, comes before it; so
  // does what vendor code must not find: the pipes of other workers, and streams that are the
  // runner's.
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != kit.runner) _exit(0);  // it ended before that was said
  // The terminal interrupts all processes of the group, which the worker is still of. What ends
  // workers is the runner, which gets it, too.
  signal(SIGINT, SIG_IGN);
  CloseInherited(ends.write, limits.inherited_fds);
  const int null = open("/dev/null", O_RDONLY);
  dup2(null, STDIN_FILENO);
  dup2(ends.write[output], STDOUT_FILENO);
  dup2(ends.write[error], STDERR_FILENO);
  close(null);
  close(ends.write[output]);
  close(ends.write[error]);
  SetStagePage(stage);
  InstallCrashHandler(ends.write[stack]);
  LimitMemory(limits.memory_bytes);
  ConfineWorker(kit);
  KeepFreedMemory();
  const std::string text = work();
  fflush(stdout);
  fflush(stderr);
  WriteWhole(ends.write[report], seal);
  WriteWhole(ends.write[report], text);
  WriteWhole(ends.write[report], seal);
  _exit(0);
}

}  // namespace

litert::Expected<std::unique_ptr<ChildProcess>> ChildProcess::Start(const Work& work,
                                                                    const ChildLimits& limits) {
  const std::string seal = MakeSeal();
  if (seal.empty())
    return litert::Unexpected(kLiteRtStatusErrorRuntimeFailure, "the kernel gives no random bytes");
  std::unique_ptr<ChildProcess> child(new ChildProcess);
  child->stage_ = StagePage::Create();
  PipeEnds ends;
  if (child->stage_ == nullptr || !OpenPipes(ends, kReport))
    return litert::Unexpected(kLiteRtStatusErrorRuntimeFailure, "no pipe: too many open files?");
  fflush(stdout);
  fflush(stderr);
  LoadUnwinder();
  const KitProcesses kit = KitProcesses::Current();
  const pid_t pid = fork();
  if (pid < 0) {
    CloseAll(ends.read);
    CloseAll(ends.write);
    return litert::Unexpected(kLiteRtStatusErrorRuntimeFailure,
                              std::string("can't fork: ") + strerror(errno));
  }
  if (pid == 0)
    RunWorker(work, limits, kit, seal, ends, child->stage_, kReport, kStack, kOutput, kError);
  CloseAll(ends.write);
  child->stage_->KeepFromLaterProcesses();
  child->pid_ = pid;
  child->seal_ = seal;
  std::copy(std::begin(ends.read), std::end(ends.read), child->pipes_);
  child->limits_ = limits;
  child->start_ = Clock::now();
  child->deadline_ = child->start_ + limits.timeout;
  return child;
}

ChildProcess::~ChildProcess() {
  if (pid_ > 0 && !done_) {
    Kill(SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
  CloseAll(pipes_);
  StagePage::Destroy(stage_);
}

void ChildProcess::Kill(int signal) {
  if (kill(-pid_, signal) == 0) return;
  kill(pid_, signal);  // it has no group of its own yet
}

void ChildProcess::ReadPipe(Pipe pipe, std::string& into, uint64_t limit_bytes) {
  char chunk[16384];
  while (pipes_[pipe] >= 0) {
    const ssize_t got = read(pipes_[pipe], chunk, sizeof chunk);
    if (got > 0) {
      // What is beyond is read and dropped: a worker that waits for room in a pipe would never end.
      const size_t room = limit_bytes > into.size() ? limit_bytes - into.size() : 0;
      into.append(chunk, std::min<size_t>(room, static_cast<size_t>(got)));
      const bool limited = pipe == kOutput || pipe == kError;
      if (limited && static_cast<size_t>(got) > room) Stop(ChildOutcome::End::kOutputLimit);
      if (limited && stopping_) return;  // it may write faster than this reads
      continue;
    }
    if (got < 0 && errno == EINTR) continue;
    if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return;
    close(pipes_[pipe]);
    pipes_[pipe] = -1;
  }
}

void ChildProcess::ReadPipes() {
  ReadPipe(kReport, raw_report_, kMaxReportBytes);
  ReadPipe(kStack, outcome_.stack, kMaxStackBytes);
  ReadPipe(kOutput, outcome_.standard_output, limits_.output_bytes);
  ReadPipe(kError, outcome_.standard_error, limits_.output_bytes);
}

void ChildProcess::Stop(ChildOutcome::End end) {
  if (stopping_) return;
  stopping_ = true;
  outcome_.end = end;
  deadline_ = Clock::now() + kGrace;
  if (end == ChildOutcome::End::kTimedOut) {
    kill(pid_, SIGXCPU);  // asks for the stack
  } else {
    Kill(SIGKILL);
  }
}

void ChildProcess::Cancel() { Stop(ChildOutcome::End::kCancelled); }

bool ChildProcess::Poll() {
  if (done_) return true;
  ReadPipes();
  if (Reap()) return true;
  if (Clock::now() >= deadline_) {
    if (stopping_) {
      Kill(SIGKILL);
    } else {
      Stop(ChildOutcome::End::kTimedOut);
    }
  }
  return false;
}

bool ChildProcess::Reap() {
  int status = 0;
  rusage usage = {};
  const pid_t reaped = wait4(pid_, &status, WNOHANG, &usage);
  if (reaped != pid_) return false;
  outcome_.peak_memory_bytes = static_cast<uint64_t>(usage.ru_maxrss) * 1024;
  // The leader is gone; whoever of its group is left was started by the vendor's code.
  outcome_.left_processes = kill(-pid_, 0) == 0;
  kill(-pid_, SIGKILL);
  ReadPipes();
  Finish(status);
  return true;
}

void ChildProcess::Finish(int status) {
  done_ = true;
  if (!outcome_.stack.empty()) outcome_.stack = NameFrames(outcome_.stack);
  outcome_.seconds = std::chrono::duration<double>(Clock::now() - start_).count();
  outcome_.stage = stage_->Read();
  if (stopping_) return;
  // Whole: seal, report, seal. A beginning of that was cut off, by whatever ended the process. All
  // else was written by somebody who does not know the seal.
  const bool is_sealed = raw_report_.starts_with(seal_);
  const size_t end = is_sealed ? raw_report_.find(seal_, seal_.size()) : std::string::npos;
  // Cut off by the worker's end, perhaps within the seal.
  const bool is_beginning = is_sealed ? end == std::string::npos : seal_.starts_with(raw_report_);
  if (end != std::string::npos && end + seal_.size() == raw_report_.size()) {
    outcome_.end = ChildOutcome::End::kReported;
    outcome_.report = std::move(raw_report_);
    outcome_.report.resize(end);
    outcome_.report.erase(0, seal_.size());
  } else if (!is_beginning) {
    outcome_.end = ChildOutcome::End::kForged;
  } else if (WIFSIGNALED(status)) {
    outcome_.end = ChildOutcome::End::kSignalled;
    outcome_.signal = WTERMSIG(status);
  } else {
    outcome_.end = ChildOutcome::End::kExited;
    outcome_.exit_code = WEXITSTATUS(status);
  }
}

}  // namespace npukit::conformance
