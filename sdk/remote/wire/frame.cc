// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/remote/wire/frame.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cstring>
#include <span>

#include "litert/cc/litert_macros.h"
#include "sdk/checksum/crc32.h"

namespace npukit::remote {
namespace {

constexpr std::array<uint8_t, 4> kMagic = {'n', 'p', 'u', 'k'};
constexpr size_t kKindAt = 4;
constexpr size_t kChannelAt = 6;
constexpr size_t kNumberAt = 8;
constexpr size_t kSizeAt = 16;
constexpr size_t kCheckAt = 20;
// Of a payload that has not arrived, so much is made room for at a time.
constexpr size_t kPieceBytes = size_t{1} << 20;

litert::Unexpected Failed(const std::string& what) {
  return litert::Unexpected(kLiteRtStatusErrorRuntimeFailure, what);
}

uint32_t Check(std::span<const uint8_t> header, std::span<const uint8_t> payload) {
  return Crc32(payload, Crc32(header.first(kCheckAt)));
}

template <typename T>
T Read(std::span<const uint8_t> header, size_t at) {
  T value;
  std::memcpy(&value, header.data() + at, sizeof value);
  return value;
}

// A message without its payload, and how long that is.
struct Announced {
  Frame frame;
  uint32_t payload_bytes = 0;
};

litert::Expected<Announced> ReadHeader(std::span<const uint8_t> header) {
  if (!std::equal(kMagic.begin(), kMagic.end(), header.begin()))
    return Failed("what came is no message of npukit's");
  Announced announced{.frame = {.kind = static_cast<MessageKind>(Read<uint16_t>(header, kKindAt)),
                                .number = Read<uint64_t>(header, kNumberAt),
                                .channel = Read<uint16_t>(header, kChannelAt)},
                      .payload_bytes = Read<uint32_t>(header, kSizeAt)};
  if (announced.payload_bytes > kMaxPayloadBytes) {
    return Failed(
        fmt::format("a message of {} bytes was announced, more than the {} that are allowed",
                    announced.payload_bytes, kMaxPayloadBytes));
  }
  return announced;
}

litert::Expected<void> CheckSum(std::span<const uint8_t> header, std::span<const uint8_t> payload) {
  if (Check(header, payload) == Read<uint32_t>(header, kCheckAt)) return {};
  return Failed("a message was changed on its way: its checksum is another one");
}

// For as long as `silence`.
bool IsReady(int fd, short events, std::chrono::milliseconds silence) {
  const auto deadline = std::chrono::steady_clock::now() + silence;
  for (;;) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        deadline - std::chrono::steady_clock::now());
    pollfd ready = {fd, events, 0};
    const int count = poll(&ready, 1, static_cast<int>(std::max<int64_t>(left.count(), 0)));
    if (count > 0) return true;
    if (count == 0 || errno != EINTR) return false;
  }
}

// What is there, waiting for it if need be. A pipe is asked first whether there is something.
ssize_t ReadSome(int fd, std::span<uint8_t> into, std::chrono::milliseconds silence) {
  ssize_t got = recv(fd, into.data(), into.size(), MSG_DONTWAIT);
  if (got >= 0 || (errno != EAGAIN && errno != ENOTSOCK)) return got;
  if (!IsReady(fd, POLLIN, silence)) {
    errno = ETIMEDOUT;
    return -1;
  }
  return read(fd, into.data(), into.size());
}

// Likewise. A socket's end gives an error; a pipe's gives a signal, which the worker ignores.
ssize_t WriteSome(int fd, std::span<const uint8_t> bytes, std::chrono::milliseconds silence) {
  const ssize_t sent = send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
  if (sent >= 0 || (errno != EAGAIN && errno != ENOTSOCK)) return sent;
  const bool is_socket = errno == EAGAIN;
  if (!IsReady(fd, POLLOUT, silence)) {
    errno = ETIMEDOUT;
    return -1;
  }
  if (is_socket) return send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
  // No more than a pipe is sure to take once it is ready: a blocking one would wait for the rest.
  return write(fd, bytes.data(), std::min<size_t>(bytes.size(), PIPE_BUF));
}

litert::Expected<void> ReadWhole(int fd, std::span<uint8_t> into,
                                 std::chrono::milliseconds silence) {
  size_t done = 0;
  while (done < into.size()) {
    const ssize_t got = ReadSome(fd, into.subspan(done), silence);
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (got < 0 && errno == ETIMEDOUT)
      return Failed(fmt::format("nothing came for {} ms", silence.count()));
    if (got < 0) return Failed(fmt::format("can't be read: {}", strerror(errno)));
    if (got == 0)
      return Failed(done == 0 ? "the connection ended" : "the connection ended within a message");
    done += static_cast<size_t>(got);
  }
  return {};
}

}  // namespace

std::vector<uint8_t> EncodeFrame(const Frame& frame) {
  std::vector<uint8_t> bytes(kFrameHeaderBytes);
  const auto put = [&](size_t at, const auto& value) {
    std::memcpy(bytes.data() + at, &value, sizeof value);
  };
  put(0, kMagic);
  put(kKindAt, static_cast<uint16_t>(frame.kind));
  put(kChannelAt, frame.channel);
  put(kNumberAt, frame.number);
  put(kSizeAt, static_cast<uint32_t>(frame.payload.size()));
  put(kCheckAt, Check(bytes, frame.payload));
  bytes.insert(bytes.end(), frame.payload.begin(), frame.payload.end());
  return bytes;
}

litert::Expected<void> SendFrame(int fd, const Frame& frame, std::chrono::milliseconds silence) {
  if (frame.payload.size() > kMaxPayloadBytes) {
    return Failed(fmt::format("a message of {} bytes is longer than the {} that are allowed",
                              frame.payload.size(), kMaxPayloadBytes));
  }
  const std::vector<uint8_t> bytes = EncodeFrame(frame);
  size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t written = WriteSome(fd, std::span(bytes).subspan(done), silence);
    if (written < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (written < 0 && errno == ETIMEDOUT)
      return Failed(fmt::format("nothing was taken for {} ms", silence.count()));
    if (written < 0) return Failed(fmt::format("can't be written to: {}", strerror(errno)));
    done += static_cast<size_t>(written);
  }
  return {};
}

bool WaitForMessage(int fd, std::chrono::milliseconds silence) {
  return IsReady(fd, POLLIN, silence);
}

litert::Expected<Frame> ReceiveFrame(int fd, std::chrono::milliseconds silence) {
  std::array<uint8_t, kFrameHeaderBytes> header;
  LITERT_RETURN_IF_ERROR(ReadWhole(fd, header, silence));
  LITERT_ASSIGN_OR_RETURN(const Announced announced, ReadHeader(header));
  Frame frame = announced.frame;
  while (frame.payload.size() < announced.payload_bytes) {
    const size_t done = frame.payload.size();
    frame.payload.resize(done + std::min<size_t>(announced.payload_bytes - done, kPieceBytes));
    LITERT_RETURN_IF_ERROR(ReadWhole(fd, std::span(frame.payload).subspan(done), silence));
  }
  LITERT_RETURN_IF_ERROR(CheckSum(header, frame.payload));
  return frame;
}

litert::Expected<std::optional<Frame>> FrameAssembler::Next() {
  const std::span<const uint8_t> rest = std::span(bytes_).subspan(taken_);
  if (rest.size() < kFrameHeaderBytes) return std::optional<Frame>();
  const std::span<const uint8_t> header = rest.first(kFrameHeaderBytes);
  LITERT_ASSIGN_OR_RETURN(const Announced announced, ReadHeader(header));
  if (rest.size() - kFrameHeaderBytes < announced.payload_bytes) return std::optional<Frame>();
  const std::span<const uint8_t> payload = rest.subspan(kFrameHeaderBytes, announced.payload_bytes);
  LITERT_RETURN_IF_ERROR(CheckSum(header, payload));
  Frame frame = announced.frame;
  frame.payload.assign(payload.begin(), payload.end());
  taken_ += kFrameHeaderBytes + payload.size();
  // What was taken is given back once it is the larger part, so that each byte moves a few times only.
  if (taken_ * 2 >= bytes_.size()) {
    bytes_.erase(bytes_.begin(), bytes_.begin() + static_cast<std::ptrdiff_t>(taken_));
    taken_ = 0;
  }
  return std::optional<Frame>(std::move(frame));
}

}  // namespace npukit::remote
