// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/remote/wire/outgoing_frames.h"

#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

namespace npukit::remote {
namespace {

// Many short messages go in one step.
constexpr size_t kPiecesAtOnce = 64;
// Memory that is worth to be kept.
constexpr size_t kLeastSpareBytes = size_t{64} << 10;

iovec PieceOf(std::span<const uint8_t> bytes) {
  return {const_cast<uint8_t*>(bytes.data()), bytes.size()};
}

}  // namespace

size_t FrameOnItsWay::Pieces(std::span<iovec> into) {
  const size_t of_header = std::min(gone_, header_.size());
  const auto header = std::span<const uint8_t>(header_).subspan(of_header);
  const auto payload = payload_.subspan(gone_ - of_header);
  size_t count = 0;
  if (!header.empty()) into[count++] = PieceOf(header);
  if (!payload.empty()) into[count++] = PieceOf(payload);
  return count;
}

void OutgoingFrames::Put(Frame frame) {
  going_.emplace_back(std::move(frame));
  waiting_bytes_ += going_.back().way.waiting_bytes();
}

bool OutgoingFrames::Write(int fd, std::vector<std::vector<uint8_t>>& spare) {
  while (!going_.empty()) {
    std::array<iovec, kPiecesAtOnce> pieces;
    size_t count = 0;
    for (Going& going : going_) {
      if (count + 2 > pieces.size()) break;
      count += going.way.Pieces(std::span(pieces).subspan(count));
    }
    // Not writev(): only a socket can be told not to wait and to raise no SIGPIPE, call by call.
    msghdr message = {};
    message.msg_iov = pieces.data();
    message.msg_iovlen = count;
    const ssize_t sent = sendmsg(fd, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0) return errno == EAGAIN;
    Wrote(static_cast<size_t>(sent), spare);
  }
  return true;
}

void OutgoingFrames::Wrote(size_t num_bytes, std::vector<std::vector<uint8_t>>& spare) {
  waiting_bytes_ -= num_bytes;
  while (num_bytes > 0) {
    Going& first = going_.front();
    const size_t of_it = std::min(num_bytes, first.way.waiting_bytes());
    first.way.Wrote(of_it);
    num_bytes -= of_it;
    if (!first.way.is_gone()) return;
    if (first.frame.payload.capacity() >= kLeastSpareBytes)
      spare.push_back(std::move(first.frame.payload));
    going_.pop_front();
  }
}

}  // namespace npukit::remote
