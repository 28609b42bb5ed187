// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/remote/worker/library_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <condition_variable>
#include <cstring>
#include <memory>
#include <mutex>
#include <span>
#include <thread>
#include <utility>
#include <vector>

#include "litert/cc/litert_macros.h"
#include "sdk/remote/wire/byte_stream.h"
#include "sdk/remote/wire/dispatch_call.h"
#include "sdk/remote/wire/plugin_call.h"
#include "sdk/remote/worker/call_threads.h"
#include "sdk/remote/worker/compiler_session.h"
#include "sdk/remote/worker/library_session.h"

namespace npukit::remote {
namespace {

constexpr std::chrono::milliseconds kDeskSilence = std::chrono::hours(24);
constexpr std::chrono::milliseconds kPieceSilence = std::chrono::minutes(1);

// The process from inside. One thread reads what the desk asks; the library is called on others,
// one for each thread of the desk that calls; that of the number 0 is the main one.
//
// It ends by _exit(): destructors of the vendor's could wait for threads, or crash.
class Callee {
 public:
  Callee(const LibraryStart& start, int fd) : start_(start), fd_(fd) {}

  [[noreturn]] void Run() {
    std::thread([this] { Read(); }).detach();
    threads_.RunMain();
  }

 private:
  [[noreturn]] void Read() {
    // Signals are for threads of the library's.
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, nullptr);
    for (;;) {
      auto request = ReceiveFrame(fd_, kDeskSilence);
      if (!request) _exit(0);
      if (auto taken = Take(*request); !taken) Send(Refusal(*request, taken.Error().Message()));
    }
  }

  void Send(const Frame& answer) {
    const std::lock_guard lock(send_mutex_);
    SendLocked(answer);
  }
  void SendLocked(const Frame& answer) const {
    if (!SendFrame(fd_, answer, kPieceSilence)) _exit(0);
  }

  litert::Expected<void> Take(Frame& request) {
    if (request.kind == MessageKind::kCall) return TakeCalls(request);
    if (request.kind == MessageKind::kPluginCall) return TakePluginCall(request);
    {
      const std::lock_guard lock(opening_mutex_);
      is_opening_ = true;
    }
    threads_.Give(0, [this, request = std::move(request)] {
      auto answer = request.kind == MessageKind::kOpen ? Open(request) : OpenPlugin(request);
      {
        const std::lock_guard lock(opening_mutex_);
        is_opening_ = false;
      }
      opened_.notify_all();
      Send(answer ? *answer : Refusal(request, answer.Error().Message()));
    });
    return {};
  }

  // The request before a call may be the one to open the library, on thread 0: other threads wait
  // for it.
  void AwaitOpening() {
    std::unique_lock lock(opening_mutex_);
    opened_.wait(lock, [this] { return !is_opening_; });
  }

  // What one call brings for buffers takes effect now, in the order in which the desk wrote it,
  // also if the call's own thread is still at work. Each of several brings what the desk had by
  // then: it takes effect right before that call, and not before those ahead of it.
  litert::Expected<void> TakeCalls(Frame& request) {
    LITERT_ASSIGN_OR_RETURN(std::vector<DispatchCall> calls, ParseDispatchCalls(request.payload));
    request.payload.clear();
    LibrarySession* const session = session_;
    const uint16_t thread = calls.front().thread;
    auto ended = std::make_shared<LibrarySession::Ended>();
    if (session != nullptr && calls.size() == 1) {
      if (auto taken = session->TakeNews(calls.front(), *ended); !taken) {
        threads_.Give(thread, [ended = std::move(ended)] {});
        return taken;
      }
      calls.front().buffers.clear();
      calls.front().states.clear();
    }
    threads_.Give(thread, [this, request = std::move(request), calls = std::move(calls),
                           ended = std::move(ended)]() mutable {
      ended.reset();
      Answer(request, calls);
    });
    return {};
  }

  litert::Expected<void> TakePluginCall(Frame& request) {
    LITERT_ASSIGN_OR_RETURN(PluginCall call, ParsePluginCall(request.payload));
    request.payload.clear();
    const uint16_t thread = call.thread;
    threads_.Give(thread, [this, request = std::move(request), call = std::move(call)] {
      AwaitOpening();
      CompilerSession* const compiler = compiler_;
      if (compiler == nullptr) return Send(Refusal(request, "no compiler plugin is open"));
      const auto answer = compiler->Run(call);
      Send(answer ? AnswerOrRefusal(request, MessageKind::kPluginAnswer, Encode(*answer))
                  : Refusal(request, answer.Error().Message()));
    });
    return {};
  }

  litert::Expected<Frame> Open(const Frame& request) {
    LITERT_ASSIGN_OR_RETURN(auto session, LibrarySession::Open(start_.path, start_.cache));
    session_ = session.release();  // for the life of the process
    return AnswerTo(request, MessageKind::kOpened, Encode(session_.load()->Facts()));
  }

  litert::Expected<Frame> OpenPlugin(const Frame& request) {
    LITERT_ASSIGN_OR_RETURN(auto compiler, CompilerSession::Open(start_.path, start_.cache));
    compiler_ = compiler.release();  // likewise
    return AnswerTo(request, MessageKind::kPluginOpened, Encode(compiler_.load()->Facts()));
  }

  static Frame AnswerOrRefusal(const Frame& request, MessageKind kind,
                               std::vector<uint8_t> payload) {
    return payload.size() > kMaxPayloadBytes
               ? Refusal(request, "the answer is longer than a message may be")
               : AnswerTo(request, kind, std::move(payload));
  }

  void Answer(const Frame& request, const std::vector<DispatchCall>& calls) {
    AwaitOpening();
    LibrarySession* const session = session_;
    if (session == nullptr) return Send(Refusal(request, "no library is open"));
    auto answers = session->Run(calls);
    if (!answers) return Send(Refusal(request, answers.Error().Message()));
    // What is told of buffers is told in the order in which answers leave.
    const std::lock_guard lock(send_mutex_);
    if (calls.size() == 1) session->AddNews(calls.front(), answers->front());
    SendLocked(AnswerOrRefusal(request, MessageKind::kAnswer, Encode(*answers)));
  }

  const LibraryStart& start_;
  const int fd_;
  CallThreads threads_;
  std::mutex send_mutex_;
  std::mutex opening_mutex_;
  std::condition_variable opened_;
  bool is_opening_ = false;
  std::atomic<LibrarySession*> session_ = nullptr;
  std::atomic<CompilerSession*> compiler_ = nullptr;
};

[[noreturn]] void Run(const LibraryStart& start, int fd) {
  for (const int other : start.not_its) close(other);
  const int nothing = open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (start.is_quiet && nothing >= 0) {
    dup2(nothing, STDOUT_FILENO);
    dup2(nothing, STDERR_FILENO);
  }
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  (new Callee(start, fd))->Run();
}

}  // namespace

Frame AnswerTo(const Frame& request, MessageKind kind, std::vector<uint8_t> payload) {
  return {.kind = kind,
          .number = request.number,
          .channel = request.channel,
          .payload = std::move(payload)};
}

Frame Refusal(const Frame& request, const std::string& why) {
  ByteWriter to;
  to.PutText(why);
  return AnswerTo(request, MessageKind::kRefused, to.Take());
}

void LibraryProcess::Kill() {
  if (pid_ <= 0) return;
  kill(pid_, SIGKILL);
  (void)Close("is not wanted any more");
}

litert::Expected<void> LibraryProcess::Start(const LibraryStart& start) {
  Kill();
  int pair[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
    return litert::Unexpected(kLiteRtStatusErrorRuntimeFailure, strerror(errno));
  const pid_t parent = getpid();
  const pid_t pid = fork();
  if (pid < 0) {
    const std::string why = strerror(errno);
    close(pair[0]);
    close(pair[1]);
    return litert::Unexpected(kLiteRtStatusErrorRuntimeFailure,
                              "the device starts no process: " + why);
  }
  if (pid == 0) {
    setpgid(0, 0);
    // The signal comes when the thread that forked ends: the worker has but one. If it ended before
    // this line no signal comes, and the parent is another process by now.
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(0);
    close(pair[0]);
    Run(start, pair[1]);
  }
  setpgid(pid, pid);  // whoever comes first
  close(pair[1]);
  fd_ = pair[0];
  pid_ = pid;
  return {};
}

// Of one answer at a time: an idle process is not listened to, and what it writes then stays where it
// is until somebody waits for an answer.
LibraryProcess::Received LibraryProcess::Receive(std::vector<uint8_t>& spare) {
  using enum Received::What;
  coming_.Reuse(std::exchange(spare, {}));
  Received received;
  while (received.what == kPart) {
    const std::span<uint8_t> room = coming_.RoomOfMessage();
    const ssize_t got = recv(fd_, room.data(), room.size(), MSG_DONTWAIT);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0 && errno == EAGAIN) break;
    // An error is an end, too: that of a process with requests that it has not read (ECONNRESET).
    if (got <= 0) {
      received.what = kEnd;
      break;
    }
    last_bytes_ = std::chrono::steady_clock::now();
    coming_.Came(static_cast<size_t>(got));
    auto next = coming_.Next();
    if (!next) received.what = kNoAnswer;
    if (!next || !*next) continue;
    received = {.what = kAnswer, .answer = std::move(**next)};
  }
  spare = coming_.TakeSpare();
  return received;
}

bool LibraryProcess::IsStuck(std::chrono::milliseconds silence) const {
  return coming_.is_within_message() && std::chrono::steady_clock::now() - last_bytes_ >= silence;
}

HowItEnded LibraryProcess::Close(std::string detail) {
  HowItEnded end{.detail = std::move(detail)};
  if (pid_ <= 0) return end;
  close(std::exchange(fd_, -1));
  coming_ = {};
  // A crash is to be told by its own signal: it is killed only if it does not end by itself. Until
  // it is waited for its number is nobody else's, nor is its group's, in which what it started may
  // live on.
  if (!end.detail.empty() || !HasEnded()) kill(pid_, SIGKILL);
  kill(-pid_, SIGKILL);
  int status = 0;
  while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  pid_ = -1;
  if (WIFSIGNALED(status)) end.signal = WTERMSIG(status);
  if (WIFEXITED(status)) end.exit_code = WEXITSTATUS(status);
  return end;
}

// A process that closed its socket is about to end; it gets a moment for that (100 ms). WNOWAIT:
// Close() waits for it once more.
bool LibraryProcess::HasEnded() const {
  constexpr int kTries = 50;
  for (int i = 0; i < kTries; ++i) {
    siginfo_t info = {};
    if (waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
        info.si_pid == pid_) {
      return true;
    }
    usleep(2000);
  }
  return false;
}

}  // namespace npukit::remote
