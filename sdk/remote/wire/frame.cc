// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/remote/wire/frame.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cstring>
#include <span>
#include <utility>

#include "litert/cc/litert_macros.h"
#include "sdk/remote/wire/frame_header.h"
#include "sdk/remote/wire/outgoing_frames.h"

namespace npukit::remote {
namespace {

litert::Unexpected Failed(const std::string& what) {
  return litert::Unexpected(kLiteRtStatusErrorRuntimeFailure, what);
}

// For as long as `silence`.
bool IsReady(int fd, short events, std::chrono::milliseconds silence) {
  // A signal does not prolong the wait.
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

// Likewise, of the pieces. A socket's end gives an error; a pipe's gives a signal, which the worker ignores.
// What is tried first mostly takes all in one system call; asking poll() before each piece cost one
// more.
//
//   socket                   does not wait because of MSG_DONTWAIT, whatever its flags are
//   pipe, O_NONBLOCK         writev() does not wait (own_pipe_end.h makes such ends)
//   pipe, blocking           is written to once poll() says so, a little at a time
ssize_t WriteSome(int fd, std::span<iovec> pieces, std::chrono::milliseconds silence) {
  msghdr message = {};
  message.msg_iov = pieces.data();
  message.msg_iovlen = pieces.size();
  ssize_t written = sendmsg(fd, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
  const bool is_socket = written >= 0 || errno != ENOTSOCK;
  const bool never_waits = !is_socket && (fcntl(fd, F_GETFL) & O_NONBLOCK) != 0;
  if (never_waits) written = writev(fd, pieces.data(), static_cast<int>(pieces.size()));
  if (written >= 0 || (errno != EAGAIN && errno != ENOTSOCK)) return written;
  if (!IsReady(fd, POLLOUT, silence)) {
    errno = ETIMEDOUT;
    return -1;
  }
  if (is_socket) return sendmsg(fd, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
  if (never_waits) return writev(fd, pieces.data(), static_cast<int>(pieces.size()));
  // A pipe that poll() calls writable has room for PIPE_BUF bytes (pipe(7)). A blocking one would
  // wait for more than that, longer than `silence` if need be.
  return write(fd, pieces.front().iov_base, std::min<size_t>(pieces.front().iov_len, PIPE_BUF));
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
  const FrameHeader header = HeaderOf(frame);
  std::vector<uint8_t> bytes;
  bytes.reserve(header.size() + frame.payload.size());
  bytes.insert(bytes.end(), header.begin(), header.end());
  bytes.insert(bytes.end(), frame.payload.begin(), frame.payload.end());
  return bytes;
}

litert::Expected<void> SendFrame(int fd, const Frame& frame, std::chrono::milliseconds silence) {
  if (frame.payload.size() > kMaxPayloadBytes) {
    return Failed(fmt::format("a message of {} bytes is longer than the {} that are allowed",
                              frame.payload.size(), kMaxPayloadBytes));
  }
  FrameOnItsWay going(frame);
  while (!going.is_gone()) {
    std::array<iovec, 2> pieces;
    const size_t count = going.Pieces(pieces);
    const ssize_t written = WriteSome(fd, std::span(pieces).first(count), silence);
    if (written < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (written < 0 && errno == ETIMEDOUT)
      return Failed(fmt::format("nothing was taken for {} ms", silence.count()));
    if (written < 0) return Failed(fmt::format("can't be written to: {}", strerror(errno)));
    going.Wrote(static_cast<size_t>(written));
  }
  return {};
}

bool WaitForMessage(int fd, std::chrono::milliseconds silence) {
  return IsReady(fd, POLLIN, silence);
}

litert::Expected<Frame> ReceiveFrame(int fd, std::chrono::milliseconds silence,
                                     std::vector<uint8_t> room) {
  FrameHeader header;
  LITERT_RETURN_IF_ERROR(ReadWhole(fd, header, silence));
  LITERT_ASSIGN_OR_RETURN(const Announced announced, ReadHeader(header));
  Frame frame = announced.frame;
  frame.payload = std::move(room);
  frame.payload.clear();
  // Each piece is read before the next gets its memory: a header alone costs no more than one
  // piece.
  while (frame.payload.size() < announced.payload_bytes) {
    const size_t done = frame.payload.size();
    frame.payload.resize(done +
                         std::min<size_t>(announced.payload_bytes - done, kPayloadPieceBytes));
    LITERT_RETURN_IF_ERROR(ReadWhole(fd, std::span(frame.payload).subspan(done), silence));
  }
  LITERT_RETURN_IF_ERROR(CheckSum(header, frame.payload));
  return frame;
}

}  // namespace npukit::remote
