// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// A message's first 24 bytes (frame.h), written and read.

#ifndef NPUKIT_SDK_REMOTE_WIRE_FRAME_HEADER_H_
#define NPUKIT_SDK_REMOTE_WIRE_FRAME_HEADER_H_

#include <array>
#include <cstdint>
#include <span>

#include "litert/cc/litert_expected.h"
#include "sdk/remote/wire/frame.h"

namespace npukit::remote {

using FrameHeader = std::array<uint8_t, kFrameHeaderBytes>;

// Of a message whose payload is not longer than allowed.
FrameHeader HeaderOf(const Frame& frame);

// A message without its payload, and how long that is.
struct Announced {
  Frame frame;
  uint32_t payload_bytes = 0;
};

// Errors: no message of this protocol; a payload that is longer than allowed.
litert::Expected<Announced> ReadHeader(const FrameHeader& header);

// Error: header or payload were changed on their way.
litert::Expected<void> CheckSum(const FrameHeader& header, std::span<const uint8_t> payload);

}  // namespace npukit::remote

#endif  // NPUKIT_SDK_REMOTE_WIRE_FRAME_HEADER_H_
