// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/remote/desk/link.h"

#include <fmt/format.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "litert/cc/litert_macros.h"
#include "sdk/remote/wire/byte_stream.h"

namespace npukit::remote {
namespace {

constexpr size_t kPieceBytes = size_t{4} << 20;
// A command whose connection ended has so long to end itself.
constexpr int kGraceMs = 2000;

litert::Unexpected Failed(const std::string& what) {
  return litert::Unexpected(kLiteRtStatusErrorRuntimeFailure, what);
}

// In a session of its own: a Ctrl-C at the desk reaches the desk alone, which then ends the
// connection, and a group that the desk's processes belong to is not the command's.
[[noreturn]] void RunCommand(const std::string& command, int fd) {
  setsid();
  dup2(fd, STDIN_FILENO);
  dup2(fd, STDOUT_FILENO);
  signal(SIGINT, SIG_DFL);
  signal(SIGTERM, SIG_DFL);
  execl("/bin/sh", "sh", "-c", command.c_str(), static_cast<char*>(nullptr));
  _exit(127);
}

std::string HowCommandEnded(pid_t command) {
  int status = 0;
  // It may be about to end.
  for (int waited_ms = 0; waited_ms < 200; waited_ms += 10) {
    if (waitpid(command, &status, WNOHANG) == command) {
      if (WIFSIGNALED(status))
        return fmt::format("; its command ended by signal {}", WTERMSIG(status));
      return fmt::format("; its command ended with exit code {}", WEXITSTATUS(status));
    }
    usleep(10'000);
  }
  return {};
}

}  // namespace

litert::Expected<std::unique_ptr<Link>> Link::Start(const std::string& command,
                                                    const LinkLimits& limits) {
  int pair[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) return Failed(strerror(errno));
  const pid_t pid = fork();
  if (pid < 0) {
    close(pair[0]);
    close(pair[1]);
    return Failed(fmt::format("can't fork: {}", strerror(errno)));
  }
  if (pid == 0) RunCommand(command, pair[1]);
  close(pair[1]);
  auto link = Greet(std::unique_ptr<Link>(new Link(pair[0], pair[0], pid, limits)));
  if (!link) return Failed(fmt::format("`{}`: {}", command, link.Error().Message()));
  return link;
}

litert::Expected<std::unique_ptr<Link>> Link::Adopt(int from_device, int to_device,
                                                    const LinkLimits& limits) {
  return Greet(std::unique_ptr<Link>(new Link(from_device, to_device, /*command=*/0, limits)));
}

litert::Expected<std::unique_ptr<Link>> Link::Greet(std::unique_ptr<Link> link) {
  ByteWriter hello;
  hello.Put(kProtocolVersion);
  hello.Put(static_cast<uint8_t>(link->limits_.is_quiet));
  Frame answer;
  LinkTrouble trouble;
  const LinkLimits limits = link->limits_;
  link->limits_.silence = limits.start;
  if (!link->Exchange(MessageKind::kHello, hello.Take(), answer, trouble)) {
    std::string why = trouble.what;
    if (link->command_ > 0) {
      const std::string ended = HowCommandEnded(link->command_);
      if (!ended.empty()) link->command_ = 0;  // reaped
      why += ended;
    }
    return Failed("no worker answers: " + why);
  }
  link->limits_ = limits;
  LITERT_ASSIGN_OR_RETURN(link->device_, ParseDeviceFacts(answer.payload));
  return link;
}

Link::~Link() {
  if (from_device_ >= 0) close(from_device_);
  if (to_device_ >= 0 && to_device_ != from_device_) close(to_device_);
  if (command_ <= 0) return;
  for (int waited_ms = 0; waited_ms < kGraceMs; waited_ms += 5) {
    if (waitpid(command_, nullptr, WNOHANG) != 0) return;
    usleep(5'000);
  }
  kill(-command_, SIGKILL);
  waitpid(command_, nullptr, 0);
}

void Link::Abandon() {
  if (from_device_ >= 0) close(from_device_);
  if (to_device_ >= 0 && to_device_ != from_device_) close(to_device_);
  from_device_ = to_device_ = -1;
  command_ = 0;
  lost_ = "this process has given it up";
}

bool Link::Lose(std::string why, LinkTrouble& trouble) {
  if (lost_.empty()) lost_ = std::move(why);
  trouble = {.kind = LinkTrouble::Kind::kLost, .what = lost_, .end = {}};
  return false;
}

bool Link::Exchange(MessageKind kind, std::vector<uint8_t> payload, Frame& answer,
                    LinkTrouble& trouble) {
  if (is_lost()) return Lose({}, trouble);
  if (payload.size() > kMaxPayloadBytes) {
    trouble = {.kind = LinkTrouble::Kind::kRefused,
               .what = fmt::format("a request of {} bytes is longer than the {} that are allowed",
                                   payload.size(), kMaxPayloadBytes),
               .end = {}};
    return false;
  }
  const Frame request{.kind = kind, .number = ++last_number_, .payload = std::move(payload)};
  if (auto sent = SendFrame(to_device_, request, limits_.silence); !sent)
    return Lose(sent.Error().Message(), trouble);
  do {
    auto received = ReceiveFrame(from_device_, limits_.silence);
    if (!received) return Lose(received.Error().Message(), trouble);
    answer = std::move(*received);
    if (answer.number != request.number)
      return Lose(
          fmt::format("request {} was answered as request {}", request.number, answer.number),
          trouble);
  } while (answer.kind == MessageKind::kWorking);
  if (answer.kind == MessageKind::kRefused) {
    ByteReader from(answer.payload);
    trouble = {.kind = LinkTrouble::Kind::kRefused, .what = from.GetText(), .end = {}};
    return from.IsAtEnd() ? false : Lose("a refusal can't be read", trouble);
  }
  if (answer.kind == MessageKind::kDied) {
    auto end = ParseHowItEnded(answer.payload);
    if (!end) return Lose(end.Error().Message(), trouble);
    trouble = {.kind = LinkTrouble::Kind::kDied, .what = Describe(*end), .end = *end};
    return false;
  }
  // Each request has one kind of answer, but for kHaveFile.
  const MessageKind expected = kind == MessageKind::kHello  ? MessageKind::kFacts
                               : kind == MessageKind::kOpen ? MessageKind::kOpened
                               : kind == MessageKind::kCall ? MessageKind::kAnswer
                                                            : MessageKind::kYes;
  if (answer.kind == expected ||
      (kind == MessageKind::kHaveFile && answer.kind == MessageKind::kNo)) {
    return true;
  }
  return Lose(fmt::format("a request of kind {} was answered by a message of kind {}",
                          static_cast<int>(kind), static_cast<int>(answer.kind)),
              trouble);
}

bool Link::SendFile(const std::string& digest, std::span<const uint8_t> bytes,
                    LinkTrouble& trouble) {
  if (sent_.contains(digest)) return true;
  ByteWriter have;
  have.PutText(digest);
  Frame answer;
  if (!Exchange(MessageKind::kHaveFile, have.Take(), answer, trouble)) return false;
  if (answer.kind == MessageKind::kNo) {
    size_t offset = 0;
    do {  // a file without bytes has one empty piece
      const std::span<const uint8_t> piece =
          bytes.subspan(offset, std::min(kPieceBytes, bytes.size() - offset));
      ByteWriter put;
      put.PutText(digest);
      put.Put(uint64_t{bytes.size()});
      put.Put(uint64_t{offset});
      put.PutBytes(piece);
      if (!Exchange(MessageKind::kPutFile, put.Take(), answer, trouble)) return false;
      offset += piece.size();
    } while (offset < bytes.size());
  }
  sent_.insert(digest);
  return true;
}

bool Link::Open(const std::string& digest, const std::string& name, LibraryFacts& facts,
                LinkTrouble& trouble) {
  ByteWriter open;
  open.PutText(digest);
  open.PutText(name);
  Frame answer;
  if (!Exchange(MessageKind::kOpen, open.Take(), answer, trouble)) return false;
  auto parsed = ParseLibraryFacts(answer.payload);
  if (!parsed) return Lose(parsed.Error().Message(), trouble);
  facts = std::move(*parsed);
  return true;
}

bool Link::Call(const DispatchCall& call, DispatchAnswer& answer, LinkTrouble& trouble) {
  Frame frame;
  if (!Exchange(MessageKind::kCall, Encode(call), frame, trouble)) return false;
  auto parsed = ParseDispatchAnswer(frame.payload);
  if (!parsed) return Lose(parsed.Error().Message(), trouble);
  answer = std::move(*parsed);
  return true;
}

}  // namespace npukit::remote
