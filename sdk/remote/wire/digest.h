// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// SHA-256 (FIPS 180-4), by which desk and device name the files that they exchange.

#ifndef NPUKIT_SDK_REMOTE_WIRE_DIGEST_H_
#define NPUKIT_SDK_REMOTE_WIRE_DIGEST_H_

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace npukit::remote {

inline constexpr size_t kDigestChars = 64;

// In lower-case hexadecimal digits.
std::string Digest(std::span<const uint8_t> bytes);

// Whether a text from the wire may be used as one, and so as a file's name.
bool IsDigest(std::string_view text);

}  // namespace npukit::remote

#endif  // NPUKIT_SDK_REMOTE_WIRE_DIGEST_H_
