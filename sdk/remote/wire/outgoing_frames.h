// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Messages that leave, in as many steps as the other side takes, without being copied.

#ifndef NPUKIT_SDK_REMOTE_WIRE_OUTGOING_FRAMES_H_
#define NPUKIT_SDK_REMOTE_WIRE_OUTGOING_FRAMES_H_

#include <sys/uio.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <utility>
#include <vector>

#include "sdk/remote/wire/frame.h"
#include "sdk/remote/wire/frame_header.h"

namespace npukit::remote {

// One message, lent.
class FrameOnItsWay {
 public:
  explicit FrameOnItsWay(const Frame& frame) : header_(HeaderOf(frame)), payload_(frame.payload) {}

  bool is_gone() const { return waiting_bytes() == 0; }
  size_t waiting_bytes() const { return header_.size() + payload_.size() - gone_; }
  // What is left of it, in at most two pieces; their number.
  size_t Pieces(std::span<iovec> into);
  void Wrote(size_t num_bytes) { gone_ += num_bytes; }

 private:
  FrameHeader header_;
  std::span<const uint8_t> payload_;
  size_t gone_ = 0;
};

// Several, for a socket that is not waited for.
class OutgoingFrames {
 public:
  void Put(Frame frame);
  size_t waiting_bytes() const { return waiting_bytes_; }
  // Writes what the socket takes now. False: the other side is gone. Long payloads that have left go to `spare`.
  bool Write(int fd, std::vector<std::vector<uint8_t>>& spare);

 private:
  struct Going {
    explicit Going(Frame its_frame) : frame(std::move(its_frame)), way(frame) {}
    Frame frame;
    FrameOnItsWay way;
  };
  void Wrote(size_t num_bytes, std::vector<std::vector<uint8_t>>& spare);
  // A deque: its elements stay where they are while others are put behind and taken in front of
  // them, as `way`, which points into `frame`, needs it.
  std::deque<Going> going_;
  size_t waiting_bytes_ = 0;
};

}  // namespace npukit::remote

#endif  // NPUKIT_SDK_REMOTE_WIRE_OUTGOING_FRAMES_H_
