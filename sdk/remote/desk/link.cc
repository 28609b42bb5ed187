// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/remote/desk/link.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <deque>
#include <utility>

#include "litert/cc/litert_macros.h"
#include "sdk/remote/wire/byte_stream.h"

namespace npukit::remote {
namespace {

// Of a file. Other channels of the connection come in between.
constexpr size_t kPieceBytes = size_t{256} << 10;
// So many are on their way before the first is answered: 4 MiB.
constexpr size_t kPiecesAhead = 16;

litert::Unexpected Failed(const std::string& what) {
  return litert::Unexpected(kLiteRtStatusErrorRuntimeFailure, what);
}

// The upper half of a request's number tells processes apart that use a link one after the other: what one was not
// told before it ended is none of the next one's.
constexpr uint64_t kProcessBits = ~uint64_t{0} << 32;
uint64_t OwnNumbers() { return static_cast<uint64_t>(getpid()) << 32; }

// Each request has one kind of answer, but for kHaveFile.
bool IsAnswerTo(MessageKind request, MessageKind answer) {
  switch (request) {
    case MessageKind::kHello:
      return answer == MessageKind::kFacts;
    case MessageKind::kOpen:
      return answer == MessageKind::kOpened;
    case MessageKind::kCall:
      return answer == MessageKind::kAnswer;
    case MessageKind::kOpenPlugin:
      return answer == MessageKind::kPluginOpened;
    case MessageKind::kPluginCall:
      return answer == MessageKind::kPluginAnswer;
    case MessageKind::kHaveFile:
      return answer == MessageKind::kYes || answer == MessageKind::kNo;
    default:
      return answer == MessageKind::kYes;
  }
}

std::vector<uint8_t> NamesOf(const std::string& digest, const std::string& name) {
  ByteWriter to;
  to.PutText(digest);
  to.PutText(name);
  return to.Take();
}

}  // namespace

litert::Expected<std::unique_ptr<Link>> Link::Start(const std::string& command,
                                                    const LinkLimits& limits) {
  LITERT_ASSIGN_OR_RETURN(auto connection, Connection::Start(command));
  auto link = Greet(std::move(connection), limits);
  if (!link) return Failed(fmt::format("`{}`: {}", command, link.Error().Message()));
  return link;
}

litert::Expected<std::unique_ptr<Link>> Link::Greet(std::unique_ptr<Connection> connection,
                                                    const LinkLimits& limits) {
  std::unique_ptr<Link> link(new Link(connection->fd(), connection->fd(), limits));
  link->connection_ = std::move(connection);
  if (auto greeted = link->SayHello(); !greeted)
    return Failed(greeted.Error().Message() + link->connection_->HowItEnded());
  return link;
}

litert::Expected<std::unique_ptr<Link>> Link::Adopt(int from_device, int to_device,
                                                    const LinkLimits& limits) {
  std::unique_ptr<Link> link(new Link(from_device, to_device, limits));
  LITERT_RETURN_IF_ERROR(link->SayHello());
  return link;
}

litert::Expected<void> Link::SayHello() {
  ByteWriter hello;
  hello.Put(kProtocolVersion);
  hello.Put(static_cast<uint8_t>(limits_.is_quiet));
  Frame answer;
  LinkTrouble trouble;
  // Not put back where it fails: a link that was not greeted is given to nobody.
  const auto silence = std::exchange(limits_.silence, limits_.start);
  ++round_trips_;
  uint64_t number = 0;
  if (!Send(MessageKind::kHello, hello.Take(), number, trouble)) {
    // What ended before it was greeted may have said what it is: that tells more than a broken pipe.
    const auto said = ReadFrame();
    return Failed("no worker answers: " + (said ? trouble.what : said.Error().Message()));
  }
  if (!Receive(MessageKind::kHello, number, answer, trouble))
    return Failed("no worker answers: " + trouble.what);
  limits_.silence = silence;
  LITERT_ASSIGN_OR_RETURN(device_, ParseDeviceFacts(answer.payload));
  return {};
}

Link::~Link() {
  if (connection_ != nullptr) return;
  if (from_device_ >= 0) close(from_device_);
  if (to_device_ >= 0 && to_device_ != from_device_) close(to_device_);
}

void Link::Abandon() {
  if (connection_ != nullptr) {
    connection_->Abandon();
  } else {
    if (from_device_ >= 0) close(from_device_);
    if (to_device_ >= 0 && to_device_ != from_device_) close(to_device_);
  }
  from_device_ = to_device_ = -1;
  LinkTrouble trouble;
  Lose("this process has given it up", trouble);
}

void Link::Quiesce() {
  // For good: nobody unlocks them.
  send_mutex_.lock();
  read_mutex_.lock();
}

bool Link::is_lost() const {
  const std::lock_guard lock(mutex_);
  return !lost_.empty();
}

bool Link::Lose(const std::string& why, LinkTrouble& trouble) {
  const std::lock_guard lock(mutex_);
  if (lost_.empty()) lost_ = why;
  trouble = {.kind = LinkTrouble::Kind::kLost, .what = lost_, .end = {}};
  return false;
}

bool Link::Send(MessageKind kind, std::vector<uint8_t> payload, uint64_t& number,
                LinkTrouble& trouble) {
  if (is_lost()) return Lose({}, trouble);
  if (payload.size() > kMaxPayloadBytes) {
    trouble = {.kind = LinkTrouble::Kind::kRefused,
               .what = fmt::format("a request of {} bytes is longer than the {} that are allowed",
                                   payload.size(), kMaxPayloadBytes),
               .end = {}};
    return false;
  }
  const std::lock_guard sending(send_mutex_);
  number = OwnNumbers() | ++last_sent_;
  {
    const std::lock_guard lock(mutex_);
    // Before it is sent: another thread that reads may have the answer before SendFrame() comes
    // back.
    answers_[number] = std::nullopt;
  }
  const Frame request{.kind = kind, .number = number, .payload = std::move(payload)};
  if (auto sent = SendFrame(to_device_, request, limits_.silence); !sent) {
    const std::lock_guard lock(mutex_);
    answers_.erase(number);
    if (lost_.empty()) lost_ = sent.Error().Message();
    trouble = {.kind = LinkTrouble::Kind::kLost, .what = lost_, .end = {}};
    return false;
  }
  return true;
}

litert::Expected<Frame> Link::ReadFrame() {
  // Between messages nothing is locked, so that Quiesce() does not wait for the next one.
  if (!WaitForMessage(from_device_, limits_.silence))
    return Failed(fmt::format("nothing came for {} ms", limits_.silence.count()));
  const std::lock_guard reading(read_mutex_);
  return ReceiveFrame(from_device_, limits_.silence);
}

void Link::TakeFrame(litert::Expected<Frame> received) {
  if (!received) {
    if (lost_.empty()) lost_ = received.Error().Message();
    return;
  }
  const uint64_t number = received->number;
  // To a process that had the link before this one, and ended without waiting.
  if (received->channel == 0 && (number & kProcessBits) != OwnNumbers()) return;
  const auto asked = answers_.find(number);
  if (received->channel != 0 || asked == answers_.end() || asked->second) {
    if (lost_.empty())
      lost_ = fmt::format("request {} of channel {} was answered, which was not asked",
                          number & ~kProcessBits, received->channel);
    return;
  }
  if (received->kind != MessageKind::kWorking) asked->second = std::move(*received);
}

// One of the threads that wait reads for all, and puts answers where the others look for theirs;
// when it has its own, another one that was woken reads on. Patience is looked at between messages
// only, which is often enough as a worker that lives says something every second. An answer that
// came too late stays in answers_: it was asked for, and so is no reason to give the link up.
litert::Expected<std::optional<Frame>> Link::AwaitAnswer(uint64_t number, Patience patience) {
  const auto start = std::chrono::steady_clock::now();
  std::unique_lock lock(mutex_);
  for (;;) {
    const auto asked = answers_.find(number);
    if (asked == answers_.end()) return Failed("it was not asked");
    if (asked->second) {
      std::optional<Frame> answer = std::move(asked->second);
      answers_.erase(asked);
      return answer;
    }
    if (!lost_.empty()) {
      answers_.erase(asked);
      return Failed(lost_);
    }
    if (patience && std::chrono::steady_clock::now() - start >= *patience)
      return std::optional<Frame>();
    if (is_reading_) {
      arrived_.wait(lock);
      continue;
    }
    is_reading_ = true;
    lock.unlock();
    auto received = ReadFrame();
    lock.lock();
    is_reading_ = false;
    TakeFrame(std::move(received));
    arrived_.notify_all();
  }
}

bool Link::Receive(MessageKind kind, uint64_t number, Frame& answer, LinkTrouble& trouble,
                   Patience patience) {
  auto received = AwaitAnswer(number, patience);
  if (!received) return Lose(received.Error().Message(), trouble);
  if (!*received) {
    trouble = {.kind = LinkTrouble::Kind::kLate, .what = "no answer yet", .end = {}};
    return false;
  }
  answer = std::move(**received);
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
  if (IsAnswerTo(kind, answer.kind)) return true;
  return Lose(fmt::format("a request of kind {} was answered by a message of kind {}",
                          static_cast<int>(kind), static_cast<int>(answer.kind)),
              trouble);
}

bool Link::Exchange(MessageKind kind, std::vector<uint8_t> payload, Frame& answer,
                    LinkTrouble& trouble) {
  ++round_trips_;
  uint64_t number = 0;
  return Send(kind, std::move(payload), number, trouble) && Receive(kind, number, answer, trouble);
}

bool Link::SendPieces(const std::string& digest, std::span<const uint8_t> bytes,
                      LinkTrouble& trouble) {
  ++round_trips_;
  Frame answer;
  std::deque<uint64_t> waiting;
  size_t offset = 0;
  bool is_first = true;  // a file without bytes has one empty piece
  while (is_first || offset < bytes.size() || !waiting.empty()) {
    if ((is_first || offset < bytes.size()) && waiting.size() < kPiecesAhead) {
      const std::span<const uint8_t> piece =
          bytes.subspan(offset, std::min(kPieceBytes, bytes.size() - offset));
      ByteWriter put;
      put.PutText(digest);
      put.Put(uint64_t{bytes.size()});
      put.Put(uint64_t{offset});
      put.PutBytes(piece);
      waiting.push_back(0);
      if (!Send(MessageKind::kPutFile, put.Take(), waiting.back(), trouble)) return false;
      offset += piece.size();
      is_first = false;
      continue;
    }
    const uint64_t number = waiting.front();
    waiting.pop_front();
    if (Receive(MessageKind::kPutFile, number, answer, trouble)) continue;
    // What was sent after the refused piece is refused as well.
    LinkTrouble ignored;
    for (const uint64_t other : waiting) {
      if (!is_lost()) (void)Receive(MessageKind::kPutFile, other, answer, ignored);
    }
    if (is_lost()) return Lose({}, trouble);
    return false;
  }
  return true;
}

bool Link::SendFile(const std::string& digest, std::span<const uint8_t> bytes,
                    LinkTrouble& trouble) {
  const std::lock_guard lock(file_mutex_);
  if (sent_.contains(digest)) return true;
  ByteWriter have;
  have.PutText(digest);
  Frame answer;
  if (!Exchange(MessageKind::kHaveFile, have.Take(), answer, trouble)) return false;
  if (answer.kind == MessageKind::kNo && !SendPieces(digest, bytes, trouble)) return false;
  sent_.insert(digest);
  return true;
}

template <typename T>
bool Link::ExchangeFor(MessageKind kind, std::vector<uint8_t> payload,
                       litert::Expected<T> (*parse)(std::span<const uint8_t>), T& result,
                       LinkTrouble& trouble) {
  Frame answer;
  if (!Exchange(kind, std::move(payload), answer, trouble)) return false;
  auto parsed = parse(answer.payload);
  if (!parsed) return Lose(parsed.Error().Message(), trouble);
  result = std::move(*parsed);
  return true;
}

bool Link::SendOpen(const std::string& digest, const std::string& name, uint64_t& number,
                    LinkTrouble& trouble) {
  ++round_trips_;
  return Send(MessageKind::kOpen, NamesOf(digest, name), number, trouble);
}

bool Link::ReceiveOpened(uint64_t number, LibraryFacts& facts, LinkTrouble& trouble,
                         Patience patience) {
  Frame frame;
  if (!Receive(MessageKind::kOpen, number, frame, trouble, patience)) return false;
  auto parsed = ParseLibraryFacts(frame.payload);
  if (!parsed) return Lose(parsed.Error().Message(), trouble);
  facts = std::move(*parsed);
  return true;
}

bool Link::Open(const std::string& digest, const std::string& name, LibraryFacts& facts,
                LinkTrouble& trouble) {
  uint64_t number = 0;
  return SendOpen(digest, name, number, trouble) && ReceiveOpened(number, facts, trouble);
}

bool Link::SendCalls(const std::vector<DispatchCall>& calls, uint64_t& number,
                     LinkTrouble& trouble) {
  ++round_trips_;
  return Send(MessageKind::kCall, Encode(calls), number, trouble);
}

bool Link::ReceiveAnswers(uint64_t number, size_t num_calls, std::vector<DispatchAnswer>& answers,
                          LinkTrouble& trouble, Patience patience) {
  Frame frame;
  if (!Receive(MessageKind::kCall, number, frame, trouble, patience)) return false;
  auto parsed = ParseDispatchAnswers(frame.payload);
  if (!parsed) return Lose(parsed.Error().Message(), trouble);
  answers = std::move(*parsed);
  if (answers.size() == num_calls || (answers.size() < num_calls && !IsGood(answers.back())))
    return true;
  return Lose(fmt::format("{} calls were given {} answers", num_calls, answers.size()), trouble);
}

bool Link::Call(const DispatchCall& call, DispatchAnswer& answer, LinkTrouble& trouble) {
  uint64_t number = 0;
  std::vector<DispatchAnswer> answers;
  if (!SendCalls({call}, number, trouble) || !ReceiveAnswers(number, 1, answers, trouble))
    return false;
  answer = std::move(answers.front());
  return true;
}

bool Link::OpenPlugin(const std::string& digest, const std::string& name, PluginFacts& facts,
                      LinkTrouble& trouble) {
  return ExchangeFor(MessageKind::kOpenPlugin, NamesOf(digest, name), ParsePluginFacts, facts,
                     trouble);
}

bool Link::Call(const PluginCall& call, PluginAnswer& answer, LinkTrouble& trouble) {
  return ExchangeFor(MessageKind::kPluginCall, Encode(call), ParsePluginAnswer, answer, trouble);
}

}  // namespace npukit::remote
