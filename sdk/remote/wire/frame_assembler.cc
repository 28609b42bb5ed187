// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/remote/wire/frame_assembler.h"

#include <algorithm>
#include <utility>

namespace npukit::remote {
namespace {

// What is read at once where no long payload is coming, many short messages among it.
constexpr size_t kReadBytes = size_t{64} << 10;

}  // namespace

std::span<uint8_t> FrameAssembler::RoomOfPayload() {
  std::vector<uint8_t>& payload = coming_->frame.payload;
  if (payload_bytes_ == payload.size())
    payload.resize(payload_bytes_ +
                   std::min<size_t>(coming_->payload_bytes - payload_bytes_, kPayloadPieceBytes));
  return std::span(payload).subspan(payload_bytes_);
}

void FrameAssembler::FilledPayload(size_t num_bytes) {
  payload_bytes_ += num_bytes;
  if (payload_bytes_ < coming_->payload_bytes) return;
  if (auto good = CheckSum(header_, coming_->frame.payload); !good) {
    error_ = good.Error();
  } else {
    whole_.push_back(std::move(coming_->frame));
  }
  coming_.reset();
  header_bytes_ = 0;
}

void FrameAssembler::TakeHeader() {
  auto announced = ReadHeader(header_);
  if (!announced) {
    error_ = announced.Error();
    return;
  }
  coming_ = std::move(*announced);
  payload_bytes_ = 0;
  // Not for a short one, which would take it away from a long one.
  const size_t spare_bytes = spare_.capacity();
  if (coming_->payload_bytes <= spare_bytes && coming_->payload_bytes >= spare_bytes / 4) {
    spare_.clear();
    coming_->frame.payload = std::exchange(spare_, {});
  }
  // A message without a payload is whole by now.
  FilledPayload(0);
}

void FrameAssembler::Add(std::span<const uint8_t> bytes) {
  while (!bytes.empty() && !error_) {
    const std::span<uint8_t> into =
        coming_ ? RoomOfPayload() : std::span(header_).subspan(header_bytes_);
    const size_t count = std::min(bytes.size(), into.size());
    std::copy_n(bytes.begin(), count, into.begin());
    bytes = bytes.subspan(count);
    if (coming_) {
      FilledPayload(count);
    } else if ((header_bytes_ += count) == header_.size()) {
      TakeHeader();
    }
  }
}

// A long payload is read to where it stays. It can't take bytes of the next message, since the room
// ends with it or with the piece that it has memory for. All else is read to a place of its own, of
// which one system call fills many short messages.
std::span<uint8_t> FrameAssembler::Room() {
  if (coming_ && coming_->payload_bytes - payload_bytes_ >= kReadBytes) return RoomOfMessage();
  room_ = Place::kPiece;
  piece_.resize(kReadBytes);
  return piece_;
}

std::span<uint8_t> FrameAssembler::RoomOfMessage() {
  room_ = coming_ ? Place::kPayload : Place::kHeader;
  return coming_ ? RoomOfPayload() : std::span(header_).subspan(header_bytes_);
}

void FrameAssembler::Came(size_t num_bytes) {
  switch (room_) {
    case Place::kPiece:
      return Add(std::span(piece_).first(num_bytes));
    case Place::kHeader:
      if ((header_bytes_ += num_bytes) == header_.size()) TakeHeader();
      return;
    case Place::kPayload:
      return FilledPayload(num_bytes);
  }
}

litert::Expected<std::optional<Frame>> FrameAssembler::Next() {
  if (!whole_.empty()) {
    std::optional<Frame> next = std::move(whole_.front());
    whole_.pop_front();
    return next;
  }
  if (error_) return litert::Unexpected(error_->Status(), error_->Message());
  return std::optional<Frame>();
}

void FrameAssembler::Reuse(std::vector<uint8_t> payload) {
  if (payload.capacity() > spare_.capacity() && payload.capacity() <= kMaxSpareBytes)
    spare_ = std::move(payload);
}

}  // namespace npukit::remote
