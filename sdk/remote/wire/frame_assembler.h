// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Messages out of bytes as they arrive, for one that must not wait for the rest of a message.

#ifndef NPUKIT_SDK_REMOTE_WIRE_FRAME_ASSEMBLER_H_
#define NPUKIT_SDK_REMOTE_WIRE_FRAME_ASSEMBLER_H_

#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "litert/cc/litert_expected.h"
#include "sdk/remote/wire/frame.h"
#include "sdk/remote/wire/frame_header.h"

namespace npukit::remote {

// More memory than that is not kept for a later payload.
inline constexpr size_t kMaxSpareBytes = size_t{4} << 20;

class FrameAssembler {
 public:
  void Add(std::span<const uint8_t> bytes);

  // Or, without a copy of a long payload: what a descriptor gives is written into Room(), which is never empty and
  // valid until another function is called, and Came() is told how much it was.
  std::span<uint8_t> Room();
  // The same of the message that is coming alone: what follows it stays in the descriptor.
  std::span<uint8_t> RoomOfMessage();
  void Came(size_t num_bytes);

  // The next message; nullopt: more must come first. Error: as ReceiveFrame's; nothing follows it.
  litert::Expected<std::optional<Frame>> Next();

  // Some of a message has come, and some is missing.
  bool is_within_message() const { return header_bytes_ > 0; }

  // The payload of a message that is done with: its memory is for a later one's.
  void Reuse(std::vector<uint8_t> payload);
  bool has_spare() const { return spare_.capacity() > 0; }
  // That memory, if no message took it.
  std::vector<uint8_t> TakeSpare() { return std::exchange(spare_, {}); }

 private:
  std::span<uint8_t> RoomOfPayload();
  void FilledPayload(size_t num_bytes);
  void TakeHeader();

  FrameHeader header_ = {};
  size_t header_bytes_ = 0;          // of it that came
  std::optional<Announced> coming_;  // its payload is
  size_t payload_bytes_ = 0;         // of it that came
  std::deque<Frame> whole_;
  std::optional<litert::Error> error_;
  std::vector<uint8_t> piece_;  // what Room() is where no long payload is coming
  enum class Place { kPiece, kHeader, kPayload };
  Place room_ = Place::kPiece;  // which was given out last
  std::vector<uint8_t> spare_;
};

}  // namespace npukit::remote

#endif  // NPUKIT_SDK_REMOTE_WIRE_FRAME_ASSEMBLER_H_
