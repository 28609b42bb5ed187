// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/remote/worker/supervisor.h"

#include <fmt/format.h>
#include <malloc.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "litert/cc/litert_macros.h"
#include "sdk/remote/wire/byte_stream.h"
#include "sdk/remote/wire/dispatch_call.h"
#include "sdk/remote/wire/facts.h"
#include "sdk/remote/wire/frame.h"
#include "sdk/remote/wire/frame_assembler.h"
#include "sdk/remote/worker/device_facts.h"
#include "sdk/remote/worker/file_cache.h"
#include "sdk/remote/worker/library_process.h"

namespace npukit::remote {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds kDeskSilence = std::chrono::hours(1);
// Within a message, and for what the desk is to take.
constexpr milliseconds kPieceSilence = std::chrono::minutes(1);
// For what a library's process is to take, which it does at once as long as nobody has stopped it.
constexpr milliseconds kTakingSilence = std::chrono::seconds(5);
constexpr milliseconds kSignOfLife = std::chrono::seconds(1);
constexpr size_t kMaxChannels = 256;

// A library's process, and what it is asked.
struct Workplace {
  LibraryProcess process;
  std::map<uint64_t, Frame> waiting;  // requests that the process works at, without their payload
  Clock::time_point last_word;        // to the desk about them
};

// One conversation: the dispatch library's process and the compiler plugin's, and the file that is coming.
struct Channel {
  bool is_quiet = false;
  FileUpload upload;
  Workplace library;
  Workplace compiler;
};

// One thread, which waits for nobody's answer: it passes messages between the desk and the
// processes. What a process works at is kept, so that the desk is told of each request if the
// process dies.
//
// Only processes with requests are listened to. That an idle one died is found when the next
// request is given to it; what it writes unasked is the answer that PassAnswer() then does not
// know.
class Supervisor {
 public:
  Supervisor(int from_desk, int to_desk, FileCache cache)
      : from_desk_(from_desk), to_desk_(to_desk), cache_(std::move(cache)) {}

  // Until the connection's end; an error if that is none that the desk wanted.
  litert::Expected<void> Run() {
    for (;;) {
      std::vector<pollfd> ready = {{from_desk_, POLLIN, 0}};
      std::vector<Workplace*> busy;
      for (auto& [number, channel] : channels_) {
        for (Workplace* const place : {&channel.library, &channel.compiler}) {
          if (place->waiting.empty()) continue;
          ready.push_back({place->process.fd(), POLLIN, 0});
          busy.push_back(place);
        }
      }
      // Places stay where they are until ReadDesk(), which comes last: it alone adds and removes
      // channels.
      const int count = poll(ready.data(), ready.size(), WaitMs(!busy.empty()));
      if (count < 0 && errno == EINTR) continue;
      LITERT_RETURN_IF_ERROR(CheckSilence(count == 0 && busy.empty()));
      for (size_t i = 0; i < busy.size(); ++i) {
        if (ready[i + 1].revents != 0) LITERT_RETURN_IF_ERROR(PassAnswer(*busy[i]));
        LITERT_RETURN_IF_ERROR(TellOfWork(*busy[i]));
      }
      if (ready[0].revents == 0) continue;
      LITERT_ASSIGN_OR_RETURN(const bool is_open, ReadDesk());
      if (!is_open) return {};
    }
  }

 private:
  // While a library works the desk may be silent, however long that takes: it is told that
  // it works.
  int WaitMs(bool is_busy) const {
    if (is_busy) return kSignOfLife.count();
    return coming_.is_within_message() ? kPieceSilence.count() : kDeskSilence.count();
  }

  litert::Expected<void> CheckSilence(bool nothing_came) const {
    if (coming_.is_within_message() && Clock::now() - last_bytes_ >= kPieceSilence) {
      return litert::Unexpected(
          kLiteRtStatusErrorRuntimeFailure,
          fmt::format("nothing came for {} ms within a message", kPieceSilence.count()));
    }
    if (nothing_came && !coming_.is_within_message())
      return litert::Unexpected(kLiteRtStatusErrorRuntimeFailure, "the desk is silent");
    return {};
  }

  // What is there, and the messages that are whole with it. False: the end.
  litert::Expected<bool> ReadDesk() {
    const std::span<uint8_t> room = coming_.Room();
    const ssize_t got = read(from_desk_, room.data(), room.size());
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) return true;
    if (got < 0) {
      return litert::Unexpected(kLiteRtStatusErrorRuntimeFailure,
                                fmt::format("the desk can't be read: {}", strerror(errno)));
    }
    if (got == 0 && coming_.is_within_message()) {
      return litert::Unexpected(kLiteRtStatusErrorRuntimeFailure,
                                "the connection ended within a message");
    }
    last_bytes_ = Clock::now();
    coming_.Came(static_cast<size_t>(got));
    for (;;) {
      LITERT_ASSIGN_OR_RETURN(std::optional<Frame> request, coming_.Next());
      if (!request) return got > 0;
      LITERT_RETURN_IF_ERROR(Take(*request));
      coming_.Reuse(std::move(request->payload));
    }
  }

  litert::Expected<void> Send(const Frame& frame) {
    return SendFrame(to_desk_, frame, kPieceSilence);
  }

  // Errors end the connection.
  litert::Expected<void> Take(const Frame& request) {
    if (request.kind == MessageKind::kClose) {
      // Its processes are killed by ~LibraryProcess.
      channels_.erase(request.channel);
      return {};
    }
    if (!channels_.contains(request.channel) && channels_.size() >= kMaxChannels) {
      return litert::Unexpected(kLiteRtStatusErrorInvalidArgument,
                                fmt::format("more than {} channels", kMaxChannels));
    }
    Channel& channel = channels_[request.channel];
    switch (request.kind) {
      case MessageKind::kHello: {
        ByteReader from(request.payload);
        from.Get<uint32_t>();  // the desk compares versions
        channel.is_quiet = from.Get<uint8_t>() != 0;
        return Send(AnswerTo(request, MessageKind::kFacts,
                             Encode(FactsOfDevice(NPUKIT_VERSION, cache_.folder()))));
      }
      case MessageKind::kHaveFile:
        return Send(HaveFile(request));
      case MessageKind::kPutFile:
        return Send(PutFile(request, channel));
      case MessageKind::kOpen:
      case MessageKind::kCall:
        return Forward(request, channel, channel.library);
      case MessageKind::kOpenPlugin:
      case MessageKind::kPluginCall:
        return Forward(request, channel, channel.compiler);
      default:
        return litert::Unexpected(kLiteRtStatusErrorInvalidArgument,
                                  fmt::format("a message of kind {}, which no desk sends",
                                              static_cast<uint16_t>(request.kind)));
    }
  }

  // The path of the library that is to be opened, read and checked once for this connection.
  litert::Expected<std::string> PathOf(const Frame& request) {
    ByteReader from(request.payload);
    const std::string digest = from.GetText();
    const std::string name = from.GetText();
    if (!from.IsAtEnd()) {
      return litert::Unexpected(kLiteRtStatusErrorInvalidArgument,
                                "the name of a library can't be read");
    }
    std::string& path = paths_[{digest, name}];
    if (path.empty()) {
      LITERT_ASSIGN_OR_RETURN(path, cache_.PathAs(digest, name));
    }
    return path;
  }

  litert::Expected<void> StartProcess(const Frame& request, const Channel& channel,
                                      Workplace& place) {
    LITERT_ASSIGN_OR_RETURN(std::string path, PathOf(request));
    // Closed by hand: the process is forked and never calls exec(), so that O_CLOEXEC closes
    // nothing.
    LibraryStart start{.path = std::move(path),
                       .cache = cache_,
                       .is_quiet = channel.is_quiet,
                       .not_its = {from_desk_, to_desk_}};
    for (const auto& [number, other] : channels_) {
      for (const Workplace* const its : {&other.library, &other.compiler}) {
        if (its != &place && its->process.is_open()) start.not_its.push_back(its->process.fd());
      }
    }
    return place.process.Start(start);
  }

  Frame HaveFile(const Frame& request) const {
    ByteReader from(request.payload);
    const std::string digest = from.GetText();
    if (!from.IsAtEnd()) return Refusal(request, "a digest can't be read");
    return AnswerTo(request, cache_.Has(digest) ? MessageKind::kYes : MessageKind::kNo);
  }

  Frame PutFile(const Frame& request, Channel& channel) const {
    ByteReader from(request.payload);
    const std::string digest = from.GetText();
    const auto whole_bytes = from.Get<uint64_t>();
    const auto offset_bytes = from.Get<uint64_t>();
    const std::span<const uint8_t> piece = from.GetBytes();
    if (!from.IsAtEnd()) return Refusal(request, "a piece of a file can't be read");
    const auto put = cache_.Put(channel.upload, digest, whole_bytes, offset_bytes, piece);
    return put ? AnswerTo(request, MessageKind::kYes) : Refusal(request, put.Error().Message());
  }

  // All that it was asked is answered so.
  litert::Expected<void> Died(Workplace& place, std::string detail) {
    const std::vector<uint8_t> how = Encode(place.process.Close(std::move(detail)));
    for (const auto& [number, request] : std::exchange(place.waiting, {}))
      LITERT_RETURN_IF_ERROR(Send(AnswerTo(request, MessageKind::kDied, how)));
    return {};
  }

  // Hands a request to the library's process.
  litert::Expected<void> Forward(const Frame& request, const Channel& channel, Workplace& place) {
    if (place.waiting.size() >= kMaxCallsAtOnce || place.waiting.contains(request.number))
      return Send(Refusal(request, "the library works at other requests"));
    if (request.kind == MessageKind::kOpen || request.kind == MessageKind::kOpenPlugin) {
      // Of a desk that gave up waiting; the process goes, too.
      for (const auto& [number, other] : std::exchange(place.waiting, {}))
        LITERT_RETURN_IF_ERROR(Send(Refusal(other, "another library was opened")));
      if (auto started = StartProcess(request, channel, place); !started)
        return Send(Refusal(request, started.Error().Message()));
    }
    if (!place.process.is_open()) {
      const bool is_call = request.kind == MessageKind::kCall;
      return Send(Refusal(request, is_call ? "no library is open" : "no compiler plugin is open"));
    }
    // A process that died since its last answer takes nothing.
    const bool was_idle = place.waiting.empty();
    place.waiting[request.number] = {
        .kind = request.kind, .number = request.number, .channel = request.channel, .payload = {}};
    if (!SendFrame(place.process.fd(), request, kTakingSilence)) return Died(place, {});
    if (was_idle) place.last_word = Clock::now();
    return {};
  }

  // The vendor's code can write to the socket, too: a message passes only as the answer to a
  // request that waits, on its channel, and nobody waits for the rest of one.
  litert::Expected<void> PassAnswer(Workplace& place) {
    using enum LibraryProcess::Received::What;
    auto [what, answer] = place.process.Receive(spare_);
    if (what == kPart) return {};
    if (what == kEnd) return Died(place, {});
    const auto asked = what == kAnswer ? place.waiting.find(answer.number) : place.waiting.end();
    if (asked == place.waiting.end() || answer.channel != asked->second.channel)
      return Died(place, "wrote into the messages of its process");
    place.waiting.erase(asked);
    LITERT_RETURN_IF_ERROR(Send(answer));
    if (answer.payload.capacity() <= kMaxSpareBytes) spare_ = std::move(answer.payload);
    return {};
  }

  // As long as requests of it wait.
  litert::Expected<void> TellOfWork(Workplace& place) {
    if (place.process.IsStuck(kPieceSilence)) return Died(place, "left off within a message");
    if (place.waiting.empty() || Clock::now() - place.last_word < kSignOfLife) return {};
    place.last_word = Clock::now();
    return Send(AnswerTo(place.waiting.begin()->second, MessageKind::kWorking));
  }

  const int from_desk_;
  const int to_desk_;
  FileCache cache_;
  FrameAssembler coming_;  // from the desk
  Clock::time_point last_bytes_ = Clock::now();
  std::vector<uint8_t> spare_;  // memory for an answer's payload
  std::map<std::pair<std::string, std::string>, std::string> paths_;  // by digest and name
  std::map<uint16_t, Channel> channels_;
};

}  // namespace

int Serve(int from_desk, int to_desk, const std::string& cache_folder) {
  signal(SIGPIPE, SIG_IGN);
#if defined(__GLIBC__)
  // For the processes that are forked: a large block that is freed goes back to the system, whose next one is zero
  // where nobody wrote; by itself the C library would keep it after the first.
  constexpr int kLargeBytes = 256 << 10;
  mallopt(M_MMAP_THRESHOLD, kLargeBytes);
#endif
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
