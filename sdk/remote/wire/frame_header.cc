// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/remote/wire/frame_header.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "sdk/checksum/crc32.h"

namespace npukit::remote {
namespace {

constexpr std::array<uint8_t, 4> kMagic = {'n', 'p', 'u', 'k'};
constexpr size_t kKindAt = 4;
constexpr size_t kChannelAt = 6;
constexpr size_t kNumberAt = 8;
constexpr size_t kSizeAt = 16;
constexpr size_t kCheckAt = 20;

uint32_t Check(const FrameHeader& header, std::span<const uint8_t> payload) {
  return Crc32(payload, Crc32(std::span(header).first(kCheckAt)));
}

template <typename T>
T Read(const FrameHeader& header, size_t at) {
  T value;
  std::memcpy(&value, header.data() + at, sizeof value);
  return value;
}

litert::Unexpected Failed(const std::string& what) {
  return litert::Unexpected(kLiteRtStatusErrorRuntimeFailure, what);
}

}  // namespace

FrameHeader HeaderOf(const Frame& frame) {
  FrameHeader header = {};
  const auto put = [&](size_t at, const auto& value) {
    std::memcpy(header.data() + at, &value, sizeof value);
  };
  put(0, kMagic);
  put(kKindAt, static_cast<uint16_t>(frame.kind));
  put(kChannelAt, frame.channel);
  put(kNumberAt, frame.number);
  put(kSizeAt, static_cast<uint32_t>(frame.payload.size()));
  put(kCheckAt, Check(header, frame.payload));
  return header;
}

litert::Expected<Announced> ReadHeader(const FrameHeader& header) {
  // The checksum can be compared only once the payload is there, so the size is believed until
  // then, as far as its bound. A kind that there is not passes: whoever the message is for refuses
  // it.
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

litert::Expected<void> CheckSum(const FrameHeader& header, std::span<const uint8_t> payload) {
  if (Check(header, payload) == Read<uint32_t>(header, kCheckAt)) return {};
  return Failed("a message was changed on its way: its checksum is another one");
}

}  // namespace npukit::remote
