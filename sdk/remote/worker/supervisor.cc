// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/remote/worker/supervisor.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "litert/cc/litert_macros.h"
#include "sdk/remote/wire/byte_stream.h"
#include "sdk/remote/wire/dispatch_call.h"
#include "sdk/remote/wire/facts.h"
#include "sdk/remote/wire/frame.h"
#include "sdk/remote/worker/file_cache.h"
#include "sdk/remote/worker/library_session.h"

namespace npukit::remote {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kDeskSilence = std::chrono::hours(1);
// Within a message, and for what the desk is to take.
constexpr milliseconds kPieceSilence = std::chrono::minutes(1);
constexpr milliseconds kSignOfLife = std::chrono::seconds(1);

Frame Answer(const Frame& request, MessageKind kind, std::vector<uint8_t> payload = {}) {
  return {.kind = kind, .number = request.number, .payload = std::move(payload)};
}

Frame Refusal(const Frame& request, const std::string& why) {
  ByteWriter to;
  to.PutText(why);
  return Answer(request, MessageKind::kRefused, to.Take());
}

// -- The library's process ------------------------------------------------------------------------

struct LibraryProcess {
  std::string path;
  const FileCache& cache;
  bool is_quiet;
  int not_its[2];  // the connection to the desk: what the vendor prints must not get in there

  [[noreturn]] void Run(int fd) const {
    for (const int other : not_its) close(other);
    const int nothing = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (is_quiet && nothing >= 0) {
      dup2(nothing, STDOUT_FILENO);
      dup2(nothing, STDERR_FILENO);
    }
    const rlimit no_core{0, 0};
    setrlimit(RLIMIT_CORE, &no_core);
    std::unique_ptr<LibrarySession> session;
    for (;;) {
      auto request = ReceiveFrame(fd, kDeskSilence);
      if (!request) _exit(0);
      auto answer = Answered(*request, session);
      if (!SendFrame(fd, answer ? *answer : Refusal(*request, answer.Error().Message()),
                     kPieceSilence)) {
        _exit(0);
      }
    }
  }

  litert::Expected<Frame> Answered(const Frame& request,
                                   std::unique_ptr<LibrarySession>& session) const {
    if (request.kind == MessageKind::kOpen) {
      LITERT_ASSIGN_OR_RETURN(session, LibrarySession::Open(path, cache));
      return Answer(request, MessageKind::kOpened, Encode(session->Facts()));
    }
    if (session == nullptr) return Refusal(request, "no library is open");
    LITERT_ASSIGN_OR_RETURN(const DispatchCall call, ParseDispatchCall(request.payload));
    LITERT_ASSIGN_OR_RETURN(const DispatchAnswer answer, session->Run(call));
    std::vector<uint8_t> payload = Encode(answer);
    if (payload.size() > kMaxPayloadBytes)
      return Refusal(request, "the answer is longer than a message may be");
    return Answer(request, MessageKind::kAnswer, std::move(payload));
  }
};

// Seen from outside. Closing kills it and what it has started.
class ChildHandle {
 public:
  ChildHandle() = default;
  ~ChildHandle() { Close(); }
  ChildHandle(const ChildHandle&) = delete;
  ChildHandle& operator=(const ChildHandle&) = delete;

  bool is_open() const { return pid_ > 0; }
  int fd() const { return fd_; }

  litert::Expected<void> Start(const LibraryProcess& process) {
    Close();
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
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      if (getppid() != parent) _exit(0);
      close(pair[0]);
      process.Run(pair[1]);
    }
    setpgid(pid, pid);  // whoever comes first
    close(pair[1]);
    fd_ = pair[0];
    pid_ = pid;
    return {};
  }

  // Once its end of the socket is closed, or it is to be stopped for the reason given.
  HowItEnded Close(std::string detail = {}) {
    HowItEnded end{.detail = std::move(detail)};
    if (pid_ <= 0) return end;
    close(std::exchange(fd_, -1));
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

 private:
  // A process that closed its socket is about to end; it gets a moment for that.
  bool HasEnded() const {
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

  pid_t pid_ = -1;
  int fd_ = -1;
};

// -- The supervisor -------------------------------------------------------------------------------

DeviceFacts FactsOfDevice() {
  DeviceFacts facts{.protocol_version = kProtocolVersion, .worker_version = NPUKIT_VERSION};
  utsname names = {};
  if (uname(&names) == 0) {
    facts.machine = names.machine;
    facts.kernel = fmt::format("{} {}", names.sysname, names.release);
    facts.host_name = names.nodename;
  }
  facts.processors = static_cast<uint32_t>(sysconf(_SC_NPROCESSORS_ONLN));
  facts.memory_bytes =
      static_cast<uint64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  return facts;
}

class Supervisor {
 public:
  Supervisor(int from_desk, int to_desk, FileCache cache)
      : from_desk_(from_desk), to_desk_(to_desk), cache_(std::move(cache)) {}

  // Until the connection's end; an error if that is none that the desk wanted.
  litert::Expected<void> Run() {
    for (;;) {
      pollfd ready = {from_desk_, POLLIN, 0};
      const int count = poll(&ready, 1, static_cast<int>(kDeskSilence.count()));
      if (count < 0 && errno == EINTR) continue;
      if (count == 0)
        return litert::Unexpected(kLiteRtStatusErrorRuntimeFailure, "the desk is silent");
      if ((ready.revents & POLLIN) == 0) return {};
      auto request = ReceiveFrame(from_desk_, kPieceSilence);
      if (!request) {
        if (request.Error().Message() == "the connection ended") return {};
        return request.Error();
      }
      auto answer = Answered(*request);
      if (!answer) return answer.Error();
      LITERT_RETURN_IF_ERROR(SendFrame(to_desk_, *answer, kPieceSilence));
    }
  }

 private:
  // Errors end the connection.
  litert::Expected<Frame> Answered(const Frame& request) {
    switch (request.kind) {
      case MessageKind::kHello: {
        ByteReader from(request.payload);
        from.Get<uint32_t>();  // the desk compares versions
        is_quiet_ = from.Get<uint8_t>() != 0;
        return Answer(request, MessageKind::kFacts, Encode(FactsOfDevice()));
      }
      case MessageKind::kHaveFile:
        return HaveFile(request);
      case MessageKind::kPutFile:
        return PutFile(request);
      case MessageKind::kOpen:
        return Open(request);
      case MessageKind::kCall:
        if (!child_.is_open()) return Refusal(request, "no library is open");
        return Forward(request);
      default:
        return litert::Unexpected(kLiteRtStatusErrorInvalidArgument,
                                  fmt::format("a message of kind {}, which no desk sends",
                                              static_cast<uint16_t>(request.kind)));
    }
  }

  litert::Expected<Frame> Open(const Frame& request) {
    ByteReader from(request.payload);
    const std::string digest = from.GetText();
    const std::string name = from.GetText();
    if (!from.IsAtEnd()) return Refusal(request, "the name of a library can't be read");
    // Read and checked once for this connection.
    std::string& path = paths_[{digest, name}];
    if (path.empty()) {
      auto found = cache_.PathAs(digest, name);
      if (!found) return Refusal(request, found.Error().Message());
      path = std::move(*found);
    }
    const LibraryProcess process{
        .path = path, .cache = cache_, .is_quiet = is_quiet_, .not_its = {from_desk_, to_desk_}};
    if (auto started = child_.Start(process); !started)
      return Refusal(request, started.Error().Message());
    return Forward(request);
  }

  Frame HaveFile(const Frame& request) const {
    ByteReader from(request.payload);
    const std::string digest = from.GetText();
    if (!from.IsAtEnd()) return Refusal(request, "a digest can't be read");
    return Answer(request, cache_.Has(digest) ? MessageKind::kYes : MessageKind::kNo);
  }

  Frame PutFile(const Frame& request) {
    ByteReader from(request.payload);
    const std::string digest = from.GetText();
    const auto whole_bytes = from.Get<uint64_t>();
    const auto offset_bytes = from.Get<uint64_t>();
    const std::span<const uint8_t> piece = from.GetBytes();
    if (!from.IsAtEnd()) return Refusal(request, "a piece of a file can't be read");
    auto put = cache_.Put(digest, whole_bytes, offset_bytes, piece);
    return put ? Answer(request, MessageKind::kYes) : Refusal(request, put.Error().Message());
  }

  Frame Died(const Frame& request, std::string detail) {
    return Answer(request, MessageKind::kDied, Encode(child_.Close(std::move(detail))));
  }

  // Hands a request to the library's process and waits for the answer, telling the desk of it.
  litert::Expected<Frame> Forward(const Frame& request) {
    // A process that died since its last answer takes nothing.
    if (!SendFrame(child_.fd(), request, kPieceSilence)) return Died(request, {});
    for (;;) {
      pollfd ready[2] = {{child_.fd(), POLLIN, 0}, {from_desk_, 0, 0}};
      const int count = poll(ready, 2, static_cast<int>(kSignOfLife.count()));
      if (count < 0 && errno == EINTR) continue;
      if (ready[0].revents != 0) break;
      if (ready[1].revents != 0) {
        return litert::Unexpected(kLiteRtStatusErrorRuntimeFailure,
                                  "the desk went away while the library worked");
      }
      LITERT_RETURN_IF_ERROR(
          SendFrame(to_desk_, Answer(request, MessageKind::kWorking), kPieceSilence));
    }
    auto answer = ReceiveFrame(child_.fd(), kPieceSilence);
    if (!answer && answer.Error().Message() == "the connection ended") return Died(request, {});
    if (!answer || answer->number != request.number)
      return Died(request, "wrote into the messages of its process");
    return std::move(*answer);
  }

  const int from_desk_;
  const int to_desk_;
  FileCache cache_;
  bool is_quiet_ = false;
  std::map<std::pair<std::string, std::string>, std::string> paths_;  // by digest and name
  ChildHandle child_;
};

}  // namespace

int Serve(int from_desk, int to_desk, const std::string& cache_folder) {
  signal(SIGPIPE, SIG_IGN);
  auto cache = FileCache::Open(cache_folder);
  if (!cache) {
    fmt::print(stderr, "npukit-worker: {}\n", cache.Error().Message());
    return 1;
  }
  const auto served = Supervisor(from_desk, to_desk, std::move(*cache)).Run();
  if (served) return 0;
  fmt::print(stderr, "npukit-worker: {}\n", served.Error().Message());
  return 1;
}

}  // namespace npukit::remote
