// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Messages between desk and device as they pass through a pipe or socket (docs/remote.md):
//
//   bytes 0..3   "npuk"
//         4..5   kind (MessageKind)
//         6..7   channel: several conversations share a connection, each with a library's process of its own
//         8..15  number of the request; an answer has that of its request
//        16..19  bytes that follow, at most kMaxPayloadBytes
//        20..23  CRC-32 of all of the message but these four bytes
//        24...   the payload

#ifndef NPUKIT_SDK_REMOTE_WIRE_FRAME_H_
#define NPUKIT_SDK_REMOTE_WIRE_FRAME_H_

#include <chrono>
#include <cstdint>
#include <vector>

#include "litert/cc/litert_expected.h"
#include "sdk/remote/wire/message_kind.h"

namespace npukit::remote {

inline constexpr uint32_t kMaxPayloadBytes = uint32_t{1} << 28;
inline constexpr size_t kFrameHeaderBytes = 24;
// Of a payload that has not arrived, so much is made room for at a time.
inline constexpr size_t kPayloadPieceBytes = size_t{1} << 20;

struct Frame {
  MessageKind kind = MessageKind::kHello;
  uint64_t number = 0;
  uint16_t channel = 0;
  std::vector<uint8_t> payload;
};

// The bytes of a message. Its payload is not longer than allowed.
std::vector<uint8_t> EncodeFrame(const Frame& frame);

// Writes a message to a descriptor, a pipe's or a socket's, blocking or not. Errors: the payload is
// too long; the other end is closed; it takes nothing for as long as `silence`.
litert::Expected<void> SendFrame(int fd, const Frame& frame, std::chrono::milliseconds silence);

// Waits until there is something to read, or the end; false: that does not come for as long as `silence`.
bool WaitForMessage(int fd, std::chrono::milliseconds silence);

// Reads a message. Memory grows with what arrives, not with what is announced. Errors: nothing
// comes for as long as `silence`; the end, in a message or before one; what is no message of this
// protocol or was changed on its way. `room` is memory for the payload, of a message that is done with.
litert::Expected<Frame> ReceiveFrame(int fd, std::chrono::milliseconds silence,
                                     std::vector<uint8_t> room = {});

}  // namespace npukit::remote

#endif  // NPUKIT_SDK_REMOTE_WIRE_FRAME_H_
